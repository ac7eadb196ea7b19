"""Actions, events and refusals as numbers."""

from typing import Annotated

import pytest

from quadriga.core.fields import In
from quadriga.core.messages import (
    EVERYONE,
    LOG_WIDTH,
    Action,
    Bits,
    Event,
    Refusal,
    UpTo,
    kind_of,
    new_log,
    part,
    put,
    tell,
)


class Wave(Action, code=3):
    """All kinds of fields."""

    to: Annotated[int, Bits(4), In("square")]
    count: Annotated[int, Bits(3)]
    loud: bool
    cards: Annotated[tuple[int, ...], UpTo(3), Bits(2), In("card")]


class BigWave(Event, code=7):
    """A name of two words."""

    runner: Annotated[int, In("runner")]
    high: bool


class NoSea(Refusal, code=1):
    """No fields."""


def test_names_are_snake_case() -> None:
    assert (Wave.name, BigWave.name, NoSea.name) == ("wave", "big_wave", "no_sea")


@pytest.mark.parametrize("to", [-1, 0, 14])
@pytest.mark.parametrize("cards", [(), (2,), (0, 1, 2)])
def test_an_action_survives_its_code(to: int, cards: tuple[int, ...]) -> None:
    action = Wave(to, 5, True, cards)
    assert Wave.unpack(action.pack()) == action
    assert kind_of(action.pack()) == 3


def test_kernels_read_and_write_what_python_packs() -> None:
    code = Wave(9, 6, True, (2, 0)).pack()
    assert part(code, Wave.at("to")) == 9
    assert part(code, Wave.at("count")) == 6
    assert part(code, Wave.at("loud")) == 1
    assert [part(code, Wave.at("cards"), i) for i in range(3)] == [2, 0, -1]
    written = Wave.code | put(Wave.at("to"), 9) | put(Wave.at("count"), 6) | put(Wave.at("loud"), 1)
    assert written | put(Wave.at("cards"), 2, 0) | put(Wave.at("cards"), 0, 1) == code


def test_an_action_tells_how_many_bits_its_codes_take() -> None:
    """Four for its number, then its fields: the largest code has just so many."""
    largest = Wave(14, 7, True, (2, 2, 2)).pack()
    assert Wave.bits() == 4 + 4 + 3 + 1 + 3 * 2 == largest.bit_length()

    class Nod(Action, code=5):
        """No fields."""

    assert Nod.bits() == 4


def test_an_action_must_fit_into_63_bits() -> None:
    with pytest.raises(TypeError, match="at most 63"):
        type("Huge", (Action,), {"__annotations__": {"a": Annotated[int, Bits(60)]}}, code=1)
    with pytest.raises(TypeError, match="needs its Bits"):
        type("Loose", (Action,), {"__annotations__": {"a": int}}, code=1)


def test_an_event_must_fit_into_a_row() -> None:
    fields = {f"f{i}": int for i in range(LOG_WIDTH - 1)}
    with pytest.raises(TypeError, match="too many fields"):
        type("Long", (Event,), {"__annotations__": fields}, code=1)


def test_an_event_is_a_row_of_the_log() -> None:
    log = new_log(2)
    tell(log, BigWave.code, EVERYONE, 2, 1)
    assert log[0, 0] == 1
    assert log[1, :4].tolist() == [7, -1, 2, 1]
    assert BigWave.of(log[1, 2:]) == BigWave(2, True)


def test_a_full_log_counts_on_and_an_empty_one_takes_nothing() -> None:
    log = new_log(1)
    for _ in range(3):
        tell(log, BigWave.code, 0, 1)
    assert log[0, 0] == 3
    tell(new_log(0), BigWave.code, 0, 1)
    assert new_log(0).shape == (0, LOG_WIDTH)


def test_messages_are_frozen() -> None:
    with pytest.raises(AttributeError):
        Wave(1, 1, True, ()).to = 2  # type: ignore[misc]
