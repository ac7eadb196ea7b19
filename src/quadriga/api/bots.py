"""Bots: the levels that come with the games, and functions of one's own."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from quadriga import bots
from quadriga.api.choices import Choice, action_of, choice_of
from quadriga.api.views import View, game_of_view, record_of_view
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.core.messages import Action

LEVELS: tuple[str, ...] = tuple(bots.LEVELS)
"""The names of the levels, the weakest first."""


class BotFunction(Protocol):
    """A bot: a function of a view and the list of choices that returns one of them (or another legal one)."""

    def __call__(self, view: View, choices: Sequence[Choice], /) -> str:
        """The choice, or its notation."""


class LevelBot:
    """A bot of a level; it plays any game."""

    def __init__(self, level: str, seed: int, iterations: int | None, seconds: float | None) -> None:
        if level not in LEVELS:
            raise InvalidOption(f"there is no bot {level!r}; there are {', '.join(LEVELS)}")
        self.level, self.seed, self.budget = level, seed, (iterations, seconds)
        self._game: Game | None = None
        self._bot: Any = None

    def __call__(self, view: View, choices: Sequence[Choice], /) -> Choice:
        """The choice of the level."""
        game = game_of_view(view)
        if game is not self._game:
            bots.warn_of_stand_in([self.level], game)
            self._game, self._bot = game, bots.make_bot(self.level, game, self.seed)
            bots.set_budget(self._bot, *self.budget)
        seat = _seat(view)
        action = self._bot.choose(record_of_view(view), seat, [action_of(choice, game) for choice in choices])
        return choice_of(action, game)

    def __repr__(self) -> str:
        return f"bot({self.level!r})"


def _seat(view: View) -> int:
    if view.seat is None:
        raise InvalidOption("a bot chooses for a seat: give it the view of one")
    return view.seat


def bot(level: str, seed: int = 0, iterations: int | None = None, seconds: float | None = None) -> BotFunction:
    """A bot of a level: a function of a view and choices, like one of your own.

    `champion` thinks for `seconds`, or for a number of `iterations`, with which the same seed gives the same choices.
    Where its networks do not know the edition it plays as `searcher` does, and Python's `warnings` say so.
    """
    return LevelBot(level, seed, iterations, seconds)


AnyBot = str | BotFunction
"""The name of a level, or a function."""
Seating = AnyBot | Sequence[AnyBot] | Mapping[int, AnyBot]
"""One bot for all seats, one for each in turn, or by seat."""


def seat_bots(seating: Seating, seats: int, seed: int) -> dict[int, BotFunction]:
    """A bot for each seat that the seating names; levels get seeds of their own."""
    if isinstance(seating, str) or callable(seating):
        named: dict[int, AnyBot] = dict.fromkeys(range(seats), seating)
    elif isinstance(seating, Mapping):
        named = dict(seating)
    else:
        named = dict(enumerate(seating))
    if wrong := set(named) - set(range(seats)):
        raise InvalidOption(f"there is no seat {max(wrong)}; there are seats 0 to {seats - 1}")
    return {seat: bot(one, seed + seat) if isinstance(one, str) else one for seat, one in named.items()}


class Asked:
    """A function as a bot of `core`, for the arena."""

    def __init__(self, function: BotFunction, game: Game) -> None:
        self.function, self.game = function, game

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        """What the function chooses."""
        offered = [choice_of(action, self.game) for action in choices]
        return action_of(self.function(View(self.game, view, seat), offered), self.game)
