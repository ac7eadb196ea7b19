"""Choices that champion's search judges in races by the policy."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from quadriga import games
from quadriga.bots.evaluator import evaluation_of
from quadriga.bots.network import UNIT, forward, networks_of
from quadriga.cli import app
from quadriga.training.choices import NO_PART, JudgedChoices
from quadriga.training.learning import save_weights
from quadriga.training.searched import MARGIN, SearchRecorder, likeliest
from quadriga.training.weights import policy_layers, shipped_weights, value_layers
from tests.training.test_choices import check_judged

every_game = pytest.mark.parametrize("name", games.NAMES)


def recorded(name: str, races: int = 2) -> JudgedChoices:
    game = games.load(name)
    return SearchRecorder(game, "a", networks_of(game)[0]).play(races)


def test_the_likeliest_choices_are_those_with_the_best_scores_within_the_margin() -> None:
    codes, arms = np.array([10, 11, 12, 13, 14]), np.zeros(3, np.int64)
    assert likeliest(codes, 5, np.array([0, 9, 5, 9, 7]), arms) == 3
    assert arms.tolist() == [11, 13, 14]
    assert likeliest(codes, 5, np.array([0, MARGIN, 2 * MARGIN, 0, MARGIN - 1]), arms) == 2
    assert arms[:2].tolist() == [12, 11]


@every_game
def test_choices_are_judged_with_their_parts(name: str) -> None:
    check_judged(recorded(name), recorded(name), evaluation_of(games.load(name)).guided_width)


@every_game
def test_choices_come_in_the_order_of_the_policys_scores(name: str) -> None:
    policy, found = networks_of(games.load(name))[0].policy, recorded(name)
    for row, choices in zip(found.rows, found.parts, strict=True):
        policy.observation[: len(row)] = row / UNIT
        forward(policy)
        named = [choice[choice >= 0] for choice in choices if choice[0] != NO_PART]
        scores = [int(policy.results[parts].sum()) for parts in named]
        assert scores == sorted(scores, reverse=True)
        assert scores[0] - scores[-1] <= MARGIN


def test_networks_without_a_critic_cannot_be_improved(tmp_path: Path) -> None:
    game, file = games.load("chariots"), tmp_path / "weights.npz"
    shipped = shipped_weights(game)
    save_weights(file, game, value_layers(shipped), policy_layers(shipped))
    command = ["improve", "chariots", "--folder", str(tmp_path / "run"), "--start", str(file)]
    said = str(CliRunner().invoke(app, command).exception)
    assert said == f"{file} holds no policy with a critic: train them with quadriga reinforce"
    assert not (tmp_path / "run").exists()
