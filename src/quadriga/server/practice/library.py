"""Which exercises there are: collections of scenario files, each by a game and a name."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.core.scenario import Scenario, parse_scenario
from quadriga.server.errors import Refused

MOST_KEPT = 256
"""Exercises that are kept read."""
LESSONS = "lessons"


@dataclass(frozen=True)
class Collection:
    """Exercises of one kind."""

    names: Callable[[str], tuple[str, ...]]
    """The names of a game's exercises, in order."""
    read: Callable[[str, str], TomlFile]
    """The file of a game's exercise; asked only for names there are."""


@cache
def lesson_names(game: str) -> tuple[str, ...]:
    """The names of a game's lessons, in the order of the course."""
    folder = resources.files(games.package(game)) / LESSONS
    if not folder.is_dir():
        return ()
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


def read_lesson(game: str, name: str) -> TomlFile:
    """The file of a lesson."""
    file = resources.files(games.package(game)) / LESSONS / f"{name}.toml"
    return TomlFile(f"{game}/{LESSONS}/{name}.toml", file.read_text(encoding="utf-8"))


COLLECTIONS = {LESSONS: Collection(lesson_names, read_lesson)}


def exercise_names(collection: str, game: str) -> tuple[str, ...]:
    """The names of a game's exercises in a collection; refused where there is no such collection or game."""
    if collection not in COLLECTIONS:
        raise Refused("not_found")
    if game not in games.NAMES:
        raise Refused("no_game", game=game[:40])
    return COLLECTIONS[collection].names(game)


def find_exercise(collection: str, game: str, name: str) -> Scenario:
    """An exercise, read and checked; refused if there is none of that name."""
    if not re.fullmatch(r"[a-z0-9-]{1,80}", name) or name not in exercise_names(collection, game):
        raise Refused("not_found")
    return _read(collection, game, name)


@lru_cache(maxsize=MOST_KEPT)
def _read(collection: str, game: str, name: str) -> Scenario:
    return parse_scenario(COLLECTIONS[collection].read(game, name), games.load)
