"""Players that are programs. A bot sees a view, the list of its choices, and nothing else."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from quadriga.bots.wanderer import Wanderer
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.core.messages import Action


class Bot(Protocol):
    """Chooses for a seat."""

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        """One of the choices (or another that is legal)."""


LEVELS: dict[str, Callable[[Game, int], Bot]] = {"wanderer": Wanderer}
"""Makers of bots by name: each takes the game and a seed."""


def make_bot(level: str, game: Game, seed: int) -> Bot:
    """A bot of a level, or InvalidOption."""
    if level not in LEVELS:
        raise InvalidOption(f"there is no bot {level!r}; there are {', '.join(LEVELS)}")
    return LEVELS[level](game, seed)
