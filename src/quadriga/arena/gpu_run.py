"""Races of quick levels on a GPU: choice by choice those that `arena/quick.py` runs on the CPU, a race a thread."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from quadriga.arena.quick import FIGURES, Key, Run, Track, run_race
from quadriga.bots.thinking import LEVELS
from quadriga.core.game import Game
from quadriga.core.gpu import Launch, cuda, empty, gpu_kernel, tables_on_device, to_device, zeros
from quadriga.core.messages import LOG_WIDTH
from quadriga.core.meta import OptionValue
from quadriga.core.streams import Stream, open_stream

BATCH = 1 << 16
"""Races handed to the GPU at a time."""


@dataclass(frozen=True)
class Seated:
    """A race to run: its key, who sits where, and for each seat the key and number of the stream it chooses by."""

    key: Key
    levels: Sequence[str]
    seats: Sequence[tuple[Key, int]]


@gpu_kernel
def run_races(  # type: ignore[no-untyped-def]
    ends, start, races, views, tables, works, keys, levels, chooser_keys, numbers, choosers, streams, logs, silence,
    codes, outs, seen, scores, scratch, places, figures, notes,
):  # fmt: skip
    """Run every race; each thread has its own memory for the race at hand."""
    thread, threads = cuda.grid(1), cuda.gridsize(1)
    for i in range(thread, ends.shape[0], threads):
        for kept in range(start.shape[0]):
            races[thread, kept] = start[kept]
        for seat in range(levels.shape[1]):
            open_stream(choosers[thread, seat], chooser_keys[i, seat], numbers[i, seat])
        run_race(
            races[thread], views[thread], tables[0], works[thread], keys[i], levels[i], choosers[thread],
            streams[thread], logs[thread], silence, codes[thread], outs[thread], seen[thread], scores[thread],
            scratch[thread], places[i], figures[i], notes[i],
        )  # fmt: skip
        ends[i] = races[thread, 0]


class GpuTrack:
    """Runs races of one game, number of seats and set of options on the GPU."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, OptionValue], noting: bool = False) -> None:
        self.game, self.seats = game, seats
        self._track = Track(game, seats, options, noting)
        self._launch = Launch.of(game.definition, BATCH)
        self._memory = self._allocate(self._launch.total)

    def _allocate(self, threads: int) -> dict[str, Any]:
        """What each thread needs while it runs a race."""
        track, definition = self._track, self.game.definition
        evaluator, rows = track.evaluator, track.log.shape[0]
        return {
            "races": empty((threads, len(track.start)), definition.race.dtype),
            "views": zeros((threads, 2), definition.view.dtype),
            "tables": tables_on_device(self.game),
            "works": to_device(_copies(evaluator.work, threads)),
            "choosers": zeros((threads, self.seats), Stream.dtype),
            "streams": zeros(threads, Stream.dtype),
            "logs": zeros((threads, rows, LOG_WIDTH), np.int32),
            "silence": to_device(track.silence),
            "codes": zeros((threads, self.seats), np.int64),
            "outs": empty((threads, len(evaluator.out)), np.int64),
            "seen": zeros((threads, len(track.seen)), np.int64),
            "scores": empty((threads, len(evaluator.scores)), np.int64),
            "scratch": zeros((threads, len(evaluator.scratch)), np.int64),
        }

    def run(self, seated: Sequence[Seated]) -> list[Run]:
        """Run races, in batches that fit the GPU."""
        return [run for first in range(0, len(seated), BATCH) for run in self._run(seated[first : first + BATCH])]

    def _run(self, seated: Sequence[Seated]) -> list[Run]:
        count, m = len(seated), self._memory
        ends = empty(count, self.game.definition.race.dtype)
        places, figures, notes = (
            zeros(shape, np.int64)
            for shape in (
                (count, self.seats),
                (count, len(FIGURES)),
                (count, self.seats, self._track.width),
            )
        )
        self._launch.run(
            run_races, ends, to_device(self._track.start), m["races"], m["views"], m["tables"], m["works"],
            *(to_device(array) for array in _arrays(seated)), m["choosers"], m["streams"], m["logs"], m["silence"],
            m["codes"], m["outs"], m["seen"], m["scores"], m["scratch"], places, figures, notes,
        )  # fmt: skip
        results = (array.copy_to_host() for array in (ends, places, figures, notes))
        return [Run(*result) for result in zip(*results, strict=True)]


def _arrays(seated: Sequence[Seated]) -> tuple[Any, ...]:
    """Keys, levels, and the keys and numbers of the seats' streams."""
    return (
        np.array([race.key for race in seated]),
        np.array([[LEVELS[level] for level in race.levels] for race in seated], np.int64),
        np.array([[key for key, _ in race.seats] for race in seated]),
        np.array([[number for _, number in race.seats] for race in seated], np.int64),
    )


def _copies(record: Any, count: int) -> Any:
    """An array of copies of one record."""
    array = np.zeros(count, record.dtype)
    array[:] = record
    return array
