"""What each game teaches the bots, reached by the type of its record as the rules are (core/dispatch.py).

A game's lessons are three kernels and a record of lore: what can be learnt from the components before play, and room
to think in. All worths are whole numbers, a hundredth of a space each.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.extending import overload
from numba.np import numpy_support

from quadriga.core.fields import Fields
from quadriga.core.kernel import kernel

GREEDY, VETERAN, QUICK = range(3)
"""How to weigh choices: by what they bring at once, by all that is known, and fast enough for playouts."""


@kernel
def as_it_is(race: Any, tables: Any, lore: Any, seat: int, code: int, scratch: Any) -> int:
    """A list of choices usually holds whole choices."""
    return code


@dataclass(frozen=True)
class Lessons:
    """What one game teaches."""

    race: type[Fields]
    lore: type[Fields]
    learn: Callable[[Any, Any], None]
    """`learn(tables, lore)`: fill the lore of an edition."""
    weigh: Callable[..., Any]
    """`weigh(race, tables, lore, seat, level, codes, n, scores, scratch)`: what each choice is worth to the seat."""
    evaluate: Callable[..., int]
    """`evaluate(race, tables, lore, seat)`: what the position is worth to a seat, its rivals left aside."""
    clock: Callable[..., int]
    """`clock(race)`: counts the stretches of a race that playouts are measured in."""
    horizon: int
    """Stretches in a playout."""
    noise: int
    """How far playouts stray from the best choice."""
    spread: int
    """A lead as good as a win."""
    width: int
    """Choices that champion looks into."""
    faith: int
    """Playouts that the veteran's worths count for."""
    glances: int
    """Choices that novice looks at."""
    finish: Callable[..., int] = as_it_is
    """`finish(race, tables, lore, seat, code, scratch)`: a choice with the part that its list leaves out."""

    def __post_init__(self) -> None:
        _BY_DTYPE[self.race.dtype] = self


_BY_DTYPE: dict[np.dtype[Any], Lessons] = {}


def _lessons(record: Any) -> Lessons:
    """The lessons of a record's game: given the record itself, or the Numba type of it."""
    dtype = record.dtype if hasattr(record, "dtype") else numpy_support.as_dtype(record)
    if dtype in _BY_DTYPE:
        return _BY_DTYPE[dtype]
    return next(lessons for known, lessons in _BY_DTYPE.items() if known.names == dtype.names)


def weigh(
    race: Any, tables: Any, lore: Any, seat: int, level: int, codes: Any, n: int, scores: Any, scratch: Any
) -> Any:
    return _lessons(race).weigh(race, tables, lore, seat, level, codes, n, scores, scratch)


def evaluate(race: Any, tables: Any, lore: Any, seat: int) -> Any:
    return _lessons(race).evaluate(race, tables, lore, seat)


def clock(race: Any) -> Any:
    return _lessons(race).clock(race)


def finish(race: Any, tables: Any, lore: Any, seat: int, code: int, scratch: Any) -> Any:
    return _lessons(race).finish(race, tables, lore, seat, code, scratch)


# Numba compares these signatures with those of the functions they return, so they bear no types.


@overload(weigh)
def _weigh(race, tables, lore, seat, level, codes, n, scores, scratch):  # type: ignore[no-untyped-def]
    game = _lessons(race).weigh
    return lambda race, tables, lore, seat, level, codes, n, scores, scratch: game(
        race, tables, lore, seat, level, codes, n, scores, scratch
    )


@overload(evaluate)
def _evaluate(race, tables, lore, seat):  # type: ignore[no-untyped-def]
    game = _lessons(race).evaluate
    return lambda race, tables, lore, seat: game(race, tables, lore, seat)


@overload(clock)
def _clock(race):  # type: ignore[no-untyped-def]
    game = _lessons(race).clock
    return lambda race: game(race)


@overload(finish)
def _finish(race, tables, lore, seat, code, scratch):  # type: ignore[no-untyped-def]
    game = _lessons(race).finish
    return lambda race, tables, lore, seat, code, scratch: game(race, tables, lore, seat, code, scratch)
