"""What playouts of Chariot Race look at."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.analysis.measures import SCALE, Measure, Measures
from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import progress
from quadriga.games.chariot_race.evaluation import Workspace
from quadriga.games.chariot_race.events import DAMAGED
from quadriga.games.chariot_race.standings import seat_merit
from quadriga.games.chariot_race.state import BY_CORNER, CHARIOTS, Race
from quadriga.games.chariot_race.worth import RANKS

Codes = NDArray[np.int64]

SPACES, FATE, AHEAD, WRECKS, DAMAGE, CORNERS, RIVALS_DAMAGE = range(7)


@kernel
def measure(race: Race, tables: Tables, work: Workspace, seat: int, out: Codes) -> None:
    """Spaces gone by the better chariot, fate left, rivals ahead, and wrecks."""
    best, fate, wrecks, ahead = 0, 0, 0, 0
    for chariot in range(CHARIOTS):
        if race.owner[chariot] == seat:
            wrecks += race.space[chariot] == NONE
            if race.space[chariot] != NONE:
                best = max(best, int(tables.spaces) + progress(race, tables, chariot))
                fate += int(race.fate[chariot])
    for other in range(race.seats):
        ahead += seat_merit(race, tables, other) > seat_merit(race, tables, seat)
    out[SPACES] = SCALE * best // RANKS
    out[FATE] = SCALE * fate
    out[AHEAD] = SCALE * ahead
    out[WRECKS] = SCALE * wrecks


@kernel
def watch(race: Race, tables: Tables, seat: int, log: Any, out: Codes) -> None:
    """Damage taken, at corners and in all, and damage of the rivals."""
    for i in range(1, min(int(log[0, 0]) + 1, log.shape[0])):
        if log[i, 0] != DAMAGED:
            continue
        points = SCALE * int(log[i, 3])
        if race.owner[log[i, 2]] == seat:
            out[DAMAGE] += points
            out[CORNERS] += points if log[i, 5] == BY_CORNER else 0
        else:
            out[RIVALS_DAMAGE] += points


MEASURES = Measures(
    race=Race,
    measures=(
        Measure("spaces", True),
        Measure("fate", True),
        Measure("ahead", False),
        Measure("wrecks", False),
        Measure("damage", False),
        Measure("corners", False),
        Measure("rivals_damage", True),
    ),
    measure=measure,
    watch=watch,
    chance_events=("opened", "gridded", "rolled", "rerolled"),
)
