"""Positions of random races, at every number of seats and with every option."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.core.chain import is_finished
from quadriga.core.fuzz import settings
from quadriga.core.game import Game
from quadriga.envs.learnable import Learnable, learnable, learnable_games
from quadriga.envs.vector import VectorEnv

RACES, STEPS, BETWEEN = 64, 300, 23
"""Races played at once, how far, and how many steps lie between two positions looked at."""

every_game = pytest.mark.parametrize("name", learnable_games())


@dataclass(frozen=True)
class Position:
    """A state somebody owes a choice in."""

    game: Game
    state: Any

    @property
    def learnable(self) -> Learnable:
        return learnable(self.game)

    def links(self, seat: int, chain: int) -> list[int]:
        """The ids that may follow, ascending."""
        bits = self.learnable.chain.links(self.state, self.game.tables, seat, chain, *self._memory)
        return [number for number in range(self.learnable.id_count) if int(bits) >> number & 1]

    def link(self, seat: int, chain: int, choice: int) -> int:
        """The chain with one more id."""
        return int(self.learnable.chain.link(self.state, self.game.tables, seat, chain, choice, *self._memory))

    def wholes(self, seat: int, chain: int = 0) -> list[int]:
        """Every whole choice that some chain leads to."""
        if is_finished(chain):
            return [chain]
        following = self.links(seat, chain)
        assert following, "a chain that leads nowhere"
        return [code for choice in following for code in self.wholes(seat, self.link(seat, chain, choice))]

    @property
    def _memory(self) -> tuple[Any, Any]:
        return _memory(self.game)


@cache
def _memory(game: Game) -> tuple[Any, Any]:
    return np.empty(game.definition.most_choices, np.int64), np.empty(game.definition.scratch, np.int64)


def positions(name: str, every: int = 1) -> Iterator[Position]:
    """Positions of every setting of a game (or every third, fifth, ...), as random ids lead to them.

    Wherever an id is offered for the first time, the position is among them.
    """
    game, met = games.load(name), set[int]()
    for setting in settings(game.meta)[::every]:
        env = VectorEnv(game, RACES, setting.seats, setting.options)
        for step in range(STEPS):
            found = [step // BETWEEN % RACES] if step % BETWEEN == 0 else []
            for number in set(np.flatnonzero(env.arrays.masks.any(axis=0))) - met:
                found.append(int(np.flatnonzero(env.arrays.masks[:, number])[0]))
                met.add(int(number))
            yield from (Position(game, env.races[race].copy()) for race in found)
            env.step(env.random_ids())
