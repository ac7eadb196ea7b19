"""The forecast against every path there is."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from quadriga.core.fields import NONE
from quadriga.games.chariot_race.forecast import FATAL, NODES, Reach, forecast
from tests.games.chariot_race.table import game, position, random_states

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
