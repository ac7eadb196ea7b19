"""Records declared once, as annotated classes, from which the NumPy dtype is built.

    class Race(Fields):
        seats: Annotated[I16, "players at the table"]
        square: Annotated[I16s, 4, In("square"), "where each chariot stands"]

A field has a number type, a shape if it is an array, a domain if its numbers have names or else their range, and a
sentence.
Declarations inherit: a view may share the public fields of the state.
"""

import hashlib
import sys
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Self, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

I8 = Annotated[int, np.int8]
I16 = Annotated[int, np.int16]
I32 = Annotated[int, np.int32]
U32 = Annotated[int, np.uint32]
I8s = Annotated[NDArray[np.int8], np.int8]
I16s = Annotated[NDArray[np.int16], np.int16]
I32s = Annotated[NDArray[np.int32], np.int32]
U32s = Annotated[NDArray[np.uint32], np.uint32]

NONE = -1
"""The number that stands for "none" in a field with a domain; JSON null."""


@dataclass(frozen=True)
class In:
    """The domain of a field: the edition names its numbers."""

    domain: str


@dataclass(frozen=True)
class Between:
    """The range of a field without a domain, both ends included; 0 must lie in it, for blank records."""

    low: int
    high: int


@dataclass(frozen=True)
class At:
    """The domain of an array's index: JSON and scenarios show a table by name in place of a list."""

    domain: str
    axis: int = 0


@dataclass(frozen=True)
class EachSeat:
    """Marks an array with one row for each seat."""


@dataclass(frozen=True)
class Field:
    """What a record declares of one field."""

    name: str
    number: type[np.integer[Any]]
    shape: tuple[int, ...]
    domain: str | None
    index: str | None
    axis: int
    """The axis of the array that `index` names."""
    between: Between
    """What the number type can hold, if no range is declared."""
    meaning: str
    each_seat: bool = False
    """Whether the first index is a seat."""


class Row(np.void):  # type: ignore[misc]  # final only in the stubs
    """A NumPy record with its fields as attributes.

    (np.record finds attributes the slow way round, and its copies leave the gaps between fields unset.)
    """

    memory: bytearray | None = None
    """Where the record lies, if it lies alone: from `row`."""

    @property
    def data(self) -> Any:
        """What Numba asks for at every call. NumPy would describe all fields each time, which takes longer than most
        kernels do."""
        return super().data if self.memory is None else self.memory

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"the record has no field {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value

    def copy(self, order: Any = "C") -> Self:
        """A copy that shares nothing and is the same to the byte."""
        return row(bytearray(self.tobytes()), self.dtype)


def row(memory: bytearray, dtype: np.dtype[Any]) -> Any:
    """The record that lies in a memory of its own."""
    record = np.frombuffer(memory, dtype)[0]
    record.__dict__["memory"] = memory
    return record


class Fields:
    """Base of record declarations. Instances never exist: `blank` and `blanks` give NumPy records of the dtype."""

    dtype: ClassVar[np.dtype[Any]]
    packed: ClassVar[np.dtype[Any]]
    """The same fields without gaps, little-endian: the same bytes on every machine."""
    fields: ClassVar[tuple[Field, ...]]
    _places: ClassVar[NDArray[np.intp]]
    """Where each byte of the packed record lies in the record."""

    def __init_subclass__(cls) -> None:
        hints = get_type_hints(cls, include_extras=True)
        cls.fields = tuple(_field(name, hint) for name, hint in hints.items() if get_origin(hint) is not ClassVar)
        layout = [(f.name, f.number, f.shape) if f.shape else (f.name, f.number) for f in cls.fields]
        cls.dtype = np.dtype((Row, np.dtype(layout, align=True)))
        cls.packed = np.dtype(layout).newbyteorder("<")
        cls._places = np.concatenate([_places(cls.dtype, f) for f in cls.fields])

    @classmethod
    def blank(cls) -> Self:
        """One record of zeros."""
        return row(bytearray(cls.dtype.itemsize), cls.dtype)

    @classmethod
    def blanks(cls, count: int) -> NDArray[Any]:
        """An array of records of zeros."""
        return np.zeros(count, cls.dtype)

    @classmethod
    def pack(cls, record: Any) -> bytes:
        """A record's bytes as `packed` has them."""
        return np.frombuffer(record.tobytes(), np.uint8)[cls._places].tobytes()

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """The record of `pack`; gaps between fields are zero, as in records that were never packed."""
        memory = bytearray(cls.dtype.itemsize)
        np.frombuffer(memory, np.uint8)[cls._places] = np.frombuffer(body, np.uint8)
        return row(memory, cls.dtype)

    def copy(self) -> Self:
        """A copy that shares nothing. (Row has this method; declared here for the type checker.)"""
        raise NotImplementedError

    def tobytes(self) -> bytes:
        """The record's bytes. (Row has this method; declared here for the type checker.)"""
        raise NotImplementedError


def short_hash(record: Fields, kind: type[Fields]) -> str:
    """Sixteen hexadecimal digits that differ when any field does, the same on every machine."""
    return hashlib.sha256(kind.pack(record)).hexdigest()[:16]


def _places(dtype: np.dtype[Any], field: Field) -> NDArray[np.intp]:
    """Where the bytes of a field lie in a record, each number's lowest first."""
    kind, offset = dtype.fields[field.name][:2]  # type: ignore[index]
    places = np.arange(offset, offset + kind.itemsize).reshape(-1, kind.base.itemsize)
    return (places if sys.byteorder == "little" else places[:, ::-1]).ravel()


@cache
def _reserved() -> frozenset[str]:
    return frozenset(dir(Row))


def _field(name: str, hint: Any) -> Field:
    if name in _reserved():
        raise TypeError(f"field {name!r} would be hidden by an attribute of every record")
    number: type[np.integer[Any]] | None = None
    shape: tuple[int, ...] = ()
    domain = index = None
    axis, meaning, between, each_seat = 0, "", None, False
    for mark in get_args(hint)[1:]:
        match mark:
            case In():
                domain = mark.domain
            case Between():
                between = mark
            case At():
                index, axis = mark.domain, mark.axis
            case EachSeat():
                each_seat = True
            case str():
                meaning = mark
            case int():
                shape = (mark,)
            case tuple():
                shape = mark
            case _:
                number = mark
    if number is None or not meaning:
        raise TypeError(f"field {name!r} needs a number type and a sentence")
    return Field(name, number, shape, domain, index, axis, between or _limits(number), meaning, each_seat)


def _limits(number: type[np.integer[Any]]) -> Between:
    limits = np.iinfo(number)
    return Between(int(limits.min), int(limits.max))
