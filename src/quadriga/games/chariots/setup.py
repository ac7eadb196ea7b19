"""The set-up: rolls for the grid, coins, and the way to the first choice (CT-1)."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, tell
from quadriga.core.streams import Stream, roll
from quadriga.games.chariots.components import CHARIOTS, FACES, Tables
from quadriga.games.chariots.events import (
    GRID_ROLLED,
    GRID_TAKEN,
)
from quadriga.games.chariots.movement import has, seat_of
from quadriga.games.chariots.state import Race
from quadriga.games.chariots.turn import STRETCH, begin_round, forget_announcements, proceed

Codes = NDArray[np.int64]
Log = NDArray[np.int32]

GRID_ROLLS = 16


@kernel
def is_tied(scores: Codes, chariots: int, chariot: int) -> bool:
    for other in range(chariots):
        if other != chariot and scores[other] == scores[chariot]:
            return True
    return False


@kernel
def roll_for_grid(race: Race, stream: Stream, log: Log, scores: Codes) -> None:
    """CT-1: each chariot rolls; those tied roll again, which never lifts them over the others."""
    for chariot in range(race.chariots):
        scores[chariot] = 0
    for _ in range(GRID_ROLLS):
        tied = 0
        for chariot in range(race.chariots):
            if is_tied(scores, race.chariots, chariot):
                tied |= 1 << chariot
        if tied == 0:
            return
        for chariot in range(race.chariots):
            scores[chariot] *= FACES
            if has(tied, chariot):
                face = roll(stream, FACES)
                scores[chariot] += face
                tell(log, GRID_ROLLED, EVERYONE, chariot, face)


@kernel
def take_grid(race: Race, tables: Tables, log: Log, scores: Codes) -> None:
    """CT-1: the highest takes position one."""
    for chariot in range(race.chariots):
        position = 0
        for other in range(race.chariots):
            ahead = scores[other] > scores[chariot] or (scores[other] == scores[chariot] and other < chariot)
            position += 1 if ahead else 0
        race.square[chariot] = tables.start[position]
        tell(log, GRID_TAKEN, EVERYONE, chariot, seat_of(race, chariot), position + 1, race.square[chariot])


@kernel
def setup(race: Race, tables: Tables, stream: Stream, log: Log, scratch: Codes) -> None:
    """The contract's set-up."""
    race.chariots = race.seats * 2 if race.two_chariots else race.seats
    for chariot in range(CHARIOTS):
        race.square[chariot] = -1
        race.lines[chariot] = -1
        race.side[chariot] = -1
        race.order[chariot] = -1
        race.null_coin[chariot] = race.ace_coin[chariot] = 1 if chariot < race.chariots else 0
    roll_for_grid(race, stream, log, scratch)
    take_grid(race, tables, log, scratch)
    forget_announcements(race)
    begin_round(race, log)
    for _ in range(STRETCH):
        if race.asking:
            break
        proceed(race, tables, stream, log, scratch)
