"""Chariot Race hides nothing but the future (CR-15): a state has no twin but itself."""

from collections.abc import Mapping
from random import Random
from typing import Any

from quadriga.core.game import Game
from quadriga.core.messages import Action

HIDES = False


def deal_anew(game: Game, state: Any, seat: int | None, random: Random) -> Any:
    """A copy: there is nothing to deal."""
    return state.copy()


def deal_later(game: Game, state: Any, seat: int | None, random: Random, choices: Mapping[int, Action]) -> Any:
    """A copy: there is nothing to deal."""
    return state.copy()
