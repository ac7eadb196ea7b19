"""Plays short races on the GPU, one race a thread, and prints a hash of each end.

Run by test_targets.py with NUMBA_ENABLE_CUDASIM=1: Numba's simulator stands in for the GPU.
"""

import hashlib

import numpy as np

from quadriga import games
from quadriga.arena.gpu_play import GpuPlayer
from quadriga.core.streams import stream_key
from tests.core.short_races import STEPS, short_settings


def main() -> None:
    for name in games.NAMES:
        game = games.load(name)
        for setting in short_settings(game):
            player = GpuPlayer(game, setting.seats, setting.options, STEPS)
            (race,), decisions = player.play_keys(np.array([stream_key(str(setting).encode())]))
            print(f"{name}: {setting}: {decisions}", hashlib.sha256(race.tobytes()).hexdigest(), flush=True)


if __name__ == "__main__":
    main()
