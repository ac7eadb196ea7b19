"""Expert iteration: what a policy learns from search, and short runs. Needs PyTorch: test_with_torch.py runs it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import numpy as np
import pytest
import torch

from quadriga import games
from quadriga.bots.evaluation import PART_COUNT
from quadriga.bots.network import networks_of, read_weights
from quadriga.bots.search import Champion
from quadriga.core.errors import InvalidOption
from quadriga.training.choices import NO_PART
from quadriga.training.improving import ImprovementPlan, improve
from quadriga.training.learning import Lesson, load_layers
from quadriga.training.policy_task import STEP, ImprovementTask, choice_scores
from quadriga.training.searched import SearchRecorder
from quadriga.training.weights import critic_layers, policy_layers, shipped_weights, value_layers
from tests.bots.policies import first_decision

GAME = games.load("chariots")
START = shipped_weights(GAME)
PLAN = ImprovementPlan("chariots", 1, 1, 0.5, 2, str(START), races=2, rules_version=GAME.meta.rules_version)


def start_layers() -> Any:
    layers = policy_layers(START)
    assert layers
    return layers


def examples() -> list[Any]:
    found = SearchRecorder(GAME, "torch", networks_of(GAME)[0]).play(4)
    return [torch.from_numpy(array) for array in (found.rows, found.parts, found.values)]


def test_a_choice_is_worth_the_sum_of_its_parts() -> None:
    said = torch.arange(PART_COUNT, dtype=torch.float32)[None]
    parts = torch.tensor([[[3, 5, NO_PART], [7, NO_PART, NO_PART], [NO_PART] * 3]])
    assert choice_scores(said, parts).tolist() == [[8.0, 7.0, 0.0]]


def test_scores_are_wanted_that_differ_by_what_search_says() -> None:
    """The loss is 0 for them, whatever is added to all of them, and counts squares of what is between choices."""
    task = ImprovementTask(start_layers())
    parts = torch.tensor([[[0], [1], [NO_PART]]])
    wanted = torch.tensor([[1.0, 3.0, float("nan")]])
    said = torch.zeros((1, PART_COUNT))
    said[0, 0], said[0, 1] = 11.0, 13.0
    assert float(task.loss(said, parts, wanted)) == 0
    said[0, 1] = 17.0
    assert float(task.loss(said, parts, wanted)) == pytest.approx(4.0)


def test_what_is_wanted_begins_with_the_scores_of_the_policy() -> None:
    rows, parts, values = examples()
    task = ImprovementTask(start_layers())
    same = torch.where(torch.isnan(values), values, torch.full_like(values, 0.25))
    wanted = task.complete([rows, parts, same], True)[2]
    assert torch.equal(torch.isnan(wanted), torch.isnan(values))
    assert (wanted[:, 0] >= wanted[:, 1] - 0.05).all(), "choices come in the order of the policy's scores"
    more = same.clone()
    more[:, 1] += 0.01
    moved = task.complete([rows, parts, more], True)[2]
    assert torch.allclose((moved - wanted)[:, 1], torch.full((len(rows),), STEP * 0.01), atol=1e-3)
    assert torch.equal(moved[:, 0], wanted[:, 0])


def test_a_lesson_brings_scores_closer_to_what_search_says() -> None:
    arrays = tuple(array.numpy() for array in examples())
    task = ImprovementTask(start_layers())
    lesson = Lesson(task, "cpu", arrays, arrays)
    load_layers(lesson.model, start_layers())
    before = lesson.check()
    for epoch in range(6):
        lesson.learn(epoch, 6)
    assert lesson.check() < before


def test_a_run_keeps_the_other_networks_and_can_be_played_with(tmp_path: Path) -> None:
    told: list[str] = []
    plan = msgspec.structs.replace(PLAN, seconds=4.0)  # fewer examples might not bring it on
    weights = improve(plan, tmp_path / "run", False, 1, "cpu", told.append)
    assert weights == tmp_path / "run" / "round-1" / "weights.npz"
    networks = read_weights(GAME, weights)
    for kept, layers in ((value_layers(weights), value_layers(START)), (critic_layers(weights), critic_layers(START))):
        assert kept
        assert layers
        for ours, theirs in zip(kept, layers, strict=True):
            assert [array.tobytes() for array in ours] == [array.tobytes() for array in theirs]
    assert not np.array_equal(networks.policy.weights_1, read_weights(GAME, START).policy.weights_1)
    figures = json.loads(told[-1])
    assert (figures["round"], figures["races"]) == (1, 2)
    assert "against the first networks" in (tmp_path / "run" / "progress.svg").read_text(encoding="utf-8")
    ElementTree.parse(tmp_path / "run" / "progress.svg")
    champion, (state, seat) = Champion(GAME, 1, iterations=24), first_decision(GAME)
    champion.use(networks)
    choices = GAME.legal_actions(state, seat)
    assert champion.choose(GAME.view(state, seat), seat, choices) in choices


def test_a_run_goes_on_with_what_is_missing(tmp_path: Path) -> None:
    folder, told = tmp_path / "run", list[str]()
    improve(PLAN, folder, False, 1, "cpu", told.append)
    choices, strength = folder / "round-1" / "choices-000.npz", folder / "strength.jsonl"
    kept, known = choices.read_bytes(), strength.read_bytes()
    (folder / "round-1" / "weights.npz").unlink()
    told.clear()
    improve(PLAN, folder, True, 1, "cpu", told.append)
    assert (choices.read_bytes(), strength.read_bytes()) == (kept, known)
    assert not [line for line in told if line.endswith("positions")]
    assert (folder / "round-1" / "weights.npz").exists()


def test_what_cannot_be_improved_is_refused_in_one_line(tmp_path: Path) -> None:
    improve(PLAN, tmp_path / "run", False, 1, "cpu", lambda line: None)
    with pytest.raises(InvalidOption, match="go on with --resume"):
        improve(PLAN, tmp_path / "run", False, 1, "cpu")
    other = msgspec.structs.replace(PLAN, epochs=3)
    with pytest.raises(InvalidOption, match="holds another training run"):
        improve(other, tmp_path / "run", True, 1, "cpu")


def test_the_command_runs_to_its_end(tmp_path: Path) -> None:
    words = ["improve", "chariots", "--folder", str(tmp_path / "run"), "--files", "2", "--seconds", "0.3"]
    words += ["--epochs", "1", "--races", "0", "--jobs", "2", "--device", "cpu"]
    done = subprocess.run([sys.executable, "-m", "quadriga", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == str(tmp_path / "run" / "round-1" / "weights.npz")
