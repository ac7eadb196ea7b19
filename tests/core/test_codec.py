"""Names in place of numbers, and back."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dash.actions import Go, Rise
from dash.game import load
from dash.state import Race
from dash.view import View
from quadriga.core import codec
from quadriga.core.codec import (
    ActionWriter,
    Names,
    RecordWriter,
    Written,
    action_from_json,
    describe,
    fill_record,
    parse,
    record_to_json,
)
from quadriga.core.errors import InvalidAction
from quadriga.core.game import Game
from quadriga.core.messages import Action, Slot
from quadriga.core.streams import new_stream, stream_key
from tests.every_game import GAMES

DASH = load()
NAMES = DASH.names


def numbers(slot: Slot, names: Names, lowest: int) -> st.SearchStrategy[int]:
    most = (1 << slot.width) - 1 - slot.plus
    if slot.domain in names.domains:
        most = min(most, len(set(names.domains[str(slot.domain)])) - 1)
    return st.integers(lowest, most)


def values(slot: Slot, names: Names) -> st.SearchStrategy[Any]:
    if slot.flag:
        return st.booleans()
    if slot.most:
        return st.lists(numbers(slot, names, 0), max_size=slot.most).map(tuple)
    return numbers(slot, names, -slot.plus)


def actions_of(game: Game, kind: type[Action]) -> st.SearchStrategy[Action]:
    return st.tuples(*(values(slot, game.names) for slot in kind.slots)).map(lambda fields: kind(*fields))


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        pytest.param(game, kind, id=f"{name}-{kind.name}")
        for name, game in GAMES.items()
        for kind in game.kinds.values()
    ],
)
@given(data=st.data())
def test_every_action_survives_json_notation_and_its_code(game: Game, kind: type[Action], data: st.DataObject) -> None:
    action = data.draw(actions_of(game, kind))
    assert action_from_json(codec.message_to_json(action, game.names), game.kinds, game.names) == action
    assert game.parse(game.describe(action)) == action
    assert 0 <= action.pack() < 1 << 63
    assert game.unpack(action.pack()) == action


@given(st.text())
def test_any_text_is_an_action_or_invalid(text: str) -> None:
    for game in GAMES.values():
        try:
            action = game.parse(text)
        except InvalidAction:
            continue
        assert game.parse(game.describe(action)) == action


WORDS = st.sampled_from(
    ["go", "rise", "1", "9", "-1", "pace=2", "pace=x", "shout", "a", "a+b", "a+b+c", "seen=", "rival=ant", "="]
)


@given(st.lists(WORDS).map(" ".join))
def test_words_of_notation_in_any_order_are_an_action_or_invalid(text: str) -> None:
    try:
        action = DASH.parse(text)
    except InvalidAction:
        return
    assert DASH.parse(DASH.describe(action)) == action


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from(["a", "ant", "go", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["kind", "pace", "seen", "x"]), inner),
    max_leaves=8,
)


@given(JSON, st.sampled_from(["go", "rise"]))
def test_any_json_is_an_action_or_invalid(data: Any, kind: str) -> None:
    for value in (data, (data | {"kind": kind}) if isinstance(data, dict) else {"kind": kind, "pace": data}):
        try:
            action = action_from_json(value, DASH.kinds, NAMES)
        except InvalidAction:
            continue
        assert DASH.unpack(action.pack()) == action


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "is no action; there are go, rise"),
        ("fly 1", "'fly' is no action; there are go, rise"),
        ("go 1 2", "go: '2' is none of pace, shout"),
        ("go 1 pace=2", "go: pace is given twice"),
        ("go fast", "go: pace: 'fast' is not a whole number"),
        ("go 4", "go: pace: 4 is out of range"),
        ("go pace=1 shout=yes", "go: 'shout=yes' is none of pace, shout"),
        ("rise a+b+c", "rise: seen is a list of at most 2"),
        ("rise z", "rise: seen: 'z' is no square; there are a, b, c, d, e, f"),
        ("rise rival=dog", "rise: rival: 'dog' is no runner"),
    ],
)
def test_a_wrong_notation_says_what_is_wrong(text: str, cause: str) -> None:
    with pytest.raises(InvalidAction) as error:
        DASH.parse(text)
    assert cause in str(error.value)


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (None, 'an action is an object with a "kind"'),
        ({"pace": 1}, 'an action is an object with a "kind"'),
        ({"kind": "fly"}, "'fly' is no action"),
        ({"kind": "go", "speed": 1}, "go has no 'speed'; it has pace, shout"),
        ({"kind": "go", "pace": True}, "True is not a whole number"),
        ({"kind": "go", "pace": 1, "shout": "yes"}, "go: shout is true or false"),
        ({"kind": "go", "pace": -1}, "out of range"),
        ({"kind": "rise", "seen": "a"}, "a list of at most 2"),
    ],
)
def test_wrong_json_says_what_is_wrong(data: Any, cause: str) -> None:
    with pytest.raises(InvalidAction) as error:
        action_from_json(data, DASH.kinds, NAMES)
    assert cause in str(error.value)


def test_notation_is_short() -> None:
    assert describe(Go(2), NAMES) == "go 2"
    assert describe(Go(1, True), NAMES) == "go 1 shout"
    assert describe(Rise((0, 2), 1), NAMES) == "rise a+c rival=bee"
    assert describe(Rise(), NAMES) == "rise"
    assert parse("go shout pace=1", DASH.kinds, NAMES) == Go(1, True)


def test_a_record_becomes_json_with_names() -> None:
    race: Any = Race.blank()
    race.ahead = -1
    race.square[1] = 5
    data = record_to_json(race, NAMES)
    assert data["square"] == {"ant": "a", "bee": "f", "cat": "a"}
    assert data["ahead"] is None
    assert data["trail"][0] == ["a", "a"]
    view: Any = View.blank()
    assert record_to_json(view, NAMES)["me"] == 0


def test_an_empty_seat_is_null_alone_and_in_lists() -> None:
    """At a table of two the order of six seats has four that nobody sits at; a spectator has no seat."""
    game = GAMES["charioteer"]
    view = game.view(game.setup(2, {}, new_stream(stream_key(bytes(32)), 0)).state, None)
    written = RecordWriter(game.definition.view, game.names).write(view)
    for data in (record_to_json(view, game.names), msgspec.json.decode(written)):
        assert sorted(data["order"][:2]) == [0, 1]
        assert data["order"][2:] == [None] * 4
        assert data["seat"] is None
        assert data["hand"] == [None] * 8


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_written_records_and_actions_say_the_same(game: Game) -> None:
    race = game.setup(game.meta.seats[-1], {}, new_stream(stream_key(bytes(32)), 0)).state
    seat = game.to_act(race)[0]
    views, actions = RecordWriter(game.definition.view, game.names), ActionWriter(game.definition.actions, game.names)
    for viewer in (seat, None, seat):
        view = game.view(race, viewer)
        assert msgspec.json.decode(views.write(view)) == record_to_json(view, game.names)
    for code in game.legal_codes(race, seat).tolist():
        assert actions.write(code) == codec.encode(codec.message_to_json(game.unpack(code), game.names))


def test_what_is_written_once_is_kept_until_there_is_too_much() -> None:
    asked: list[int] = []

    def write(number: int) -> bytes:
        asked.append(number)
        return str(number).encode()

    written = Written(2, write)
    assert [written[number] for number in (1, 2, 1, 2, 3, 1)] == [b"1", b"2", b"1", b"2", b"3", b"1"]
    assert asked == [1, 2, 3, 1]
    assert len(written) == 2


def test_json_fills_the_record_it_came_from() -> None:
    race: Any = Race.blank()
    fill_record(
        race, {"square": ["b"], "lap": {"cat": 2, "0": 1}, "ahead": "none", "trail": {"1": ["d", "none"]}}, NAMES
    )
    assert race.square.tolist() == [1, 0, 0]
    assert race.lap.tolist() == [1, 0, 2]
    assert race.ahead == -1
    assert race.trail[1].tolist() == [3, -1]
    again: Any = Race.blank()
    fill_record(again, record_to_json(race, NAMES), NAMES)
    assert again == race


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        ({"speed": 1}, "there is no field 'speed'; there are seats, laps"),
        ({"rounds": "many"}, "rounds: 'many' is not a whole number"),
        ({"rounds": 1.5}, "rounds: 1.5 is not a whole number"),
        ({"rounds": True}, "rounds: True is not a whole number"),
        ({"rounds": 40_000}, "rounds: 40000 is out of range"),
        ({"square": "a"}, "square: 'a' is neither a list nor a table"),
        ({"square": ["a"] * 4}, "square: 4 values, but there is room for 3"),
        ({"square": ["z"]}, "square: 'z' is no square"),
        ({"square": [["a"]]}, "square: ['a'] is no square"),
        ({"square": {"dog": "a"}}, "square: 'dog' is no runner"),
        ({"square": {"none": "a"}}, "square: 'none' is no index from 0 to 2"),
        ({"square": {"3": "a"}}, "square: '3' is no index from 0 to 2"),
        ({"trail": {"x": ["a"]}}, "trail: 'x' is no index"),
        ({"trail": ["a"]}, "trail: 'a' is neither a list nor a table"),
    ],
)
def test_a_field_that_cannot_be_filled_is_named(data: dict[str, Any], cause: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011
        fill_record(Race.blank(), data, NAMES)
    assert cause in str(error.value)


def test_the_first_of_equal_names_counts() -> None:
    assert NAMES.number("face", "one") == 1
    assert NAMES.name("face", 2) == "one"
    assert Names({"side": ["blank", "steer", "steer"]}).number("side", "steer") == 1


def test_a_name_called_none_stays_a_name() -> None:
    assert Names({"x": ["some", "none"]}).number("x", "none") == 1
