"""Positions of races by scores, from all sources in their shares: what a value network learns from without searches.

Seats that search elsewhere choose by veteran's scores here. `gpu_scored_races.py` plays the same races on a GPU.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import VETERAN
from quadriga.core.game import Game
from quadriga.training.selfplay import SOURCES, Kept, Recorder, race_keys

KEPT = 16
"""Positions kept of a race."""
ALL = tuple(range(len(SOURCES)))
FORECASTING = tuple(at for at in ALL if SOURCES[at].level == VETERAN)
"""Sources that go by veteran's scores: a game may forecast for these what a GPU works out slowly."""


class Played(NamedTuple):
    """Positions of a batch of races, and who played each race, by the number of the source."""

    kept: Kept
    sources: NDArray[np.int8]


def share_of(chosen: Sequence[int]) -> float:
    """The part of all races that sources play, by their numbers."""
    return sum(SOURCES[at].share for at in chosen) / sum(source.share for source in SOURCES)


def race_sources(races: int, chosen: Sequence[int] = ALL) -> NDArray[np.int8]:
    """The source of each race: those chosen have their shares, races of one source are neighbours."""
    shares = np.cumsum([SOURCES[at].share for at in chosen]) / sum(SOURCES[at].share for at in chosen)
    return np.array(chosen, np.int8)[np.searchsorted(shares, (np.arange(races) + 0.5) / races)]


def source_seed(seed: str, source: int) -> str:
    """The seed of the races of a source."""
    return f"{seed} {SOURCES[source].name}"


def scored_keys(seed: str, sources: NDArray[np.int8], batch: int) -> NDArray[np.uint32]:
    """The keys of the races of a batch, by its number."""
    counts = np.bincount(sources, minlength=len(SOURCES))
    parts = [race_keys(source_seed(seed, at), batch * int(n), int(n)) for at, n in enumerate(counts)]
    return np.concatenate(parts)


class ScoredRaces:
    """Plays batches of races of one game in all settings on the CPU. chosen: the numbers of the sources that play."""

    def __init__(self, game: Game, races: int, seed: str, chosen: Sequence[int] = ALL) -> None:
        self.sources = race_sources(races, chosen)
        self._recorders = [
            Recorder(game, source_seed(seed, at), source._replace(searching=False), wanted=KEPT)
            for at, source in enumerate(SOURCES)
        ]

    def play(self) -> Played:
        """The positions of the next batch."""
        counts = np.bincount(self.sources, minlength=len(SOURCES))
        played = [
            recorder.play_kept(int(count), ahead=True)
            for recorder, count in zip(self._recorders, counts, strict=True)
            if count
        ]
        return Played(joined(played), self.sources)


def joined(played: Sequence[Kept]) -> Kept:
    """The positions of some races and of others."""
    return Kept(*(np.concatenate(parts) for parts in zip(*played, strict=True)))
