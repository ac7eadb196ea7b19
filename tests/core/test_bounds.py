"""Whatever is too large or too odd is refused in words, before anything is computed from it."""

import time
from fractions import Fraction

import msgspec
import pytest

from quadriga import games
from quadriga.core import bounds
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidAction, InvalidFile, QuadrigaError, ReplayFailed
from quadriga.core.match import Clock, Match, Setup, Sitter
from quadriga.core.record import from_json, record_of, replay, to_json
from quadriga.core.scenario import parse_scenario
from quadriga.core.typed import complaint
from tests.every_game import GAMES

QUICK = 2.0
"""Seconds in which a hostile file must have been refused, on a machine that does other things besides."""
every_game = pytest.mark.parametrize("name", games.NAMES)


def refusal_of(text: str) -> str:
    began = time.process_time()
    with pytest.raises(InvalidFile) as error:
        TomlFile("file", text)
    assert time.process_time() - began < QUICK
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# " + "x" * bounds.MOST_TOML, "file: it has 100002 letters; 100000 are the most"),
        ("\n" * bounds.MOST_LINES, "file: it has 4001 lines; 4000 are the most"),
        ("a = 1\nb = '" + "x" * bounds.MOST_LINE + "'", "file: line 2: it has 1006 letters; 1000 are the most"),
        ("a." * 8 + "a = 1", "file: line 1: a key has at most 8 parts"),
        ("x = 1\n[" + "a . " * 20 + "a]", "file: line 2: a key has at most 8 parts"),
        ('x = { y = 1, "a\\"".' + "'b'." * 10 + "c = 2 }", "file: line 1: a key has at most 8 parts"),
        (
            "x = " + '"' * 3 + "\n" + '"' * 3 + "\n[t]\n" + '"\\"".' * 12 + "a = 1",
            "file: line 4: a key has at most 8 parts",
        ),
        ("a = 1\nb = [\n  0x" + "f" * 900 + ",\n]", "file: line 3: a number lies between"),
        ("a = " + "9" * 900, "file: line 1: a number lies between"),
        ("a = " + "[" * 20 + "]" * 20, "file: line 1: tables and lists lie at most 16 deep inside each other"),
        ("a = " + "[" * 400 + "\n" + "[" * 900, "file: is not TOML: too many brackets"),
    ],
)
def test_files_that_are_too_large_are_refused_before_they_are_parsed(text: str, said: str) -> None:
    assert refusal_of(text).startswith(said)


@pytest.mark.parametrize(
    "line",
    ["'''" * 300, '"' * 999, '\\"' * 499, "a." * 499, "'a'." * 249, "[" * 999, "a" * 999, "{a=" * 300, "\t" * 999],
)
@pytest.mark.parametrize("begin", ["", "a = "])
def test_lines_full_of_anything_are_refused_quickly(begin: str, line: str) -> None:
    refusal_of("\n".join([(begin + line)[:1000]] * 98) + "\n=")


def test_lines_with_many_texts_are_read() -> None:
    """The lines of such a file are looked for when something in it is refused."""
    source = TomlFile("file", "a = [" + "'''x'''," * 100 + "]\n" + 'b = """' + '""" # "\nc = 3\n')
    with pytest.raises(InvalidFile, match="line 3"):
        source.refuse(("c",), "a cause")


@pytest.mark.parametrize(
    "dotted", ["6.5 7.5 8.5 9.5 1.5 2.5 3.5 4.5 5.5", "0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5"]
)
def test_numbers_with_points_are_no_long_keys(dotted: str) -> None:
    assert TomlFile("file", f"a = '{dotted}' # {dotted}").data == {"a": dotted}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("17", Fraction(17)), ("5.6667", Fraction(56667, 10000)), ("17/3", Fraction(17, 3)), ("0", Fraction(0)),
        ("1e9", None), ("1e1000000000", None), ("1/0", None), ("1/000", None), ("-1", None), ("²", None), ("٣", None),
        ("9" * 19, None), ("1." + "0" * 19, None), ("1/", None), ("0x10", None), ("1_0", None), (" 1", None),
        ("", None), ("nan", None),
    ],
)  # fmt: skip
def test_exact_numbers_are_short_and_plain(text: str, number: Fraction | None) -> None:
    assert bounds.exact_number(text) == number


@pytest.mark.parametrize(
    ("text", "number"), [("0", 0), ("007", 7), ("²", None), ("٣", None), ("9" * 19, None), ("", None), ("-1", None)]
)
def test_whole_numbers_are_ascii_digits(text: str, number: int | None) -> None:
    assert bounds.whole_number(text) == number


@pytest.mark.parametrize(
    "lap", ['"1e1000000000"', '"1/0"', '"' + "9" * 900 + '"', "1e300", "inf", "nan", "-4", "true", '"²"']
)
def test_a_lap_that_is_no_distance_is_refused_at_once(lap: str) -> None:
    text = games.load("chariot_race").edition.source.text
    began = time.process_time()
    with pytest.raises(InvalidFile, match=r"track\.lap"):
        games.load("chariot_race", TomlFile("file", text.replace("\nlap = ", f"\nlap = {lap} # ", 1)))
    assert time.process_time() - began < QUICK


def test_the_standard_editions_are_far_below_the_bounds() -> None:
    for name in games.NAMES:
        text = games.load(name).edition.source.text
        assert len(text) * 5 < bounds.MOST_TOML
        assert max(map(len, text.split("\n"))) * 3 < bounds.MOST_LINE


# ---------------------------------------------------------------- choices


@every_game
@pytest.mark.parametrize("number", ["²", "٣", "9" * 19, "9" * 499, "1e9", "-1", "\ud800", "𝟙"])
def test_odd_digits_in_a_choice_are_refused_in_words(name: str, number: str) -> None:
    game = GAMES[name]
    for kind in game.definition.actions:
        for slot in kind.slots:
            with pytest.raises(InvalidAction):
                game.parse(f"{kind.name} {slot.name}={number}"[:500])


def test_a_choice_of_many_letters_is_refused() -> None:
    with pytest.raises(InvalidAction, match="a choice has at most 500 letters, not 100005"):
        GAMES["chariots"].parse("plot " + "2+" * 50_000)


@pytest.mark.parametrize("seat", ["²", "٣", "9" * 900, "-1", "2"])
def test_a_seat_of_a_scenario_is_a_plain_number(seat: str) -> None:
    text = f'game = "chariots"\nabout = "x"\nseats = 2\n[[then]]\nlegal = {{ "{seat}" = ["plot 2+3+4"] }}\n'
    with pytest.raises(InvalidFile, match="line 5: step 1: there is no seat"):
        parse_scenario(TomlFile("file", text), games.load)


@pytest.mark.parametrize("index", ["²", "٣", "9" * 900, "4"])
def test_an_index_of_a_field_is_a_plain_number(index: str) -> None:
    text = f'game = "chariots"\nabout = "x"\nseats = 2\n[position]\nlines = {{ "{index}" = 1 }}\n[[then]]\n'
    with pytest.raises(InvalidFile, match="line 5: lines: "):
        parse_scenario(TomlFile("file", text), games.load)


# ---------------------------------------------------------------- records


def race() -> Match:
    match = Match(GAMES["chariots"], [Sitter("a"), Sitter("b")], seed=bytes(32))
    match.resign(0)
    return match


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"log": [{"kind": "setup"}] * (bounds.MOST_ENTRIES + 1)}, "record: log: log has 20001 items; 20000 are"),
        ({"seats": [{"name": "a"}] * 17}, "record: seats: seats has 17 items; 16 are the most"),
        ({"nonces": ["a"] * 17}, "record: nonces: nonces has 17 items; 16 are the most"),
        ({"options": {f"o{i}": 1 for i in range(33)}}, "record: options: options has 33 items; 32 are the most"),
        ({"result": {"places": [1] * 17, "winner": 0, "reason": "x"}}, "record: result.places: "),
        ({"game": "x" * bounds.MOST_RECORD}, "record: it has 2000"),
    ],
)  # fmt: skip
def test_records_have_bounds(change: dict[str, object], said: str) -> None:
    data = msgspec.json.decode(to_json(record_of(race()))) | change
    with pytest.raises(InvalidFile) as error:
        from_json(msgspec.json.encode(data).decode())
    assert str(error.value).startswith(said)


def test_an_edition_in_a_record_has_the_bounds_of_an_edition() -> None:
    data = msgspec.json.decode(to_json(record_of(race()))) | {"edition": "a." * 12_000 + "a = 1"}
    began = time.process_time()
    with pytest.raises(ReplayFailed, match="line 1: it has"):
        replay(from_json(msgspec.json.encode(data).decode()), games.load)
    assert time.process_time() - began < QUICK


def test_an_unknown_key_of_many_letters_is_refused_quickly() -> None:
    began = time.process_time()
    with pytest.raises(InvalidFile) as error:
        from_json(msgspec.json.encode({"format": 1, " - at `$" * 100_000: 1}).decode())
    assert time.process_time() - began < QUICK
    assert len(str(error.value)) < 2_000_000


def test_a_place_that_a_key_pretends_to_be_does_no_harm() -> None:
    with pytest.raises(msgspec.ValidationError) as error:
        msgspec.json.decode(b'{"x - at `$.then.y[99999999999999999999]`": 1}', type=Setup)
    complaint(error.value)
    with pytest.raises(InvalidFile):
        parse_scenario(TomlFile("file", 'game = "chariots"\nabout = ""\n"a` - at `$.then.x[²]" = 1\n'), games.load)


def test_a_log_of_take_backs_is_replayed_in_a_time_that_grows_with_its_length() -> None:
    match = Match(GAMES["chariots"], [Sitter("a"), Sitter("b")], seed=bytes(32))
    for _ in range(1000):
        match.pause()
        match.resume()
        match.take_back(0)
    assert match.line == (0, 3000)
    match.pause()
    with pytest.raises(QuadrigaError, match="step 2999 has been taken back itself"):
        match.take_back(2999)


def test_clocks_show_no_more_than_they_can() -> None:
    match = Match(GAMES["chariots"], [Sitter("a"), Sitter("b")], seed=bytes(32))
    with pytest.raises(InvalidAction, match="milliseconds"):
        match.add(Clock(left={0: 10**30}))


@pytest.mark.parametrize("text", ['{"format": 1, "log": ' + "[" * 100_000, "[" * 100_000, '{"a":' * 50_000, '"\ud800"'])
def test_deep_json_is_no_record(text: str) -> None:
    with pytest.raises(InvalidFile):
        from_json(text)
