"""Races in which everything is played, discards and resets included, end with every invariant holding."""

from typing import Any

import numpy as np
import pytest

from quadriga.core.messages import new_log
from quadriga.core.streams import Stream, stream_key
from tests.games.charioteer.chainer import (
    BROKEN,
    DECISIONS,
    DISCARDS,
    LINKS,
    REFUSED,
    UNFINISHED,
    chain_races,
)
from tests.games.charioteer.table import SEATS, game, tables


@pytest.mark.parametrize("count", [100, pytest.param(20_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("seats", SEATS)
def test_races_by_chains(seats: int, count: int) -> None:
    charioteer, figures = game(), np.zeros(6, np.int64)
    races: Any = charioteer.definition.race.blanks(count)
    options = charioteer.meta.settle(seats, {"crowd_wild": seats % 2 == 0})
    for name, number in [("seats", seats), *charioteer.meta.numbers(options).items()]:
        races[name] = number
    keys = np.tile(stream_key(b"chains"), (count, 1))
    keys[:, 7] = np.arange(count)
    chain_races(
        races, tables(), keys, Stream.blank(), Stream.blank(), new_log(0), np.zeros(seats, np.int64),
        np.empty(charioteer.definition.most_choices, np.int64), np.empty(charioteer.definition.scratch, np.int64),
        figures,
    )  # fmt: skip
    assert (figures[BROKEN], figures[REFUSED], figures[UNFINISHED]) == (0, 0, 0)
    assert 3 < figures[LINKS] / figures[DECISIONS] < 9
    assert figures[DISCARDS] > count * seats / 2
