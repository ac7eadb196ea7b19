"""Choices id by id: small choices in place of large ones, for learners and whoever else chooses in steps.

A choice is a chain of ids, at most 62 different ones in a game. A chain starts as 0 and is kept by whoever is
choosing, like any choice not yet revealed; when nothing is left to choose it is the code of the whole choice, and until
then its highest bits are set.

A game whose list of choices is short need not write `links` and `link` itself. It says how to spell a choice, and
`spelt_links` are the next ids of the listed choices that begin as the chain does. Such a chain is finished as soon as
one choice is left, so that nothing is asked twice.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core.dispatch import Registry, legal
from quadriga.core.fields import Fields
from quadriga.core.kernel import kernel

MOST_IDS = 62
"""So many fit a whole number as bits, its sign and one more left over."""
STAGE = 58
"""The bit above all codes at which an unfinished chain says how far it is."""
MOST_STAGES = 8
WHOLE = (1 << STAGE) - 1
LETTER = 6
"""Bits of an id in a chain."""
MASK = (1 << LETTER) - 1

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Ids:
    """Ids that follow each other and mean the same of different things."""

    names: tuple[str, ...]
    meaning: str


@dataclass(frozen=True)
class Chain:
    """The ids of one game and how they become choices; a game's `chain.CHAIN`."""

    race: type[Fields]
    ids: tuple[Ids, ...]
    links: Callable[..., int]
    """`links(race, tables, seat, chain, out, scratch)`: the ids that may follow a chain, a bit for each."""
    link: Callable[..., int]
    """`link(race, tables, seat, chain, choice, out, scratch)`: the chain with one more id."""
    spell: Callable[..., int] | None = None
    """`spell(race, tables, seat, code, place)`: the id at a place of a whole choice, for chains that spell the list."""
    follow: Callable[..., int] | None = None
    """`follow(race, tables, seat, chain, code, out, scratch)`: the id that leads from a chain towards a whole choice,
    or none, for chains that do not spell the list."""

    def __post_init__(self) -> None:
        CHAINS.add(self, self.race.dtype)

    @cached_property
    def id_names(self) -> tuple[str, ...]:
        """What each id stands for."""
        return tuple(name for ids in self.ids for name in ids.names)


CHAINS: Registry[Chain] = Registry()


@CHAINS.kernel
def links(race: Any, tables: Any, seat: int, chain: int, out: Any, scratch: Any) -> Any:
    """The ids that may follow a chain, a bit for each."""


@CHAINS.kernel
def link(race: Any, tables: Any, seat: int, chain: int, choice: int, out: Any, scratch: Any) -> Any:
    """The chain with one more id."""


@CHAINS.kernel
def spell(race: Any, tables: Any, seat: int, code: int, place: int) -> Any:
    """The id at a place of a whole choice."""


@kernel
def is_finished(chain: int) -> bool:
    """Whether a chain is the code of a whole choice."""
    return chain != 0 and chain >> STAGE == 0


@kernel
def spelt_links(race: Any, tables: Any, seat: int, chain: int, out: Ints, scratch: Ints) -> int:
    """The ids that may follow a chain, a bit for each."""
    length, following = chain >> STAGE, 0
    if chain != 0 and length == 0:
        return 0
    for i in range(legal(race, tables, seat, out, scratch)):
        if begins(race, tables, seat, out[i], chain, length):
            following |= 1 << spell(race, tables, seat, out[i], length)
    return following


@kernel
def begins(race: Any, tables: Any, seat: int, code: int, chain: int, length: int) -> bool:
    """Whether a choice begins with the ids of a chain."""
    for place in range(length):
        if spell(race, tables, seat, code, place) != (chain >> LETTER * place & MASK):
            return False
    return True


@kernel
def spelt_link(race: Any, tables: Any, seat: int, chain: int, choice: int, out: Ints, scratch: Ints) -> int:
    """The chain with one more id: the code of the only choice left, or a longer beginning."""
    length = chain >> STAGE
    letters = (chain & ((1 << LETTER * length) - 1)) | choice << LETTER * length
    left, code = 0, 0
    for i in range(legal(race, tables, seat, out, scratch)):
        if begins(race, tables, seat, out[i], letters, length + 1):
            left, code = left + 1, out[i]
    return code if left == 1 else letters | (length + 1) << STAGE
