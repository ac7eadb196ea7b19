"""What a game brings for learners: small choices in place of large ones, and its view as numbers.

A choice is a chain of ids, at most 62 different ones in a game. A chain starts as 0 and is kept by whoever is
choosing, like any choice not yet revealed; when nothing is left to choose it is the code of the whole choice, and until
then its highest bits are set. The functions below reach a game's kernels by the type of its record, as core/dispatch.py
does.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from quadriga.core.dispatch import Registry
from quadriga.core.errors import InvalidOption
from quadriga.core.fields import Fields
from quadriga.core.game import Game
from quadriga.core.kernel import kernel

MOST_IDS = 62
"""So many fit a whole number as bits, its sign and one more left over."""
STAGE = 58
"""The bit above all codes at which an unfinished chain says how far it is."""
MOST_STAGES = 8
WHOLE = (1 << STAGE) - 1

GAMES = ("charioteer", "chariot_race", "chariots")
"""Games with environments: what each brings lies in the folder of its name."""


@dataclass(frozen=True)
class Ids:
    """Ids that follow each other and mean the same of different things."""

    names: tuple[str, ...]
    meaning: str


@dataclass(frozen=True)
class Part:
    """Some numbers of an observation."""

    name: str
    count: int
    meaning: str


@dataclass(frozen=True)
class Block:
    """Parts that an observation repeats, for each chariot or card."""

    name: str
    times: int
    parts: tuple[Part, ...]
    meaning: str

    @property
    def count(self) -> int:
        """How many numbers it takes in all."""
        return self.times * sum(part.count for part in self.parts)


@dataclass(frozen=True)
class Learnable:
    """What one game brings."""

    race: type[Fields]
    view: type[Fields]
    ids: tuple[Ids, ...]
    links: Callable[..., int]
    """`links(race, tables, seat, chain, out, scratch)`: the ids that may follow a chain, a bit for each."""
    link: Callable[..., int]
    """`link(race, tables, seat, chain, choice, out, scratch)`: the chain with one more id."""
    layout: tuple[Part | Block, ...]
    encode: Callable[..., int]
    """`encode(view, tables, out)`: write the view of a seat as numbers from -1 to 1; how many."""
    spell: Callable[..., int] | None = None
    """`spell(race, tables, seat, code, place)`: the id at a place of a whole choice, for chains that spell the list."""

    def __post_init__(self) -> None:
        LEARNABLES.add(self, self.race.dtype, self.view.dtype)

    @cached_property
    def id_names(self) -> tuple[str, ...]:
        """What each id stands for."""
        return tuple(name for ids in self.ids for name in ids.names)

    @property
    def id_count(self) -> int:
        """The size of the action space."""
        return len(self.id_names)

    @cached_property
    def view_count(self) -> int:
        """Numbers that the view takes."""
        return sum(part.count for part in self.layout)

    @property
    def observation_count(self) -> int:
        """The size of an observation: the view, the ids chosen so far, and how far the choice is."""
        return self.view_count + self.id_count + 1


LEARNABLES: Registry[Learnable] = Registry()


def learnable(game: Game) -> Learnable:
    """What a game brings for learners, or InvalidOption."""
    if game.meta.name not in GAMES:
        raise InvalidOption(f"{game.meta.title} has no environments; these games have: {', '.join(GAMES)}")
    found: Learnable = import_module(f"quadriga.envs.{game.meta.name}").LEARNABLE
    return found


def starts(layout: Sequence[Part | Block]) -> Iterator[tuple[Part | Block, int]]:
    """The parts of an observation with the place at which each begins."""
    at = 0
    for part in layout:
        yield part, at
        at += part.count


def column(layout: Sequence[Part | Block], name: str, index: int = 0, inner: str = "") -> int:
    """The place in an observation of a part, or of a part of the index-th of repeated ones.

    column(layout, "chariots", 1, "progress")
    """
    for part, at in starts(layout):
        if part.name != name:
            continue
        if not isinstance(part, Block):
            return at
        for below, offset in starts(part.parts):
            if below.name == inner and index in range(part.times):
                return at + index * part.count // part.times + offset
    raise InvalidOption(f"an observation has no {name!r}{f', {index}, {inner!r}' if inner else ''}")


@kernel
def is_finished(chain: int) -> bool:
    """Whether a chain is the code of a whole choice."""
    return chain != 0 and chain >> STAGE == 0


@LEARNABLES.kernel
def links(race: Any, tables: Any, seat: int, chain: int, out: Any, scratch: Any) -> Any:
    """The ids that may follow a chain, a bit for each."""


@LEARNABLES.kernel
def link(race: Any, tables: Any, seat: int, chain: int, choice: int, out: Any, scratch: Any) -> Any:
    """The chain with one more id."""


@LEARNABLES.kernel
def spell(race: Any, tables: Any, seat: int, code: int, place: int) -> Any:
    """The id at a place of a whole choice."""


@LEARNABLES.kernel
def encode(view: Any, tables: Any, out: Any) -> Any:
    """Write the view of a seat as numbers from -1 to 1; how many."""
