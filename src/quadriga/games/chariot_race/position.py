"""How a position that a scenario wrote in part becomes a whole one."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.state import (
    ATTACK,
    CHARIOTS,
    MOVE,
    SPACES,
    Race,
)


@kernel
def settle(race: Race, tables: Tables, stream: Stream, scratch: NDArray[np.int64]) -> None:
    """Make a position that names chariots and caltrops whole: supply, wrecks, the turn, and where a drive began."""
    race.supply = tables.caltrops
    for space in range(SPACES):
        race.supply -= race.caltrop[space]
    race.wrecks = 0
    for i in range(CHARIOTS):
        race.wrecks += race.wreck[i] > 0
        if race.mover != NONE and race.order[i] == race.mover:
            race.turn = i
    if race.driven == 0 and (race.phase == MOVE or race.phase == ATTACK):
        race.path[0] = race.space[race.mover]
        race.driven = 1
