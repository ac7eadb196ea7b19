"""A run in a folder in which a value network learns from very many races by scores (training/value_learner.py)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from quadriga import games
from quadriga.bots.network import observation_of, read_weights
from quadriga.core.game import Game
from quadriga.training.folders import claim
from quadriga.training.learning import WEIGHTS, place_learning, save_weights
from quadriga.training.plots import draw_valuing
from quadriga.training.rounding import INT8
from quadriga.training.timed_run import Lines, Tell, TimedRun, require_gpu_for_races, within_memory
from quadriga.training.value_learner import ValueLearner
from quadriga.training.value_task import HIDDEN
from quadriga.training.weights import critic_layers, policy_layers

UNIT_BYTES = 4
"""Of an input of a position, with what is seen some stretches later."""


class ValuePlan(Struct, frozen=True):
    """What a folder is for."""

    game: str
    minutes: float
    """Of playing and learning, in all."""
    races: int
    """In a batch."""
    positions: int
    """That are kept to learn from, at most."""
    batch: int
    """Positions for one step of the optimisers."""
    start: str
    """Weights whose policy and critic stay with the new value network."""
    hidden: tuple[int, int] = HIDDEN
    seed: int = 0
    rules_version: int = 0
    jobs: int = 0
    """Processes that play races; 0: the device plays all of them."""
    largest_weight: int = INT8
    """Of the network: smaller ones take less room in the file."""


def learn_value(plan: ValuePlan, folder: Path, resume: bool, device: str = "auto", tell: Tell = print) -> Path:
    """Run a plan to its end; the weights."""
    game = games.load(plan.game)
    read_weights(game, Path(plan.start))
    placed = place_learning(device, plan.positions * observation_of(game).inputs * UNIT_BYTES, tell)
    if placed == "cuda":
        require_gpu_for_races()
    claim(plan, folder, resume)
    learner = within_memory(
        lambda: ValueLearner(game, plan.hidden, plan.races, plan.positions, plan.seed, placed, plan.largest_weight)
    )
    run = ValueRun(plan, game, learner, folder, tell)
    run.resume()
    return run.learn()


class ValueRun(TimedRun):
    """A learner and its folder.

    Races are drawn by the seed and by how many were played. A run that goes on fills its pool of positions anew.
    """

    def __init__(self, plan: ValuePlan, game: Game, learner: ValueLearner, folder: Path, tell: Tell) -> None:
        super().__init__(game, plan.minutes, folder, tell)
        self.plan, self.learner, self.races, self.positions = plan, learner, 0, 0

    def begin(self) -> None:
        self.learner.begin_races(f"{self.plan.seed} {self.races}", self.plan.jobs)

    def end(self) -> None:
        self.learner.end_races()

    def learn_once(self) -> dict[str, Any]:
        self.learner.done = self.done
        figures = self.learner.learn(self.plan.batch)
        self.races += self.plan.races
        self.positions += figures["learnt"]
        return self.progress() | figures

    def save_weights(self) -> dict[str, Any]:
        """The value network as it is, with the policy and the critic that the run began with."""
        start, (value, sharpness, figures) = Path(self.plan.start), self.learner.layers()
        save_weights(
            self.folder / WEIGHTS, self.game, value, policy_layers(start), sharpness, critic_layers(start)
        )  # fmt: skip
        return figures

    def draw(self, lines: Lines) -> str:
        return draw_valuing(lines)

    def progress(self) -> dict[str, Any]:
        return {"races": self.races, "positions": self.positions, "steps": self.learner.steps}

    def load_progress(self, facts: dict[str, Any]) -> None:
        self.races, self.positions = int(facts["races"]), int(facts["positions"])
        self.learner.steps, self.learner.done = int(facts["steps"]), self.done

    def models(self) -> dict[str, Any]:
        return {"wide": self.learner.wide, "mean": self.learner.mean, "own": self.learner.own}

    def optimizers(self) -> Sequence[Any]:
        return self.learner.optimizers
