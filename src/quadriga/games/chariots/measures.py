"""What playouts of Chariots look at."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.analysis.measures import SCALE, Measure, Measures
from quadriga.core.kernel import kernel
from quadriga.games.chariots.components import Tables
from quadriga.games.chariots.evaluation import MIDDLING, SPACE, Workspace, lap_worth, mixed
from quadriga.games.chariots.events import CRASHED, PUSHED
from quadriga.games.chariots.movement import seat_of
from quadriga.games.chariots.standings import best_of
from quadriga.games.chariots.state import Race

Codes = NDArray[np.int64]

SPACES, COINS, AHEAD, CRASHES, PUSHES = range(5)


@kernel
def steps_left(race: Race, work: Workspace, chariot: int) -> int:
    """The way to the end of the race, in hundredths of a square."""
    if race.place[chariot] > 0:
        return 0
    laps_left = int(race.laps) - 1 - int(race.lines[chariot])
    return (laps_left * lap_worth(work) + mixed(work, int(race.square[chariot]), MIDDLING)) * SCALE // SPACE


@kernel
def measure(race: Race, tables: Tables, work: Workspace, seat: int, out: Codes) -> None:
    """Squares gone by the better chariot, coins in hand, and rivals ahead."""
    best, coins, ahead = 1 << 40, 0, 0
    for chariot in range(seat, race.chariots, race.seats):
        best = min(best, steps_left(race, work, chariot))
        coins += int(race.null_coin[chariot]) + int(race.ace_coin[chariot])
    for other in range(race.seats):
        ahead += best_of(race, other) > best_of(race, seat)
    out[SPACES] = -best
    out[COINS] = SCALE * coins
    out[AHEAD] = SCALE * ahead


@kernel
def watch(race: Race, tables: Tables, seat: int, log: Any, out: Codes) -> None:
    """Crashes of one's own chariots, and pushes against them."""
    for i in range(1, min(int(log[0, 0]) + 1, log.shape[0])):
        if seat_of(race, log[i, 2]) == seat:
            out[CRASHES] += SCALE * int(log[i, 0] == CRASHED)
            out[PUSHES] += SCALE * int(log[i, 0] == PUSHED)


MEASURES = Measures(
    race=Race,
    measures=(
        Measure("spaces", True),
        Measure("coins", True),
        Measure("ahead", False),
        Measure("crashes", False),
        Measure("pushes", False),
    ),
    measure=measure,
    watch=watch,
    chance_events=("grid_rolled", "control_rolled"),
)
