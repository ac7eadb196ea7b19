"""Which games there are: the folders of `games`, and packages that others install.

A package announces a game by an entry point of the group `quadriga.games`: its name is the game's, its value the
package that holds the game's modules.
"""

import os
import re
import warnings
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
GROUP = f"{ROOT.name}.games"
NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")

PLUG_INS = {"evaluation": "bots", "measures": "analysis", "notes": "arena"}
"""Modules of a game's folder that are part of a higher layer: the one that uses them."""


@cache
def game_packages() -> dict[str, str]:
    """The package of each game, by the game's name; of those that QUADRIGA_GAMES names, if it is set."""
    built_in = {name: f"{GROUP}.{name}" for name in game_folders(ROOT)}
    installed = {entry.name: entry.value for entry in entry_points(group=GROUP) if _is_usable(entry, built_in)}
    found = dict(sorted((built_in | installed).items()))
    wanted = [name.strip() for name in os.environ.get("QUADRIGA_GAMES", "").split(",") if name.strip()]
    for name in set(wanted) - found.keys():
        warnings.warn(f"there is no game {name!r}, which QUADRIGA_GAMES names", stacklevel=2)
    return {name: package for name, package in found.items() if not wanted or name in wanted}


def _is_usable(entry: EntryPoint, built_in: dict[str, str]) -> bool:
    if NAME.fullmatch(entry.name) and entry.name not in built_in:
        return True
    warnings.warn(f"the game {entry.name!r} of {entry.value} is left out: its name is taken or no name", stacklevel=2)
    return False


def game_folders(root: Path) -> dict[str, Path]:
    """The folders of the games that come with the package at a folder, by name."""
    return {file.parent.name: file.parent for file in sorted((root / "games").glob("*/__init__.py"))}


def installed_folders() -> dict[str, Path]:
    """The folders of the games that other packages bring, by name; found without running their code."""
    return {
        name: folder
        for name, package in game_packages().items()
        if not package.startswith(f"{GROUP}.") and (folder := _folder(package))
    }


def _folder(package: str) -> Path | None:
    top, *below = package.split(".")
    spec = find_spec(top)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0], *below) if places else None


def plug_in(package: str, part: str) -> ModuleType | None:
    """The module of a game's package that a layer uses, such as `evaluation`; None if the game has none."""
    name = f"{package}.{part}"
    return import_module(name) if find_spec(name) else None
