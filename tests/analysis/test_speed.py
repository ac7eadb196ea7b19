"""A whole four-seat race is analysed within half a minute on two cores, and within five seconds quickly."""

import statistics
import time

import pytest

from quadriga import games
from quadriga.analysis.analyse import analyse_match
from quadriga.analysis.warmup import analyse_start
from quadriga.api.race import Race

CORES, RACES = 2, 3


@pytest.mark.long
@pytest.mark.parametrize(("depth", "most"), [("quick", 5.0), ("standard", 30.0)])
@pytest.mark.parametrize("name", games.NAMES)
def test_a_race_of_four_is_analysed_in_time(name: str, depth: str, most: float) -> None:
    analyse_start(games.load(name))
    taken = []
    for seed in range(RACES):
        match = Race(name, players=4, seed=seed).run("veteran")._match
        began = time.perf_counter()
        analyse_match(match, depth, threads=CORES)
        taken.append(round(time.perf_counter() - began, 1))
    print(f"{name}, {depth}: {taken} s")
    assert statistics.median(taken) <= most, taken
