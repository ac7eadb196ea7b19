"""The edition file: what follows from it, and what is wrong with a bad one."""

import contextlib
import copy
import json
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidFile
from quadriga.core.fields import NONE
from quadriga.games import load
from quadriga.games.chariot_race.components import load_edition, standing_of
from quadriga.games.chariot_race.track import Space, Track, read_track

TEXT = (resources.files("quadriga.games.chariot_race") / "edition.toml").read_text(encoding="utf-8")
BOARD: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "board.json").read_text(encoding="utf-8"), parse_float=str
)


@pytest.fixture(scope="module")
def track() -> Track:
    return read_track(TomlFile("edition.toml", TEXT))


def _spaces(track: Track) -> list[tuple[Space, dict[str, Any]]]:
    drawn = [space for lane in BOARD.values() for space in lane]
    assert len(drawn) == len(track.spaces)
    return list(zip(track.spaces, drawn, strict=True))


def test_borders_are_those_of_the_reconstruction(track: Track) -> None:
    for space, drawn in _spaces(track):
        assert Fraction(space.front, track.unit) == Fraction(drawn["front"])
        assert abs(space.rear / track.unit - float(drawn["back"])) < 1e-9


def test_lane_changes_follow_from_the_borders(track: Track) -> None:
    for space, drawn in _spaces(track):
        targets = [track.spaces[to] for to in (space.inward, space.outward) if to != NONE]
        assert {track.lanes[to.lane]: to.number for to in targets} == drawn["change_to"]


def test_touching_spaces_follow_from_the_borders(track: Track) -> None:
    for number, (space, drawn) in enumerate(_spaces(track)):
        beside = [track.spaces[n] for n in track.touching(number) if track.spaces[n].lane != space.lane]
        found = {name: sorted(s.number for s in beside if s.lane == lane) for lane, name in enumerate(track.lanes)}
        assert {name: numbers for name, numbers in found.items() if numbers} == {
            name: sorted(numbers) for name, numbers in drawn["touches"].items()
        }


def test_what_is_printed_on_the_spaces(track: Track) -> None:
    places = {number: place for place, number in enumerate(track.grid, 1)}
    for number, (space, drawn) in enumerate(_spaces(track)):
        assert space.corner == drawn.get("limit", NONE)
        assert space.heap == drawn.get("stone_heap_side_B", False)
        assert places.get(number) == drawn.get("start")


def test_every_lane_change_is_a_step_forward(track: Track) -> None:
    for space in track.spaces:
        for to in (space.inward, space.outward):
            if to != NONE:
                assert 0 < (track.spaces[to].front - space.front) % track.lap <= 2 * track.unit


def test_the_caps_and_dice_of_the_boards() -> None:
    tables: Any = load("chariot_race").tables
    names = load("chariot_race").names.domains["board"]
    caps = {
        "front": range(1, 13),
        "green": [1, 2, 3, 5, 6, 7, 8, 10, 11, 12],
        "purple": [1, 2, 4, 5, 6, 8, 9, 11, 12],
        "yellow": [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12],
        "red": range(1, 13),
        "blue": [min(damage, 10) for damage in range(1, 15)],
        "brown": [min(damage, 11) for damage in range(1, 13)],
    }
    for board, name in enumerate(names):
        assert list(tables.cap[board][1 : tables.most_damage[board] + 1]) == list(caps[name])
    front = [5] * 6 + [4] * 2 + [3] * 2 + [2] * 2 + [1]
    assert list(tables.dice[0][:13]) == front
    yellow = names.index("yellow")
    assert list(tables.dice[yellow][:13]) == [*front[1:], 1]


def test_standings_are_named() -> None:
    source = TomlFile("edition.toml", TEXT)
    assert standing_of(source, "board", "green") == "stand-in"
    assert standing_of(source, "board", "front") == "inferred"
    assert standing_of(source, "lane", "inner") == "reconstructed"
    assert standing_of(source, "race") == "known"


def _replaced(old: str, new: str) -> Callable[[], str]:
    assert TEXT.count(old) >= 1, old
    return lambda: TEXT.replace(old, new, 1)


BAD = {
    "another game": (_replaced('game = "chariot_race"', 'game = "chariots"'), "this file is for 'chariots'"),
    "no standing": (
        _replaced('standing = "known"\nwhy = "printed rules: two laps', 'why = "printed rules: two laps'),
        "race says no standing",
    ),
    "a wrong standing": (_replaced('standing = "likely"', 'standing = "sure"'), "standing is one of known, likely"),
    "no reason": (
        _replaced('why = "printed rules: two laps (overview), twenty caltrop markers (components)"', ""),
        "race.why is missing",
    ),
    "no laps": (_replaced("laps = 2", "laps = 0"), "race.laps must be from 1 to 9, not 0"),
    "laps in words": (_replaced("laps = 2", 'laps = "two"'), "race.laps must be a whole number"),
    "two lanes": (_replaced('["inner", "middle", "outer"]', '["inner", "outer"]'), "there must be 3 lanes"),
    "an unknown lane": (_replaced("[lane.inner]", "[lane.inside]"), "there is no lane 'inside'"),
    "a border before the last": (
        _replaced("7.5, 9.25,", "9.25, 7.5,"),
        "inner7: front border 7.5 does not lie past 9.25",
    ),
    "a border on the line": (_replaced("0.25, 1.25", "0.0, 1.25"), "0.0 is no distance past the line"),
    "a border past the lap": (_replaced("26.6, 27.6,", "26.6, 28.6,"), "middle27: front border 28.6 lies past the lap"),
    "level borders": (_replaced("0.6, 1.6", "0.25, 1.6"), "middle0: front border 0.25 is level with that of inner0"),
    "a lane too short": (_replaced("24.25, 25.25, 26.25, 27.25,", ""), "lane inner has no space 21"),
    "a lane of one space": (
        lambda: re.sub(r"fronts = \[[^]]*]", "fronts = [0.25]", TEXT, count=1),
        "at least two spaces",
    ),
    "a place nowhere": (_replaced('"inner22"', '"inner40"'), "there is no space 'inner40'"),
    "a corner nowhere": (_replaced("inner = [6, 18]", "inner = [6, 40]"), "lane inner has no space 40"),
    "a limit too high": (_replaced("inner = 3", "inner = 300"), "corners.limits.inner must be from 0 to 99"),
    "a missing limit": (_replaced("outer = 7\n", "\n"), "corners.limits.outer is missing"),
    "halves out of order": (_replaced("to = 14", "to = 30"), "half.right.to must lie before half.left.to"),
    "a heap on the wrong half": (
        _replaced("heaps.outer = [13]", "heaps.outer = [20]"),
        "outer20 does not lie on the right",
    ),
    "a heap in no lane": (_replaced("heaps.outer", "heaps.outside"), "there is no lane 'outside'"),
    "a heap on the grid": (
        _replaced("heaps.inner = [21]", "heaps.inner = [22]"),
        "inner22 is a grid place already, or has",
    ),
    "a place twice": (_replaced('"outer30"', '"outer31"'), "outer31 is a grid place already"),
    "five places": (_replaced('"outer30", ', ""), "the grid has 6 places, not 5"),
    "five faces": (_replaced('"steer", "steer"', '"steer"'), "a die has 6 faces"),
    "six dice": (_replaced("dice = 5", "dice = 6"), "die.dice must be from 5 to 5"),
    "a cap too short": (
        _replaced("cap = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]", "cap = [1]"),
        "board.front.cap must have 12",
    ),
    "a cap that falls": (
        _replaced("cap = [1, 2, 3, 5, 6,", "cap = [1, 2, 3, 5, 4,"),
        "board.green.cap: 4 must be from 5",
    ),
    "a cap too fast": (
        _replaced("10, 10, 10, 10, 10]", "10, 10, 10, 10, 11]"),
        "board.blue.cap: 11 must be from 10 to 10",
    ),
    "dice that begin late": (_replaced("dice = [0, 6, 8, 10, 12]", "dice = [1, 6, 8, 10, 12]"), "must begin with 0"),
    "dice that tie": (_replaced("dice = [0, 6, 8, 10, 12]", "dice = [0, 6, 6, 10, 12]"), "each number be higher"),
    "a start above the highest": (
        _replaced("start = 12, highest = 12", "start = 13, highest = 12"),
        "must be from 1 to 12",
    ),
    "no front": (_replaced("[board.front]", "[board.pink]"), "there must be board.front"),
    "a lap too short": (
        _replaced("speed = { start = 4, highest = 12 }", "speed = { start = 4, highest = 19 }"),
        "from 1 to 15",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_refused_with_line_and_cause(case: str) -> None:
    text, cause = BAD[case]
    with pytest.raises(InvalidFile) as refused:
        load_edition(TomlFile("mine.toml", text()))
    assert cause in str(refused.value)
    assert "mine.toml: line" in str(refused.value)


def test_the_line_is_that_of_the_mistake() -> None:
    with pytest.raises(InvalidFile) as refused:
        load_edition(TomlFile("mine.toml", TEXT.replace("middle = [6, 20]", "middle = [6, 99]")))
    line = next(n for n, text in enumerate(TEXT.splitlines(), 1) if text.startswith("middle = [6, 20]"))
    assert refused.value.place == f"line {line}"


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of a parsed file, tables and lists included."""
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, item in items:
        yield from _leaves(item, (*path, key))


@pytest.mark.parametrize("odd", [None, -1, 10**9, 1.5, True, "odd", [[]], {"odd": 1}])
def test_no_odd_value_is_a_surprise(odd: object) -> None:
    """Whatever stands in whatever place, the file is used or refused in a sentence."""
    whole = TomlFile("mine.toml", TEXT).data
    for path in _leaves(whole):
        source = TomlFile("mine.toml", TEXT)
        source.data = copy.deepcopy(whole)
        table: Any = source.data
        for key in path[:-1]:
            table = table[key]
        if odd is None:
            del table[path[-1]]
        else:
            table[path[-1]] = odd
        with contextlib.suppress(InvalidFile):
            load_edition(source)


def test_a_drive_may_not_come_round_to_its_start() -> None:
    short = TEXT.replace("lap = 28", "lap = 9")
    cut = {"inner": "[1.1, 4.1, 7.1]", "middle": "[1.6, 4.6, 7.6]", "outer": "[2.1, 5.1, 8.1]"}
    for lane, fronts in cut.items():
        begin = short.index("fronts = [", short.index(f"[lane.{lane}]"))
        short = short[:begin] + f"fronts = {fronts}" + short[short.index("\n]", begin) + 2 :]
    for old, new in (
        ("[6, 18]", "[1]"),
        ("[6, 20]", "[1]"),
        ("[5, 21]", "[1]"),
        ("to = 14", "to = 5"),
        ("to = 28", "to = 9"),
    ):
        short = short.replace(old, new)
    for old, new in (("outer = [13]", "outer = []"), ("inner = [21]", "inner = []"), ("middle = [16]", "middle = []")):
        short = short.replace(f"heaps.{old}", f"heaps.{new}")
    grid = {"outer31": "outer2", "middle27": "middle2", "inner23": "inner2", "outer30": "outer1"}
    for old, new in {**grid, "middle26": "middle1", "inner22": "inner1"}.items():
        short = short.replace(f'"{old}"', f'"{new}"')
    with pytest.raises(InvalidFile, match="at speed 12 a drive could be"):
        load_edition(TomlFile("mine.toml", short))


def test_an_edited_board_can_be_raced_on(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        TEXT.replace("inner = 3\n", "inner = 4\n").replace("caltrops = 20", "caltrops = 3"), encoding="utf-8"
    )
    mine: Any = load("chariot_race", file)
    assert mine.tables.caltrops == 3
    assert mine.tables.corner[6] == 4
    assert not mine.edition.standard
