"""Short runs of `quadriga train-value`, killed and resumed. Needs PyTorch: test_with_torch.py runs it.

Their time is that of one core, so that they learn as much on a busy machine.
"""

import json
import multiprocessing
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from quadriga import games
from quadriga.bots.network import read_weights
from quadriga.cli import app
from quadriga.core.errors import InvalidOption
from quadriga.training import timed_run, value_learner
from quadriga.training.checkpoints import read_arrays
from quadriga.training.learning import CHECKPOINT, WEIGHTS
from quadriga.training.parallel_races import PARTS, ParallelScoredRaces
from quadriga.training.plots import LOG, read_lines
from quadriga.training.pools import MOST_USES, Examples, Pool, Supply, draw_from
from quadriga.training.rounding import INT8
from quadriga.training.scored_races import FORECASTING
from quadriga.training.value_learner import OWN_STEPS, ValueLearner
from quadriga.training.valuing import ValuePlan, ValueRun, learn_value
from quadriga.training.weights import critic_layers, hidden_of, policy_layers, shipped_weights, value_layers

GAME = games.load("chariots")
START = shipped_weights(GAME)
FILES = {"training.json", CHECKPOINT, WEIGHTS, LOG, "progress.svg"}
PLAN = ValuePlan("chariots", 0.1, 64, 2000, 64, str(START), (32, 16), rules_version=GAME.meta.rules_version)


@pytest.fixture(autouse=True)
def short_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(1)
    monkeypatch.setattr(value_learner, "WIDE", (64, 32))
    monkeypatch.setattr(timed_run, "time", SimpleNamespace(monotonic=time.process_time))


def run(folder: Path, resume: bool = False, **changed: Any) -> list[str]:
    """A short run; what it told."""
    told: list[str] = []
    plan = msgspec.structs.replace(PLAN, **changed)
    assert learn_value(plan, folder, resume, "cpu", told.append) == folder / WEIGHTS
    return told


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_run_keeps_its_files_and_makes_a_value_network_beside_the_others(tmp_path: Path) -> None:
    told = run(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == FILES
    assert read_lines(tmp_path / LOG) == [json.loads(line) for line in told]
    figures = {"seconds", "races", "positions", "steps", "learnt", "wide", "own", "brier", "ece"}
    assert figures == json.loads(told[-1]).keys()
    networks = read_weights(GAME, tmp_path / WEIGHTS)
    assert (networks.value.is_there, networks.policy.is_there, networks.critic.is_there) == (True, True, True)
    assert hidden_of(value_layers(tmp_path / WEIGHTS)) == (32, 16)
    assert np.abs(value_layers(tmp_path / WEIGHTS)[0][0]).max() == INT8
    for layers_of in (policy_layers, critic_layers):
        kept, before = layers_of(tmp_path / WEIGHTS), layers_of(START)
        assert kept
        assert before
        assert [array.tobytes() for layer in kept for array in layer] == [
            array.tobytes() for layer in before for array in layer
        ]


def test_races_may_be_played_by_processes(tmp_path: Path) -> None:
    told = run(tmp_path, jobs=1)
    assert json.loads(told[-1])["positions"] > 0
    assert not multiprocessing.active_children()


def test_the_command_trains_and_names_the_weights(tmp_path: Path) -> None:
    sizes = "--races 64 --positions 2000 --batch 64 --hidden 32 16 --largest-weight 31 --minutes 0.05 --device cpu"
    words = ["train-value", "chariots", "--folder", str(tmp_path / "run"), *sizes.split()]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0
    assert done.output.splitlines()[-1] == str(tmp_path / "run" / WEIGHTS)
    assert np.abs(read_weights(GAME, tmp_path / "run" / WEIGHTS).value.weights_1).max() == 31
    assert "go on with --resume" in str(CliRunner().invoke(app, words).exception)


def test_a_run_that_was_broken_off_goes_on_with_other_races(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seeds, begin = list[str](), ValueLearner.begin_races

    def begin_noted(learner: ValueLearner, seed: str, jobs: int) -> None:
        seeds.append(seed)
        begin(learner, seed, jobs)

    monkeypatch.setattr(ValueLearner, "begin_races", begin_noted)
    monkeypatch.setattr(timed_run, "KEEP_SECONDS", 0)
    with monkeypatch.context() as patched:
        patched.setattr(ValueRun, "draw", interrupt)
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path, minutes=0.2)
    kept = read_arrays(tmp_path / CHECKPOINT)
    assert kept
    races = int(kept[1]["races"])
    assert races == PLAN.races
    with pytest.raises(InvalidOption, match="go on with --resume"):
        run(tmp_path)
    told = [json.loads(line) for line in run(tmp_path, resume=True, minutes=0.2)]
    assert seeds == ["0 0", f"0 {races}"]
    assert [line["races"] for line in told] == [PLAN.races * (n + 2) for n in range(len(told))]
    assert run(tmp_path, resume=True, minutes=0.2) == []


def test_networks_and_optimisers_come_back(tmp_path: Path) -> None:
    run(tmp_path)
    kept, learner = read_arrays(tmp_path / CHECKPOINT), ValueLearner(GAME, PLAN.hidden, PLAN.races, 2000, 1, "cpu")
    again = ValueRun(PLAN, GAME, learner, tmp_path, print)
    again.resume()
    assert kept
    assert again.arrays().keys() == kept[0].keys()
    assert all((value == kept[0][name]).all() for name, value in again.arrays().items())
    assert again.progress() == {name: kept[1][name] for name in ("races", "positions", "steps")}
    assert learner.done == 1


def test_both_networks_learn(tmp_path: Path) -> None:
    """They know more of races that they have not learnt from than that all places are as likely: that loses 1.117."""
    *_, last = (json.loads(line) for line in run(tmp_path, minutes=0.3))
    assert last["wide"] < 1.08
    assert last["own"] < 1.08


def test_what_is_said_of_a_later_position_stands_for_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """With full trust a result changes nothing, unless the race is over before."""
    monkeypatch.setattr(value_learner, "TRUST", 1.0)
    rows = torch.randint(-256, 257, (40, 570), dtype=torch.int16, generator=torch.Generator().manual_seed(1))
    changed = []
    for goes_on in (True, False):
        models = []
        for winner in (0, 1):
            learner = ValueLearner(GAME, (32, 16), 64, 2000, 1, "cpu")
            learner.done = 1.0
            places = torch.tensor([[winner, 1 - winner, -1, -1]], dtype=torch.int8).repeat(20, 1)
            learner._step(Examples(rows[:20], places, rows[20:], torch.full((20,), goes_on)), torch.ones(20))
            models.append(learner.wide)
        changed.append(not torch.equal(models[0][0].weight, models[1][0].weight))
    assert changed == [False, True]


def test_what_others_learn_from_is_a_mean_of_the_wide_network() -> None:
    """The network that is shipped takes several small steps for one of the wide network."""
    learner = ValueLearner(GAME, (32, 16), 64, 2000, 1, "cpu")
    learner.begin_races("a")
    found = []
    for _ in range(3):
        learner.learn(64)
        found.append((learner.steps, learner.wide[0].bias.detach().clone(), learner.mean[0].bias.detach().clone()))
    steps, newest, mean = found[-1]
    assert steps > found[0][0] > 0
    assert not torch.equal(newest, mean)
    wide, own = (optimizer.state_dict()["state"][0]["step"] for optimizer in learner.optimizers)
    assert (wide, own) == (steps, OWN_STEPS * steps)
    assert (newest - mean).abs().max() < 0.2


def test_a_gpu_whose_memory_is_spent_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(*_: object) -> None:
        raise torch.cuda.OutOfMemoryError

    monkeypatch.setattr(ValueLearner, "learn", run_out)
    with pytest.raises(InvalidOption, match="memory is too small: go on with fewer --races in another folder"):
        run(tmp_path)


def test_a_pool_holds_the_newest_positions() -> None:
    pool, numbers = Pool(10, 1, 2, "cpu"), torch.arange(64, dtype=torch.int16)
    for first, count in ((0, 4), (4, 4), (8, 5), (13, 30)):
        rows, places = numbers[first : first + count, None], torch.zeros(count, 2, dtype=torch.int8)
        pool.add(Examples(rows, places, 100 + rows, rows[:, 0] % 2 == 0))
        last = first + count
        assert pool.count == min(10, last)
        assert set(pool.draw(500).rows[:, 0].tolist()) == set(range(max(0, last - 10), last))
    drawn = pool.draw(1000)
    assert set(drawn.rows[:, 0].tolist()) == set(range(33, 43))
    assert drawn.places.shape == (1000, 2)
    assert torch.equal(drawn.later, 100 + drawn.rows)
    assert torch.equal(drawn.goes_on, drawn.rows[:, 0] % 2 == 0)


def test_what_is_tested_is_of_the_newest_races_in_their_shares() -> None:
    learner = ValueLearner(GAME, (32, 16), 100, 2000, 1, "cpu")
    learner.begin_races("a")
    count = learner.learn(64)["learnt"]
    rows, places, sources = learner.tested()
    assert len(rows) == len(places) == count == learner.supplies[0].pool.count
    assert np.bincount(sources, minlength=4).min() > 0.1 * len(rows)


def test_each_supply_is_drawn_from_as_its_share_says_but_not_too_often() -> None:
    quick, slow = (Supply(GAME, 100, 2000, "a", "cpu", 0, chosen) for chosen in ([1, 3], FORECASTING))
    assert (quick.share, slow.share) == (0.55, 0.45)
    for supply in (quick, slow):
        played = supply.play(wait=True)
        assert played
        assert set(played.sources.tolist()) <= {1, 3} if supply is quick else set(FORECASTING)
        supply.add(played)
    examples, weights = draw_from([quick, slow], 100)
    assert {len(part) for part in (*examples, weights)} == {100}
    assert (quick.drawn, slow.drawn) == (55, 45)
    assert weights.tolist() == [1] * 100
    slow.drawn = MOST_USES * slow.added - 15
    _, weights = draw_from([quick, slow], 100)
    assert weights.unique(return_counts=True)[1].tolist() == [85, 15]
    assert weights.max() == 3
    _, weights = draw_from([quick, slow], 100)
    assert slow.left == 0
    assert len(weights) == 100


def test_processes_give_what_they_have_played_without_being_waited_for() -> None:
    races = ParallelScoredRaces(GAME, 2 * PARTS, "a", 1)
    try:
        first, taken, ends = races.play(), 0, time.monotonic() + 120
        while taken < 2 * PARTS and time.monotonic() < ends:
            found = races.take_played()
            taken += len(found.sources) if found else 0
        assert taken >= 2 * PARTS == len(first.sources)
    finally:
        races.close()
