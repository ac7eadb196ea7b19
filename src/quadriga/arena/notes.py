"""What is noted of each seat while a race is run inside kernels, reached by the type of its record as the rules are."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from quadriga.core.discovery import plug_in
from quadriga.core.dispatch import Registry
from quadriga.core.fields import Fields
from quadriga.core.game import Game
from quadriga.core.kernel import kernel

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
        NOTES.add(self, self.race.dtype)


NOTES: Registry[Notes] = Registry()


def notes_of(game: Game) -> Notes:
    """What is noted of a game; nothing where it brings no notes of its own."""
    module = plug_in(game.definition.package, "notes")
    found: Notes = module.NOTES if module else _no_notes(game)
    return found


@cache
def _no_notes(game: Game) -> Notes:
    return Notes(game.definition.race, width=0, note=note_nothing, columns=(), stretch="steps", words={})


@kernel
def note_nothing(
    races: Any, tables: Any, work: Any, codes: Any, key: Any, step: int, stream: Any, log: Any, silence: Any,
    notes: Any, out: Any, scores: Any, scratch: Any,
) -> None:  # fmt: skip
    """For games of which nothing is noted."""


@NOTES.kernel
def note(
    races: Any, tables: Any, work: Any, codes: Any, key: Any, step: int, stream: Any, log: Any, silence: Any,
    notes: Any, out: Any, scores: Any, scratch: Any,
) -> Any:  # fmt: skip
    """Note what a step brought each seat."""
