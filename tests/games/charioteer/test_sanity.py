"""Whole races of a simple player have the shape that the rules promise."""

from typing import Any

import numpy as np
import pytest

from quadriga.core.messages import new_log
from quadriga.core.streams import Stream, stream_key
from tests.games.charioteer.heuristic import BROKEN, HANDS, LONGEST, MOVABLE, SHORTEST, TURNS, new_figures, race_on
from tests.games.charioteer.table import SEATS, game, tables

RACES = 2000


@pytest.mark.parametrize("seats", SEATS)
def test_races_last_as_long_as_they_should(seats: int) -> None:
    charioteer = game()
    races: Any = charioteer.definition.race.blanks(RACES)
    races["seats"] = seats
    for name, number in charioteer.meta.numbers(charioteer.meta.settle(seats, {})).items():
        races[name] = number
    figures = new_figures()
    race_on(
        races, tables(), stream_key(bytes(32)), Stream.blank(), new_log(0), np.zeros(6, np.int64),
        np.empty(4096, np.int64), np.empty(charioteer.definition.scratch, np.int64), figures,
    )  # fmt: skip
    assert figures[BROKEN] == 0
    assert (races["over"] == 1).all()
    assert 20 <= figures[TURNS] / RACES <= 28
    assert figures[SHORTEST] >= 18
    assert figures[LONGEST] <= 30
    assert figures[MOVABLE] / figures[HANDS] > 0.99
    assert 1 <= (races["marker"][:, :seats] >= int(tables().box)).sum(axis=2).mean() <= 3
