"""Who is where: places as the race stands (CH-18)."""

from quadriga.core.kernel import kernel
from quadriga.games.charioteer.components import Tables
from quadriga.games.charioteer.state import (
    Ints,
    Race,
)


@kernel
def standings(race: Race, tables: Tables, places: Ints) -> int:
    """The furthest first, in one space the innermost (CH-18)."""
    for i in range(race.seats):
        places[race.order[i]] = i + 1
    return race.over
