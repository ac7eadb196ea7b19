"""A seat's view as numbers between -1 and 1, for networks and learners.

A game lays its observation out in parts, and writes it by the kernels below: each gives the next place.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core.dispatch import Registry
from quadriga.core.errors import InvalidOption
from quadriga.core.fields import Fields
from quadriga.core.kernel import kernel

Floats = NDArray[np.float32]
ONE = np.float32(1)


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


Layout = tuple[Part | Block, ...]


@kernel
def encode_no_outlook(view: Any, tables: Any, out: Floats, at: int) -> int:
    """The outlook of a game that has none."""
    return at


@dataclass(frozen=True)
class Observation:
    """How one game's views become numbers; a game's `observation.OBSERVATION`.

    Environments show what the view says. Networks may read an outlook behind it, too: what can be worked out from the
    view, which takes longer.
    """

    view: type[Fields]
    layout: Layout
    encode: Callable[..., int]
    """`encode(view, tables, out)`: write the view of a seat as numbers from -1 to 1; how many."""
    outlook: Layout = ()
    encode_outlook: Callable[..., int] = encode_no_outlook
    """`encode_outlook(view, tables, out, at)`: write the outlook from a place on; the place behind it."""

    def __post_init__(self) -> None:
        OBSERVATIONS.add(self, self.view.dtype)

    @cached_property
    def count(self) -> int:
        """Numbers that a view takes."""
        return sum(part.count for part in self.layout)

    @cached_property
    def inputs(self) -> int:
        """Numbers that a network may read: with the outlook."""
        return self.count + sum(part.count for part in self.outlook)


OBSERVATIONS: Registry[Observation] = Registry()


@OBSERVATIONS.kernel
def encode(view: Any, tables: Any, out: Any) -> Any:
    """Write the view of a seat as numbers from -1 to 1; how many."""


@OBSERVATIONS.kernel
def encode_outlook(view: Any, tables: Any, out: Any, at: int) -> Any:
    """Write what can be worked out from a view from a place on; the place behind it."""


@kernel
def encode_inputs(view: Any, tables: Any, out: Any, wanted: int) -> int:
    """Write what a network reads: the view, and the outlook if it wants more numbers than the view takes; how many."""
    at = encode(view, tables, out)
    return int(encode_outlook(view, tables, out, at)) if at < wanted else int(at)


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
def scaled(out: Floats, at: int, value: int, most: int) -> int:
    """A number as a share of the most it can be."""
    share = np.float32(value) / np.float32(most)
    out[at] = min(max(share, -ONE), ONE)
    return at + 1


@kernel
def one_of(out: Floats, at: int, value: int, count: int) -> int:
    """1 at the place of a value and 0 at the others; all 0 for none."""
    for i in range(count):
        out[at + i] = 1.0 if i == value else 0.0
    return at + count


@kernel
def flags(out: Floats, at: int, bits: int, count: int) -> int:
    """A number for each bit."""
    for i in range(count):
        out[at + i] = 1.0 if bits >> i & 1 else 0.0
    return at + count


@kernel
def nothing(out: Floats, at: int, count: int) -> int:
    """Zeros, where there is nothing to tell."""
    for i in range(count):
        out[at + i] = 0.0
    return at + count


@kernel
def to_units(observation: Floats, count: int, unit: int, out: Any) -> None:
    """Write numbers of an observation as whole multiples of 1/unit, rounded to the nearest."""
    for i in range(count):
        value = observation[i] * unit
        out[i] = int(value + 0.5) if value >= 0 else -int(0.5 - value)
