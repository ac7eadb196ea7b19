"""Previews against what the rules then really do."""

import json
from typing import Any

from quadriga.core.fields import NONE
from quadriga.core.streams import new_stream
from quadriga.games.chariot_race.actions import Keep, Pace, Step
from quadriga.games.chariot_race.state import MOVE, PACE
from tests.games.chariot_race.table import KEY, game, position, random_states

FIELDS: dict[str, Any] = {
    "phase": "reroll",
    "rounds": 3,
    "order": ["green", "purple", "yellow", "red"],
    "mover": "green",
}
SPACES = {"green": "middle2", "purple": "middle5", "yellow": "inner5", "red": "outer6"}
CALTROPS = {"outer4": 1, "inner7": 1, "middle7": 1}
DICE = ["pace", "sprint", "steer", "steer", "fortuna"]


def preview(race: Any, seat: int = 0) -> dict[str, Any]:
    """As clients get it."""
    found = game().preview(game().view(race, seat), seat)
    assert json.loads(json.dumps(found)) == found
    return found


def choose(race: Any, action: Any) -> Any:
    return game().apply(race, {0: action}, new_stream(KEY, 1)).state


def drive(race: Any, path: list[str]) -> Any:
    """Really drive a way, step by step where there is a choice."""
    for name in path[1:]:
        if race.phase != MOVE or race.mover != 0:
            break
        race = choose(race, Step(game().names.number("space", name)))
    return race


def before_the_roll(**fields: Any) -> Any:
    return position(**FIELDS, space=SPACES, caltrop=CALTROPS, dice=DICE, speed={"green": 4}, **fields)


def test_a_drive_costs_what_its_preview_says() -> None:
    seen = set()
    for damage in (4, 6, 12):
        standing = choose(before_the_roll(damage={"green": damage}), Keep())
        for pace in preview(standing)["paces"]:
            race = choose(standing, Pace(pace["plus"]))
            for end in preview(race)["drives"]:
                for way in end["ways"]:
                    after = drive(race, way["path"])
                    assert int(after.damage[0]) == int(race.damage[0]) - way["damage"] == way["left"]
                    assert way["wrecked"] == (after.damage[0] == 0)
                    assert game().names.name("space", int(after.space[0])) == way["stands"]
                    assert way["path"][-1] == end["end"]
                    seen.add((way["wrecked"], bool(way["rams"]), bool(way["caltrops"]), bool(way["corners"])))
    assert len(seen) > 5


def test_a_pace_tells_the_speed_and_the_cheapest_drive() -> None:
    """Sprints are paid by the time a pace is chosen, so they are not counted again."""
    standing = choose(before_the_roll(damage={"green": 12}), Keep())
    assert (standing.phase, standing.damage[0]) == (PACE, 11)
    for pace in preview(standing)["paces"]:
        race = choose(standing, Pace(pace["plus"]))
        assert pace["speed"] == race.speed[0]
        assert pace["change"] == int(race.speed[0]) - int(standing.speed[0])
        cheapest = min(way["damage"] for end in preview(race)["drives"] for way in end["ways"])
        assert (pace["damage"], pace["wrecked"]) == (cheapest, False)


def test_dice_that_may_be_thrown_again_tell_the_speeds_they_give() -> None:
    assert preview(before_the_roll())["speeds"] == {"low": 4 - 1 + 2, "high": 4 + 1 + 2}


def test_ways_to_one_space_differ_in_what_they_meet() -> None:
    race = choose(choose(before_the_roll(damage={"green": 12}), Keep()), Pace(1))
    several = [end["ways"] for end in preview(race)["drives"] if len(end["ways"]) > 1]
    assert several
    for ways in several:
        met = [(way["damage"], way["rams"], way["caltrops"], way["corners"]) for way in ways]
        assert len(met) == len({str(one) for one in met})
        assert [(way["wrecked"], way["damage"]) for way in ways] == sorted((w["wrecked"], w["damage"]) for w in ways)


def test_falling_back_is_foreseen() -> None:
    race = position(
        **{**FIELDS, "phase": "move"},
        space={"green": "outer11", "purple": "outer12", "yellow": "outer13"},
        path=["outer11"],
        driven=1,
        left=2,
        steers=0,
        speed={"green": 2},
    )
    (end,) = preview(race)["drives"]
    (way,) = end["ways"]
    assert (end["end"], way["stands"], way["damage"], way["rams"]) == ("outer13", "outer11", 4, ["purple", "yellow"])


def test_the_rest_of_a_drive_can_be_asked_for() -> None:
    race = position(
        **{**FIELDS, "phase": "move"},
        space={"green": "middle5", "purple": "outer1"},
        path=["middle2", "middle3", "middle4", "middle5"],
        driven=4,
        left=1,
        steers=1,
        speed={"green": 4},
    )
    ends = {end["end"]: end["ways"][0]["damage"] for end in preview(race)["drives"]}
    assert ends == {"middle6": 0, "inner6": 1, "outer5": 0}


def test_every_state_of_random_races_has_a_preview() -> None:
    kinds = set()
    for options in ({}, {"track": "B-B"}):
        for race in random_states(6, options, races=4, every=5):
            for seat in game().to_act(race):
                kinds.add(next(iter(preview(race, seat)), None))
                assert race.mover != NONE or not preview(race, seat)
    assert kinds == {None, "speeds", "paces", "drives"}
