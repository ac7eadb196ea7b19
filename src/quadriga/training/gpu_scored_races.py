"""Races by scores (`scored_races.py`) on a GPU: arrays stay in its memory, and PyTorch shares them."""

from collections.abc import Sequence

import numpy as np

from quadriga.bots.evaluator import Evaluator
from quadriga.bots.network import observation_of
from quadriga.core.dispatch import apply, owing
from quadriga.core.game import Game
from quadriga.core.gpu import Launch, cuda, empty, gpu_kernel, tables_on_device, to_device, zeros
from quadriga.core.streams import Stream, renumber_stream
from quadriga.training.scored_races import ALL, KEPT, Played, race_sources, scored_keys
from quadriga.training.selfplay import (
    MOST_STEPS,
    SOURCES,
    Kept,
    begin_recorded,
    blank_starts,
    choose_by_scores,
    clear_due,
    keep_positions,
    look_later,
    write_places,
)

LAST = 1 << 40
"""Rounds of a thread's loop: more than there can be."""


@gpu_kernel
def record_on_gpu(  # type: ignore[no-untyped-def]
    keys, levels, starts, tables, works, races, views, choosers, streams, log, codes, listed, scores, scratch,
    observations, standings, rows, places, kept, due, counts, later, counter,
):  # fmt: skip
    """Play a race for each key as `record_scored` does, a step at a time, so that the threads of a warp seldom wait for
    each other: those whose race is over take the next one."""
    thread = cuda.grid(1)
    race, work = races[thread : thread + 1], works[thread]
    chooser, stream = choosers[thread], streams[thread]
    number, step, noise, seen = 0, 0, 0, 0
    for _ in range(LAST):
        if step == 0:
            number = cuda.atomic.add(counter, 0, 1)
            if number >= keys.shape[0]:
                break
            noise = begin_recorded(race, starts, keys[number], tables[0], chooser, stream, log, scratch[thread])
            clear_due(due[number])
            seen = 0
        mask = owing(race[0])
        if mask == 0 or step == MOST_STEPS - 1:
            counts[number] = write_places(race[0], tables[0], seen, standings[thread], places[number])
            step = 0
        else:
            step += 1
            choose_by_scores(
                race[0], tables[0], work, mask, levels[number], noise, chooser, codes[thread], listed[thread],
                scores[thread], scratch[thread],
            )  # fmt: skip
            renumber_stream(stream, step)
            apply(race[0], tables[0], codes[thread], stream, log, scratch[thread])
            if owing(race[0]) != 0:
                look_later(
                    race[0], tables[0], views[thread], observations[thread], places[number], due[number], later[number]
                )  # fmt: skip
                seen = keep_positions(
                    race[0], tables[0], seen, chooser, views[thread], observations[thread], rows[number],
                    places[number], kept[number], due[number],
                )  # fmt: skip


class GpuScoredRaces:
    """Plays batches of races on the GPU; the same seed gives the same races as `ScoredRaces` does."""

    def __init__(self, game: Game, races: int, seed: str, chosen: Sequence[int] = ALL) -> None:
        definition, most_seats, evaluator = game.definition, game.meta.seats[-1], Evaluator(game, 0)
        self._seed, self._batch, self._launch = seed, 0, Launch.of(definition, races)
        threads, inputs = self._launch.total, observation_of(game).inputs
        works = np.zeros(threads, evaluator.work.dtype)
        works[:] = evaluator.work
        self.sources = race_sources(races, chosen)
        levels = np.array([source.level for source in SOURCES], np.int64)[self.sources]
        self._kept = Kept(
            rows=empty((races, KEPT, inputs), np.int16), places=empty((races, KEPT, most_seats), np.int8),
            counts=zeros(races, np.int64), later=zeros((races, KEPT, inputs), np.int16),
            due=zeros((races, KEPT), np.int64),
        )  # fmt: skip
        self._before = (
            to_device(levels), to_device(blank_starts(game, None)), tables_on_device(game), to_device(works),
            zeros(threads, definition.race.dtype), zeros((threads, 2), definition.view.dtype),
            zeros(threads, Stream.dtype), zeros(threads, Stream.dtype), to_device(evaluator.log),
            zeros((threads, most_seats), np.int64), empty((threads, definition.most_choices), np.int64),
            empty((threads, definition.most_choices), np.int64), zeros((threads, len(evaluator.scratch)), np.int64),
            zeros((threads, inputs), np.float32), zeros((threads, most_seats), np.int64), self._kept.rows,
            self._kept.places, zeros((races, 0), definition.view.dtype), self._kept.due, self._kept.counts,
            self._kept.later,
        )  # fmt: skip

    def play(self) -> Played:
        """The positions of the next batch, in arrays that the batch after it writes anew."""
        keys = to_device(scored_keys(self._seed, self.sources, self._batch))
        self._batch += 1
        self._launch.run(record_on_gpu, keys, *self._before, zeros(1, np.int64))
        return Played(self._kept, self.sources)
