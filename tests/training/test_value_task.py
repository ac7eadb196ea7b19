"""What a value network learns: shares of sources, and how much its logits count."""

import numpy as np
import pytest

from quadriga import games
from quadriga.bots.network import UNIT, forward, network_of
from quadriga.training.selfplay import SOURCES, Recorder
from quadriga.training.value_task import fit_sharpness, forward_rows, source_weights
from quadriga.training.weights import value_layers
from tests.bots.test_network import weights_file


def test_sources_count_for_their_shares() -> None:
    sources = np.repeat(np.arange(4, dtype=np.int8), [100, 500, 250, 150])
    weights = source_weights(sources, 4.0)
    shares = np.array([weights[sources == source].sum() for source in range(4)]) / weights.sum()
    assert [round(100 * share) for share in shares] == [source.share for source in SOURCES]


def test_a_rare_source_counts_a_few_times_at_most_and_a_missing_one_not_at_all() -> None:
    sources = np.repeat(np.arange(3, dtype=np.int8), [1, 500, 499])
    weights = source_weights(sources, 4.0)
    assert weights[0] == 4
    assert np.isfinite(weights).all()


@pytest.mark.parametrize("name", games.NAMES)
def test_rows_at_once_say_what_the_kernel_says(name: str) -> None:
    game = games.load(name)
    network, _ = network_of(game)
    rows = Recorder(game, "rows", SOURCES[1]).play(2).rows[:20]
    said = forward_rows(value_layers(weights_file(game)), rows)
    for row, expected in zip(rows, said, strict=True):
        network.observation[: len(row)] = row / UNIT
        forward(network)
        assert (network.results[: len(expected)] == expected).all()


def test_logits_that_say_too_much_are_found_to_count_for_less() -> None:
    """A network that says 4 where 2 would be true: half its logits fit best."""
    random = np.random.default_rng(2)
    rows = random.choice([-UNIT, UNIT], (20_000, 1)).astype(np.int16)
    whole = (np.array([[127]], np.int8), np.zeros(1, np.int32), np.array([(1 << 20) // 127], np.int32))
    shift = (whole[0], np.array([127 * UNIT], np.int32), whole[2])
    last = (
        np.array([[127, 0, 0, 0]], np.int8),
        np.array([-127 * UNIT, 0, 0, 0], np.int32),
        np.full(4, 4 * (1 << 20) // 127, np.int32),
    )
    won = random.random(20_000) < 1 / (1 + np.exp(-2 * rows[:, 0] / UNIT))
    places = np.stack([~won, won], axis=1).astype(np.int8)
    said = forward_rows([shift, whole, last], rows)
    found = fit_sharpness(said, (rows, places, np.zeros(20_000, np.int8)))
    assert abs(found[2] / UNIT - 0.5) < 0.05
    assert found[3] == UNIT
