"""How fast random races run on one core, with every choice listed at every decision."""

import time
from dataclasses import dataclass

import numpy as np

from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.play import Player
from quadriga.core.streams import stream_key

SEATS = 4
COPIES = 200_000


@dataclass(frozen=True)
class Speed:
    """Figures of one game."""

    decisions_per_s: int
    games_per_s: int
    state_bytes: int
    copy_us: float


@kernel
def copy_often(races: np.ndarray, times: int) -> None:
    for i in range(times):
        races[1 + i % 7] = races[0]


def measure(game: Game, seconds: float = 3.0, seats: int = SEATS) -> Speed:
    """Play random races for about so many seconds, compiled beforehand."""
    player = Player(game, seats, {})
    key = stream_key(b"bench".ljust(32, b"\0"))
    player.play(1, key)
    races = decisions = batch = 0
    begin = time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        key[6] = batch
        _, tally = player.play(64, key)
        batch, races, decisions = batch + 1, races + 64, decisions + int(tally[0])
    return Speed(
        decisions_per_s=round(decisions / spent),
        games_per_s=round(races / spent),
        state_bytes=game.definition.race.dtype.itemsize,
        copy_us=_copy_us(game),
    )


def _copy_us(game: Game) -> float:
    races = game.definition.race.blanks(8)
    copy_often(races, 1)
    begin = time.perf_counter()
    copy_often(races, COPIES)
    return round((time.perf_counter() - begin) / COPIES * 1e6, 4)
