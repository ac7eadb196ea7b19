"""The board as text."""

from typing import Any

import pytest

from quadriga.core.streams import new_stream
from tests.games.chariot_race.table import KEY, game, options_for, position, random_states

FIELDS: dict[str, Any] = {
    "phase": "move",
    "rounds": 3,
    "order": ["green", "purple", "yellow", "red"],
    "mover": "green",
    "space": {"green": "middle5", "purple": "outer1", "yellow": "none", "red": "inner23"},
    "damage": {"yellow": 0},
    "wreck": {"yellow": 1},
    "caltrop": {"inner7": 1},
    "left": 4,
    "steers": 1,
    "dice": ["steer", "pace", "none", "none", "none"],
}


def test_everything_on_the_table_is_shown() -> None:
    drawn = game().draw(game().view(position(**FIELDS), 0))
    for part in ("|5G", "|1P", "|23R", "|7*", "|6(3", "|6(5", "|5(7"):
        assert part in drawn
    assert "wrecked" in drawn
    assert "4 spaces to drive, steers left: 1" in drawn
    assert "1:steer  2:pace" in drawn
    assert "#" not in drawn.replace("# stone heap", "")


def test_spaces_stand_above_those_they_touch() -> None:
    """Borders are to scale: each lane begins a little further on than the one inside it."""
    outer, middle, inner = game().draw(game().view(position(**FIELDS), 0)).splitlines()[1:4]
    assert inner.index("|") < middle.index("|") < outer.index("|")
    assert inner.index("|1 ") < middle.index("|1 ") < outer.index("|1P")


@pytest.mark.parametrize(("track", "heaps"), [("A-A", []), ("B-A", ["13#"]), ("A-B", ["16#", "21#"])])
def test_heaps_lie_on_side_b(track: str, heaps: list[str]) -> None:
    drawn = game().draw(game().view(position(options={"track": track}), None))
    assert [heap for heap in ("13#", "16#", "21#") if heap in drawn] == heaps


def test_stand_ins_are_labelled() -> None:
    race = game().setup(4, {"alternate": True}, new_stream(KEY, 0)).state
    seat = game().to_act(race)[0]
    race = game().apply(race, {seat: game().parse("draft green")}, new_stream(KEY, 1)).state
    assert "(stand-in)" in game().draw(game().view(race, None), "en")
    assert "(provisional)" in game().draw(game().view(race, None), "es")
    assert "stand-in" not in game().draw(game().view(position(), None))


@pytest.mark.parametrize("language", ["en", "es"])
def test_any_state_can_be_drawn(language: str) -> None:
    for options in options_for(3):
        for race in random_states(3, options, races=1, every=13):
            drawn = game().draw(game().view(race, 0), language)
            assert max(map(len, drawn.splitlines())) <= 120
