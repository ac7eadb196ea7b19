"""Races in which networks choose (`rollouts.py`) on a GPU: arrays stay in its memory, and PyTorch shares them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import MOST_PARTS, PART_COUNT
from quadriga.bots.evaluator import Evaluator
from quadriga.bots.network import observation_of
from quadriga.core.game import Game
from quadriga.core.gpu import Launch, cuda, empty, gpu_kernel, tables_on_device, to_device, zeros
from quadriga.training.rivals import NEWEST, bots_of
from quadriga.training.rollouts import Turn, fresh_streams, step_race
from quadriga.training.selfplay import blank_starts


@gpu_kernel
def step_on_gpu(  # type: ignore[no-untyped-def]
    races, starts, tables, works, turns, streams, codes, places, log, outs, scratch, views, spares, bots,
    bot_scores, found, worths, fresh, scores, gradients, chances, observations, asked,
):  # fmt: skip
    """One decision of every race, as `step_races` does it for one after the other."""
    thread = cuda.grid(1)
    for i in range(thread, races.shape[0], cuda.gridsize(1)):
        j = i + 1
        step_race(
            races[i:j], starts, tables[0], works[thread], turns[i], streams[i], codes[i], places[i], log, outs[i],
            scratch[thread], views[thread], spares[thread], bots, bot_scores[thread], found[thread], worths[thread],
            fresh, scores[i], gradients[i], chances[i:j], observations[i], asked[i],
        )  # fmt: skip


class GpuRollouts:
    """Races on the GPU; the same seed, scores and rivals give the same races as `Rollouts` does, but for rounding."""

    def __init__(self, game: Game, count: int, seed: str, rivals: NDArray[np.int16] | None = None) -> None:
        definition, most_seats, evaluator = game.definition, game.meta.seats[-1], Evaluator(game, 0)
        self.game, self.count, self._launch = game, count, Launch.of(definition, count)
        threads = self._launch.total
        self.asked = zeros((count, 4), np.int64)
        self.places = zeros((count, most_seats), np.int64)
        self.scores = zeros((count, PART_COUNT), np.float32)
        self.gradients = zeros((count, PART_COUNT), np.float32)
        self.chances = zeros(count, np.float32)
        self.observations = zeros((count, observation_of(game).inputs), np.float32)
        works = np.zeros(threads, evaluator.work.dtype)
        works[:] = evaluator.work
        turns = Turn.blanks(count)
        turns["rivals"] = NEWEST if rivals is None else rivals
        self._before: tuple[Any, ...] = (
            zeros(count, definition.race.dtype), to_device(blank_starts(game, None)), tables_on_device(game),
            to_device(works), to_device(turns), to_device(fresh_streams(count, seed)),
            zeros((count, most_seats), np.int64), self.places, to_device(evaluator.log),
            empty((count, definition.most_choices), np.int64),
            zeros((threads, len(evaluator.scratch)), np.int64), zeros((threads, 2), definition.view.dtype),
            zeros((threads, 2), definition.race.dtype), to_device(bots_of(game)),
            empty((threads, definition.most_choices), np.int64), zeros((threads, MOST_PARTS), np.int64),
            empty((threads, definition.most_choices), np.float32),
        )  # fmt: skip
        self.step(fresh=True)

    def step(self, fresh: bool = False) -> None:
        """Take a choice in every race by `scores`."""
        self._launch.run(
            step_on_gpu, *self._before, fresh, self.scores, self.gradients, self.chances, self.observations, self.asked
        )  # fmt: skip
