"""Every game found, at every number of seats and every option at its extremes; and a race of each, walked step by step.

A walk is played through the contract alone, by the random player's choices, and kept while its tests run.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.core.fuzz import Setting, settings
from quadriga.core.game import Game, Step
from quadriga.core.messages import Action
from quadriga.core.streams import WORD, new_stream, stream_key

SAMPLES = 12
"""Moments of a walk that a slow property looks at."""


@dataclass(frozen=True)
class Case:
    """A game and how it is played."""

    name: str
    number: int
    """Its place among the game's settings."""

    @property
    def game(self) -> Game:
        return games.load(self.name)

    @property
    def setting(self) -> Setting:
        return _settings(self.name)[self.number]

    def __str__(self) -> str:
        return f"{self.name}: {self.setting}"


@dataclass(frozen=True)
class Moment:
    """A state of a race, the choices made there, and where they led."""

    seq: int
    state: Any
    choices: dict[int, Action]
    step: Step


@dataclass(frozen=True)
class Walk:
    """A race from set-up to end."""

    key: np.ndarray[Any, np.dtype[np.uint32]]
    begun: Step
    moments: tuple[Moment, ...]

    @property
    def end(self) -> Any:
        return self.moments[-1].step.state

    def sample(self, seed: int = 0, count: int = SAMPLES) -> list[Moment]:
        """Some moments, the first and the last among them."""
        middle = self.moments[1:-1]
        return [self.moments[0], *Random(seed).sample(middle, min(count, len(middle))), self.moments[-1]]


@cache
def _settings(name: str) -> list[Setting]:
    return settings(games.meta(name))


CASES = tuple(Case(name, number) for name in games.NAMES for number in range(len(_settings(name))))

every_case = pytest.mark.parametrize(
    "case", [pytest.param(case, marks=pytest.mark.xdist_group(str(case)), id=str(case)) for case in CASES]
)
"""Tests of one case run in one process, so that they share its walk."""

every_game = pytest.mark.parametrize("name", games.NAMES)


@lru_cache(maxsize=2)
def walk(case: Case) -> Walk:
    """The race of a case."""
    key = stream_key(f"{case}".encode().ljust(32))
    begun = case.game.setup(case.setting.seats, case.setting.options, new_stream(key, 0))
    return Walk(key, begun, tuple(_moments(case.game, key, begun.state)))


def _moments(game: Game, key: Any, state: Any) -> Iterator[Moment]:
    choose = random_player(game, key)
    seq = 1
    while owing := game.to_act(state):
        choices = {seat: choose(state, seat) for seat in owing}
        step = game.apply(state, choices, new_stream(key, seq))
        yield Moment(seq, state, choices, step)
        state, seq = step.state, seq + 1


def random_player(game: Game, key: Any) -> Callable[[Any, int], Action]:
    """Chooses as `core.play` does."""
    chooser = new_stream(key, WORD)

    def choose(state: Any, seat: int) -> Action:
        codes = game.legal_codes(state, seat)
        return game.unpack(int(codes[game.kernels.wander(state, game.tables, seat, codes, len(codes), chooser)]))

    return choose


def lookers(state: Any) -> tuple[int | None, ...]:
    """Every seat, and the spectator."""
    return (*range(int(state.seats)), None)
