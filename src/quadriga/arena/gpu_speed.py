"""How fast random races run on a GPU, and whether they end as on the CPU."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.arena.gpu_play import GpuPlayer
from quadriga.core.dispatch import sample_listed
from quadriga.core.fuzz import Setting, settings
from quadriga.core.game import Game
from quadriga.core.gpu import device_name, to_device
from quadriga.core.play import Player
from quadriga.core.streams import stream_key

SEATS = 4
BATCH_BYTES = 1 << 30
"""Memory of the races that are played at a time."""
MOST_RACES = 1 << 21


@dataclass(frozen=True)
class GpuSpeed:
    """Figures of one game."""

    decisions_per_s: int
    games_per_s: int
    sampled_per_s: int | None
    """Decisions without the whole list, for games that can do that."""


@dataclass(frozen=True)
class Compared:
    """Races of one setting, and how many of them ended otherwise on the GPU than on the CPU."""

    setting: Setting
    races: int
    different: int


def numbered_keys(name: str, count: int) -> NDArray[np.uint32]:
    """Keys that differ in their last word."""
    keys = np.tile(stream_key(name.encode().ljust(32, b"\0")), (count, 1))
    keys[:, 7] = np.arange(count)
    return keys


def measure(game: Game, seconds: float = 3.0, seats: int = SEATS) -> GpuSpeed:
    """Play random races for about so many seconds, compiled beforehand."""
    decisions, races = _rates(GpuPlayer(game, seats, {}), seconds)
    if game.kernels.sample is sample_listed:
        return GpuSpeed(decisions, races, None)
    sampled, _ = _rates(GpuPlayer(game, seats, {}, sampling=True), seconds)
    return GpuSpeed(decisions, races, sampled)


def _rates(player: GpuPlayer, seconds: float) -> tuple[int, int]:
    """Decisions and races a second."""
    count = min(MOST_RACES, BATCH_BYTES // player.game.definition.race.dtype.itemsize)
    player.play_keys(numbered_keys("warm", 32))
    batches: list[Any] = [to_device(numbered_keys(f"bench {n}", count)) for n in range(2)]
    decisions = races = 0
    begin = time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        decisions += player.play_on_device(batches[races // count % 2])[1]
        races += count
    return round(decisions / spent), round(races / spent)


def compare(game: Game, count: int) -> Iterator[Compared]:
    """Play so many races of every setting on the GPU and on the CPU, and compare them to the byte."""
    for setting in settings(game.meta):
        keys = numbered_keys(f"{game.meta.name} {setting}", count)
        on_cpu, tally = Player(game, setting.seats, setting.options).play_keys(keys)
        on_gpu, decisions = GpuPlayer(game, setting.seats, setting.options).play_keys(keys)
        size = on_cpu.dtype.itemsize
        rows = [np.frombuffer(ends.tobytes(), np.uint8).reshape(-1, size) for ends in (on_cpu, on_gpu)]
        different = int((rows[0] != rows[1]).any(axis=1).sum())
        yield Compared(setting, count, different or int(decisions != tally[0]))


__all__ = ["Compared", "GpuSpeed", "compare", "device_name", "measure"]
