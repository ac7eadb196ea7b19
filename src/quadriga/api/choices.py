"""Choices: text in the game's notation that knows its parts."""

from collections.abc import Sequence
from typing import Any

from quadriga.core import codec
from quadriga.core.errors import InvalidAction
from quadriga.core.game import Game
from quadriga.core.messages import Action

SHOWN = 8
"""Choices that an error names."""


class Choice(str):
    """A choice in the game's notation, for example `step 6,1`; a `str` with `kind` and `fields`.

    Where a choice is expected, plain text in the same notation is as good.
    """

    _action: Action
    _game: Game

    @property
    def kind(self) -> str:
        """What is chosen: the first word of the notation."""
        return self._action.name

    @property
    def fields(self) -> dict[str, Any]:
        """The parts of the choice by name; None where there is none."""
        data = codec.message_to_json(self._action, self._game.names)
        return {name: value for name, value in data.items() if name != "kind"}


def choice_of(action: Action, game: Game) -> Choice:
    """An action as a choice."""
    choice = Choice(game.describe(action))
    choice._action, choice._game = action, game
    return choice


def action_of(choice: str, game: Game) -> Action:
    """The action that a choice or a text stands for, or InvalidAction."""
    if not isinstance(choice, str):
        raise InvalidAction(f"a choice is text in the game's notation, not {choice!r}")
    if isinstance(choice, Choice) and choice._game is game:
        return choice._action
    return game.parse(choice)


def shown(choices: Sequence[str]) -> str:
    """The first choices of a list, and how many more there are."""
    more = f" and {len(choices) - SHOWN} more" if len(choices) > SHOWN else ""
    return " | ".join(choices[:SHOWN]) + more
