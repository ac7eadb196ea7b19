"""Where spaces lie: inside the drawing, apart from each other, in the order of the track, for every edition."""

import json
from math import dist, hypot
from typing import Any

import pytest

from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.core.geometry import Course, geometry_of

SPACES = {"chariots": "square", "charioteer": "space", "chariot_race": "space"}
NEAREST = 14
"""Outer spaces of Charioteer lie between regular ones; no two spaces are closer."""


def of(name: str) -> dict[str, Any]:
    found = geometry_of(games.load(name))
    assert found is not None
    return found


@pytest.mark.parametrize("name", SPACES)
def test_every_space_has_a_place_of_its_own_inside_the_drawing(name: str) -> None:
    geometry = of(name)
    x, y, width, height = geometry["box"]
    assert tuple(geometry["spaces"]) == games.load(name).names.domains[SPACES[name]]
    spots = [(spot["x"], spot["y"]) for spot in geometry["spaces"].values()]
    assert all(x < a < x + width and y < b < y + height for a, b in spots)
    assert min(dist(a, b) for i, a in enumerate(spots) for b in spots[:i]) > NEAREST


@pytest.mark.parametrize("name", SPACES)
def test_it_is_plain_data(name: str) -> None:
    geometry = of(name)
    assert json.loads(json.dumps(geometry)) == geometry
    for spot in geometry["spaces"].values():
        assert spot["outline"].startswith("M")
        assert hypot(*spot["out"]) == pytest.approx(1, abs=0.001)
        assert -360 <= spot["angle"] <= 0


def test_running_is_counter_clockwise_from_the_line() -> None:
    course = Course(100, (5, 9, 19, 23), 28, 0)
    assert (course.spot(0, 50).x, course.spot(0, 50).y) == (0, 50)
    assert (course.spot(7, 50).x, round(course.spot(7, 50).y, 6)) == (150, 0)
    assert (course.spot(14, 50).x, course.spot(14, 50).y) == (0, -50)
    assert course.spot(28 + 3, 50) == course.spot(3, 50)
    headings = [course.spot(along, 50).angle for along in range(28)]
    assert headings == sorted(headings, reverse=True)


def test_an_edited_edition_moves_its_spaces() -> None:
    text = games.load("chariot_race").edition.source.text
    moved = games.load("chariot_race", TomlFile("edited", text.replace("0.25, 1.25, 2.25", "0.25, 1.20, 2.25")))
    before, after = of("chariot_race")["spaces"], geometry_of(moved)
    assert after is not None
    assert {name for name in before if before[name] != after["spaces"][name]} == {"inner1", "inner2"}
