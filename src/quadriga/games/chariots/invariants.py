"""What must always hold."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.kernel import kernel
from quadriga.games.chariots.components import Tables
from quadriga.games.chariots.movement import chariot_on, has
from quadriga.games.chariots.state import ANNOUNCE, MOVE, OVER, PHASES, PLOT, Race

Codes = NDArray[np.int64]

INVARIANTS = (
    "",
    "every chariot in the race stands on a square of its own, unless it has finished and left",
    "line counts, laps and places fit together",
    "coins are in hand or spent",
    "a plot is three different coins",
    "somebody owes a choice until the race is over",
    "only chariots in the race are due, rest, move or are asked",
    "the race has its chariots, and stage, phase and impulse fit together",
    "whoever announced something said it of a rival in the race",
)


@kernel
def stands_well(race: Race, tables: Tables, chariot: int) -> bool:
    square = race.square[chariot]
    if square < 0:
        return race.race_on == 1 and race.place[chariot] > 0
    return square < tables.squares and chariot_on(race, square) == chariot


@kernel
def counts_well(race: Race, chariot: int) -> bool:
    if race.best[chariot] > race.laps or race.best[chariot] < max(0, int(race.lines[chariot])):
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
def stage_fits(race: Race) -> bool:
    """The chariots of all players, and how far the round has come."""
    if race.chariots != race.seats * (2 if race.two_chariots else 1) or race.stage < 0:
        return False
    if race.stage == OVER:
        return True
    if race.stage <= PLOT:
        return race.phase == 0 and race.impulse == 0
    return race.phase >= 1 and (race.impulse >= 1) == (race.stage >= ANNOUNCE)


@kernel
def check_chariots(race: Race, tables: Tables) -> int:
    """What must hold of every chariot alone, by its place in INVARIANTS."""
    if not stage_fits(race):
        return 7
    for chariot in range(race.chariots):
        if not stands_well(race, tables, chariot):
            return 1
        if not counts_well(race, chariot):
            return 2
        if not (0 <= race.null_coin[chariot] <= 1 and 0 <= race.ace_coin[chariot] <= 1):
            return 3
        if not plots_well(race, chariot):
            return 4
        if not announces_well(race, chariot):
            return 8
    return 0


@kernel
def announces_well(race: Race, chariot: int) -> bool:
    """An ace is announced against a rival."""
    target = race.target_said[chariot]
    if race.ace_said[chariot] < 0:
        return target < 0
    return 0 <= target < race.chariots and target != chariot


@kernel
def check(race: Race, tables: Tables, scratch: Codes) -> int:
    """The contract's invariants, by their place in INVARIANTS."""
    broken = check_chariots(race, tables)
    if broken:
        return broken
    if (race.asking == 0) != (race.stage == OVER) or (race.reason > 0) != (race.stage == OVER):
        return 5
    masks = race.asking | race.due | race.resting | race.extra | race.ahead | race.driven | race.balked
    if (masks | race.swapping | race.quiet_said) >> int(race.chariots) or asks_off_track(race):
        return 6
    return 5 if race.stage == MOVE and not moves_well(race) else 0


@kernel
def asks_off_track(race: Race) -> bool:
    for chariot in range(race.chariots):
        if has(race.asking, chariot) and race.square[chariot] < 0:
            return True
    return False


@kernel
def moves_well(race: Race) -> bool:
    """The order names chariots of the race once each, and the one whose turn it is is asked."""
    if not 0 <= race.turn < race.movers or race.movers > race.chariots:
        return False
    seen = 0
    for i in range(race.movers):
        chariot = int(race.order[i])
        if chariot < 0 or chariot >= race.chariots or has(seen, chariot):
            return False
        seen |= 1 << chariot
    return race.asking == 1 << int(race.order[race.turn])
