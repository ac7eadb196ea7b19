"""Who is where: places as the race stands."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.kernel import kernel
from quadriga.games.chariots.components import Tables
from quadriga.games.chariots.movement import advance
from quadriga.games.chariots.state import Race

Codes = NDArray[np.int64]

FINISHED_FIRST = 1 << 20


@kernel
def rank_of(race: Race, chariot: int) -> int:
    """Finished chariots in the order they came in, the others by how far along they are."""
    if race.place[chariot] > 0:
        return FINISHED_FIRST - int(race.place[chariot])
    return advance(race, chariot)


@kernel
def best_of(race: Race, seat: int) -> int:
    """CT-1: a player takes the place of his better chariot."""
    best = -FINISHED_FIRST
    for chariot in range(seat, race.chariots, race.seats):
        best = max(best, rank_of(race, chariot))
    return best


@kernel
def standings(race: Race, tables: Tables, places: Codes) -> int:
    """The contract's places."""
    for seat in range(race.seats):
        places[seat] = 1
        for other in range(race.seats):
            if best_of(race, other) > best_of(race, seat):
                places[seat] += 1
    return int(race.reason)
