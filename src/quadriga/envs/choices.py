"""Whole choices as the ids that lead to them, and back: what learners by imitation need."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quadriga.core.chain import STAGE, is_finished
from quadriga.core.errors import InvalidAction
from quadriga.core.game import Game
from quadriga.core.messages import Action
from quadriga.envs.learnable import Learnable, learnable
from quadriga.envs.stepping import encode_choice


class Demonstration(NamedTuple):
    """One id of a choice: what the seat observed, which ids were offered, and which it chose."""

    observation: NDArray[np.float32]
    action_mask: NDArray[np.int8]
    id: int


def choice_to_ids(game: Game, race: Any, seat: int, choice: Action) -> list[int]:
    """The ids that lead a seat to a choice; the order of Charioteer's cards and discards does not matter.

    An action that may not be chosen now raises IllegalAction.
    """
    return [step.choice for step in _Walk(game, race, seat).towards(choice)]


def ids_to_choice(game: Game, race: Any, seat: int, ids: Sequence[int]) -> Action:
    """The choice that ids lead a seat to. An id that is not offered, or too few or too many, raise InvalidAction."""
    walk = _Walk(game, race, seat)
    for choice in ids:
        walk.add(int(choice))
    if not is_finished(walk.chain):
        raise InvalidAction("more ids are needed for a whole choice")
    return game.unpack(walk.chain)


def demonstrate(game: Game, race: Any, seat: int, choice: Action) -> list[Demonstration]:
    """A choice id by id, each with the observation and mask that an environment would show."""
    walk, found = _Walk(game, race, seat), []
    seen = np.zeros(walk.learnable.observation_count, np.float32)
    count = walk.learnable.observation.encode(game.view(race, seat), game.tables, seen)
    for step in walk.towards(choice):
        observation = seen.copy()
        encode_choice(observation, count, step.chain, step.trail, walk.learnable.id_count)
        mask = np.array([step.offered >> number & 1 for number in range(walk.learnable.id_count)], np.int8)
        found.append(Demonstration(observation, mask, step.choice))
    return found


class _Step(NamedTuple):
    chain: int
    trail: int
    offered: int
    choice: int


class _Walk:
    """A chain on its way, in one position."""

    def __init__(self, game: Game, race: Any, seat: int) -> None:
        self.game, self.race, self.seat = game, race, seat
        self.learnable: Learnable = learnable(game)
        self.memory = np.empty(game.definition.most_choices, np.int64), np.empty(game.definition.scratch, np.int64)
        self.chain = self.trail = 0

    def offered(self) -> int:
        """The ids that may follow, a bit for each."""
        if self.seat not in self.game.to_act(self.race):
            raise InvalidAction(f"seat {self.seat} has nothing to choose")
        return int(self.learnable.chain.links(self.race, self.game.tables, self.seat, self.chain, *self.memory))

    def add(self, choice: int) -> _Step:
        """Add an id that is offered; what was known before it."""
        offered = self.offered()
        if not 0 <= choice < self.learnable.id_count or not offered >> choice & 1:
            raise InvalidAction(f"id {choice} is not offered here")
        step = _Step(self.chain, self.trail, offered, choice)
        link = self.learnable.chain.link
        self.chain = int(link(self.race, self.game.tables, self.seat, self.chain, choice, *self.memory))
        self.trail |= 1 << choice
        return step

    def towards(self, choice: Action) -> Iterator[_Step]:
        """All steps to a choice."""
        self.game.require_one(self.race, self.seat, choice)
        code = choice.pack()
        while not is_finished(self.chain):
            yield self.add(self._next(code))

    def _next(self, code: int) -> int:
        chain, tables = self.learnable.chain, self.game.tables
        if chain.follow is not None:
            return int(chain.follow(self.race, tables, self.seat, self.chain, code, *self.memory))
        if chain.spell is None:
            raise InvalidAction(f"{self.game.meta.title} does not say which ids lead to a choice")
        return int(chain.spell(self.race, tables, self.seat, code, self.chain >> STAGE))
