"""Damage and wrecks: CR-11, and what every other part asks of a chariot."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, tell
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.events import DAMAGED, LITTERED, WRECKED
from quadriga.games.chariot_race.state import CHARIOTS, Public, Race

Log = NDArray[np.int32]


@kernel
def occupant(race: Public, space: int, besides: int) -> int:
    """The chariot on a space besides the one that asks, or none: a mover passing through shares a space for a while."""
    for chariot in range(CHARIOTS):
        if race.space[chariot] == space and chariot != besides:
            return chariot
    return NONE


@kernel
def whole(race: Race, chariot: int) -> bool:
    """Whether a chariot is still in the race."""
    return bool(race.damage[chariot] > 0)


@kernel
def progress(race: Public, tables: Tables, chariot: int) -> int:
    """CR-2: how far a chariot has come; no two are ever level."""
    return int(tables.spaces) * int(race.lines[chariot]) + int(tables.rank[race.space[chariot]])


@kernel
def has_finished(race: Race, tables: Tables, chariot: int) -> bool:
    """CR-13: the crossing from the grid is no lap."""
    return bool(race.damage[chariot] > 0 and race.lines[chariot] > tables.laps)


@kernel
def is_sheltered(race: Race, tables: Tables, chariot: int) -> bool:
    """CR-14: another chariot that has finished has also completed its turn: the race ends with this round."""
    return bool(race.sheltered == 1 and has_finished(race, tables, chariot))


@kernel
def hurt(race: Race, chariot: int, points: int, cause: int, other: int, log: Log) -> None:
    """Take damage; at 0 the chariot is a wreck, which `clear` takes off its space."""
    left = max(0, int(race.damage[chariot]) - points)
    race.damage[chariot] = left
    tell(log, DAMAGED, EVERYONE, chariot, points, left, cause, race.space[chariot], other)
    if left == 0:
        wreck(race, chariot, cause, other, log)


@kernel
def wreck(race: Race, chariot: int, cause: int, other: int, log: Log) -> None:
    """CR-11: out of the race at once."""
    race.damage[chariot] = 0
    race.wrecks += 1
    race.wreck[chariot] = race.wrecks
    tell(log, WRECKED, EVERYONE, chariot, race.owner[chariot], cause, race.space[chariot], other, race.wrecks)


@kernel
def clear(race: Race, chariot: int, log: Log) -> None:
    """CR-11: take a wreck off its space and lay its caltrop, on a heap too."""
    space = int(race.space[chariot])
    race.space[chariot] = NONE
    if race.caltrop[space] == 1 or race.supply == 0:
        return
    race.caltrop[space] = 1
    race.supply -= 1
    tell(log, LITTERED, EVERYONE, chariot, space, race.supply)
