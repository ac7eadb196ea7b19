"""A run of reinforcement learning in a folder: networks that go on learning by racing (training/actor_critic.py).

Everything is kept every few seconds, so that a run that was killed goes on where it was.
"""

import json
import time
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from msgspec import Struct

from quadriga import games
from quadriga.bots.network import layout_of, read_weights
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.training.actor_critic import AGAINST_BOTS, EXPLOITING, STEPS, Learner, Start, shares_with
from quadriga.training.checkpoints import read_arrays, with_prefix, without_prefix, write_arrays
from quadriga.training.folders import claim
from quadriga.training.learning import (
    CHECKPOINT,
    WEIGHTS,
    place_learning,
    quantise,
    save_weights,
    torch_module,
)
from quadriga.training.plots import LOG, PLOT, draw_learning, read_lines
from quadriga.training.weights import critic_layers, file_sharpness, policy_layers, value_layers

KEEP_SECONDS = 20.0
"""Between two checkpoints."""
MEMBERS = 12
"""Networks that join the league in a run."""
DECISION_BYTES = 8 << 10
"""Memory that a decision takes until it has been learnt from."""
BEFORE = "weights-before.npz"
CRITIC_HIDDEN = (512, 64)

Tell = Callable[[str], object]
T = TypeVar("T")


class ReinforcementPlan(Struct, frozen=True):
    """What a folder is for."""

    game: str
    minutes: float
    """Of learning, in all."""
    races: int
    """Races at once."""
    batch: int
    """Decisions for one step of the optimisers."""
    start: str
    """Weights that the networks begin with."""
    exploiting: bool = False
    """Whether all races are against the networks it began with, which stay as they are."""
    seed: int = 0
    rules_version: int = 0
    critic_hidden: tuple[int, int] = CRITIC_HIDDEN
    """Widths of the critic."""
    bots: float = AGAINST_BOTS
    """The part of the races in which the rivals are bots; an exploiter has none."""


def reinforce(plan: ReinforcementPlan, folder: Path, resume: bool, device: str = "auto", tell: Tell = print) -> Path:
    """Run a plan to its end; the weights."""
    game, start = games.load(plan.game), Path(plan.start)
    read_weights(game, start)
    policy, critic = policy_layers(start), critic_layers(start) or value_layers(start)
    if policy is None:
        raise InvalidOption(f"{start} holds no policy network: train one with quadriga train")
    placed = place_learning(device, plan.races * STEPS * DECISION_BYTES, tell)
    if placed == "cuda":
        require_gpu_for_races()
    claim(plan, folder, resume)
    began, shares = Start(policy, critic, plan.critic_hidden), EXPLOITING if plan.exploiting else shares_with(plan.bots)
    learner = within_memory(lambda: Learner(game, began, plan.races, plan.seed, placed, shares))
    run = Run(plan, game, learner, folder, tell)
    run.resume()
    return run.learn()


def require_gpu_for_races() -> None:
    """Raise InvalidOption where Numba, which plays the races, finds no GPU; PyTorch may find one all the same."""
    from quadriga.core.gpu import require_gpu

    require_gpu()


def within_memory(work: Callable[[], T]) -> T:
    """What is made or learnt, or InvalidOption where the GPU's memory does not do; what was kept before is there."""
    try:
        return work()
    except torch_module().cuda.OutOfMemoryError:
        raise InvalidOption("the GPU's memory is too small: go on with fewer --races in another folder") from None


class Run:
    """A learner and its folder."""

    def __init__(self, plan: ReinforcementPlan, game: Game, learner: Learner, folder: Path, tell: Tell) -> None:
        self.plan, self.game, self.learner, self.folder, self.tell = plan, game, learner, folder, tell
        self.seconds, self.decisions, self.joined = 0.0, 0, 0

    def learn(self) -> Path:
        """Learn until the time is over; the weights.

        Races are drawn by the seed and by how many decisions were made: a run that goes on does not repeat its races.
        """
        kept = time.monotonic()
        if self.learner.done < 1:
            within_memory(lambda: self.learner.begin_races(f"{self.plan.seed} {self.decisions}"))
        while self.learner.done < 1:
            figures = within_memory(self._learn_once)
            if time.monotonic() - kept > KEEP_SECONDS or self.learner.done >= 1:
                self.keep(figures)
                kept = time.monotonic()
        return self.folder / WEIGHTS

    def _learn_once(self) -> dict[str, float]:
        began, learner = time.monotonic(), self.learner
        figures = learner.learn(learner.collect(), self.plan.batch)
        self.decisions += self.plan.races * STEPS
        self.seconds += time.monotonic() - began
        learner.done = min(1.0, self.seconds / (60 * self.plan.minutes))
        if int(learner.done * MEMBERS) > self.joined:
            self.joined += 1
            learner.join_league()
        return figures

    def keep(self, figures: dict[str, float]) -> None:
        """Write the weights, the checkpoint, a line of figures and the picture.

        The checkpoint says how far the run is: what must be there by then is written before.
        """
        self._save_weights()
        write_arrays(self.folder / CHECKPOINT, self._arrays(), self._facts() | self._progress())
        told = {"seconds": round(self.seconds), "decisions": self.decisions} | figures | self.learner.take_shares()
        with (self.folder / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(told) + "\n")
        (self.folder / PLOT).write_text(draw_learning(read_lines(self.folder / LOG)), encoding="utf-8")
        self.tell(json.dumps(told))

    def _save_weights(self) -> None:
        """Policy and critic as they are, with the value network that the run began with."""
        start, policy, critic = Path(self.plan.start), quantise(self.learner.policy), quantise(self.learner.critic)
        save_weights(
            self.folder / WEIGHTS, self.game, value_layers(start), policy, file_sharpness(start), critic
        )  # fmt: skip

    def _facts(self) -> dict[str, Any]:
        """What a checkpoint must agree with."""
        return {"rules_version": self.game.meta.rules_version, "layout": layout_of(self.game)}

    def _progress(self) -> dict[str, Any]:
        """How far the run is."""
        return {"seconds": self.seconds, "decisions": self.decisions, "lengths": self.learner.lengths.tolist()}

    def _arrays(self) -> dict[str, Any]:
        """Networks, earlier networks and optimisers as arrays."""
        learner, arrays = self.learner, dict[str, Any]()
        for name, model in (("policy", learner.policy), ("critic", learner.critic)):
            arrays |= with_prefix(name, {key: value.cpu().numpy() for key, value in model.state_dict().items()})
        for number, model in enumerate(learner.league):
            arrays |= with_prefix(f"league-{number}", {key: v.cpu().numpy() for key, v in model.state_dict().items()})
        for number, optimizer in enumerate(learner.optimizers):
            for at, state in optimizer.state_dict()["state"].items():
                moments = {f"{at}.{key}": value.cpu().numpy() for key, value in state.items()}
                arrays |= with_prefix(f"optimizer-{number}", moments)
        return arrays

    def resume(self) -> None:
        """Go on from the checkpoint that lies in the folder."""
        kept = read_arrays(self.folder / CHECKPOINT)
        if kept is None:
            self._set_weights_aside()
            return
        arrays, facts = kept
        if {name: facts.get(name) for name in self._facts()} != self._facts():
            raise InvalidOption(
                f"{self.folder / CHECKPOINT} belongs to other rules of {self.game.meta.title}: name another folder"
            )
        self._load(arrays)
        self.seconds, self.decisions = float(facts["seconds"]), int(facts.get("decisions", 0))
        self.learner.lengths += torch_module().tensor(facts.get("lengths", (0, 0)), device=self.learner.device)
        self.learner.done = min(1.0, self.seconds / (60 * self.plan.minutes))
        self.joined = int(self.learner.done * MEMBERS)

    def _set_weights_aside(self) -> None:
        """A run that has lost its checkpoint starts anew; what it had learnt stays beside."""
        if (self.folder / WEIGHTS).exists():
            (self.folder / WEIGHTS).replace(self.folder / BEFORE)
            self.tell(f"the weights so far are kept as {self.folder / BEFORE}")

    def _load(self, arrays: dict[str, Any]) -> None:
        torch, learner = torch_module(), self.learner
        tensors: Any = {name: torch.from_numpy(np.asarray(value)) for name, value in arrays.items()}
        learner.policy.load_state_dict(without_prefix("policy", tensors))
        learner.critic.load_state_dict(without_prefix("critic", tensors))
        for number in range(len({name.partition(".")[0] for name in arrays if name.startswith("league-")})):
            learner.league.append(deepcopy(learner.policy))
            learner.league[-1].load_state_dict(without_prefix(f"league-{number}", tensors))
        for number, optimizer in enumerate(learner.optimizers):
            state: dict[int, dict[str, Any]] = {}
            for name, value in without_prefix(f"optimizer-{number}", tensors).items():
                at, _, kind = name.partition(".")
                state.setdefault(int(at), {})[kind] = value
            optimizer.load_state_dict(optimizer.state_dict() | {"state": state})
