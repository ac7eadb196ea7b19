"""Records replay exactly, or say at which step and why not; damaged files never end in a traceback."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dash.game import load
from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidFile, QuadrigaError, ReplayFailed
from quadriga.core.game import Game
from quadriga.core.match import Match, Resign, Sitter
from quadriga.core.record import Record, from_json, read_record, record_of, replay, to_json
from tests.core.test_match import SEED, play_on, race

GAMES = ("dash", *games.NAMES)


def load_any(name: str, edition: TomlFile | None = None) -> Game:
    return load(name, edition) if name == "dash" else games.load(name, edition)


def eventful() -> Match:
    """A finished race with an entry of every kind."""
    match = Match(load(), [Sitter(name) for name in ("Ana", "Berta", "Carla")], {"wind": "storm"}, SEED, ["a", "ñ"])
    play_on(match, 2)
    match.take_back(1)
    match.set_clock({0: 60_000, 2: 1})
    match.pause()
    match.change_seat(2, Sitter("Bot", "greedy"))
    match.resume()
    match.redeal(1)
    match.resign(2)
    play_on(match, 1)
    match.forfeit(0, "out of time")
    return match


RECORD = record_of(eventful())
TEXT = to_json(RECORD)
PLAYED = to_json(record_of(play_on(race())))


def test_a_race_with_everything_in_it_replays() -> None:
    assert {type(entry).__name__ for entry in RECORD.log} == {
        "Setup", "Choices", "TakeBack", "SeatChange", "Redeal", "Resign", "Forfeit", "Pause", "Resume", "Clock",
    }  # fmt: skip
    match = replay(from_json(TEXT), load)
    assert record_of(match) == RECORD
    assert match.sitters[2] == Sitter("Bot", "greedy")


@pytest.mark.parametrize("name", GAMES)
def test_every_game_replays_at_every_number_of_seats(name: str) -> None:
    game = load_any(name)
    for seats in game.meta.seats:
        match = play_on(Match(game, [Sitter(f"P{i}") for i in range(seats)], {}, SEED), 60)
        record = from_json(to_json(record_of(match, secrets=True)))
        again = replay(record, load_any)
        assert again.log == match.log
        assert again.state == match.state


def test_a_file_is_stable_and_has_a_line_for_each_step() -> None:
    assert to_json(from_json(TEXT)) == TEXT
    lines = TEXT.splitlines()
    first = lines.index('  "log": [') + 1
    for entry, line in zip(RECORD.log, lines[first:], strict=False):
        assert json.loads(line.rstrip(","))["hash"] == entry.hash
    assert '"choices": {"0": "go' in TEXT
    assert '"nonces": ["a", "ñ"]' in TEXT


def test_a_record_is_read_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "race.json").write_text(TEXT, encoding="utf-8")
    assert read_record(tmp_path / "race.json") == RECORD
    with pytest.raises(InvalidFile, match="cannot be read"):
        read_record(tmp_path / "other.json")


def test_an_edition_of_ones_own_travels_in_the_record() -> None:
    source = load().edition.source
    game = load(edition=TomlFile("mine.toml", source.text.replace('"a"', '"alpha"')))
    match = play_on(Match(game, [Sitter("A"), Sitter("B")], {}, SEED))
    record = from_json(to_json(record_of(match)))
    assert record.edition is not None
    assert replay(record, load).game.names.domains["square"][0] == "alpha"
    assert record_of(play_on(race())).edition is None


def test_an_unfinished_race_shows_no_secret() -> None:
    match = play_on(race(laps=5), 2)
    record = record_of(match)
    assert record.seed is None
    assert record.result is None
    assert {entry.hash for entry in record.log} == {""}
    assert "go" not in str([entry.choices for entry in record.log[1:]])  # type: ignore[union-attr]
    with pytest.raises(ReplayFailed, match="step 0: the race is not over: its seed and its choices are secret"):
        replay(from_json(to_json(record)), load)


def test_an_unfinished_race_goes_on_where_it_was_saved() -> None:
    match = play_on(race(laps=5), 2)
    again = replay(from_json(to_json(record_of(match, secrets=True))), load)
    assert again.state == match.state
    assert play_on(again, seed=3).log == play_on(match, seed=3).log


# ---------------------------------------------------------------- what does not replay


def changed(seq: int, **fields: Any) -> Callable[[Record], Record]:
    def change(record: Record) -> Record:
        log = list(record.log)
        log[seq] = replace(log[seq], **fields)
        return replace(record, log=tuple(log))

    return change


def with_(**fields: Any) -> Callable[[Record], Record]:
    return lambda record: replace(record, **fields)


FAILS: list[tuple[Callable[[Record], Record], int, str]] = [
    (with_(seed="00" * 32), 0, "the seed is not the one the commitment was made for"),
    (with_(commitment="00" * 32), 0, "the seed is not the one the commitment was made for"),
    (with_(nonces=()), 1, "the state differs: its hash is"),
    (with_(nonces=("a", "b", "c", "d")), 0, "4 nonces, but one for each of 3 seats"),
    (with_(rules_version=2), 0, "made under rules version 2 of Dash; this is 1"),
    (with_(fingerprint="0" * 16), 0, "is not the one it was played with, 0000000000000000"),
    (with_(game="tag"), 0, "there is no game 'tag'; there is dash"),
    (with_(options={"laps": 99}), 0, "option laps is a number from 1 to 5"),
    (with_(seats=(Sitter("A"),)), 0, "Dash is for 2 to 3 players, not 1"),
    (with_(edition="[track]\nsquares = 3"), 0, "line 2: track.squares must be a list"),
    (with_(edition="squares = ["), 0, "edition of the record: last line: is not TOML"),
    (changed(0, hash="0" * 16), 0, "the state differs"),
    (changed(1, hash="0" * 16), 1, "the record says 0000000000000000"),
    (changed(1, hash=""), 1, "the record says none"),
    (changed(1, choices={0: "go 1", 1: "rise", 2: "go 1"}), 1, "rise: only those who are down get up"),
    (changed(1, choices={0: "go 1", 1: "fly", 2: "go 1"}), 1, "'fly' is no action"),
    (changed(1, choices={0: "go 1", 2: "go 1"}), 1, "seat 1 has not chosen yet"),
    (changed(1, choices={}), 1, "seat 0 has not chosen yet"),
    (changed(1, choices={7: "go 1"}), 1, "seat 7 owes no choice now"),
    (changed(3, to=77), 3, "there is no step 77 to go back to"),
    (changed(4, left={9: 1}), 4, "there is no seat 9"),
    (lambda r: replace(r, log=(*r.log, Resign(seat=0))), len(RECORD.log), "the race is over"),
    (lambda r: replace(r, log=(*r.log[:5], r.log[0], *r.log[5:])), 5, "a race is set up only once"),
    (lambda r: replace(r, log=r.log[:-1]), len(RECORD.log) - 2, "ends with no result yet, the record says places 2"),
    (with_(result=None), len(RECORD.log) - 1, "the record says no result yet"),
    (with_(result=replace(RECORD.result, reason="won")), len(RECORD.log) - 1, "(forfeited), the record says places"),  # type: ignore[type-var]
]  # fmt: skip


@pytest.mark.parametrize(("change", "seq", "cause"), FAILS)
def test_a_record_that_does_not_replay_says_where_and_why(
    change: Callable[[Record], Record], seq: int, cause: str
) -> None:
    with pytest.raises(ReplayFailed) as error:
        replay(change(RECORD), load)
    assert error.value.seq == seq
    assert cause in str(error.value)
    assert "\n" not in str(error.value)


# ---------------------------------------------------------------- damaged files


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "race.json: line 1: is not JSON: it ends too soon"),
        ("{}", "race.json: is not a record: it has no format"),
        ("[]", "race.json: this must be a table, not a list"),
        ('{"format": 2}', "race.json: format: 2 is not known here; this Quadriga reads format 1"),
        ('{"format": 1}', "race.json: game is missing"),
        (TEXT[:400], "is not JSON: it ends too soon"),
        (TEXT.replace('"rules_version": 1', '"rules_version": one'), "race.json: line 4: is not JSON"),
        (
            TEXT.replace('"rules_version": 1', '"rules_version": "1"'),
            "race.json: rules_version: rules_version must be a whole",
        ),
        (TEXT.replace('"game"', '"gane"'), "there is no key 'gane' here"),
        (TEXT.replace('"kind": "pause"', '"kind": "paws"'), "race.json: step 5: kind: Invalid value 'paws'"),
        (TEXT.replace('"to": 1', '"to": "one"'), "race.json: step 3: to must be a whole number, not a text"),
        (TEXT.replace('"kind": "setup"', '"kind": "pause"'), "race.json: step 0: the log must begin with the set-up"),
        (TEXT.replace(SEED.hex(), SEED.hex()[:-1]), "race.json: seed: seed must be 64 hexadecimal digits"),
        (TEXT.replace(f'"{SEED.hex()}"', "null"), "race.json: seed: a finished race has a seed"),
        ('{"format": 1, "log": ' + "[" * 100_000, "race.json: "),
        ("\ud800", "race.json: is not JSON"),
    ],
)
def test_a_damaged_file_is_refused_with_place_and_cause(text: str, said: str) -> None:
    with pytest.raises(InvalidFile) as error:
        from_json(text, "race.json")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def replays_or_refuses(text: str) -> None:
    with suppress(InvalidFile, ReplayFailed):
        replay(from_json(text), load)


SCRAPS = st.sampled_from(
    ["", "0", "-1", "99", '"x"', "null", "true", "{}", "[]", ",", "}", "]", '"', "\\", "\n", "\ud800", "é"]
)


@given(st.sampled_from([TEXT, PLAYED]), st.integers(0, 4000), st.integers(0, 40), SCRAPS)
def test_a_file_with_a_piece_torn_out_replays_or_is_refused(text: str, start: int, length: int, scrap: str) -> None:
    replays_or_refuses(text[:start] + scrap + text[start + length :])


def paths(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(p for key, value in inner for p in paths(value, (*path, key)))]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)


@given(data=st.data())
def test_a_file_with_any_value_changed_replays_or_is_refused(data: st.DataObject) -> None:
    record = json.loads(data.draw(st.sampled_from([TEXT, PLAYED])))
    *where, key = data.draw(st.sampled_from(paths(record)[1:]))
    table = record
    for step in where:
        table = table[step]
    if data.draw(st.booleans()):
        table[key] = data.draw(VALUES)
    else:
        del table[key]
    replays_or_refuses(json.dumps(record))


@given(st.text() | st.binary().map(lambda b: b.decode("utf-8", "replace")))
def test_any_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidFile):
        from_json(text)


@given(VALUES)
def test_any_json_is_refused(value: Any) -> None:
    with pytest.raises(QuadrigaError):
        from_json(json.dumps(value))
