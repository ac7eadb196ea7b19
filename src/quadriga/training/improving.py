"""Expert iteration in a folder: search judges choices of races by the policy, the policy learns from that, and so on.

Everything is kept as soon as it is known, so that a run that was killed goes on where it was.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from quadriga import games
from quadriga.bots.network import Layers, Networks, read_weights
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.training.folders import claim
from quadriga.training.learning import WEIGHTS, Trainer, place_learning, save_weights
from quadriga.training.plots import draw_folder
from quadriga.training.policy_task import ImprovementTask
from quadriga.training.processes import in_processes
from quadriga.training.searched import record_searched_to
from quadriga.training.strength import keep_strength
from quadriga.training.weights import critic_layers, file_sharpness, policy_layers, value_layers

MOST_POSITIONS = 250_000
"""In a file."""

Tell = Callable[[str], object]


class ImprovementPlan(Struct, frozen=True):
    """What a folder is for."""

    game: str
    rounds: int
    """Policies, one after the other; each judges choices for the next."""
    files: int
    """Files of judged choices for each round."""
    seconds: float
    """Races for each file."""
    epochs: int
    start: str
    """Weights that the first round begins with."""
    seed: int = 0
    races: int = 100
    """After each round: against the weights it began with."""
    rules_version: int = 0


@dataclass(frozen=True)
class Job:
    """A file of judged choices to make."""

    plan: ImprovementPlan
    file: Path
    weights: Path


def improve(
    plan: ImprovementPlan, folder: Path, resume: bool, jobs: int, device: str = "auto", tell: Tell = print
) -> Path:
    """Run a plan to its end; the weights of the last round."""
    game, newest = games.load(plan.game), Path(plan.start)
    _complete_networks(game, newest)
    place_learning(device, 0)
    claim(plan, folder, resume)
    for number in range(1, plan.rounds + 1):
        own = folder / f"round-{number}"
        own.mkdir(exist_ok=True)
        files = [own / f"choices-{n:03}.npz" for n in range(plan.files)]
        missing = [Job(plan, file, newest) for file in files if not file.exists()]
        for file, count in in_processes(record_job, missing, jobs) if missing else ():
            tell(f"{file}: {count} positions")
        if not (own / WEIGHTS).exists():
            _learn(game, newest, Trainer(game, ImprovementTask(_policy(newest)), own, files, device, tell), plan.epochs)
        newest = own / WEIGHTS
        keep_strength(folder, number, game, newest, plan.races, plan.seed, Path(plan.start), tell)
        draw_folder(folder, "the first networks")
    return newest


def _complete_networks(game: Game, file: Path) -> Networks:
    networks = read_weights(game, file)
    if not (networks.policy.is_there and networks.critic.is_there):
        raise InvalidOption(f"{file} holds no policy with a critic: train them with quadriga reinforce")
    return networks


def _policy(file: Path) -> Layers:
    layers = policy_layers(file)
    assert layers is not None, f"{file} was read before"
    return layers


def record_job(job: Job) -> tuple[str, int]:
    """Make one file of judged choices."""
    game, plan = games.load(job.plan.game), job.plan
    seed = f"{plan.seed} {job.file.parent.name} {job.file.name}"
    networks = _complete_networks(game, job.weights)
    return str(job.file), record_searched_to(job.file, game, seed, plan.seconds, MOST_POSITIONS, networks)


def _learn(game: Game, newest: Path, trainer: Trainer, epochs: int) -> None:
    """Train a round's policy and keep it with the other networks as they were."""
    trainer.start = _policy(newest)
    policy = trainer.train(epochs)
    save_weights(
        trainer.folder / WEIGHTS, game, value_layers(newest), policy, file_sharpness(newest), critic_layers(newest)
    )  # fmt: skip
