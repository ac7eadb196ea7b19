"""What must always hold."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.kernel import kernel
from quadriga.games.chariots.components import Tables
from quadriga.games.chariots.movement import chariot_on
from quadriga.games.chariots.state import MOVE, OVER, PHASES, PLOT, Race

Codes = NDArray[np.int64]

INVARIANTS = (
    "",
    "every chariot in the race stands on a square of its own, unless it has finished and left",
    "line counts, laps and places fit together",
    "coins are in hand or spent",
    "a plot is three different coins",
    "somebody owes a choice until the race is over",
    "only chariots in the race are due, rest, move or are asked",
)


@kernel
def stands_well(race: Race, tables: Tables, chariot: int) -> bool:
    square = race.square[chariot]
    if square < 0:
        return race.race_on == 1 and race.place[chariot] > 0
    return square < tables.squares and chariot_on(race, square) == chariot


@kernel
def counts_well(race: Race, chariot: int) -> bool:
    if race.lines[chariot] > race.laps or race.best[chariot] < max(0, int(race.lines[chariot])):
        return False
    return (race.best[chariot] == race.laps) == (race.place[chariot] > 0)


@kernel
def plots_well(race: Race, chariot: int) -> bool:
    coins = race.plot[chariot]
    for phase in range(PHASES):
        if coins[phase] != 0 and (coins[phase] < 2 or coins[phase] > 5):
            return False
        for other in range(phase):
            if coins[phase] == coins[other] and coins[phase] != 0:
                return False
    laid = coins[0] > 0 and coins[1] > 0 and coins[2] > 0
    return laid or race.stage <= PLOT or race.square[chariot] < 0 or race.stage == OVER


@kernel
def check(race: Race, tables: Tables, scratch: Codes) -> int:
    """The contract's invariants, by their place in INVARIANTS."""
    for chariot in range(race.chariots):
        if not stands_well(race, tables, chariot):
            return 1
        if not counts_well(race, chariot):
            return 2
        if not (0 <= race.null_coin[chariot] <= 1 and 0 <= race.ace_coin[chariot] <= 1):
            return 3
        if not plots_well(race, chariot):
            return 4
    if (race.asking == 0) != (race.stage == OVER) or (race.reason > 0) != (race.stage == OVER):
        return 5
    if (race.asking | race.due | race.resting | race.extra) >> int(race.chariots):
        return 6
    return 5 if race.stage == MOVE and race.asking != 1 << int(race.order[race.turn]) else 0
