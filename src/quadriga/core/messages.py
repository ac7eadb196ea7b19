"""Actions, events and refusals: small frozen classes with names, each with a number form for kernels.

An action packs into one int64: its number in the low four bits, then its fields. An event is a row of the log,
a refusal a number with parameters. Words for both lie in the text catalogues, under their snake-case names.
"""

import re
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Annotated, Any, ClassVar, Self, dataclass_transform, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import NONE, In
from quadriga.core.kernel import kernel

KIND_BITS = 4
EVERYONE = -1
LOG_WIDTH = 12
"""Columns of the log: the event's number, its audience, and up to ten parameters."""


@dataclass(frozen=True)
class Bits:
    """How many bits a field of an action takes in its code."""

    width: int


@dataclass(frozen=True)
class UpTo:
    """A field of an action that is a tuple of up to so many numbers, each of the field's bits."""

    most: int


At4 = tuple[int, int, int, int]


@dataclass(frozen=True)
class Slot:
    """One field of a message: its name, its domain, and for actions where it lies in the code."""

    name: str
    domain: str | None
    flag: bool
    most: int
    """0 for a single number, else the most a tuple holds."""
    shift: int
    width: int

    @cached_property
    def plus(self) -> int:
        """Numbers with a domain, and those of tuples, are stored plus one, so that 0 is none."""
        return int(self.domain is not None or self.most > 0)

    def pack(self, value: int | tuple[int, ...]) -> int:
        """The field's share of an action's code."""
        if not isinstance(value, tuple):
            return (int(value) + self.plus) << self.shift
        return sum((int(n) + self.plus) << (self.shift + i * self.width) for i, n in enumerate(value))

    def unpack(self, code: int) -> int | bool | tuple[int, ...]:
        """The field's value in an action's code."""
        at = (self.shift, (1 << self.width) - 1, self.plus, self.width)
        if self.most:
            numbers = (((code >> (at[0] + i * at[3])) & at[1]) - at[2] for i in range(self.most))
            return tuple(number for number in numbers if number != NONE)
        number = ((code >> at[0]) & at[1]) - at[2]
        return bool(number) if self.flag else number


@dataclass_transform(frozen_default=True)
class Message:
    """Base of everything that travels as a name with parameters."""

    code: ClassVar[int]
    name: ClassVar[str]
    slots: ClassVar[tuple[Slot, ...]]

    def __init_subclass__(cls, code: int | None = None) -> None:
        if code is None:  # Action, Event and Refusal themselves
            return
        dataclass(frozen=True)(cls)
        cls.code = code
        cls.name = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
        cls.slots = _slots(cls)

    def values(self) -> tuple[Any, ...]:
        """The fields in order: numbers, flags and tuples of numbers."""
        return tuple(vars(self).values())

    @classmethod
    def of(cls, numbers: Any) -> Self:
        """An event or a refusal from its row of numbers."""
        return cls(*(bool(n) if slot.flag else int(n) for slot, n in zip(cls.slots, numbers, strict=False)))


class Action(Message):
    """What a seat chooses."""

    def pack(self) -> int:
        """The int64 the kernels read."""
        return self.code + sum(slot.pack(value) for slot, value in zip(self.slots, self.values(), strict=True))

    @classmethod
    def unpack(cls, code: int) -> Self:
        """The action of a code of this kind."""
        return cls(*(slot.unpack(code) for slot in cls.slots))

    @classmethod
    def bits(cls) -> int:
        """How many bits the codes of this kind take at most."""
        return max((slot.shift + slot.width * max(slot.most, 1) for slot in cls.slots), default=KIND_BITS)

    @classmethod
    def at(cls, name: str) -> At4:
        """Where kernels find a field: shift, mask, 1 if it is stored plus one, and the width of one number."""
        slot = next(slot for slot in cls.slots if slot.name == name)
        return slot.shift, (1 << slot.width) - 1, slot.plus, slot.width


class Event(Message):
    """What happened: everything a client needs to show it."""


class Refusal(Message):
    """Why a choice is not allowed now."""


def _slots(cls: type[Message]) -> tuple[Slot, ...]:
    hints = get_type_hints(cls, include_extras=True)
    slots: list[Slot] = []
    shift = KIND_BITS
    for field in fields(cls):  # type: ignore[arg-type]
        slot = _slot(field.name, hints[field.name], shift)
        slots.append(slot)
        shift += slot.width * max(slot.most, 1)
    if issubclass(cls, Action) and (shift > 63 or any(slot.width == 0 for slot in slots)):
        raise TypeError(f"{cls.__name__}: every field needs its Bits, and all together at most 63")
    if not issubclass(cls, Action) and len(slots) > LOG_WIDTH - 2:
        raise TypeError(f"{cls.__name__} has too many fields for a row of the log")
    return tuple(slots)


def _slot(name: str, hint: Any, shift: int) -> Slot:
    marks = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    flag = (get_args(hint)[0] if marks else hint) is bool
    domain = next((mark.domain for mark in marks if isinstance(mark, In)), None)
    most = next((mark.most for mark in marks if isinstance(mark, UpTo)), 0)
    width = next((mark.width for mark in marks if isinstance(mark, Bits)), 1 if flag else 0)
    return Slot(name, domain, flag, most, shift, width)


@kernel
def part(code: int, at: At4, i: int = 0) -> int:
    """A field of an action's code (number i of a tuple)."""
    return ((int(code) >> (at[0] + i * at[3])) & at[1]) - at[2]


@kernel
def put(at: At4, value: int, i: int = 0) -> int:
    """A field's share of an action's code (number i of a tuple)."""
    return (int(value) + at[2]) << (at[0] + i * at[3])


@kernel
def kind_of(code: int) -> int:
    """The number of the action a code stands for."""
    return code & 15


def new_log(rows: int) -> NDArray[np.int32]:
    """A log for that many events; with 0 rows nothing is written, for rollouts."""
    return np.zeros((rows + 1 if rows else 0, LOG_WIDTH), np.int32)


@kernel
def tell(
    log: NDArray[np.int32],
    event: int,
    audience: int,
    a: int = 0,
    b: int = 0,
    c: int = 0,
    d: int = 0,
    e: int = 0,
    f: int = 0,
    g: int = 0,
    h: int = 0,
    i: int = 0,
    j: int = 0,
) -> None:
    """Write an event; row 0 of the log counts them, also those it had no room for. Without rows nothing is done."""
    if log.shape[0] == 0:
        return
    log[0, 0] += 1
    n = log[0, 0]
    if n < log.shape[0]:
        log[n, 0] = event
        log[n, 1] = audience
        log[n, 2] = a
        log[n, 3] = b
        log[n, 4] = c
        log[n, 5] = d
        log[n, 6] = e
        log[n, 7] = f
        log[n, 8] = g
        log[n, 9] = h
        log[n, 10] = i
        log[n, 11] = j
