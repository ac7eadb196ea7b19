"""The beginning of a race of Chariots: grid, options, seats."""

import numpy as np
import pytest

from quadriga import games
from quadriga.core.errors import InvalidOption
from quadriga.core.streams import new_stream
from quadriga.games.chariots.components import FACES
from quadriga.games.chariots.events import GridRolled, GridTaken
from quadriga.games.chariots.setup import GRID_ROLLS

GAME = games.load("chariots")
KEY = np.zeros(8, np.uint32)


def grid(seats: int, dice: tuple[int, ...]) -> tuple[list[int], list[tuple[int, int]]]:
    """Positions by chariot, and the rolls as they were shown."""
    stream = new_stream(KEY, 0, dice)
    events = [told.event for told in GAME.setup(seats, {}, stream).events]
    assert stream.rolled == len(dice)
    taken = {event.chariot: event.position for event in events if isinstance(event, GridTaken)}
    rolled = [(event.chariot, event.face) for event in events if isinstance(event, GridRolled)]
    return [taken[chariot] for chariot in sorted(taken)], rolled


@pytest.mark.parametrize(
    ("dice", "positions"),
    [
        ((5, 4, 3, 2), [1, 2, 3, 4]),
        ((0, 1, 2, 3), [4, 3, 2, 1]),
        ((3, 3, 1, 1, 0, 5, 5, 0), [2, 1, 3, 4]),
        ((3, 3, 3, 3, 1, 1, 0, 0, 2, 4, 3, 5), [2, 1, 4, 3]),
        ((2, 4, 2, 4, 5, 1, 5, 0, 0, 3), [4, 1, 3, 2]),
        ((5, 0, 0, 0, 5, 5, 4, 1, 0), [1, 2, 3, 4]),
    ],
)
def test_those_tied_roll_again(dice: tuple[int, ...], positions: list[int]) -> None:
    assert grid(4, dice)[0] == positions


def test_every_roll_is_shown_in_turn() -> None:
    assert grid(3, (2, 2, 3, 0, 0, 1, 4))[1] == [(0, 2), (1, 2), (2, 3), (0, 0), (1, 0), (0, 1), (1, 4)]


def test_dice_that_tie_for_ever_still_start_the_race() -> None:
    assert grid(3, (3,) * 3 * GRID_ROLLS)[0] == [1, 2, 3]


def test_scores_of_the_grid_stay_exact() -> None:
    assert FACES**GRID_ROLLS < 2**63


@pytest.mark.parametrize(("seats", "chariots"), [(2, 4), (3, 3), (4, 4)])
def test_chariots_in_the_race(seats: int, chariots: int) -> None:
    assert GAME.setup(seats, {}, new_stream(KEY, 0)).state.chariots == chariots


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_seats_out_of_range(seats: int) -> None:
    with pytest.raises(InvalidOption, match="Chariots is for 2 to 4 players"):
        GAME.setup(seats, {}, new_stream(KEY, 0))


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        ({"laps": 0}, "option laps is a number from 1 to 10, not 0"),
        ({"laps": 11}, "option laps is a number from 1 to 10, not 11"),
        ({"laps": True}, "option laps is a number from 1 to 10, not True"),
        ({"laps": "3"}, "option laps is a number from 1 to 10, not '3'"),
        ({"limit": 4}, "option limit is a number from 5 to 200, not 4"),
        ({"limit": 201}, "option limit is a number from 5 to 200, not 201"),
        ({"race_on": 1}, "option race_on is true or false, not 1"),
        ({"two_chariots": True}, "option two_chariots is for 2 players, not 3"),
        ({"lanes": 4}, "Chariots has no option 'lanes'"),
    ],
)
def test_options_out_of_range(options: dict[str, object], cause: str) -> None:
    with pytest.raises(InvalidOption, match=cause):
        GAME.setup(3, options, new_stream(KEY, 0))


@pytest.mark.parametrize("laps", [1, 10])
def test_laps_from_one_to_ten(laps: int) -> None:
    assert GAME.setup(2, {"laps": laps}, new_stream(KEY, 0)).state.laps == laps
