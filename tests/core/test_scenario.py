"""Scenarios find what differs, and every mistake in a file."""
# ruff: noqa: E501 (tables of files and what is said of them)

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dash.game import load
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidFile
from quadriga.core.match import Match, Sitter
from quadriga.core.scenario import parse_scenario, read_scenario, run
from quadriga.core.scenario_file import Then

HEAD = 'game = "dash"\nabout = "a dash"\n'
BOTH = '[[then]]\ndo = { 0 = "go 1", 1 = "go 2" }\n'
DICE = 'dice = ["one", "two"]\n'


def differences(text: str, head: str = HEAD) -> list[str]:
    return [str(difference) for difference in run(parse_scenario(TomlFile("dash.toml", head + text), load))]


def test_what_follows_is_no_difference() -> None:
    assert differences(
        'seats = 3\nrules = ["D-1"]\noptions = { muddy = true, laps = 1 }\n'
        '[position]\nsquare = ["e", "a"]\nhand = { ant = "oats", bee = "net", cat = "oats" }\n'
        '[[then]]\nposition = { ahead = "ant", rounds = 0 }\nlegal = { 0 = ["go 3"] }\nto_act = [2, 1, 0]\n'
        'only_legal = { 1 = ["go 2", "go 1"] }\nresult = false\n'
        'illegal = { 1 = { "go 3" = { kind = "too_fast", most = 2 }, "rise" = "not_down" }, 2 = ["rise"] }\n'
        '[[then]]\nabout = "all run"\ndo = { 0 = "go 3", 1 = "go 1", 2 = "go 1" }\ndice = ["two", "slip", "one"]\n'
        'events = ["moved", { kind = "finished", runner = "ant", seat = 0 }, { kind = "slipped", badly = false }]\n'
        'no_events = ["rose", { kind = "slipped", runner = "ant" }]\n'
        'sees = { 0 = ["drew"], spectator = ["moved", "moved", "moved"] }\n'
        'sees_not = { 0 = [{ kind = "slipped", runner = "cat" }], spectator = ["drew"] }\n'
        'position = { lap = [1, 0, 0], down = { bee = 1 }, trail = { 0 = ["e", "none"] } }\n'
        'result = { places = [1, 3, 2], winner = 0, reason = "won" }\nto_act = []\n'
        'illegal = { 0 = { "go 1" = "not_your_turn" } }\n[then.view.1]\nme = 1\nsquare = { bee = "a" }\n'
        '[then.view.spectator]\nme = "none"\ncard = "none"\n'
    ) == []  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (BOTH + DICE + 'position = { square = { ant = "a", bee = "e" } }', ["step 1: runner ant: square is c, expected a"]),
        (BOTH + DICE + "position = { rounds = 3, lap = [1, 0] }",
         ["step 1: rounds is 1, expected 3", "step 1: runner ant: lap is 0, expected 1"]),
        (BOTH + DICE + 'position = { trail = { 1 = ["b"] } }', ["step 1: trail[1][0] is a, expected b"]),
        (BOTH + DICE + 'position = { ahead = "none" }', ["step 1: ahead is bee, expected none"]),
        (BOTH + DICE + 'view = { 1 = { me = 0 }, spectator = { me = 0 } }',
         ["step 1: seat 1 sees: me is 1, expected 0", "step 1: spectator sees: me is none, expected 0"]),
        (BOTH + DICE + 'events = ["slipped"]', ["step 1: no event slipped; there were moved, drew, moved, drew"]),
        (BOTH + DICE + 'events = [{ kind = "moved", runner = "bee", steps = 9 }]',
         ["step 1: no event moved runner=bee steps=9; runner is ant, steps is 2"]),
        (BOTH + DICE + 'events = [{ kind = "moved", runner = "bee" }, { kind = "moved", runner = "ant" }]',
         ["step 1: no event moved runner=ant; it came before the one expected earlier"]),
        (BOTH + DICE + 'no_events = [{ kind = "moved", to = "c" }]', ["step 1: there was an event moved to=c"]),
        (BOTH + DICE + 'sees = { spectator = ["drew"] }', ["step 1: spectator: no event drew; there were moved, moved"]),
        (BOTH + DICE + 'sees_not = { 1 = ["drew"] }', ["step 1: seat 1: there was an event drew"]),
        (BOTH + DICE + 'all_events = ["moved", "moved", { kind = "moved", steps = 1 }]',
         ["step 1: event 2 is drew, expected moved", "step 1: event 3, moved: steps is 4, expected moved steps=1",
          "step 1: there were 4 events, expected 3: moved, drew, moved, drew"]),
        (BOTH + DICE + "to_act = [1]", ["step 1: to act: [0, 1], expected [1]"]),
        (BOTH + 'dice = ["slip", "one"]\nto_act = [0]\nlegal = { 0 = ["go 1"], 1 = ["go 1"] }',
         ["step 1: seat 0: go 1 is refused: lying runner=ant", "step 1: seat 1: go 1 is refused: not_your_turn"]),
        (BOTH + 'dice = ["slip", "one"]\nonly_legal = { 0 = ["go 1"] }',
         ["step 1: seat 0: rise is allowed too", "step 1: seat 0: go 1 is not allowed: lying runner=ant"]),
        (BOTH + 'dice = ["slip", "one"]\nillegal = { 0 = { "rise" = "lying", "go 1" = "too_fast" } }',
         ["step 1: seat 0: rise is allowed", "step 1: seat 0: go 1 is refused by lying runner=ant, expected too_fast"]),
        (BOTH + 'dice = ["slip", "one"]\nillegal = { 0 = { "go 1" = "not_your_turn" }, 1 = { "go 1" = "lying" } }',
         ["step 1: seat 0: go 1 is refused by lying runner=ant, expected not_your_turn",
          "step 1: seat 1: go 1 is refused by not_your_turn, expected lying"]),
        (BOTH + DICE + 'result = { reason = "won" }', ["step 1: the race goes on, expected to be over"]),
        ("options = { laps = 1 }\n[position]\nlap = [1]\n[[then]]\nresult = false",
         ["step 1: the race is over (won), expected to go on"]),
        ('options = { laps = 1 }\n[position]\nlap = [1]\n[[then]]\nresult = { places = [2, 1], winner = "none", reason = "limit" }',
         ["step 1: result: places is [1, 2], expected [2, 1]", "step 1: result: winner is 0, expected none",
          "step 1: result: reason is won, expected limit"]),
        (BOTH + 'dice = ["one"]', ["step 1: 2 dice were rolled, 1 are written"]),
        (BOTH + 'dice = ["one", "one", "one"]', ["step 1: 2 dice were rolled, 3 are written"]),
        ('dice = ["one"]\n' + BOTH + DICE, ["set-up: 0 dice were rolled, 1 are written"]),
        ('[[then]]\ndo = { 0 = "go 1" }', ["step 1: seat 1 has not chosen yet"]),
        ('[[then]]\ndo = "go 1"', ["step 1: go 1: seats 0, 1 owe a choice: write whose it is"]),
        ('options = { laps = 1 }\n[position]\nlap = [1]\n[[then]]\ndo = "go 1"', ["step 1: go 1: the race is over"]),
    ],
)  # fmt: skip
def test_what_does_not_follow_is_said(text: str, said: list[str]) -> None:
    assert differences(text) == said


def test_a_choice_that_is_not_allowed_stops_the_scenario() -> None:
    found = differences('[[then]]\ndo = { 0 = "rise", 1 = "go 1" }\n[[then]]\nposition = { rounds = 9 }')
    assert len(found) == 1
    assert found[0].startswith("step 1: rise: only those who are down get up; allowed: go 1")


def test_choices_in_a_row_share_dice_and_events() -> None:
    assert differences(
        '[[then]]\ndo = [{ 0 = "go 1", 1 = "go 1" }, "rise", { 0 = "go 1", 1 = "go 1" }]\n'
        'dice = ["slip", "one", "two", "two"]\nevents = ["slipped", "rose", { kind = "moved", runner = "bee", to = "f" }]\n'
        '[[then]]\nevents = ["rose"]\nposition = { rounds = 3 }\n'
    ) == []  # fmt: skip


def test_dice_fall_by_the_seed_as_in_a_race() -> None:
    seed = bytes(31) + b"\x07"
    match = Match(load(), [Sitter("A"), Sitter("B")], {}, seed, ["salt"])
    match.step({0: "go 1", 1: "go 2"})
    squares = [load().names.name("square", int(n)) for n in match.state.square[:2]]
    for written in ("7", f'"{seed.hex()}"'):
        assert differences(f'seed = {written}\nnonces = ["salt"]\n{BOTH}position = {{ square = {squares} }}') == []
    assert any(differences(f"seed = {n}\n{BOTH}position = {{ square = {squares} }}") for n in range(9))


def test_events_before_anything_is_done_are_those_of_the_set_up() -> None:
    assert differences('[[then]]\nall_events = ["drew", "drew"]') == []
    assert differences("[position]\nrounds = 1\n[[then]]\nall_events = []") == []


def test_a_blank_race_has_its_seats_and_options_alone() -> None:
    assert differences(
        'blank = true\noptions = { laps = 3 }\n[position]\nsquare = ["a", "a"]\nhand = ["oats", "net"]\n'
        '[[then]]\nall_events = []\nposition = { seats = 2, laps = 3, trail = { 0 = ["none", "none"] } }'
    ) == []  # fmt: skip


def test_what_the_position_leaves_open_is_settled() -> None:
    assert differences('[position]\nsquare = { bee = "d" }\n[[then]]\nposition = { ahead = "bee" }') == []


def test_a_broken_invariant_after_a_choice_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = parse_scenario(TomlFile("dash.toml", HEAD + BOTH), load)
    checks = iter([None, "on_the_track"])
    monkeypatch.setattr(scenario.game, "check", lambda state: next(checks))
    assert [str(d) for d in run(scenario)] == ["step 1: after go 1, go 2 this does not hold: on_the_track"]


def test_an_edition_lies_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(load().edition.source.text.replace('"b"', '"beta"'), encoding="utf-8")
    file = tmp_path / "s.toml"
    file.write_text(HEAD + 'edition = "mine.toml"\n[position]\nsquare = ["beta"]\n[[then]]\n', encoding="utf-8")
    assert run(read_scenario(file, load)) == []
    (tmp_path / "mine.toml").write_text("[track]\nsquares = 1", encoding="utf-8")
    with pytest.raises(InvalidFile, match=r"mine\.toml: line 2: track\.squares must be a list"):
        read_scenario(file, load)
    (tmp_path / "mine.toml").unlink()
    with pytest.raises(InvalidFile, match=r"mine\.toml: cannot be read: No such file"):
        read_scenario(file, load)
    with pytest.raises(InvalidFile, match=r"nowhere\.toml: cannot be read"):
        read_scenario(tmp_path / "nowhere.toml", load)


MISTAKES = [
    ("", "there is no [[then]]: nothing is done and nothing expected"),
    ("speed = 3\n[[then]]", "line 3: there is no key 'speed' here"),
    ('seats = "two"\n[[then]]', "line 3: seats must be a whole number"),
    ("seats = 7\n[[then]]", "line 3: Dash is for 2 to 3 players, not 7"),
    ("options = { laps = 9 }\n[[then]]", "line 3: option laps is a number from 1 to 5, not 9"),
    ("[options]\nspeed = 9\n[[then]]", "line 3: Dash has no option 'speed'"),
    ("seed = -1\n[[then]]", "line 3: a seed is a number from 0 up"),
    ('seed = "xyz"\n[[then]]', "line 3: a seed is a number from 0 up"),
    ('blank = true\ndice = ["one"]\n[[then]]', "line 4: a blank race is not set up"),
    ('dice = ["six"]\n[[then]]', "line 3: 'six' is no face; there are slip, one, one, two"),
    (f"dice = {['one'] * 49}\n[[then]]", "line 3: 49 dice; at most 48 can be written"),
    ("[position]\nspeed = 1\n[[then]]", "line 4: there is no field 'speed'; there are seats, laps"),
    ("[position]\nlaps = 1\n[[then]]", "line 4: laps belongs to the race, not to the position"),
    ('[position]\nsquare = { dog = "a" }\n[[then]]', "line 4: square: 'dog' is no runner; there are ant, bee, cat"),
    ("[position]\nsquare = { ant = 1979-05-27 }\n[[then]]", "line 4: square: datetime.date(1979, 5, 27) is no square"),
    ('[position]\nsquare = ["none"]\n[[then]]', "line 3: the position cannot be; what must hold and does not: on_the_track"),
    ("[then]", "line 3: then must be a list, not a table"),
    ("[[then]]\n[[then]]\nspeed = 1", "line 5: step 2: there is no key 'speed' here"),
    ("[[then]]\ndo = 1", "line 4: step 1: do must be"),
    ("[[then]]\ndo = { 0 = 1 }", "line 4: step 1: do must be a text"),
    ('[[then]]\ndo = "fly"', "line 4: step 1: 'fly' is no action; there are go, rise"),
    ('[[then]]\ndo = { 2 = "go 1" }', "line 4: step 1: there is no seat '2'; there are 0 to 1"),
    ('[[then]]\ndo = { ant = "go 1" }', "line 4: step 1: there is no seat 'ant'"),
    ('[[then]]\ndice = ["six"]', "line 4: step 1: 'six' is no face"),
    ('[[then]]\nevents = ["flew"]', "line 4: step 1: 'flew' is no event; there are moved, slipped"),
    ("[[then]]\nevents = [{}]", "line 4: step 1: '' is no event"),
    ('[[then]]\nevents = [\n  "moved",\n  { kind = "moved", too = "a" },\n]', "line 6: step 1: moved has no 'too'; it has runner, start, to"),
    ('[[then]]\nno_events = [{ kind = "moved", to = "z" }]', "line 4: step 1: moved: to: 'z' is no square"),
    ('[[then]]\nall_events = [{ kind = "slipped", badly = 1 }]', "line 4: step 1: slipped: badly is true or false, not 1"),
    ('[[then]]\nsees = { 5 = ["moved"] }', "line 4: step 1: there is no seat '5'"),
    ('[[then]]\nsees_not = { spectator = ["flew"] }', "line 4: step 1: 'flew' is no event"),
    ("[[then]]\nposition = { speed = 1 }", "line 4: step 1: there is no field 'speed'"),
    ("[[then]]\n[then.view.0]\nhand = 1", "line 5: step 1: there is no field 'hand'"),
    ('[[then]]\nlegal = { 0 = ["jump"] }', "line 4: step 1: 'jump' is no action"),
    ('[[then]]\nillegal = { 0 = { "go 1" = "tired" } }', "line 4: step 1: 'tired' is no refusal; there are too_fast"),
    ('[[then]]\nillegal = { 0 = { "go 1" = { kind = "lying", runner = "dog" } } }', "step 1: lying: runner: 'dog' is no runner"),
    ("[[then]]\nresult = true", "line 4: step 1: result is a table of places, winner and reason, or false"),
    ('[[then]]\nresult = { place = 1 }', "line 4: step 1: there is no key 'place' here"),
    ('[[then]]\nresult = { places = "first" }', "line 4: step 1: places must be a list"),
    ('[[then]]\nresult = { reason = "tired" }', "line 4: step 1: 'tired' is no way to end; there are won, limit"),
    ("[[then]]\nto_act = [true]", "line 4: step 1: "),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said"), MISTAKES)
def test_a_mistake_names_file_line_and_cause(text: str, said: str) -> None:
    with pytest.raises(InvalidFile) as error:
        differences(text)
    assert f"dash.toml: {said}" in str(error.value) or (said.startswith("step") and said in str(error.value))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ('about = "x"', "dash.toml: game is missing"),
        ('game = "dash"', "dash.toml: about is missing"),
        ('about = "x"\ngame = "tag"', "dash.toml: line 2: there is no game 'tag'; there is dash"),
        ("game = ", "dash.toml: line 1: is not TOML"),
    ],
)
def test_a_scenario_needs_a_game_and_a_sentence(head: str, said: str) -> None:
    with pytest.raises(InvalidFile) as error:
        differences("\n[[then]]\n", head)
    assert said in str(error.value)


WHOLE = (
    HEAD + 'seats = 3\nrules = ["D-1"]\nseed = 3\nnonces = ["n"]\ndice = []\n[options]\nlaps = 1\nmuddy = true\n'
    '[position]\nsquare = { ant = "b" }\nlap = [0, 0]\n' + BOTH.replace("}", ', 2 = "go 1" }')
    + 'dice = ["one", "two", "one"]\nevents = ["moved", { kind = "slipped", runner = "ant" }]\nto_act = [0]\n'
    'illegal = { 0 = { "rise" = "not_down" } }\nlegal = { 0 = ["go 1"] }\nresult = { reason = "won", places = [1] }\n'
    '[then.view.spectator]\nme = "none"\n'
)  # fmt: skip
SCRAPS = [
    "",
    "0",
    "-1",
    "99",
    '"x"',
    '"none"',
    "true",
    "{}",
    "[]",
    "{ x = 1 }",
    "1.5",
    "2020-01-01",
    ",",
    "}",
    "]",
    '"',
    "\n",
    "inf",
]


@given(st.integers(0, len(WHOLE)), st.integers(0, 20), st.sampled_from(SCRAPS))
def test_a_damaged_scenario_runs_or_is_refused(start: int, length: int, scrap: str) -> None:
    with suppress(InvalidFile):
        differences(WHOLE[:start] + scrap + WHOLE[start + length :], "")


def toml_values() -> st.SearchStrategy[Any]:
    leaves = st.booleans() | st.integers(-(2**40), 2**40) | st.sampled_from(["", "a", "ant", "moved", "go 1", "0"])
    return st.recursive(
        leaves,
        lambda i: st.lists(i, max_size=3) | st.dictionaries(st.sampled_from(["kind", "0", "ant", "to"]), i),
        max_leaves=5,
    )


@given(st.sampled_from(Then.__struct_fields__), toml_values())
def test_any_value_of_a_key_runs_or_is_refused(key: str, value: Any) -> None:
    source = TomlFile("dash.toml", HEAD + "[[then]]\n")
    source.data["then"][0][key] = value
    with suppress(InvalidFile):
        run(parse_scenario(source, load))
