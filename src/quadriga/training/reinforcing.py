"""A run of reinforcement learning in a folder: networks that go on learning by racing (training/actor_critic.py)."""

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from msgspec import Struct

from quadriga import games
from quadriga.bots.network import read_weights
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.training.actor_critic import AGAINST_BOTS, EXPLOITING, STEPS, Learner, Start, shares_with
from quadriga.training.checkpoints import Arrays
from quadriga.training.folders import claim
from quadriga.training.learning import WEIGHTS, place_learning, quantise, save_weights, torch_module
from quadriga.training.plots import draw_learning
from quadriga.training.timed_run import Lines, Tell, TimedRun, require_gpu_for_races, within_memory
from quadriga.training.weights import critic_layers, file_sharpness, policy_layers, value_layers

MEMBERS = 12
"""Networks that join the league in a run."""
DECISION_BYTES = 8 << 10
"""Memory that a decision takes until it has been learnt from."""
CRITIC_HIDDEN = (512, 64)


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


class Run(TimedRun):
    """A learner and its folder.

    Races are drawn by the seed and by how many decisions were made: a run that goes on does not repeat its races.
    """

    def __init__(self, plan: ReinforcementPlan, game: Game, learner: Learner, folder: Path, tell: Tell) -> None:
        super().__init__(game, plan.minutes, folder, tell)
        self.plan, self.learner, self.decisions, self.joined = plan, learner, 0, 0

    def begin(self) -> None:
        self.learner.begin_races(f"{self.plan.seed} {self.decisions}")

    def learn_once(self) -> dict[str, Any]:
        learner = self.learner
        learner.done = self.done
        if int(learner.done * MEMBERS) > self.joined:
            self.joined += 1
            learner.join_league()
        figures = learner.learn(learner.collect(), self.plan.batch)
        self.decisions += self.plan.races * STEPS
        return {"decisions": self.decisions} | figures

    def save_weights(self) -> dict[str, Any]:
        """Policy and critic as they are, with the value network that the run began with."""
        start, policy, critic = Path(self.plan.start), quantise(self.learner.policy), quantise(self.learner.critic)
        save_weights(self.folder / WEIGHTS, self.game, value_layers(start), policy, file_sharpness(start), critic)
        return self.learner.take_shares()

    def draw(self, lines: Lines) -> str:
        return draw_learning(lines)

    def progress(self) -> dict[str, Any]:
        return {"decisions": self.decisions, "lengths": self.learner.lengths.tolist()}

    def load_progress(self, facts: dict[str, Any]) -> None:
        self.decisions = int(facts.get("decisions", 0))
        self.learner.lengths += torch_module().tensor(facts.get("lengths", (0, 0)), device=self.learner.device)
        self.learner.done, self.joined = self.done, int(self.done * MEMBERS)

    def models(self) -> dict[str, Any]:
        """The networks, and earlier ones."""
        learner = self.learner
        earlier = {f"league-{number}": model for number, model in enumerate(learner.league)}
        return {"policy": learner.policy, "critic": learner.critic} | earlier

    def optimizers(self) -> Sequence[Any]:
        return self.learner.optimizers

    def load(self, arrays: Arrays) -> None:
        """The same, with as many earlier networks as there were."""
        earlier = {name.partition(".")[0] for name in arrays if name.startswith("league-")}
        self.learner.league += [deepcopy(self.learner.policy) for _ in earlier]
        super().load(arrays)
