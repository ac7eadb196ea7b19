"""Players that are programs. A bot sees a view, the list of its choices, and nothing else."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.core.messages import Action


class Bot(Protocol):
    """Chooses for a seat."""

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        """One of the choices (or another that is legal)."""


Maker = Callable[[Game, int], Bot]


def _late(module: str, name: str) -> Maker:
    """A maker whose module is loaded when it is first used, so that commands start at once."""

    def make(game: Game, seed: int) -> Bot:
        bot: Bot = getattr(import_module(f"quadriga.bots.{module}"), name)(game, seed)
        return bot

    return make


LEVELS: dict[str, Maker] = {
    "wanderer": _late("random_play", "RandomBot"),
    "novice": _late("levels", "Novice"),
    "greedy": _late("levels", "Greedy"),
    "saver": _late("levels", "Saver"),
    "brawler": _late("levels", "Brawler"),
    "daredevil": _late("levels", "Daredevil"),
    "veteran": _late("levels", "Veteran"),
    "searcher": _late("search", "Searcher"),
    "champion": _late("search", "Champion"),
}
"""Makers of bots by name, the weakest first: each takes the game and a seed."""

STAND_IN = "searcher"
"""The level that champion plays as where it has no networks."""

WITH_WEIGHTS = "champion@"
"""Before the name of a file: champion with the networks in it."""

OWN_BOTS: dict[str, Maker] = {}
"""Makers of bots that this process was given as objects, by the names they bear in a tournament."""


def make_bot(level: str, game: Game, seed: int) -> Bot:
    """A bot of a level, or InvalidOption. (Names from outside end here: nothing is imported for them.)"""
    if level not in LEVELS:
        raise InvalidOption(f"there is no bot {level!r}; there are {', '.join(LEVELS)}")
    return LEVELS[level](game, seed)


def notice_of(level: str, game: Game) -> str:
    """Why a level plays this game otherwise than its name says, in a sentence; empty where it does not.

    Networks in a file that do not fit the game are refused with InvalidOption.
    """
    if level.startswith(WITH_WEIGHTS):
        find_maker(level)(game, 0)
    if level != "champion":
        return ""
    from quadriga.bots.network import networks_of

    return networks_of(game)[1]


def warn_of_stand_in(names: Iterable[str], game: Game) -> None:
    """Warn a program of levels that play this game otherwise than their names say."""
    for name in dict.fromkeys(names):
        if notice := notice_of(name, game):
            warnings.warn(f"{name} plays as {STAND_IN} does: {notice}", stacklevel=3)


def level_of(name: str) -> str | None:
    """The level that a bot's name means, with its own networks or with those of a file; None for other bots."""
    level = name.partition("@")[0] if name.startswith(WITH_WEIGHTS) else name
    return level if level in LEVELS else None


def find_maker(level: str) -> Maker:
    """The maker of a level, of champion with networks of a file (`champion@FILE`), of a bot this process was given, or
    the one that `module:factory` names."""
    if level in LEVELS or level in OWN_BOTS:
        return LEVELS.get(level) or OWN_BOTS[level]
    if level.startswith(WITH_WEIGHTS):
        return _with_weights(Path(level.removeprefix(WITH_WEIGHTS)))
    module, colon, factory = level.partition(":")
    if not colon:
        raise InvalidOption(f"there is no bot {level!r}; there are {', '.join(LEVELS)}, and yours as module:factory")
    try:
        maker: Maker = getattr(import_module(module), factory)
    except (ImportError, AttributeError, ValueError) as error:
        raise InvalidOption(f"there is no bot {level!r}: {error}") from None
    return maker


def _with_weights(file: Path) -> Maker:
    def make(game: Game, seed: int) -> Bot:
        from quadriga.bots.network import read_weights
        from quadriga.bots.search import Champion

        champion = Champion(game, seed)
        champion.use(read_weights(game, file))
        return champion

    return make


def set_budget(bot: Bot, iterations: int | None = None, seconds: float | None = None) -> None:
    """Tell a bot that thinks on a budget how long to think; others have none."""
    change = getattr(bot, "set_budget", None)
    if change is not None:
        change(iterations, *([] if seconds is None else [seconds]))
