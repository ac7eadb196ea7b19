"""Plays short races under Numba's CUDA simulator, one race a thread, and prints a hash of each end.

Run by test_targets.py with NUMBA_ENABLE_CUDASIM=1 and QUADRIGA_TARGET=cuda, where kernels are CUDA device functions.
"""

import hashlib
from typing import Any

import numpy as np
from numba import cuda

from quadriga import games
from quadriga.core.game import Game
from quadriga.core.play import SPARE, Player, play_race
from quadriga.core.streams import Stream, stream_key
from tests.core.short_races import STEPS, short_settings


@cuda.jit
def thread(  # type: ignore[no-untyped-def]
    races, start, tables, keys, choosers, streams, log, codes, out, scratch, history, most_steps
):
    """The race of one thread."""
    i = cuda.grid(1)
    if i < races.shape[0]:
        races[i] = start[0]
        play_race(
            races[i], tables[0], keys[i], choosers[i], streams[i], log, codes[i], out[i], scratch[i], history,
            most_steps, False,
        )  # fmt: skip


def ends(game: Game, player: Player, keys: Any) -> Any:
    """The ends of races with these keys."""
    count, definition = len(keys), game.definition
    races = definition.race.blanks(count)
    tables = definition.tables.blanks(1)
    tables[0] = game.tables
    thread[count, 1](
        races, player.start, tables, keys, Stream.blanks(count), Stream.blanks(count), np.zeros((0, 12), np.int32),
        np.zeros((count, len(player.codes)), np.int64), np.zeros((count, definition.most_choices + SPARE), np.int64),
        np.zeros((count, definition.scratch + SPARE), np.int64), player.history, STEPS,
    )  # fmt: skip
    return races


def main() -> None:
    assert isinstance(play_race, type(thread)), "kernels are not device functions: set QUADRIGA_TARGET=cuda"
    for name in games.NAMES:
        game = games.load(name)
        for setting in short_settings(game):
            player = Player(game, setting.seats, setting.options, STEPS)
            (race,) = ends(game, player, np.array([stream_key(str(setting).encode())]))
            print(f"{name}: {setting}:", hashlib.sha256(race.tobytes()).hexdigest(), flush=True)


if __name__ == "__main__":
    main()
