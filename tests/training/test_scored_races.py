"""Races by scores that a value network learns from: their shares of sources, and the same on the CPU and a GPU."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.bots.network import UNIT, observation_of
from quadriga.training.parallel_races import PARTS, ParallelScoredRaces, Portion, play_portion
from quadriga.training.scored_races import KEPT, Kept, ScoredRaces, race_sources, scored_keys
from quadriga.training.selfplay import SOURCES
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
    first, second = races.play(), races.play()
    assert first.rows.shape == (40, KEPT, observation_of(game).inputs)
    assert (again.play().rows == first.rows).all()
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


def test_races_of_several_processes_are_those_of_the_parts_of_a_batch() -> None:
    played = ParallelScoredRaces(games.load("chariots"), 2 * PARTS - 1, "a", 2)
    try:
        batches = [played.play() for _ in range(2)]
    finally:
        played.close()
    for number, batch in enumerate(batches):
        parts = [play_portion(Portion("chariots", 2, "a", number * PARTS + at)) for at in range(PARTS)]
        for found, own in zip(batch, zip(*parts, strict=True), strict=True):
            assert (found == np.concatenate(own)).all()
    assert len(batches[0].counts) == 2 * PARTS
    assert (batches[0].rows != batches[1].rows).any()


def there(kept: Kept) -> tuple[Any, ...]:
    """What is told of a batch, without the room that races did not fill."""
    filled = np.arange(KEPT) < kept.counts[:, None]
    return kept.rows[filled], kept.places[filled], kept.counts, kept.sources


def test_races_under_the_cuda_simulator_are_those_on_the_cpu(tmp_path: Path) -> None:
    run("tests.training.simulated_scored_races", tmp_path / "told.npz", NUMBA_ENABLE_CUDASIM="1")
    with np.load(tmp_path / "told.npz") as simulated:
        for name in games.NAMES:
            races = ScoredRaces(games.load(name), RACES, SEED)
            for batch in range(BATCHES):
                found = [simulated[f"{name} {batch} {told}"] for told in TOLD]
                for own, other in zip(there(races.play()), there(Kept(*found)), strict=True):
                    assert own.size > 0
                    assert (own == other).all(), (name, batch)
