"""Short runs of `quadriga reinforce`, killed and resumed. Needs PyTorch: test_with_torch.py runs it.

Their time is that of one core, so that they learn as much on a busy machine.
"""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import msgspec
import pytest
import torch

from quadriga import games
from quadriga.bots.guided import play_out_guided
from quadriga.bots.network import read_weights
from quadriga.bots.search import Champion
from quadriga.core.errors import InvalidOption
from quadriga.training import reinforcing, timed_run
from quadriga.training.actor_critic import LEAGUE, STEPS, Learner
from quadriga.training.checkpoints import read_arrays
from quadriga.training.learning import CHECKPOINT, WEIGHTS, quantise
from quadriga.training.plots import LOG, read_lines
from quadriga.training.reinforcing import ReinforcementPlan, Run, reinforce
from quadriga.training.timed_run import BEFORE
from quadriga.training.weights import policy_layers, shipped_weights, value_layers
from tests.bots.policies import first_decision
from tests.training.torch_actor_critic import make_learner

GAME = games.load("chariots")
FILES = {"training.json", CHECKPOINT, WEIGHTS, LOG, "progress.svg"}
OPTIONS = ("reinforce", "chariots", "--minutes", "0.05", "--races", "64", "--batch", "256", "--device", "cpu")
COMMAND = (
    "import time, torch, types; from quadriga.cli import main; from quadriga.training import timed_run as r;"
    "torch.set_num_threads(1); r.time = types.SimpleNamespace(monotonic=time.process_time);"
)
"""The command line, but for a call of `main()`."""
EAGER = COMMAND + "r.KEEP_SECONDS = 0; main()"
"""The command line, which keeps what was learnt after every lesson."""
PLAN = ReinforcementPlan("chariots", 0.02, 32, 256, str(shipped_weights(GAME)), rules_version=GAME.meta.rules_version)


@pytest.fixture(autouse=True)
def time_of_one_core(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(1)
    monkeypatch.setattr(timed_run, "time", SimpleNamespace(monotonic=time.process_time))


def command(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """The command of a short run, to its end."""
    words = [sys.executable, "-c", COMMAND + "main()", *OPTIONS, "--folder", str(folder), *more]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def run(folder: Path, resume: bool = False, **changed: Any) -> list[str]:
    """A still shorter run in this process; what it told."""
    told: list[str] = []
    plan = msgspec.structs.replace(PLAN, **changed)
    assert reinforce(plan, folder, resume, "cpu", told.append) == folder / WEIGHTS
    return told


def policy_weights(file: Path) -> Any:
    """The weights of the first layer."""
    layers = policy_layers(file)
    assert layers
    return layers[0][0]


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_run_keeps_its_files_and_champion_plays_with_what_it_learnt(tmp_path: Path) -> None:
    done = command(tmp_path / "run")
    assert (done.returncode, done.stderr) == (0, "")
    *lines, last = done.stdout.splitlines()
    weights = tmp_path / "run" / WEIGHTS
    assert last == str(weights)
    assert {path.name for path in weights.parent.iterdir()} == FILES
    assert read_lines(weights.parent / LOG) == [json.loads(line) for line in lines]
    assert {"seconds", "decisions", "entropy", "critic_loss", "against_first", "against_bots"} <= json.loads(
        lines[-1]
    ).keys()
    assert (policy_weights(weights) != policy_weights(shipped_weights(GAME))).any()
    assert (value_layers(weights)[0][0] == value_layers(shipped_weights(GAME))[0][0]).all()
    champion, (state, seat) = Champion(GAME, 0, iterations=24), first_decision(GAME)
    champion.use(read_weights(GAME, weights))
    choices = GAME.legal_actions(state, seat)
    assert champion.choose(GAME.view(state, seat), seat, choices) in choices
    assert champion.ways[0].play_out is play_out_guided


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    words = [sys.executable, "-u", "-c", EAGER, *OPTIONS, "--folder", str(tmp_path / "run")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        kept = [json.loads(process.stdout.readline()) for _ in range(3)]
        process.send_signal(signal.SIGKILL)
    before = read_lines(tmp_path / "run" / LOG)
    assert before[:3] == kept
    refused = command(tmp_path / "run")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert "go on with --resume" in refused.stderr
    done = command(tmp_path / "run", "--resume")
    assert (done.returncode, done.stderr) == (0, "")
    after = read_lines(tmp_path / "run" / LOG)
    assert after[: len(before)] == before
    assert len(after) == len(before) + 1
    assert after[-1]["decisions"] > before[-1]["decisions"]
    assert read_weights(GAME, tmp_path / "run" / WEIGHTS).critic.is_there


def test_a_run_that_is_over_is_left_as_it_is(tmp_path: Path) -> None:
    assert run(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert run(tmp_path, resume=True) == []
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_networks_earlier_ones_and_optimisers_come_back(tmp_path: Path) -> None:
    run(tmp_path, minutes=0.06)
    learner, kept = make_learner(), read_arrays(tmp_path / CHECKPOINT)
    again = Run(msgspec.structs.replace(PLAN, minutes=0.06), GAME, learner, tmp_path, print)
    again.resume()
    assert kept
    arrays, facts = kept
    assert {name.partition(".")[0] for name in arrays} >= {"policy", "critic", "league-7", "optimizer-0", "optimizer-1"}
    assert again.arrays().keys() == arrays.keys()
    assert all((value == arrays[name]).all() for name, value in again.arrays().items())
    assert again.seconds == facts["seconds"]
    assert again.progress() == {name: facts[name] for name in ("decisions", "lengths")}
    assert again.decisions >= facts["lengths"][0] > again.decisions / 2
    assert (learner.done, len(learner.league)) == (1.0, LEAGUE)


def test_a_run_that_goes_on_does_not_repeat_its_races(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It draws others, by the seed and by what was done so far."""
    seeds, begin = list[str](), Learner.begin_races

    def begin_noted(learner: Learner, seed: str) -> None:
        seeds.append(seed)
        begin(learner, seed)

    monkeypatch.setattr(Learner, "begin_races", begin_noted)
    monkeypatch.setattr(timed_run, "KEEP_SECONDS", 0)
    with monkeypatch.context() as patched:
        patched.setattr(reinforcing, "draw_learning", interrupt)
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path, minutes=0.05)
    run(tmp_path, resume=True, minutes=0.05)
    assert seeds == ["0 0", f"0 {PLAN.races * STEPS}"]


def test_a_half_written_checkpoint_is_set_aside_with_a_line_and_the_weights_are_kept(tmp_path: Path) -> None:
    run(tmp_path, minutes=0.05, races=64)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    (tmp_path / CHECKPOINT).write_bytes(before[CHECKPOINT][:1000])
    done = command(tmp_path, "--resume")
    assert (done.returncode, done.stderr) == (0, "")
    first, second, *_ = done.stdout.splitlines()
    assert "is set aside; training starts anew" in first
    assert second == f"the weights so far are kept as {tmp_path / BEFORE}"
    assert (tmp_path / "checkpoint.broken").read_bytes() == before[CHECKPOINT][:1000]
    assert (tmp_path / BEFORE).read_bytes() == before[WEIGHTS]
    assert (tmp_path / LOG).read_bytes().startswith(before[LOG])
    assert {path.name for path in tmp_path.iterdir()} == FILES | {"checkpoint.broken", BEFORE}


@pytest.mark.parametrize(
    ("module", "write"),
    [(reinforcing, "save_weights"), (timed_run, "write_arrays"), (reinforcing, "draw_learning")],
)
def test_a_run_that_is_killed_while_it_writes_ends_with_the_weights_of_its_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: ModuleType, write: str
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(module, write, interrupt)
        with pytest.raises(KeyboardInterrupt):
            run(tmp_path)
    run(tmp_path, resume=True)
    last = make_learner()
    Run(PLAN, GAME, last, tmp_path, print).resume()
    assert last.done == 1
    assert (policy_weights(tmp_path / WEIGHTS) == quantise(last.policy)[0][0]).all()


@pytest.mark.parametrize("broken", ["__init__", "collect", "learn"])
def test_a_gpu_whose_memory_is_spent_is_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    def run_out(*_: object) -> None:
        raise torch.cuda.OutOfMemoryError

    monkeypatch.setattr(Learner, broken, run_out)
    with pytest.raises(InvalidOption, match="memory is too small: go on with fewer --races in another folder"):
        run(tmp_path)


def test_a_folder_whose_plan_does_not_say_how_many_races_are_against_bots_goes_on(tmp_path: Path) -> None:
    run(tmp_path, minutes=0.02)
    told = json.loads((tmp_path / "training.json").read_text(encoding="utf-8"))
    assert told.pop("bots") == PLAN.bots
    (tmp_path / "training.json").write_text(json.dumps(told), encoding="utf-8")
    assert run(tmp_path, resume=True) == []


def test_races_against_bots_are_told_as_far_as_there_are_any(tmp_path: Path) -> None:
    told = [json.loads(line)["against_bots"]["all"]["races"] for line in run(tmp_path, bots=0.0, minutes=0.05)]
    assert sum(told) == 0
    assert PLAN.bots == 0.25


def test_an_exploiter_learns_too(tmp_path: Path) -> None:
    told = run(tmp_path, exploiting=True)
    assert json.loads(told[-1])["learnt"] < PLAN.races * STEPS
    assert read_weights(GAME, tmp_path / WEIGHTS).policy.is_there
    with pytest.raises(InvalidOption, match="holds another training run"):
        run(tmp_path, resume=True)
