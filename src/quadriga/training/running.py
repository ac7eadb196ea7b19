"""A training run in a folder: positions by self-play, a value network from them, then positions by search with the
networks so far, and so on; in the end choices that are judged by playouts, and a policy network from them.

Everything is kept as soon as it is known, so that a run that was killed goes on where it was.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from msgspec import Struct

from quadriga import games
from quadriga.bots.network import read_weights
from quadriga.core.game import Game
from quadriga.training.choices import record_choices_to
from quadriga.training.folders import claim
from quadriga.training.learning import WEIGHTS, Trainer, place_learning, save_weights
from quadriga.training.plots import draw_folder
from quadriga.training.policy_task import PolicyTask
from quadriga.training.processes import in_processes
from quadriga.training.selfplay import SOURCES, Recorder, Source, record_to
from quadriga.training.strength import keep_strength
from quadriga.training.value_task import ValueTask, train_value
from quadriga.training.weights import file_sharpness, value_layers

MOST_POSITIONS = 250_000
"""In a file."""
SEARCH, QUICK, VETERAN, GREEDY = SOURCES
PATTERN = (VETERAN, SEARCH, GREEDY, SEARCH, QUICK, VETERAN, SEARCH, GREEDY)
"""Who plays for the files of a round, again and again; searches take longest."""

POSITIONS, CHOICES = "positions", "choices"
CHOICE_SECONDS = 2
"""Choices take longer to judge: their files get so many times the seconds of the others."""


class Plan(Struct, frozen=True):
    """What a folder is for."""

    game: str
    rounds: int
    """Value networks that are trained one after the other; without `start` the first learns from races by scores."""
    files: int
    """Files of positions for each round."""
    seconds: float
    """Self-play for each file."""
    epochs: int
    seed: int = 0
    races: int = 100
    """Against searcher, after each round."""
    rules_version: int = 0
    start: str = ""
    """Weights that the first round plays by search with."""


@dataclass(frozen=True)
class Job:
    """A file of positions to make."""

    plan: Plan
    kind: str
    """POSITIONS or CHOICES."""
    file: Path
    weights: tuple[Path, ...]
    """Networks to play with by search, the newest last."""


def train(
    plan: Plan, folder: Path, resume: bool, jobs: int, device: str = "auto", progress: Callable[[str], object] = print
) -> Path:
    """Run a plan to its end; the weights of the last round."""
    game, league = games.load(plan.game), [Path(plan.start)] if plan.start else []
    for file in league:
        read_weights(game, file)
    place_learning(device, 0)
    claim(plan, folder, resume)
    for number in range(1, plan.rounds + 1):
        own = folder / f"round-{number}"
        _record(plan, POSITIONS, own, tuple(league), jobs, progress)
        if not (own / WEIGHTS).exists():
            files = sorted(folder.glob(f"round-*/{POSITIONS}-*.npz"))
            value, sharpness = train_value(Trainer(game, ValueTask(), own, files, device, progress), plan.epochs)
            save_weights(own / WEIGHTS, game, value, sharpness=sharpness)
        league.append(own / WEIGHTS)
        _measure(plan, game, folder, number, league[-1], progress)
    return _train_policy(plan, game, folder, league[-1], jobs, device, progress)


def _train_policy(
    plan: Plan, game: Game, folder: Path, value: Path, jobs: int, device: str, progress: Callable[[str], object]
) -> Path:
    """Train the policy network on choices that the value network judged; a file with both."""
    own = folder / CHOICES
    _record(plan, CHOICES, own, (value,), jobs, progress)
    weights = own / WEIGHTS
    if not weights.exists():
        files = sorted(own.glob(f"{CHOICES}-*.npz"))
        policy = Trainer(game, PolicyTask(), own, files, device, progress).train(plan.epochs)
        save_weights(weights, game, value_layers(value), policy, file_sharpness(value))
    _measure(plan, game, folder, plan.rounds + 1, weights, progress)
    return weights


def _measure(
    plan: Plan, game: Game, folder: Path, number: int, weights: Path, progress: Callable[[str], object]
) -> None:
    """Keep how well the network of a round plays, and draw the run so far."""
    keep_strength(folder, number, game, weights, plan.races, plan.seed, None, progress)
    draw_folder(folder, "searcher")


def _record(
    plan: Plan, kind: str, own: Path, weights: tuple[Path, ...], jobs: int, progress: Callable[[str], object]
) -> None:
    """Make the files of examples that are not there yet, in processes of their own."""
    own.mkdir(exist_ok=True)
    files = [own / f"{kind}-{n:03}.npz" for n in range(plan.files)]
    todo = [Job(plan, kind, file, weights) for file in files if not file.exists()]
    if not todo:
        return
    for file, count in in_processes(record_job, todo, jobs):
        progress(f"{file}: {count} positions")


def record_job(job: Job) -> tuple[str, int]:
    """Make one file of examples."""
    plan, game = job.plan, games.load(job.plan.game)
    networks = [read_weights(game, file).value for file in job.weights]
    seed = f"{plan.seed} {job.file.parent.name} {job.file.name}"
    if job.kind == CHOICES:
        return str(job.file), record_choices_to(
            job.file, game, seed, CHOICE_SECONDS * plan.seconds, MOST_POSITIONS, networks[-1]
        )
    recorder = Recorder(game, seed, source_of(job), networks)
    return str(job.file), record_to(job.file, recorder, plan.seconds, MOST_POSITIONS)


def source_of(job: Job) -> Source:
    """Who plays for a file, by its number; without a network nobody searches."""
    found = PATTERN[int(job.file.stem.rpartition("-")[2]) % len(PATTERN)]
    return VETERAN if found.searching and not job.weights else found
