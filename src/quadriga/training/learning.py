"""From examples to a network: supervised learning with PyTorch, then weights as int8.

A task says what is learnt: the value of positions, or the policy (training/policy_task.py).
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.network import (
    FORMAT,
    LAYERS,
    POLICY,
    SHIFT,
    UNIT,
    UNREADABLE,
    VALUE,
    Layers,
    layer_arrays,
    layout_of,
    make_network,
)
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.training.calibration import figures
from quadriga.training.checkpoints import read_arrays, with_prefix, without_prefix, write_arrays
from quadriga.training.selfplay import Positions

RATE = 2e-3
HELD_OUT = 20
"""One file in so many is held out, and at least one."""
TESTED = 200_000
"""Held-out positions that count after an epoch."""
SPARE_BYTES = 1 << 30
"""What a GPU must have free beside the positions."""
CHECKPOINT, WEIGHTS, LOG = "checkpoint.npz", "weights.npz", "log.jsonl"
DEVICES = ("auto", "cpu", "cuda")

Tell = Callable[[str], object]


def torch_module() -> Any:
    """PyTorch, or InvalidOption."""
    try:
        import torch
    except ImportError:
        raise InvalidOption("training needs PyTorch: pip install 'quadriga[training]'") from None
    return torch


def choose_device(asked: str, free: int | None, needed: int, tell: Tell = print) -> str:
    """`cuda` where a GPU has enough bytes free (None: there is no GPU), else `cpu`; or InvalidOption."""
    if asked == "cpu":
        return "cpu"
    short = free is not None and free < needed
    if asked == "cuda" and free is None:
        raise InvalidOption("PyTorch finds no GPU here: train with --device cpu")
    if asked == "cuda" and short:
        raise InvalidOption(f"the GPU has {_megabytes(free)} free and training needs {_megabytes(needed)}: use the CPU")
    if short:
        tell(f"the GPU has {_megabytes(free)} free, too little for {_megabytes(needed)}: training on the CPU")
    return "cpu" if free is None or short else "cuda"


def _megabytes(count: int | None) -> str:
    return f"{(count or 0) >> 20:,} MB"


def free_gpu_memory() -> int | None:
    """Bytes that are free on the GPU; None where there is none."""
    torch = torch_module()
    return int(torch.cuda.mem_get_info()[0]) if torch.cuda.is_available() else None


Arrays = tuple[NDArray[Any], ...]


class Task(Protocol):
    """What a network learns."""

    arrays: tuple[str, ...]
    """What a file of examples holds; first the rows of inputs."""
    hidden: tuple[int, int]
    """Widths of the hidden layers."""
    batch: int
    """Examples for one step of the optimiser."""

    def outputs(self, examples: Arrays) -> int:
        """How many numbers the network says."""

    def loss(self, said: Any, *expected: Any) -> Any:
        """How far what the network said of rows is from what the examples expect."""

    def figures(self, layers: Layers, tested: Arrays) -> dict[str, Any]:
        """What is worth knowing of the finished network."""


def read_examples(files: list[Path], names: tuple[str, ...]) -> Arrays:
    """The examples of files, one after the other; a file that cannot be read is left out with a line."""
    found: list[Arrays] = []
    for file in files:
        try:
            with file.open("rb") as opened, np.load(opened, allow_pickle=False) as body:
                found.append(tuple(body[name] for name in names))
        except UNREADABLE as error:
            print(f"quadriga: {file} is left out: {type(error).__name__}: {error}")
    if not found:
        raise InvalidOption("there are no positions to learn from")
    return tuple(np.concatenate(arrays) for arrays in zip(*found, strict=True))


def make_model(inputs: int, hidden: tuple[int, int], outputs: int) -> Any:
    """The network as PyTorch has it."""
    nn = torch_module().nn
    first, second = hidden
    return nn.Sequential(
        nn.Linear(inputs, first), nn.ReLU(), nn.Linear(first, second), nn.ReLU(), nn.Linear(second, outputs)
    )


def as_int8(weight: Any) -> Any:
    """Weights rounded as `quantise` will round them; gradients pass as if they were not."""
    step = weight.detach().abs().amax(dim=1, keepdim=True).clamp(min=1e-6) / 127
    return weight + (((weight / step).round() * step) - weight).detach()


def outputs_of(model: Any, rows: Any, rounded: bool) -> Any:
    """What the model says of rows, with its weights as they are or rounded."""
    functional, values = torch_module().nn.functional, rows.float() / UNIT
    for part in model:
        if not hasattr(part, "weight"):
            values = part(values)
        else:
            values = functional.linear(values, as_int8(part.weight) if rounded else part.weight, part.bias)
    return values


class ValueTask:
    """The place of every seat at the end of the race."""

    arrays: tuple[str, ...] = ("rows", "places")
    hidden: tuple[int, int] = (256, 64)
    batch: int = 8192

    def outputs(self, examples: Arrays) -> int:
        """A logit for each seat and place."""
        return int(examples[1].shape[1]) ** 2

    def loss(self, said: Any, *expected: Any) -> Any:
        """Cross entropy of every seat's place; places beyond the seats of a race have no chance."""
        functional, (places,) = torch_module().nn.functional, expected
        seats = places.shape[1]
        logits, taken = said.reshape(-1, seats, seats), places >= 0
        count = taken.sum(dim=1, keepdim=True)
        beyond = torch_module().arange(seats, device=places.device)[None, None, :] >= count[:, :, None]
        logits = logits.masked_fill(beyond, -1e4)
        target = places.long().clamp(min=0).minimum(count.long() - 1)
        each = functional.cross_entropy(logits.reshape(-1, seats), target.reshape(-1), reduction="none")
        weight = taken.float().clone()
        weight[:, 0] *= 2  # oneself counts twice: that is what search asks for
        return (each * weight.reshape(-1)).sum() / weight.sum()

    def figures(self, layers: Layers, tested: Arrays) -> dict[str, Any]:
        """Calibration by number of seats."""
        return figures(make_network(layers), Positions(*tested))


@dataclass
class Trainer:
    """Trains one of a game's networks in a folder; goes on from the checkpoint that lies there."""

    game: Game
    task: Task
    folder: Path
    files: list[Path]
    device: str = "auto"
    tell: Tell = print

    def train(self, epochs: int) -> Layers:
        """Train for so many epochs in all, keeping model and figures after each; the best of them as int8."""
        held, names = self.files[::HELD_OUT][: max(1, len(self.files) // HELD_OUT)], self.task.arrays
        learn = read_examples([file for file in self.files if file not in held] or held, names)
        test = read_examples(held, names)
        lesson = Lesson(self.task, self._place(learn, test), learn, test)
        done = self._resume(lesson)
        for epoch in range(done, epochs):
            began = time.monotonic()
            loss = self._within_memory(lambda epoch=epoch: lesson.learn(epoch, epochs))  # type: ignore[misc]
            tested = lesson.check()
            facts = {"epoch": epoch + 1, "loss": round(loss, 4), "held_out": round(tested, 4)}
            facts |= {"positions": len(learn[0]), "seconds": round(time.monotonic() - began, 1)}
            self._keep(lesson, facts)
            self.tell(json.dumps(facts))
        return self._finish(lesson, test)

    def _place(self, learn: Arrays, test: Arrays) -> str:
        needed = sum(array.nbytes for array in (*learn, *test)) + SPARE_BYTES
        return choose_device(self.device, None if self.device == "cpu" else free_gpu_memory(), needed, self.tell)

    def _within_memory(self, learn: Callable[[], float]) -> float:
        """Learn, or InvalidOption where the GPU's memory does not do; what was kept before is there."""
        try:
            return learn()
        except torch_module().cuda.OutOfMemoryError:
            raise InvalidOption("the GPU's memory is too small: go on with --resume --device cpu") from None

    def _facts(self) -> dict[str, Any]:
        """What a checkpoint must agree with."""
        return {"rules_version": self.game.meta.rules_version, "layout": layout_of(self.game)}

    def _resume(self, lesson: "Lesson") -> int:
        """Epochs done before, from a checkpoint."""
        kept = read_arrays(self.folder / CHECKPOINT)
        if kept is None:
            return 0
        arrays, facts = kept
        if {name: facts.get(name) for name in self._facts()} != self._facts():
            raise InvalidOption(
                f"{self.folder / CHECKPOINT} belongs to other rules of {self.game.meta.title}: name another folder"
            )
        lesson.load(arrays, facts)
        return int(facts["epoch"])

    def _keep(self, lesson: "Lesson", facts: dict[str, Any]) -> None:
        kept = self._facts() | {"epoch": facts["epoch"], "best": lesson.best, "best_epoch": lesson.best_epoch}
        write_arrays(self.folder / CHECKPOINT, lesson.arrays(), kept)
        with (self.folder / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(facts) + "\n")

    def _finish(self, lesson: "Lesson", test: Arrays) -> Layers:
        """The best epoch as int8."""
        lesson.take_best()
        layers = quantise(lesson.model)
        self.tell(json.dumps(self.task.figures(layers, test)))
        return layers


class Lesson:
    """A model, its optimiser and the examples it learns from, all on one device."""

    def __init__(self, task: Task, device: str, learn: Arrays, test: Arrays) -> None:
        torch, self.task, self.device = torch_module(), task, device
        self.model = make_model(learn[0].shape[1], task.hidden, task.outputs(learn)).to(device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=RATE, weight_decay=1e-4)
        self.examples = [torch.from_numpy(array).to(device) for array in learn]
        self.tested = [torch.from_numpy(array[:TESTED]).to(device) for array in test]
        self.best, self.best_epoch, self.done = float("inf"), 0, 0
        self.best_state = self._state()

    def _loss(self, examples: list[Any], rounded: bool) -> Any:
        return self.task.loss(outputs_of(self.model, examples[0], rounded), *examples[1:])

    def _state(self) -> dict[str, Any]:
        return {name: value.detach().clone() for name, value in self.model.state_dict().items()}

    def learn(self, epoch: int, epochs: int) -> float:
        """One epoch; the mean loss. In the second half weights are rounded as they will be."""
        total, steps, rounded = 0.0, 0, 2 * epoch >= epochs
        for group in self.optimizer.param_groups:
            group["lr"] = RATE * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * epoch / epochs)))
        for chosen in _batches(len(self.examples[0]), self.task.batch, self.device):
            self.optimizer.zero_grad(set_to_none=True)
            loss = self._loss([array[chosen] for array in self.examples], rounded)
            loss.backward()
            self.optimizer.step()
            total, steps = total + loss.detach(), steps + 1
        self.done = epoch + 1
        return float(total) / steps

    def check(self) -> float:
        """The held-out loss with rounded weights; the best state is remembered."""
        with torch_module().no_grad():
            tested = float(self._loss(self.tested, rounded=True))
        if tested < self.best:
            self.best, self.best_epoch, self.best_state = tested, self.done, self._state()
        return tested

    def take_best(self) -> None:
        """Go back to the best epoch."""
        self.model.load_state_dict(self.best_state)

    def arrays(self) -> dict[str, Any]:
        """Model, best model and optimiser as arrays."""
        moments = {
            f"{at}.{name}": value
            for at, state in self.optimizer.state_dict()["state"].items()
            for name, value in state.items()
        }
        parts = {"model": self._state(), "best": self.best_state, "optimizer": moments}
        return {
            name: value
            for prefix, part in parts.items()
            for name, value in with_prefix(prefix, {key: v.cpu().numpy() for key, v in part.items()}).items()
        }

    def load(self, arrays: dict[str, Any], facts: dict[str, Any]) -> None:
        """Go on from what `arrays` told."""
        torch = torch_module()
        tensors: Any = {name: torch.from_numpy(np.asarray(value)) for name, value in arrays.items()}
        self.model.load_state_dict(without_prefix("model", tensors))
        self.best_state = {name: value.to(self.device) for name, value in without_prefix("best", tensors).items()}
        state: dict[int, dict[str, Any]] = {}
        for name, value in without_prefix("optimizer", tensors).items():
            at, _, kind = name.partition(".")
            state.setdefault(int(at), {})[kind] = value
        self.optimizer.load_state_dict(self.optimizer.state_dict() | {"state": state})
        self.best, self.best_epoch = float(facts["best"]), int(facts["best_epoch"])


def _batches(count: int, size: int, device: str) -> Iterator[Any]:
    order = torch_module().randperm(count, device=device)
    for first in range(0, count - size + 1, size) if count >= size else [0]:
        yield order[first : first + size]


def quantise(model: Any) -> list[Any]:
    """Weights as int8 with a multiplier for each output, biases in the same scale."""
    layers = []
    for layer in [part for part in model if hasattr(part, "weight")]:
        weight = layer.weight.detach().cpu().numpy().astype(np.float64)
        bias = layer.bias.detach().cpu().numpy().astype(np.float64)
        step = np.maximum(np.abs(weight).max(axis=1), 1e-6) / 127
        whole = np.round(weight / step[:, None]).astype(np.int8)
        biases = np.round(bias / step * UNIT).clip(-(2**30), 2**30).astype(np.int32)
        scales = np.round(step * (1 << SHIFT)).astype(np.int32)
        layers.append((np.ascontiguousarray(whole.T), biases, scales))
    assert len(layers) == LAYERS
    return layers


def save_weights(file: Path, game: Game, value: Layers, policy: Layers | None = None) -> None:
    """A weights file, there whole or not at all."""
    told = {"format": FORMAT, "game": game.meta.name, "layout": layout_of(game)}
    told |= {"rules_versions": [game.meta.rules_version]}
    arrays = {"told": np.array(json.dumps(told))} | layer_arrays(value, VALUE)
    arrays |= layer_arrays(policy, POLICY) if policy else {}
    beside = file.with_name(file.name + ".part")
    with beside.open("wb") as out:
        np.savez_compressed(out, **arrays)  # type: ignore[arg-type]
    beside.replace(file)
