"""Who is where: places as the race stands (CR-13)."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import progress
from quadriga.games.chariot_race.state import (
    ALL_WRECKED,
    CHARIOTS,
    Race,
)


@kernel
def standings(race: Race, tables: Tables, places: NDArray[np.int64]) -> int:
    """CR-13: survivors by progress, then wrecks, the last wrecked first; a player by his better chariot.

    Nobody is first if all are wrecked.
    """
    first = 2 if race.reason == ALL_WRECKED else 1
    for seat in range(race.seats):
        places[seat] = first
        merit = seat_merit(race, tables, seat)
        for other in range(race.seats):
            if seat_merit(race, tables, other) > merit:
                places[seat] += 1
    return int(race.reason)


@kernel
def seat_merit(race: Race, tables: Tables, seat: int) -> int:
    """A number that is higher for the player in front: that of his better chariot."""
    best = 0
    for chariot in range(CHARIOTS):
        if race.owner[chariot] == seat:
            best = max(best, merit(race, tables, chariot))
    return best


@kernel
def merit(race: Race, tables: Tables, chariot: int) -> int:
    """Wrecks in the order they fell, then chariots on the track by progress, one knocked back behind the line too."""
    if race.space[chariot] == NONE:
        return int(race.wreck[chariot])
    return CHARIOTS + 1 + int(tables.spaces) + progress(race, tables, chariot)
