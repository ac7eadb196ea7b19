"""How true chances are: the measures themselves, and the command that prints them."""

import json
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from quadriga import games
from quadriga.bots.network import CHANCE, chance_to_win, network_of
from quadriga.cli import app
from quadriga.core.streams import new_stream, stream_key
from quadriga.training.calibration import (
    JUDGES,
    NEVER,
    as_good,
    better_by,
    calibration,
    chances_of,
    chances_with_a_look,
    comparison_in_words,
    held_out,
    in_words,
    parts_of,
    playout_chances,
    spread_sample,
)
from quadriga.training.selfplay import SOURCES, Source


def test_true_chances_have_no_error_and_false_ones_have_theirs() -> None:
    won = np.array([True] * 3 + [False] * 7)
    assert calibration(np.full(10, 0.3), won) == {"brier": 0.21, "ece": 0.0}
    assert calibration(np.full(10, 0.5), won) == {"brier": 0.25, "ece": 0.2}
    assert calibration(np.array([1.0] * 3 + [0.0] * 7), won) == {"brier": 0.0, "ece": 0.0}


def test_rows_give_the_chances_that_the_network_gives_their_views() -> None:
    game = games.load("chariots")
    network, _ = network_of(game)
    sample = spread_sample(game, network, SOURCES[2], 20, "3")
    views, most = game.definition.view.blanks(2), game.meta.seats[-1]
    assert len(set(sample.numbers)) == 20
    for view, chance in zip(sample.views, chances_of(network, sample), strict=True):
        race = game.imagine(view, new_stream(stream_key(b"any"), 0))
        seen = chance_to_win(race, game.tables, int(view.seat), views, network, most)
        assert abs(seen / CHANCE - chance) < 1e-9


def test_playouts_to_the_end_judge_what_is_nearly_decided() -> None:
    game = games.load("chariots")
    sample = spread_sample(game, network_of(game)[0], SOURCES[2], 20, "3")
    found = playout_chances(game, sample, 8, "0")
    assert set(found * 8) <= set(range(9))
    won = sample.places[:, 0] == 0
    assert ((found - won) ** 2).mean() < 0.25


def test_a_look_ahead_says_what_is_decided_within_it() -> None:
    """A playout that reaches the end counts as won or lost; half of the chance is the network's all the same."""
    game = games.load("chariots")
    network = network_of(game)[0]
    sample = spread_sample(game, network, SOURCES[2], 20, "3")
    alone, ahead = chances_of(network, sample), chances_with_a_look(game, network, sample, "0")
    assert ((ahead >= alone / 2) & (ahead <= (1 + alone) / 2)).all()
    assert (ahead != alone).any()
    assert (playout_chances(game, sample, 8, "0", NEVER, network) == playout_chances(game, sample, 8, "0")).all()
    at_once = playout_chances(game, sample, 2, "0", 0, network)
    assert np.abs(at_once - alone).max() < 1e-9


def test_squared_errors_are_compared_position_by_position() -> None:
    own, others = np.array([0.1, 0.2, 0.3]), np.array([0.2, 0.3, 0.4])
    assert better_by(own, others) == [0.1, 0.1, 0.1]
    mean, low, high = better_by(others, np.array([0.2, 0.0, 0.1]))
    assert (mean, low < mean < high) == (-0.2, True)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_held_out_positions_have_their_seats_and_are_few_of_a_race(source: Source) -> None:
    game = games.load("chariots")
    found = held_out(game, network_of(game)[0], source, 3, 60, "1")
    again = held_out(game, network_of(game)[0], source, 3, 60, "2")
    assert ((found.places >= 0).sum(axis=1) == 3).all()
    assert len(found.rows) == 60
    assert (found.rows != again.rows).any()
    # Positions of one race have one result, so many different results in a row mean many races.
    changes = (np.diff(found.places[:, 0]) != 0).sum()
    assert changes >= 10


def test_a_number_is_taken_in_parts() -> None:
    assert parts_of(2500, 1000) == [1000, 1000, 500]
    assert parts_of(0, 1000) == []


def test_figures_are_told_in_words() -> None:
    by = {"quick": {"brier": 0.2, "ece": 0.031, "n": 25}}
    good, bad = ({"brier": 0.1234, "ece": ece, "n": 100, "by": by} for ece in (0.02, 0.0201))
    assert in_words(3, good) == (
        "3 seats, 100 positions: Brier 0.1234, calibration error 2.0 % (at most 2 %: met); by who played: quick 3.1 %"
    )
    assert "(at most 2 %: missed)" in in_words(3, bad)
    rows: dict[str, dict[str, Any]] = {name: {"brier": 0.15, "microseconds": 26.4} for name in JUDGES}
    for name in JUDGES[:-1]:
        rows[name]["better_by"] = [0.0012, -0.0025, 0.0049]
    assert comparison_in_words({"n": 20, "races": 40, **rows}).splitlines() == [
        "20 positions out of 40 races:",
        "  the network: Brier 0.1500, 26 µs a position, better than the last by 0.0012 (-0.0025 to 0.0049) "
        "(at least as good: undecided)",
        "  the network and 4 short playouts: Brier 0.1500, 26 µs a position, better than the last by 0.0012 "
        "(-0.0025 to 0.0049)",
        "  400 playouts to the end: Brier 0.1500, 26 µs a position",
    ]


@pytest.mark.parametrize(
    ("low", "high", "verdict"), [(0.0, 0.1, "met"), (-0.1, 0.0, "undecided"), (-0.2, -0.1, "missed")]
)
def test_a_judge_is_as_good_where_the_whole_interval_says_so(low: float, high: float, verdict: str) -> None:
    assert as_good(low, high) == verdict


def test_the_command_prints_every_number_of_seats_and_the_comparison() -> None:
    command = ["calibrate", "chariots", "--positions", "100", "--compare", "20", "--jobs", "1", "--json"]
    told = json.loads(CliRunner().invoke(app, command).stdout.splitlines()[-1])
    assert list(told["seats"]) == ["2", "3", "4"]
    assert all(0 <= row["ece"] <= 1 and row["n"] == 100 for row in told["seats"].values())
    compared = told["compared"]
    assert (compared["n"], compared["races"], compared["playouts"]) == (20, 40, 400)
    assert compared["network"]["microseconds"] < compared["to_the_end"]["microseconds"]
    assert len(compared["network"]["better_by"]) == len(compared["with_a_look"]["better_by"]) == 3
    assert "better_by" not in compared["to_the_end"]
