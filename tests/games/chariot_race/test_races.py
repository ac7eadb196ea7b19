"""Many races: whether they look like races at a table, and whether anything ever breaks."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from quadriga.core.fields import NONE
from quadriga.core.play import Player
from quadriga.core.streams import Stream, open_stream, stream_key
from quadriga.games.chariot_race.forecast import Reach
from tests.games.chariot_race.pilot import play
from tests.games.chariot_race.table import game, options_for


def drive_races(seats: int, options: dict[str, Any], count: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Races of drivers with sense, checked after every step: how they ended, and in which lanes turns ended."""
    player = Player(game(), seats, options)
    races = game().definition.race.blanks(count)
    lanes = np.zeros(3, np.int64)
    key, chooser = stream_key(bytes([seats] * 32)), Stream.blank()
    open_stream(chooser, key, NONE)
    broken = play(
        races, player.start, game().tables, key.copy(), player.stream, chooser, player.log, player.codes, player.out,
        player.scratch, Reach.blank(), lanes,
    )  # fmt: skip
    assert not broken, game().definition.invariants[broken]
    return races, lanes


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_races_take_six_to_fourteen_rounds_in_all_lanes(seats: int) -> None:
    races, lanes = drive_races(seats, {}, 2000)
    rounds = races["rounds"]
    assert 6 <= rounds.mean() <= 14
    assert np.mean((rounds >= 6) & (rounds <= 14)) > 0.98
    assert (lanes / lanes.sum() > 0.1).all()
    assert np.mean(races["reason"] == 1) > 0.95


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_hundred_thousand_random_races_hold(seats: int) -> None:
    """20,000 for each number of seats, over all options, checked after every step."""
    every = options_for(seats)
    for number, options in enumerate(every):
        count = 20_000 // len(every) + 1
        key = stream_key(bytes([seats, number] * 16))
        races, tally = Player(game(), seats, options).play(count, key, checking=True)
        assert tally[3] == NONE, (options, int(tally[3]), game().definition.invariants[tally[4]])
        assert tally[1] == count
        assert (races["reason"] > 0).all()


@pytest.mark.long
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_sensible_races_hold_with_every_option(seats: int) -> None:
    for options in options_for(seats):
        races, _ = drive_races(seats, options, 2000)
        assert (races["reason"] > 0).all()
