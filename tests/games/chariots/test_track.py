"""The track: what follows from where the squares lie."""

from collections import deque

import numpy as np
import pytest

from quadriga import games
from quadriga.games.chariots.components import AFTER_LINE, BEFORE_LINE, Tables

GAME = games.load("chariots")
TABLES: Tables = GAME.tables  # type: ignore[assignment]
NAMES = GAME.names.domains["square"]
NUMBER = {name: number for number, name in enumerate(NAMES)}
SIDES = GAME.names.domains["side"]

# One square of each kind of place, with its neighbours by side and its corners, read off the printed figure.
PLACES = {
    "8,2": ({"right": ["9,2"], "up": ["8,3"], "left": ["7,2"], "down": ["8,1"]}, ["7,1", "7,3", "9,1", "9,3"]),
    "5,4": ({"right": ["6,4"], "left": ["4,3.5", "4,4.5"], "down": ["5,3"]}, ["6,3"]),
    "5,1": ({"right": ["6,1"], "up": ["5,2"], "left": ["4,1.5"]}, ["6,2"]),
    "10,2": ({"right": ["11,1.5", "11,2.5"], "up": ["10,3"], "left": ["9,2"], "down": ["10,1"]}, ["9,1", "9,3"]),
    "12,4.5": ({"right": ["13,4", "13,5"], "left": ["11,4.5"], "down": ["12,3.5"]}, ["11,3.5"]),
    "13,5": ({"right": ["14,5"], "up": ["13,6"], "left": ["12,4.5"], "down": ["13,4"]}, ["14,4", "14,6"]),
    "14,7": ({"left": ["13,7"], "down": ["14,6"]}, ["13,6"]),
    "3,9.5": ({"right": ["4,9.5"], "down": ["3,8.5"]}, ["4,8.5"]),
    "2,7": ({"right": ["3,6.5", "3,7.5"], "left": ["1,7"], "down": ["2,6"]}, ["1,6"]),
}


def neighbours(name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    row = NUMBER[name]
    for other, side in zip(TABLES.neighbour[row], TABLES.neighbour_side[row], strict=True):
        if other >= 0:
            found.setdefault(SIDES[side], []).append(NAMES[other])
    return {side: sorted(names) for side, names in found.items()}


def lap(allowed: np.ndarray) -> int:
    """The fewest steps from just past the line round to it and over, on allowed squares."""
    steps = {number: 0 for number in range(TABLES.squares) if TABLES.gate[number] == AFTER_LINE}
    queue = deque(steps)
    while queue:
        square = queue.popleft()
        if TABLES.gate[square] == BEFORE_LINE:
            return steps[square] + 1
        for other in TABLES.neighbour[square]:
            back = TABLES.gate[square] == AFTER_LINE and TABLES.gate[other] == BEFORE_LINE
            if other >= 0 and other not in steps and allowed[other] and not back:
                steps[int(other)] = steps[square] + 1
                queue.append(int(other))
    raise AssertionError("the track does not close")


def test_there_are_96_squares_twelve_of_them_inside() -> None:
    assert TABLES.squares == len(NAMES) == len(set(NAMES)) == 96
    assert TABLES.inside.sum() == 12


@pytest.mark.parametrize("name", PLACES)
def test_neighbours_and_corners(name: str) -> None:
    corners = sorted(NAMES[other] for other in TABLES.corner[NUMBER[name]] if other >= 0)
    assert (neighbours(name), corners) == PLACES[name]


def test_neighbours_and_corners_are_mutual() -> None:
    for table in (TABLES.neighbour, TABLES.corner):
        for square in range(TABLES.squares):
            assert all(square in table[other] for other in table[square] if other >= 0)


def test_the_shortest_lap_is_24_steps_and_32_by_the_outside() -> None:
    assert lap(np.ones(128)) == 24
    assert lap(1 - TABLES.inside) == 32
    assert TABLES.to_line[NUMBER["6,4"]] == 24


def test_the_line_lies_between_columns_5_and_6_of_the_bottom_straight() -> None:
    gates = {value: [NAMES[n] for n in range(96) if TABLES.gate[n] == value] for value in (BEFORE_LINE, AFTER_LINE)}
    assert gates == {
        BEFORE_LINE: ["5,1", "5,2", "5,3", "5,4"],
        AFTER_LINE: ["6,1", "6,2", "6,3", "6,4"],
    }


def test_start_squares() -> None:
    assert [NAMES[square] for square in TABLES.start] == ["5,4", "5,3", "5,2", "5,1"]


def test_running_order_round_the_whole_track() -> None:
    """CT-5: each is further along than the one before it."""
    telling = (
        "6,1 6,4 7,1 10,4 11,1.5 12,1.5 11,2.5 12,2.5 11,3.5 14,4 12,3.5 11,4.5 13,4 14,5 12,4.5 14,7 14,6 13,5 13,7 "
        "13,6 12,9.5 12,6.5 11,9.5 11,6.5 10,10 10,7 9,10 5,10 5,7 4,9.5 3,9.5 4,8.5 3,8.5 4,7.5 1,7 3,7.5 4,6.5 2,7 "
        "1,6 3,6.5 1,4 1,5 2,6 2,4 2,5 3,1.5 3,4.5 4,1.5 4,4.5 5,1 5,4"
    )
    numbers = [NUMBER[name] for name in telling.split()]
    assert numbers == sorted(numbers)


def test_ways_to_the_line_by_all_squares_and_around_the_turns() -> None:
    past = [number for number in range(TABLES.squares) if TABLES.gate[number] == AFTER_LINE]
    everywhere = np.ones(TABLES.squares, bool)
    assert TABLES.lap == min(TABLES.to_line[past]) == lap(everywhere) == 24
    assert min(TABLES.around[past]) == lap(TABLES.inside[: TABLES.squares] == 0) == 32
    for name in NAMES:
        assert TABLES.around[NUMBER[name]] >= TABLES.to_line[NUMBER[name]] > 0
    assert TABLES.to_line[NUMBER["5,2"]] == TABLES.around[NUMBER["5,2"]] == 1


@pytest.mark.parametrize("square", ["8,1", "8,10"])
def test_a_phase_on_a_straight_leads_on_by_its_speed(square: str) -> None:
    reach = TABLES.reach[:, 2:, NUMBER[square]]
    assert reach[1].tolist() == [12, 18, 24, 30]
    assert TABLES.lap == 24
    assert TABLES.around_lap == 32


def test_a_phase_without_control_leads_around_a_turn() -> None:
    """Two steps from an inside square of the right turn, kept to the outside: one back, for the way around is long."""
    without, with_control = TABLES.reach[:, 2, NUMBER["12,4.5"]]
    assert (without, with_control) == (0, 18)
