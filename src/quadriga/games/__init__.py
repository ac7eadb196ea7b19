"""The games. Each folder holds one: `meta` for the lobby, `game.DEFINITION` for everything else."""

import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path

from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Definition, Game, open_game
from quadriga.core.meta import Meta

NAMES = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))


def meta(name: str) -> Meta:
    """A game's card, without its rules."""
    return import_module(f"{__name__}.{_known(name)}.meta").META


def definition(name: str) -> Definition:
    """Everything a game's folder provides."""
    return import_module(f"{__name__}.{_known(name)}.game").DEFINITION


def load(name: str, edition: str | Path | TomlFile | None = None) -> Game:
    """A game, with an edition file of one's own if one is given."""
    return _standard(name) if edition is None else open_game(definition(name), edition)


@cache
def _standard(name: str) -> Game:
    return open_game(definition(name))


def _known(name: str) -> str:
    if name not in NAMES:
        raise InvalidOption(f"there is no game {name!r}; there are {', '.join(NAMES)}")
    return name
