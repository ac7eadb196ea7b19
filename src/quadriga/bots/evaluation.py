"""What each game teaches the bots, reached by the type of its record as the rules are (core/dispatch.py).

A game's lessons are three kernels and a record of lore: what can be learnt from the components before play, and room
to think in. All worths are whole numbers, a hundredth of a space each.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from quadriga.core.dispatch import Registry
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
        LESSONS.add(self, self.race.dtype)


LESSONS: Registry[Lessons] = Registry()


@LESSONS.kernel
def weigh(
    race: Any, tables: Any, lore: Any, seat: int, level: int, codes: Any, n: int, scores: Any, scratch: Any
) -> Any:
    """Write what each of n choices is worth to a seat."""


@LESSONS.kernel
def evaluate(race: Any, tables: Any, lore: Any, seat: int) -> Any:
    """What the position is worth to a seat."""


@LESSONS.kernel
def clock(race: Any) -> Any:
    """The stretches of the race played so far."""


@LESSONS.kernel
def finish(race: Any, tables: Any, lore: Any, seat: int, code: int, scratch: Any) -> Any:
    """A choice with the part that its list leaves out."""
