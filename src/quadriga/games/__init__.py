"""The games. Each package holds one: `meta` for the lobby, `game.DEFINITION` for everything else.

What else a package may hold is in docs/adding-a-game.md.
"""

from functools import cache
from importlib import import_module
from pathlib import Path

from quadriga.core.discovery import game_packages
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Definition, Game, open_game
from quadriga.core.meta import Meta

NAMES = tuple(game_packages())
"""The games there are, those of other packages included."""


def package(name: str) -> str:
    """The package that holds a game's modules, or InvalidOption."""
    if name not in NAMES:
        raise InvalidOption(f"there is no game {name!r}; there are {', '.join(NAMES)}")
    return game_packages()[name]


def meta(name: str) -> Meta:
    """A game's card, without its rules."""
    return import_module(f"{package(name)}.meta").META


def definition(name: str) -> Definition:
    """Everything a game's folder provides."""
    return import_module(f"{package(name)}.game").DEFINITION


def load(name: str, edition: str | Path | TomlFile | None = None) -> Game:
    """A game, with an edition file of one's own if one is given."""
    return _standard(name) if edition is None else open_game(definition(name), edition)


@cache
def _standard(name: str) -> Game:
    return open_game(definition(name))
