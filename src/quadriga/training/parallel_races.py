"""Races by scores (`scored_races.py`) in processes of their own: while one batch is learnt from, the next is played.

For machines with many cores, and for games whose scores a GPU computes slowly.
"""

import multiprocessing
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import count
from typing import NamedTuple

import numpy as np

from quadriga import games
from quadriga.core.game import Game
from quadriga.training.scored_races import ALL, Played, ScoredRaces, joined

PARTS = 16
"""Of a batch, each played by one process: the races are the same however many processes there are."""
BATCHES_AHEAD = 2


class Portion(NamedTuple):
    """A task: a part of a batch, by its number among the parts of all batches."""

    game: str
    races: int
    seed: str
    number: int
    chosen: Sequence[int] = ALL


def play_portion(portion: Portion) -> Played:
    """The positions of a part of a batch."""
    seed = f"{portion.seed} part {portion.number}"
    races = ScoredRaces(games.load(portion.game), portion.races, seed, portion.chosen)
    return races.play()


class ParallelScoredRaces:
    """Plays batches of races of one game in all settings in so many processes."""

    def __init__(self, game: Game, races: int, seed: str, jobs: int, chosen: Sequence[int] = ALL) -> None:
        self._processes = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"))
        self._tasks = (Portion(game.meta.name, -(-races // PARTS), seed, number, chosen) for number in count())
        self._played: deque[Future[Played]] = deque()
        for _ in range(BATCHES_AHEAD * PARTS):
            self._begin_part()

    def _begin_part(self) -> None:
        self._played.append(self._processes.submit(play_portion, next(self._tasks)))

    def play(self) -> Played:
        """The positions of the next batch."""
        return _joined([self._next_part() for _ in range(PARTS)])

    def take_played(self) -> Played | None:
        """The positions of all parts that are ready by now; None if none is."""
        parts = []
        while self._played[0].done():
            parts.append(self._next_part())
        return _joined(parts) if parts else None

    def _next_part(self) -> Played:
        self._begin_part()
        return self._played.popleft().result()

    def close(self) -> None:
        """End the processes; parts that nobody will learn from are not played."""
        self._processes.shutdown(cancel_futures=True)


def _joined(parts: list[Played]) -> Played:
    return Played(joined([part.kept for part in parts]), np.concatenate([part.sources for part in parts]))
