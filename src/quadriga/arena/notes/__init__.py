"""What is noted of each seat while a race is run inside kernels, reached by the type of its record as the rules are."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
from numba.extending import overload
from numba.np import numpy_support

from quadriga.core.fields import Fields
from quadriga.core.game import Game

GAMES = ("charioteer", "chariot_race", "chariots")
Cell = int | float | str
RACE, BLANK, IMAGINED, BEFORE, AGAIN = range(5)
"""The races that are kept while one is run: that one, a blank one, one behind a view, and for notes the race before the
step and room to play the step again."""


@dataclass(frozen=True)
class Column:
    """What a row tells of a seat."""

    name: str
    kind: type[Cell]
    read: Callable[[Game, Any, Any, int], Cell]
    """`read(game, race, noted, seat)`: from the end of a race, and what was noted of the seat."""


@dataclass(frozen=True)
class Notes:
    """The notes of one game."""

    race: type[Fields]
    width: int
    """Numbers that are noted of a seat."""
    note: Callable[..., Any]
    """Called after a step as `note` below is."""
    columns: tuple[Column, ...]
    stretch: str
    """What the stretches of a race are called, in the plural."""
    words: dict[str, tuple[str, str]]
    """What a page says of columns: a title, and a sentence that says what is measured."""

    def __post_init__(self) -> None:
        _BY_DTYPE[self.race.dtype] = self


_BY_DTYPE: dict[np.dtype[Any], Notes] = {}


def notes_of(game: Game) -> Notes:
    """What is noted of a game."""
    return notes_named(game.meta.name)


def notes_named(name: str) -> Notes:
    """What is noted of the game of a name."""
    notes: Notes = import_module(f"quadriga.arena.notes.{name}").NOTES
    return notes


def _notes(record: Any) -> Notes:
    """The notes of an array of races: given the array itself, or the Numba type of it."""
    dtype = record.dtype if isinstance(record.dtype, np.dtype) else numpy_support.as_dtype(record.dtype)
    for name in GAMES:
        notes_named(name)
    return next(notes for known, notes in _BY_DTYPE.items() if known.names == dtype.names)


def note(
    races: Any, tables: Any, lore: Any, codes: Any, key: Any, step: int, stream: Any, log: Any, silence: Any,
    notes: Any, out: Any, scores: Any, scratch: Any,
) -> Any:  # fmt: skip
    """Note what a step brought each seat."""
    return _notes(races).note(races, tables, lore, codes, key, step, stream, log, silence, notes, out, scores, scratch)


@overload(note)
def _note(races, tables, lore, codes, key, step, stream, log, silence, notes, out, scores, scratch):  # type: ignore[no-untyped-def]
    game = _notes(races).note
    return lambda races, tables, lore, codes, key, step, stream, log, silence, notes, out, scores, scratch: game(
        races, tables, lore, codes, key, step, stream, log, silence, notes, out, scores, scratch
    )
