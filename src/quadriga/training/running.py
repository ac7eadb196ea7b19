"""A training run in a folder: positions by self-play, a value network from them, then positions by search with the
networks so far, and so on; in the end choices that are judged by playouts, and a policy network from them.

A run against weights trains an exploiter: in every race one seat has its newest network, and all others the weights.
Everything is kept as soon as it is known, so that a run that was killed goes on where it was.
"""

import json
import multiprocessing
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from quadriga import games
from quadriga.bots.network import POLICY, VALUE, Layers, Networks, read_layers, read_sharpness, read_weights
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.training.choices import record_choices_to
from quadriga.training.learning import (
    DEVICES,
    LOG,
    RATE,
    WEIGHTS,
    Trainer,
    choose_device,
    free_gpu_memory,
    save_weights,
    torch_module,
)
from quadriga.training.plots import draw_run, read_lines
from quadriga.training.policy_task import PolicyTask
from quadriga.training.selfplay import SOURCES, Recorder, Source, record_to
from quadriga.training.strength import measure_strength
from quadriga.training.value_task import ValueTask, train_value

PLAN, STRENGTH, PLOT = "training.json", "strength.jsonl", "progress.svg"
MOST_POSITIONS = 250_000
"""In a file."""
SEARCH, QUICK, VETERAN, GREEDY = SOURCES
PATTERN = (VETERAN, SEARCH, GREEDY, SEARCH, QUICK, VETERAN, SEARCH, GREEDY)
"""Who plays for the files of a round, again and again; searches take longest."""
EXPLOITING = 4
"""An exploiter learns in steps so many times smaller: it begins with what is known."""

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
    """After each round: against searcher, or against the weights to beat."""
    rules_version: int = 0
    start: str = ""
    """Weights that the first round plays by search with."""
    against: str = ""
    """Weights to learn to beat."""


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
    game, league = games.load(plan.game), [Path(file) for file in (plan.start, plan.against) if file]
    for file in league:
        read_weights(game, file)
    _check_device(device)
    _claim(plan, folder, resume)
    for number in range(1, plan.rounds + 1):
        own = folder / f"round-{number}"
        _record(plan, POSITIONS, own, tuple(league), jobs, progress)
        if not (own / WEIGHTS).exists():
            files = sorted(folder.glob(f"round-*/{POSITIONS}-*.npz"))
            _learn(plan, league, Trainer(game, ValueTask(), own, files, device, progress))
        league.append(own / WEIGHTS)
        _measure(plan, game, folder, number, league[-1], progress)
    return league[-1] if plan.against else _train_policy(plan, game, folder, league[-1], jobs, device, progress)


def _learn(plan: Plan, league: list[Path], trainer: Trainer) -> None:
    """Train a round's value network and keep it; an exploiter's begins with the newest and keeps the policy."""
    policy: Layers | None = None
    if plan.against:
        newest, policy = value_layers(league[-1]), policy_layers(league[-1])
        trainer.start, trainer.task = newest, ValueTask(_hidden(newest), rate=RATE / EXPLOITING)
        value, sharpness = trainer.train(plan.epochs), file_sharpness(league[-1])
    else:
        value, sharpness = train_value(trainer, plan.epochs)
    save_weights(trainer.folder / WEIGHTS, trainer.game, value, policy, sharpness)


def value_layers(file: Path) -> Layers:
    """The layers of a file's value network."""
    with np.load(file, allow_pickle=False) as kept:
        return read_layers(kept, VALUE)


def policy_layers(file: Path) -> Layers | None:
    """The layers of a file's policy network; None where there is none."""
    with np.load(file, allow_pickle=False) as kept:
        return read_layers(kept, POLICY) if f"{POLICY}weights_1" in kept else None


def file_sharpness(file: Path) -> NDArray[np.int32]:
    """How much a file's logits count at each number of seats."""
    with np.load(file, allow_pickle=False) as kept:
        return read_sharpness(kept)


def _hidden(layers: Layers) -> tuple[int, int]:
    return layers[0][0].shape[1], layers[1][0].shape[1]


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


def _check_device(device: str) -> None:
    """Refuse what cannot be trained on before anything is played."""
    if device not in DEVICES:
        raise InvalidOption(f"there is no device {device!r}; there are {', '.join(DEVICES)}")
    torch_module()
    choose_device(device, None if device == "cpu" else free_gpu_memory(), 0)


def _claim(plan: Plan, folder: Path, resume: bool) -> None:
    """Make the folder this plan's, or raise InvalidOption."""
    told = folder / PLAN
    if not told.exists():
        folder.mkdir(parents=True, exist_ok=True)
        beside = told.with_suffix(".part")
        beside.write_bytes(msgspec.json.encode(plan))
        beside.replace(told)
        return
    if not resume:
        raise InvalidOption(f"{folder} holds a training run: go on with --resume, or name another folder")
    try:
        before = msgspec.json.decode(told.read_bytes(), type=Plan)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise InvalidOption(f"{told} cannot be read: name another folder") from None
    if before.rules_version != plan.rules_version and before.game == plan.game:
        raise InvalidOption(
            f"{folder} belongs to rules version {before.rules_version} of {plan.game}, not to {plan.rules_version}: "
            "name another folder"
        )
    if before != plan:
        raise InvalidOption(f"{folder} holds another training run: {told.read_text(encoding='utf-8')}")


def _measure(
    plan: Plan, game: Game, folder: Path, number: int, weights: Path, progress: Callable[[str], object]
) -> None:
    """Keep how well the network of a round plays, unless it is known, and draw the run so far."""
    file = folder / STRENGTH
    if plan.races and all(line.get("round") != number for line in read_lines(file)):
        rival: Networks | None = read_weights(game, Path(plan.against)) if plan.against else None
        own = read_weights(game, weights)
        figures = {"round": number} | measure_strength(game, own, plan.races, plan.seed, rival)
        with file.open("a", encoding="utf-8") as log:
            log.write(json.dumps(figures) + "\n")
        progress(json.dumps(figures))
    logs = sorted(folder.glob(f"round-*/{LOG}"), key=lambda log: int(log.parent.name.partition("-")[2]))
    losses = [line for log in logs for line in read_lines(log)]
    (folder / PLOT).write_text(draw_run(losses, read_lines(file)), encoding="utf-8")


def _record(
    plan: Plan, kind: str, own: Path, weights: tuple[Path, ...], jobs: int, progress: Callable[[str], object]
) -> None:
    """Make the files of examples that are not there yet, in processes of their own."""
    own.mkdir(exist_ok=True)
    files = [own / f"{kind}-{n:03}.npz" for n in range(plan.files)]
    todo = [Job(plan, kind, file, weights) for file in files if not file.exists()]
    if not todo:
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(min(jobs or os.cpu_count() or 1, len(todo))) as pool:
        for file, count in pool.imap_unordered(record_job, todo):
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
    recorder = Recorder(game, seed, source_of(job), networks, learning=bool(plan.against))
    return str(job.file), record_to(job.file, recorder, plan.seconds, MOST_POSITIONS)


def source_of(job: Job) -> Source:
    """Who plays for a file: by its number, or the exploiter; without a network nobody searches."""
    if job.plan.against:
        return SEARCH
    found = PATTERN[int(job.file.stem.rpartition("-")[2]) % len(PATTERN)]
    return VETERAN if found.searching and not job.weights else found
