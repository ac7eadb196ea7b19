"""A training run in a folder: positions by self-play, a network from them, then positions by search with that network.

Everything is kept as soon as it is known, so that a run that was killed goes on where it was.
"""

import multiprocessing
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec import Struct

from quadriga import games
from quadriga.bots.network import Network, read_network
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.training.learning import WEIGHTS, Trainer, torch_module
from quadriga.training.selfplay import record_to

PLAN = "training.json"
MOST_POSITIONS = 400_000
"""In a file."""


class Plan(Struct, frozen=True):
    """What a folder is for."""

    game: str
    rounds: int
    """Networks that are trained one after the other; the first learns from the veteran's races."""
    files: int
    """Files of positions for each round."""
    seconds: float
    """Self-play for each file."""
    epochs: int
    seed: int = 0


@dataclass(frozen=True)
class Job:
    """A file of positions to make."""

    plan: Plan
    file: Path
    weights: Path | None


def train(plan: Plan, folder: Path, resume: bool, jobs: int, progress: Callable[[str], object] = print) -> Path:
    """Run a plan to its end; the weights of the last round."""
    torch_module()
    game = games.load(plan.game)
    _claim(plan, folder, resume)
    weights: Path | None = None
    for number in range(1, plan.rounds + 1):
        own = folder / f"round-{number}"
        own.mkdir(exist_ok=True)
        _record(plan, own, weights, jobs, progress)
        if not (own / WEIGHTS).exists():
            Trainer(game, own, sorted(folder.glob("round-*/positions-*.npz"))).train(plan.epochs, progress)
        weights = own / WEIGHTS
    assert weights is not None
    return weights


def _claim(plan: Plan, folder: Path, resume: bool) -> None:
    """Make the folder this plan's, or raise InvalidOption."""
    folder.mkdir(parents=True, exist_ok=True)
    told = folder / PLAN
    if not told.exists():
        told.write_bytes(msgspec.json.encode(plan))
    elif not resume:
        raise InvalidOption(f"{folder} holds a training run: go on with --resume, or name another folder")
    elif told.read_bytes() != msgspec.json.encode(plan):
        raise InvalidOption(f"{folder} holds another training run: {told.read_text(encoding='utf-8')}")


def _record(plan: Plan, own: Path, weights: Path | None, jobs: int, progress: Callable[[str], object]) -> None:
    """Make the files of positions that are not there yet, in processes of their own."""
    files = [own / f"positions-{n:03}.npz" for n in range(plan.files)]
    todo = [Job(plan, file, weights) for file in files if not file.exists()]
    if not todo:
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(min(jobs or os.cpu_count() or 1, len(todo))) as pool:
        for file, count in pool.imap_unordered(record_job, todo):
            progress(f"{file}: {count} positions")


def record_job(job: Job) -> tuple[str, int]:
    """Make one file of positions."""
    game = games.load(job.plan.game)
    network = read_weights(game, job.weights) if job.weights else None
    seed = f"{job.plan.seed} {job.file.parent.name} {job.file.name}"
    return str(job.file), record_to(job.file, game, seed, job.plan.seconds, MOST_POSITIONS, network)


def read_weights(game: Game, file: Path) -> Network:
    """The network of a file."""
    with file.open("rb") as body:
        return read_network(game, body)
