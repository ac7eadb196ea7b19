"""The forecast against every path there is, and against what the drive then really costs."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from quadriga.core.fields import NONE
from quadriga.core.streams import new_stream
from quadriga.games.chariot_race.actions import Keep, Pace, Step
from quadriga.games.chariot_race.forecast import FATAL, NODES, Reach, Way, forecast, tolls, ways, ways_on
from quadriga.games.chariot_race.state import MOVE
from tests.games.chariot_race.table import KEY, game, position, random_states

FIELDS: dict[str, Any] = {
    "phase": "reroll",
    "rounds": 3,
    "order": ["green", "purple", "yellow", "red"],
    "mover": "green",
}


def paths(race: Any, start: int, steps: int, steers: int) -> Iterator[tuple[int, ...]]:
    """Every path of so many steps, the starting space included."""
    tables: Any = game().tables
    if steps == 0:
        yield (start,)
        return
    changes = [to for to in (tables.inward[start], tables.outward[start]) if to != NONE] if steers else []
    for to in (tables.ahead[start], *changes):
        used = int(tables.lane[to] != tables.lane[start])
        for rest in paths(race, int(to), steps - 1, steers - used):
            yield (start, *rest)


def cost(race: Any, path: tuple[int, ...], speed: int, damage: int) -> tuple[int, int, bool]:
    """CR-9 by hand: the space where a drive ends, what it costs, and whether it wrecks."""
    tables: Any = game().tables
    paid = 0
    for space in path[1:]:
        if tables.heap[race.track, space]:
            return space, paid + FATAL, True
        limit = int(tables.corner[space])
        paid += max(0, speed - limit) if limit != NONE else 0
        paid += 2 * int(any(race.space[c] == space for c in range(6) if c != race.mover))
        paid += int(race.caltrop[space])
        if paid >= damage:
            return space, paid, True
    return path[-1], paid, damage == 0


def ends_by_hand(race: Any, chariot: int, speed: int, steers: int) -> tuple[dict[int, int], dict[int, int]]:
    """The least damage for each space where a drive can end whole, and for each where it can end in a wreck."""
    ends: tuple[dict[int, int], dict[int, int]] = ({}, {})
    damage = int(race.damage[chariot])
    for path in paths(race, int(race.space[chariot]), speed, steers):
        end, paid, wrecked = cost(race, path, speed, damage)
        ends[wrecked][end] = min(paid, ends[wrecked].get(end, paid))
    return ends


@pytest.mark.parametrize("options", [{}, {"track": "B-B"}], ids=["A-A", "B-B"])
def test_the_forecast_finds_the_least_damage_to_every_space(options: dict[str, Any]) -> None:
    """The chariots of positions from random races, at speeds and steers of our own."""
    reach = Reach.blank()
    tables: Any = game().tables
    wrecks = 0
    for number, race in enumerate(random_states(6, options, races=12, every=9)):
        if race.mover == NONE:
            continue
        speed, steers = number % 10, number % 4
        chariot = int(race.mover)
        forecast(race, tables, chariot, speed, speed, steers, int(race.damage[chariot]), reach)
        whole, wrecked = ends_by_hand(race, chariot, speed, steers)
        found = [int(space) for space in np.flatnonzero(reach.damage != NONE)]
        assert {space: int(reach.damage[space]) for space in found if not reach.wrecks[space]} == whole
        for space in found:
            if reach.wrecks[space]:
                wrecks += 1
                assert reach.damage[space] >= wrecked[space] >= race.damage[chariot]
        assert found
    assert wrecks > 10


def drive(race: Any, way: Way, plus: int) -> Any:
    """Really drive a way, step by step where there is a choice."""
    chariot_race = game()
    race = chariot_race.apply(race, {0: Keep()}, new_stream(KEY, 1)).state
    if race.phase != MOVE and race.mover == 0:
        race = chariot_race.apply(race, {0: Pace(plus)}, new_stream(KEY, 2)).state
    for name in way.path[1:]:
        if race.phase != MOVE or race.mover != 0:
            break
        race = chariot_race.apply(race, {0: Step(chariot_race.names.number("space", name))}, new_stream(KEY, 3)).state
    return race


def test_a_drive_costs_what_was_forecast() -> None:
    dice = ["pace", "sprint", "steer", "steer", "fortuna"]
    spaces = {"green": "middle2", "purple": "middle5", "yellow": "inner5", "red": "outer6"}
    caltrops = {"outer4": 1, "inner7": 1, "middle7": 1}
    for damage in (4, 12):
        race = position(
            **FIELDS, space=spaces, caltrop=caltrops, dice=dice, speed={"green": 4}, damage={"green": damage}
        )
        for plus in (0, 1):
            found = ways(game(), race, dice, plus)
            assert len(found) >= 3
            for way in found:
                after = drive(race, way, plus)
                left = max(0, damage - way.damage)
                assert int(after.damage[0]) == left
                assert way.wrecked == (left == 0)
                assert game().names.name("space", int(after.space[0])) == way.stands


def test_sprints_are_paid_before_the_drive() -> None:
    race = position(**FIELDS, space={"green": "outer11"}, speed={"green": 2}, damage={"green": 2})
    assert ways(game(), race, ["sprint", "sprint"]) == [Way("outer11", None, 2, True, ("outer11",))]
    (only,) = ways(game(), race, ["sprint"])
    assert (only.end, only.damage, only.wrecked) == ("outer15", 1, False)


def test_another_chariot_can_be_asked_for() -> None:
    race = position(**FIELDS, space={"green": "outer11", "red": "inner3"}, speed={"red": 1})
    (way,) = ways(game(), race, ["fortuna"], chariot="red")
    assert way.path == ("inner3", "inner4")


def test_falling_back_is_foreseen() -> None:
    race = position(**FIELDS, space={"green": "outer11", "purple": "outer12", "yellow": "outer13"}, speed={"green": 2})
    (way,) = ways(game(), race, ["fortuna"])
    assert (way.end, way.stands, way.damage) == ("outer13", "outer11", 4)


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
    assert {way.end: way.damage for way in ways_on(game(), race)} == {"middle6": 0, "inner6": 1, "outer5": 0}


def test_tolls_name_what_each_space_costs() -> None:
    race = position(**FIELDS, space={"green": "middle4", "purple": "middle6"}, caltrop={"middle6": 1})
    free, corner = tolls(game(), race, 8, ["middle5", "middle6"])
    assert (free.corner, free.ram, free.caltrop, free.heap) == (0, 0, 0, False)
    assert (corner.corner, corner.ram, corner.caltrop, corner.heap) == (3, 2, 1, False)


def test_there_is_room_for_the_widest_forecast() -> None:
    """Five steers at the highest speed, from every space."""
    reach, tables = Reach.blank(), game().tables
    race = position(**FIELDS, space=dict.fromkeys(("purple", "yellow", "red"), "none"))
    widest = 0
    for space in range(int(tables.spaces)):  # type: ignore[attr-defined]
        race.space[0] = space
        forecast(race, tables, 0, 15, 15, 5, 127, reach)  # type: ignore[arg-type]
        widest = max(widest, int(reach.nodes))
    assert widest < NODES // 2
