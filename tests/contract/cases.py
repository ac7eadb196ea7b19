"""Every game found, at every number of seats and every option at its extremes; and a race of each to look at.

The race is played by the random player in kernels, to the end; at some places it is walked through the contract.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.core.fuzz import Setting, settings
from quadriga.core.game import Game, Step
from quadriga.core.messages import Action
from quadriga.core.play import Player
from quadriga.core.streams import WORD, new_stream, stream_key

PLACES, STRETCH = 6, 4
"""At how many places of a race it is walked, and for how many steps; the beginning and the end are walked too."""


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
    """A race from set-up to end, with the moments at which it was walked."""

    key: np.ndarray[Any, np.dtype[np.uint32]]
    begun: Step
    stretches: tuple[tuple[Moment, ...], ...]
    end: Any

    @property
    def moments(self) -> list[Moment]:
        """All moments walked."""
        return [moment for stretch in self.stretches for moment in stretch]

    def sample(self, seed: int = 0) -> list[Moment]:
        """One moment of each stretch, and the last of all."""
        random = Random(seed)
        return [*(random.choice(stretch) for stretch in self.stretches), self.moments[-1]]


@cache
def _settings(name: str) -> list[Setting]:
    return settings(games.meta(name))


CASES = tuple(Case(name, number) for name in games.NAMES for number in range(len(_settings(name))))

every_case = pytest.mark.parametrize("case", CASES, ids=str)

every_game = pytest.mark.parametrize("name", games.NAMES)


@cache
def walk(case: Case) -> Walk:
    """The race of a case."""
    key = stream_key(f"{case}".encode())
    begun = case.game.setup(case.setting.seats, case.setting.options, new_stream(key, 0))
    history, end = _played(case, key)
    first = {*Random(str(case)).sample(range(len(history)), min(PLACES, len(history))), 0, len(history) - STRETCH}
    stretches = (tuple(_stretch(case, key, history, max(place, 0))) for place in sorted(first))
    return Walk(key, begun, tuple(stretches), end)


def _played(case: Case, key: Any) -> tuple[Any, Any]:
    """The codes chosen at each step, and the end."""
    player = Player(case.game, case.setting.seats, case.setting.options)
    player.history = np.zeros((player.most_steps + 1, case.setting.seats), np.int64)
    (end,), _ = player.play_keys(np.array([key]))
    steps = np.flatnonzero(player.history.any(axis=1))[-1]
    return player.history[1 : steps + 1], end


def _stretch(case: Case, key: Any, history: Any, place: int) -> Iterator[Moment]:
    """Some steps through the contract, from the state after `place` steps."""
    game = case.game
    (state,), _ = Player(game, case.setting.seats, case.setting.options, place).play_keys(np.array([key]))
    for i, codes in enumerate(history[place : place + STRETCH], place + 1):
        choices = {seat: game.unpack(int(codes[seat])) for seat in game.to_act(state)}
        step = game.apply(state, choices, new_stream(key, i))
        yield Moment(i, state, choices, step)
        state = step.state


def random_player(game: Game, key: Any) -> Callable[[Any, int], Action]:
    """Chooses as `core.play` does."""
    chooser = new_stream(key, WORD)

    def choose(state: Any, seat: int) -> Action:
        codes = game.legal_codes(state, seat)
        return game.unpack(int(codes[game.kernels.pick_random(state, game.tables, seat, codes, len(codes), chooser)]))

    return choose


def lookers(state: Any) -> tuple[int | None, ...]:
    """Every seat, and the spectator."""
    return (*range(int(state.seats)), None)
