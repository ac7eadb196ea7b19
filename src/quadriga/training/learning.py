"""From examples to a network: supervised learning with PyTorch, then weights as int8.

A task says what is learnt: the value of positions, or the policy (training/policy_task.py).
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.network import (
    CRITIC,
    FORMAT,
    LAYERS,
    POLICY,
    SHARPNESS,
    SHIFT,
    UNIT,
    UNREADABLE,
    VALUE,
    Layers,
    layer_arrays,
    layout_of,
)
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.training.checkpoints import (
    load_optimizer,
    optimizer_arrays,
    read_arrays,
    with_prefix,
    without_prefix,
    write_arrays,
)
from quadriga.training.plots import LOG

RATE = 2e-3
HELD_OUT = 20
"""Of each file the last of so many parts is held out."""
TESTED = 200_000
"""Held-out examples that count after an epoch, at most about twice as many."""
SPARE_BYTES = 1 << 30
"""What a GPU must have free beside the positions."""
CHECKPOINT, WEIGHTS = "checkpoint.npz", "weights.npz"
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


def place_learning(device: str, needed: int, tell: Tell = print) -> str:
    """The device to learn on; InvalidOption where it, PyTorch or so many free bytes are missing."""
    if device not in DEVICES:
        raise InvalidOption(f"there is no device {device!r}; there are {', '.join(DEVICES)}")
    torch_module()
    return choose_device(device, None if device == "cpu" else free_gpu_memory(), needed, tell)


Arrays = tuple[NDArray[Any], ...]


class Task(Protocol):
    """What a network learns."""

    arrays: tuple[str, ...]
    """What a file of examples holds; first the rows of inputs."""
    hidden: tuple[int, int]
    """Widths of the hidden layers."""
    batch: int
    """Examples for one step of the optimiser."""
    rate: float
    """How far it goes at a step, at first."""
    rounded: bool
    """Whether its weights will be int8."""

    def outputs(self, examples: Arrays) -> int:
        """How many numbers the network says."""

    def complete(self, examples: list[Any], learning: bool) -> list[Any]:
        """Examples on their device as `loss` wants them, to learn from or to test with."""

    def loss(self, said: Any, *expected: Any) -> Any:
        """How far what the network said of rows is from what the examples expect."""

    def figures(self, layers: Layers, tested: Arrays) -> dict[str, Any]:
        """What is worth knowing of the finished network."""


def read_examples(files: list[Path], names: tuple[str, ...]) -> list[Arrays]:
    """The examples of each file; one that cannot be read is left out with a line."""
    found: list[Arrays] = []
    for file in files:
        try:
            with file.open("rb") as opened, np.load(opened, allow_pickle=False) as body:
                found.append(tuple(body[name] for name in names))
        except UNREADABLE as error:
            print(f"quadriga: {file} is left out: {type(error).__name__}: {error}")
    if not found:
        raise InvalidOption("there are no positions to learn from")
    return found


def split_examples(found: list[Arrays]) -> tuple[Arrays, Arrays]:
    """The examples of all files to learn from, and those to test with: the end of each file, which has other races."""
    cuts = [max(1, len(arrays[0]) - max(1, len(arrays[0]) // HELD_OUT)) for arrays in found]
    learn = [tuple(array[:cut] for array in arrays) for arrays, cut in zip(found, cuts, strict=True)]
    test = [tuple(array[cut - len(array) :] for array in arrays) for arrays, cut in zip(found, cuts, strict=True)]
    return _joined(learn), _joined(test)


def _joined(found: list[Arrays]) -> Arrays:
    return tuple(np.concatenate(arrays) for arrays in zip(*found, strict=True))


def make_model(inputs: int, hidden: Sequence[int], outputs: int) -> Any:
    """The network as PyTorch has it."""
    nn, widths = torch_module().nn, (inputs, *hidden)
    parts = [part for width, following in pairwise(widths) for part in (nn.Linear(width, following), nn.ReLU())]
    return nn.Sequential(*parts, nn.Linear(widths[-1], outputs))


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


@dataclass
class Trainer:
    """Trains one of a game's networks in a folder; goes on from the checkpoint that lies there."""

    game: Game
    task: Task
    folder: Path
    files: list[Path]
    device: str = "auto"
    tell: Tell = print
    start: Layers | None = None
    """What the network is before it learns; at random if None."""

    def train(self, epochs: int) -> Layers:
        """Train for so many epochs in all; the best of them as int8."""
        learn, test = self.read()
        layers = quantise(self.learn(learn, test, epochs))
        self.tell(json.dumps(self.task.figures(layers, test)))
        return layers

    def read(self) -> tuple[Arrays, Arrays]:
        """The examples to learn from, and those to test with."""
        return split_examples(read_examples(self.files, self.task.arrays))

    def learn(self, learn: Arrays, test: Arrays, epochs: int) -> Any:
        """Train on examples, keeping model and figures after each epoch; the model after the best of them."""
        self.folder.mkdir(exist_ok=True)
        lesson = Lesson(self.task, self._place(learn, test), learn, test)
        if self.start:
            load_layers(lesson.model, self.start)
        done = self._resume(lesson)
        for epoch in range(done, epochs):
            began = time.monotonic()
            loss = self._within_memory(lambda epoch=epoch: lesson.learn(epoch, epochs))  # type: ignore[misc]
            tested = lesson.check()
            facts = {"epoch": epoch + 1, "loss": round(loss, 4), "held_out": round(tested, 4)}
            facts |= {"positions": len(learn[0]), "seconds": round(time.monotonic() - began, 1)}
            self._keep(lesson, facts)
            self.tell(json.dumps(facts))
        lesson.take_best()
        return lesson.model

    def _place(self, learn: Arrays, test: Arrays) -> str:
        needed = sum(array.nbytes for array in (*learn, *test)) + SPARE_BYTES
        return place_learning(self.device, needed, self.tell)

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


class Lesson:
    """A model, its optimiser and the examples it learns from, all on one device."""

    def __init__(self, task: Task, device: str, learn: Arrays, test: Arrays) -> None:
        torch, self.task, self.device = torch_module(), task, device
        self.model = make_model(learn[0].shape[1], task.hidden, task.outputs(learn)).to(device)
        fused = device == "cuda"
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=task.rate, weight_decay=1e-4, fused=fused)
        torch.set_float32_matmul_precision("high")
        self.examples = task.complete([torch.from_numpy(array).to(device) for array in learn], True)
        step = max(1, len(test[0]) // TESTED)
        self.tested = task.complete([torch.from_numpy(array[::step].copy()).to(device) for array in test], False)
        self.best, self.best_epoch, self.done = float("inf"), 0, 0
        self.best_state = self._state()

    def _loss(self, examples: list[Any], rounded: bool) -> Any:
        return self.task.loss(outputs_of(self.model, examples[0], rounded), *examples[1:])

    def _state(self) -> dict[str, Any]:
        return {name: value.detach().clone() for name, value in self.model.state_dict().items()}

    def learn(self, epoch: int, epochs: int) -> float:
        """One epoch; the mean loss. In the second half weights are rounded as they will be."""
        total, steps, rounded = 0.0, 0, self.task.rounded and 2 * epoch >= epochs
        for group in self.optimizer.param_groups:
            group["lr"] = self.task.rate * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * epoch / epochs)))
        for chosen in _batches(len(self.examples[0]), self.task.batch, self.device):
            self.optimizer.zero_grad(set_to_none=True)
            loss = self._loss([array[chosen] for array in self.examples], rounded)
            loss.backward()
            self.optimizer.step()
            total, steps = total + loss.detach(), steps + 1
        self.done = epoch + 1
        return float(total) / steps

    def check(self) -> float:
        """The held-out loss with weights as they will be; the best state is remembered."""
        with torch_module().no_grad():
            tested = float(self._loss(self.tested, self.task.rounded))
        if tested < self.best:
            self.best, self.best_epoch, self.best_state = tested, self.done, self._state()
        return tested

    def take_best(self) -> None:
        """Go back to the best epoch."""
        self.model.load_state_dict(self.best_state)

    def arrays(self) -> dict[str, Any]:
        """Model, best model and optimiser as arrays."""
        parts = {"model": self._state(), "best": self.best_state}
        kept = {
            name: value
            for prefix, part in parts.items()
            for name, value in with_prefix(prefix, {key: v.cpu().numpy() for key, v in part.items()}).items()
        }
        return kept | optimizer_arrays("optimizer", self.optimizer)

    def load(self, arrays: dict[str, Any], facts: dict[str, Any]) -> None:
        """Go on from what `arrays` told."""
        torch = torch_module()
        tensors: Any = {name: torch.from_numpy(np.asarray(value)) for name, value in arrays.items()}
        self.model.load_state_dict(without_prefix("model", tensors))
        self.best_state = {name: value.to(self.device) for name, value in without_prefix("best", tensors).items()}
        load_optimizer("optimizer", tensors, self.optimizer)
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


def load_layers(model: Any, layers: Layers) -> None:
    """Give a model the weights that were made of one; inputs that are new to them count nothing at first."""
    torch = torch_module()
    linear = [part for part in model if hasattr(part, "weight")]
    with torch.no_grad():
        for part, (whole, biases, scales) in zip(linear, layers, strict=True):
            step = scales.astype(np.float64) / (1 << SHIFT)
            part.weight.zero_()
            part.weight[:, : len(whole)].copy_(torch.from_numpy(whole.T * step[:, None]))
            part.bias.copy_(torch.from_numpy(biases * step / UNIT))


def save_weights(
    file: Path,
    game: Game,
    value: Layers,
    policy: Layers | None = None,
    sharpness: NDArray[np.int32] | None = None,
    critic: Layers | None = None,
) -> None:
    """A weights file, there whole or not at all."""
    told = {"format": FORMAT, "game": game.meta.name, "layout": layout_of(game)}
    told |= {"rules_versions": [game.meta.rules_version]}
    arrays = {"told": np.array(json.dumps(told))} | layer_arrays(value, VALUE)
    for layers, prefix in ((policy, POLICY), (critic, CRITIC)):
        arrays |= layer_arrays(layers, prefix) if layers else {}
    arrays |= {SHARPNESS: sharpness} if sharpness is not None else {}
    beside = file.with_name(file.name + ".part")
    with beside.open("wb") as out:
        np.savez_compressed(out, **arrays)  # type: ignore[arg-type]
    beside.replace(file)
