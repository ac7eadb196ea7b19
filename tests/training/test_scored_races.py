"""Races by scores that a value network learns from: their shares of sources, and the same on the CPU and a GPU."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.bots.network import UNIT, observation_of
from quadriga.training.parallel_races import PARTS, ParallelScoredRaces, Portion, play_portion
from quadriga.training.scored_races import KEPT, ScoredRaces, race_sources, scored_keys
from quadriga.training.selfplay import AHEAD, NOT_DUE, SOURCES, Kept, Recorder
from tests.core.processes import run
from tests.training.simulated_scored_races import BATCHES, RACES, SEED, TOLD


def test_each_source_plays_its_share_of_the_races() -> None:
    counts = np.bincount(race_sources(1000), minlength=len(SOURCES))
    assert counts.tolist() == [10 * source.share for source in SOURCES]
    assert sum(counts) == 1000


def test_no_race_is_played_twice() -> None:
    sources = race_sources(40)
    keys = np.concatenate([scored_keys(seed, sources, batch) for seed in "ab" for batch in range(3)])
    assert len(np.unique(keys, axis=0)) == len(keys) == 240


@pytest.mark.parametrize("name", games.NAMES)
def test_positions_of_a_batch_have_the_places_of_their_race(name: str) -> None:
    game = games.load(name)
    races, again = (ScoredRaces(game, 40, "a") for _ in range(2))
    first, second = races.play().kept, races.play().kept
    assert first.rows.shape == (40, KEPT, observation_of(game).inputs)
    assert (again.play().kept.rows == first.rows).all()
    assert (first.rows != second.rows).any()
    assert first.counts.max() == KEPT
    assert (first.counts == KEPT).mean() > 0.6
    for rows, places, count in zip(first.rows, first.places, first.counts, strict=True):
        if count == 0:
            continue  # over after its first step
        assert np.abs(rows[:count]).max() <= UNIT
        racing = (places[0] >= 0).sum()
        assert racing in game.meta.seats
        assert (np.sort(places[:count]) == np.sort(places[0])).all()
        assert (places[:count, racing:] == -1).all()


CLOCKS: dict[str, Callable[[Any], Any]] = {
    "charioteer": lambda view: view["turn"],
    "chariot_race": lambda view: view["rounds"],
    "chariots": lambda view: 3 * view["rounds"] + view["phase"],
}
"""The stretches that views show: turns, rounds and phases."""


@pytest.mark.parametrize("name", games.NAMES)
def test_a_seat_is_looked_at_again_some_stretches_later(name: str) -> None:
    """Where all positions of a race are kept, what a seat sees later is one of them, unless the race is over."""
    game, races, most = games.load(name), 6, 2000
    views = game.definition.view.blanks(races * most).reshape(races, most)
    kept = Recorder(game, "later", SOURCES[1], wanted=most).play_kept(races, views, ahead=True)
    whole = np.flatnonzero(kept.counts < most)
    assert len(whole) > 1
    for race in whole:
        count = kept.counts[race]
        clock, seat = CLOCKS[name](views[race, :count]), views["seat"][race, :count]
        for at in range(count):
            following = np.flatnonzero((seat == seat[at]) & (clock >= int(clock[at]) + AHEAD))
            assert (kept.due[race, at] == NOT_DUE) == (len(following) > 0)
            if len(following):
                assert (kept.later[race, at] == kept.rows[race, following[0]]).all()


def test_races_of_several_processes_are_those_of_the_parts_of_a_batch() -> None:
    played = ParallelScoredRaces(games.load("chariots"), 2 * PARTS - 1, "a", 2)
    try:
        batches = [played.play() for _ in range(2)]
    finally:
        played.close()
    for number, batch in enumerate(batches):
        parts = [play_portion(Portion("chariots", 2, "a", number * PARTS + at)) for at in range(PARTS)]
        for found, own in zip(batch.kept, zip(*(part.kept for part in parts), strict=True), strict=True):
            assert (found == np.concatenate(own)).all()
        assert (batch.sources == np.concatenate([part.sources for part in parts])).all()
    assert len(batches[0].sources) == 2 * PARTS
    assert (batches[0].kept.rows != batches[1].kept.rows).any()


def there(kept: Kept) -> tuple[Any, ...]:
    """What is told of a batch, without the room that races did not fill."""
    filled = np.arange(KEPT) < kept.counts[:, None]
    looked = filled & (kept.due == NOT_DUE)
    return kept.rows[filled], kept.places[filled], kept.counts, kept.later[looked], looked


def test_races_under_the_cuda_simulator_are_those_on_the_cpu(tmp_path: Path) -> None:
    run("tests.training.simulated_scored_races", tmp_path / "told.npz", NUMBA_ENABLE_CUDASIM="1")
    with np.load(tmp_path / "told.npz") as simulated:
        for name in games.NAMES:
            races = ScoredRaces(games.load(name), RACES, SEED)
            for batch in range(BATCHES):
                found = Kept(*(simulated[f"{name} {batch} {told}"] for told in TOLD))
                for own, other in zip(there(races.play().kept), there(found), strict=True):
                    assert own.size > 0
                    assert (own == other).all(), (name, batch)
