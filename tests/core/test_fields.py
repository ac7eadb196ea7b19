"""Records declared once."""

import hashlib
import struct
from typing import Annotated, Any

import numpy as np
import pytest

from quadriga.core.fields import I8, I16, I32, U32, At, Fields, I8s, I16s, In, Row, short_hash


class Base(Fields):
    """Fields of several widths, so that an aligned record has gaps."""

    small: Annotated[I8, "one byte"]
    wide: Annotated[I32, "four bytes"]
    square: Annotated[I16s, 3, At("runner"), In("square"), "where each runner is"]


class More(Base):
    """A declaration that inherits."""

    grid: Annotated[I8s, (2, 4), "rows of four"]
    word: Annotated[U32, "without a sign"]


def test_a_declaration_becomes_a_dtype() -> None:
    assert Base.dtype.names == ("small", "wide", "square")
    record: Any = Base.blank()
    assert (record.small, record.wide, record.square.tolist()) == (0, 0, [0, 0, 0])
    assert isinstance(record, Row)
    assert Base.blanks(5).shape == (5,)


def test_a_field_remembers_its_declaration() -> None:
    field = Base.fields[2]
    assert (field.name, field.shape, field.domain, field.index) == ("square", (3,), "square", "runner")
    assert field.meaning == "where each runner is"


def test_declarations_inherit() -> None:
    assert [field.name for field in More.fields] == ["small", "wide", "square", "grid", "word"]
    assert More.dtype["grid"].shape == (2, 4)


def test_a_copy_shares_nothing() -> None:
    record: Any = Base.blank()
    copy = record.copy()
    copy.square[1] = 7
    copy.wide = 9
    assert (record.square.tolist(), record.wide) == ([0, 0, 0], 0)


@pytest.mark.parametrize("name", ["size", "round", "copy", "tobytes"])
def test_a_name_of_np_record_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match=f"'{name}' would be hidden"):
        type("Bad", (Fields,), {"__annotations__": {name: Annotated[I16, "a sentence"]}})


@pytest.mark.parametrize("hint", [I16, Annotated[int, "a sentence"], Annotated[I16, 4]])
def test_a_field_needs_a_number_type_and_a_sentence(hint: Any) -> None:
    with pytest.raises(TypeError, match="needs a number type and a sentence"):
        type("Bad", (Fields,), {"__annotations__": {"field": hint}})


def test_the_hash_sees_every_field_and_no_gap() -> None:
    hashes = {short_hash(Base.blank(), Base)}
    for name in ("small", "wide"):
        record: Any = Base.blank()
        setattr(record, name, 1)
        hashes.add(short_hash(record, Base))
    for i in range(3):
        record = Base.blank()
        record.square[i] = 1
        hashes.add(short_hash(record, Base))
    assert len(hashes) == 6
    dirty = np.full(Base.dtype.itemsize, 0xAA, np.uint8).view(Base.dtype)[0]
    for name in ("small", "wide"):
        setattr(dirty, name, 0)
    dirty.square[:] = 0
    assert dirty.tobytes() != Base.blank().tobytes()
    assert short_hash(dirty, Base) == short_hash(Base.blank(), Base)


def test_the_hash_is_of_packed_little_endian_numbers() -> None:
    record: Any = Base.blank()
    record.small, record.wide = -3, 70_000
    record.square[:] = [1, -1, 300]
    packed = struct.pack("<bi3h", -3, 70_000, 1, -1, 300)
    assert short_hash(record, Base) == hashlib.sha256(packed).hexdigest()[:16] == "609282b2180d384e"


def test_packed_records_come_back_without_gaps() -> None:
    record: Any = np.full(Base.dtype.itemsize, 0xAA, np.uint8).view(Base.dtype)[0]
    record.small, record.wide = -3, 70_000
    record.square[:] = [1, -1, 300]
    assert Base.pack(record) == struct.pack("<bi3h", -3, 70_000, 1, -1, 300)
    back: Any = Base.unpack(Base.pack(record))
    assert (back.small, back.wide, back.square.tolist()) == (-3, 70_000, [1, -1, 300])
    assert Base.unpack(bytes(Base.packed.itemsize)).tobytes() == Base.blank().tobytes()


def test_the_memory_numba_is_given_is_the_record_itself() -> None:
    alone: Any = Base.blank()
    several: Any = Base.blanks(2)[1]
    for record in (alone, alone.copy(), several):
        record.wide = 7
        assert bytes(record.data) == record.tobytes() != Base.blank().tobytes()
