"""Positions of scenario files: nothing that is written is ignored, and what cannot be is refused by its name."""
# ruff: noqa: E501 (tables of files and what is said of them)

import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from quadriga import games
from quadriga.cli import app
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidFile
from quadriga.core.fields import NONE
from quadriga.core.scenario import first_state, parse_scenario, run

DOCS = Path(__file__).parents[2] / "docs"


def differences(game: str, text: str) -> list[str]:
    source = TomlFile("x.toml", f'game = "{game}"\nabout = "a position"\n{text}')
    return [str(difference) for difference in run(parse_scenario(source, games.load))]


def refusal(game: str, text: str) -> str:
    with pytest.raises(InvalidFile) as error:
        differences(game, text)
    return str(error.value)


CHARIOTS = 'options = { two_chariots = false }\n[position]\nsquare = { suns = "7,2", moons = "6,1" }\nlines = { suns = 0, moons = 0 }\n'
CHARIOTEER = "blank = true\n[position]\nprogress = [20, 30]\n"
RACE = "seats = 4\n[position]\n"


@pytest.mark.parametrize(
    ("game", "text", "said"),
    [
        # what follows from the rest
        ("charioteer", CHARIOTEER + "pile_count = 3\n[[then]]", "line 6: pile_count is written as 3, but from the rest of the position follows 128"),
        ("charioteer", CHARIOTEER + "discard_count = 1\n[[then]]", "line 6: discard_count is written as 1, but from the rest of the position follows 0"),
        ("charioteer", CHARIOTEER + "order = [0, 1]\n[[then]]", "line 6: order[0] is written as 0, but from the rest of the position follows 1"),
        ("chariot_race", RACE + "supply = 7\n[[then]]", "line 5: supply is written as 7, but from the rest of the position follows 20"),
        ("chariot_race", RACE + "wrecks = 2\n[[then]]", "line 5: wrecks is written as 2, but from the rest of the position follows 0"),
        ("chariots", CHARIOTS + 'stage = "plot"\nphase = 2\n[[then]]', "phase is written as 2, but from the rest of the position follows 0"),
        ("chariots", CHARIOTS + 'stage = "move"\nspeed = { suns = 5, moons = 5 }\ncontrol = { suns = 1 }\n[[then]]', "chariot suns: control is written as 1, but from the rest of the position follows 0"),
        ("chariots", CHARIOTS + 'stage = "move"\nspeed = { suns = 5, moons = 5 }\norder = ["moons", "suns"]\n[[then]]', "order[0] is written as moons, but from the rest of the position follows suns"),
        ("chariots", CHARIOTS + "exposed = 2\n[[then]]", "exposed is written as 2, but from the rest of the position follows 0"),
        # who does not take part
        ("charioteer", CHARIOTEER + "damage = { 2 = 1 }\n[[then]]", "line 6: damage: there is no seat 2; there are 0 to 1"),
        ("charioteer", CHARIOTEER + "damage = [0, 0, 4]\n[[then]]", "line 6: damage: 3 values, but there are 2 seats"),
        ("charioteer", CHARIOTEER + 'marker = { 4 = { red = "start-2" } }\n[[then]]', "line 6: marker: there is no seat 4"),
        ("charioteer", CHARIOTEER + "order = [1, 0, 3]\n[[then]]", "line 6: order: there is no seat 3; there are 0 to 1"),
        ("charioteer", CHARIOTEER + "[[then]]\nposition = { damage = { 5 = 0 } }", "step 1: damage: there is no seat 5"),
        ("charioteer", CHARIOTEER + "[[then]]\nview = { 0 = { damage = { 5 = 0 } } }", "step 1: damage: there is no seat 5"),
        ("chariots", CHARIOTS + "speed = { crowns = 3 }\n[[then]]", "line 7: speed: the chariot crowns is not in this race"),
        ("chariots", CHARIOTS + 'null_coin = [0, 0, 1]\n[[then]]', "null_coin: the chariot crowns is not in this race"),
        ("chariot_race", RACE + "damage = { brown = 3 }\n[[then]]", "line 5: damage: the chariot brown is not in this race"),
        ("chariot_race", "seats = 4\n[position]\nowner = { green = 5 }\n[[then]]", "line 5: owner: there is no seat 5; there are 0 to 3"),
        # laps that cannot be
        ("charioteer", "blank = true\noptions = { laps = 1 }\n[position]\nprogress = [20, 200]\n[[then]]", "nor a whole lap beyond the last line: seat 1 has progress 200, in a race of 1 laps of 72"),
        ("charioteer", "blank = true\n[position]\nprogress = [-9, 0]\n[[then]]", "nobody stands before the start, nor a whole lap beyond the last line: seat 0 has progress -9, and the start is -4"),
        ("chariots", CHARIOTS.replace("suns = 0, ", "suns = 5, ") + "[[then]]", "line counts, laps and places fit together: suns has run more than the 3 laps of the race"),
        ("chariots", CHARIOTS + "best = { suns = 4 }\n[[then]]", "suns has run more than the 3 laps of the race"),
        ("chariots", CHARIOTS + "best = { suns = 3 }\n[[then]]", "suns has finished 3 of 3 laps and has no place"),
        ("chariot_race", RACE + "lines = { green = 4 }\n[[then]]", "green has crossed the line 4 times, in a race of 2 laps"),
        ("chariot_race", RACE + "lines = { green = -1 }\n[[then]]", "green has crossed the line -1 times"),
        # which card, token, chariot
        ("charioteer", CHARIOTEER + 'hand = [["G2G2R1", "G2G2R1"]]\n[[then]]', ": the card G2G2R1 is there 2 times, not 1: in the hand of seat 0, in the hand of seat 0"),
        ("charioteer", CHARIOTEER + 'hand = [["G2G2R1"]]\ncrowd = ["G2G2R1"]\n[[then]]', "the card G2G2R1 is there 2 times, not 1: in the hand of seat 0, in the crowd row"),
        ("charioteer", CHARIOTEER + "tokens = [{ shield = 7 }]\n[[then]]", "every token is in exactly one place: the token shield is there 7 times, and the edition has 6"),
        ("charioteer", CHARIOTEER + 'tokens = [{}, { "+5-red" = 2 }]\n[[then]]', "seat 1 has the token +5-red 2 times, and each player has 1"),
        ("charioteer", CHARIOTEER + "attack = [4, 0]\n[[then]]", "seat 0 has 4 cubes in its attack boxes, which hold 3"),
        ("chariots", CHARIOTS.replace('"6,1"', '"7,2"') + "[[then]]", "suns and moons stand on 7,2"),
        ("chariots", CHARIOTS.replace('"6,1"', '"none"') + "[[then]]", "moons stands on no square"),
        ("chariots", CHARIOTS + 'stage = "move"\nplot = { suns = [2, 2, 3] }\n[[then]]', "suns has plotted 2+2+3"),
        ("chariot_race", RACE + 'space = { green = "inner4", purple = "inner4" }\n[[then]]', "green and purple stand on inner4"),
        ("chariot_race", RACE + "speed = { green = 13 }\n[[then]]", "green has speed 13, and its board goes to 12"),
        # the word for the rest
        ("charioteer", CHARIOTEER + 'damage = ["rest"]\n[[then]]', "line 6: damage has no rest that the game could place; fields with a rest are crowd, hand, pile, bag"),
        ("chariots", CHARIOTS + 'plot = "rest"\n[[then]]', "plot has no rest that the game could place"),
        ("charioteer", CHARIOTEER + 'pile = ["whip", "rest"]\n[[then]]', "line 6: pile: 'rest' stands once, at the beginning of the list"),
        ("charioteer", CHARIOTEER + 'hand = [["rest", "whip"]]\n[[then]]', "line 6: hand: 'rest' stands once, at the end of the list"),
    ],
)  # fmt: skip
def test_what_cannot_be_set_is_refused_by_its_name(game: str, text: str, said: str) -> None:
    assert said in refusal(game, text)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        ("charioteer", CHARIOTEER + "pile_count = 128\norder = [1, 0]\n[[then]]"),
        ("charioteer", CHARIOTEER.replace("[20, 30]", "[30, 30]") + "order = [1, 0]\n[[then]]\nposition = { order = [1, 0] }"),
        ("chariot_race", RACE + "supply = 20\nwrecks = 0\n[[then]]"),
        ("chariots", CHARIOTS + 'speed = { crowns = 0 }\nnull_coin = { arms = 0 }\n[[then]]\nposition = { square = { arms = "none" } }'),
        ("chariots", CHARIOTS + 'stage = "move"\nspeed = { suns = 5, moons = 5 }\norder = ["suns", "moons"]\ncontrol = { suns = 0 }\n[[then]]'),
    ],
)  # fmt: skip
def test_what_follows_anyway_may_be_written(game: str, text: str) -> None:
    assert differences(game, text) == []


def test_a_pile_reads_as_it_is_written() -> None:
    for pile in ('["G4G4R1", "G2G2R1"]', '["rest", "G4G4R1", "G2G2R1"]'):
        begin = CHARIOTEER + f'hand = [["rest"], ["whip", "rest"]]\npile = {pile}\n'
        assert differences("charioteer", begin + f"[[then]]\nposition = {{ pile = {pile}, pile_count = 128 }}") == []
        wrong = 'position = { pile = ["G2G2R1", "G4G4R1"] }'
        assert differences("charioteer", begin + f"[[then]]\n{wrong}") == [
            "step 1: pile[126] is G4G4R1, expected G2G2R1", "step 1: pile[127] is G2G2R1, expected G4G4R1",
        ]  # fmt: skip


def test_the_rest_is_placed_over_a_set_up_too() -> None:
    text = '[position]\nhand = [["G2G2R1", "rest"], "rest"]\ncrowd = "rest"\npile = ["rest"]\nbag = "rest"\n[[then]]'
    text += '\nposition = { hand = [["G2G2R1"]], pile_count = 128 }'
    assert differences("charioteer", text) == []
    assert (
        differences(
            "chariot_race", RACE + 'supply = "rest"\ncaltrop = { middle5 = 1 }\n[[then]]\nposition = { supply = 19 }'
        )
        == []
    )


BLANK = {
    "charioteer": "blank = true\n[[then]]",
    "chariots": 'blank = true\noptions = { two_chariots = false }\n[position]\nstage = "move"\nsquare = { suns = "7,2", moons = "6,1" }\nspeed = { suns = 3, moons = 5 }\n[[then]]',
    "chariot_race": 'seats = 4\nblank = true\n[position]\nphase = "repair"\nfate = [3, 3, 3, 3]\nowner = [0, 1, 2, 3]\nboard = { green = "green-front", purple = "green-front", yellow = "green-front", red = "green-front" }\nplace = ["1", "2", "3", "4"]\norder = ["green"]\nmover = "green"\ndamage = [9, 9, 9, 9]\nspace = ["inner4", "inner6", "inner8", "inner10"]\n[[then]]',
}  # fmt: skip


@pytest.mark.parametrize("game", games.NAMES)
def test_a_blank_race_is_empty_but_for_what_is_written_and_what_the_page_lists(game: str) -> None:
    text = BLANK[game].replace(
        "green-front", games.load(game).names.domains["board"][0] if game == "chariot_race" else ""
    )
    scenario = parse_scenario(TomlFile("x.toml", f'game = "{game}"\nabout = "blank"\n{text}'), games.load)
    state, definition = first_state(scenario), scenario.game.definition
    given = {"seats", *(option.name for option in definition.meta.options), *scenario.position}
    filled = {f.name for f in definition.race.fields if not is_empty(state, f)}
    assert filled - given <= set(definition.position.completes)


def is_empty(state: Any, field: Any) -> bool:
    return bool((state[field.name] == (NONE if field.domain else 0)).all())


@pytest.mark.parametrize("game", games.NAMES)
def test_the_page_lists_what_each_game_completes_and_which_rest_has_a_word(game: str) -> None:
    page, rules = (DOCS / "scenarios.md").read_text(encoding="utf-8"), games.definition(game).position
    row = next(line for line in page.splitlines() if line.startswith(f"| {games.meta(game).title} |"))
    completed, rest = (set(re.findall(r"`(\w+)`", cell)) for cell in row.split("|")[2:4])
    assert completed == set(rules.completes)
    assert rest == set(rules.rest)


@pytest.mark.parametrize("game", games.NAMES)
def test_each_game_comes_with_examples_that_hold(game: str) -> None:
    folder = Path(str(resources.files(games.package(game)))) / "scenarios"
    done = CliRunner().invoke(app, ["scenario", str(folder)])
    assert (done.exit_code, done.stdout) == (0, f"{len(list(folder.glob('*.toml')))} passed, 0 failed\n")
    assert len(list(folder.glob("*.toml"))) >= 3


def test_all_examples_run_at_once() -> None:
    done = CliRunner().invoke(app, ["scenario", "--examples"])
    assert (done.exit_code, done.stdout) == (0, "9 passed, 0 failed\n")


def test_one_faulty_file_does_not_stop_the_others_and_folders_may_hold_editions(tmp_path: Path) -> None:
    good = 'game = "chariots"\nabout = "nothing"\n[[then]]\n'
    wrong = good + "to_act = [1]\n"
    texts = {"a-good": good, "b-faulty": 'game = "chariots"\n', "c-broken": "x = [", "d-wrong": wrong, "e-good": good}
    for name, text in texts.items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    (tmp_path / "mine.toml").write_text(games.load("chariots").edition.source.text, encoding="utf-8")
    done = CliRunner().invoke(app, ["scenario", str(tmp_path)])
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        f"{tmp_path}/b-faulty.toml: about is missing",
        f"{tmp_path}/c-broken.toml: last line: is not TOML: Invalid value",
        f"{tmp_path}/d-wrong.toml: step 1: to act: [0, 1], expected [1]",
        "2 passed, 3 failed, 1 editions passed over",
    ]
    alone = CliRunner().invoke(app, ["scenario", str(tmp_path / "mine.toml")])
    assert alone.exit_code == 1
