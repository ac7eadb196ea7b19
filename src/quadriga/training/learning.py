"""From positions to a network: supervised learning with PyTorch, then weights as int8."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from quadriga.bots.network import FORMAT, LAYERS, SHIFT, UNIT, UNREADABLE, Network, layout_of, make_network
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.training.calibration import calibration, figures
from quadriga.training.checkpoints import read_arrays, with_prefix, without_prefix, write_arrays
from quadriga.training.selfplay import Positions

HIDDEN = (256, 64)
BATCH = 8192
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


def read_positions(files: list[Path]) -> Positions:
    """The positions of files, one after the other; a file that cannot be read is left out with a line."""
    rows, places = [], []
    for file in files:
        try:
            with file.open("rb") as opened, np.load(opened, allow_pickle=False) as body:
                pair = body["rows"], body["places"]
        except UNREADABLE as error:
            print(f"quadriga: {file} is left out: {type(error).__name__}: {error}")
            continue
        rows.append(pair[0])
        places.append(pair[1])
    if not rows:
        raise InvalidOption("there are no positions to learn from")
    return Positions(np.concatenate(rows), np.concatenate(places))


def make_model(inputs: int, outputs: int) -> Any:
    """The network as PyTorch has it."""
    nn = torch_module().nn
    first, second = HIDDEN
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


def loss_of(model: Any, rows: Any, places: Any, rounded: bool = False) -> Any:
    """Cross entropy of every seat's place; places beyond the seats of a race have no chance."""
    functional = torch_module().nn.functional
    seats = places.shape[1]
    logits = outputs_of(model, rows, rounded).reshape(-1, seats, seats)
    taken = places >= 0
    count = taken.sum(dim=1, keepdim=True)
    beyond = torch_module().arange(seats, device=places.device)[None, None, :] >= count[:, :, None]
    logits = logits.masked_fill(beyond, -1e4)
    target = places.long().clamp(min=0).minimum(count.long() - 1)
    each = functional.cross_entropy(logits.reshape(-1, seats), target.reshape(-1), reduction="none")
    weight = taken.float().clone()
    weight[:, 0] *= 2  # oneself counts twice: that is what search asks for
    return (each * weight.reshape(-1)).sum() / weight.sum()


@dataclass
class Trainer:
    """Trains one game's network in a folder; goes on from the checkpoint that lies there."""

    game: Game
    folder: Path
    files: list[Path]
    device: str = "auto"
    tell: Tell = print

    def train(self, epochs: int) -> Network:
        """Train for so many epochs in all, keeping model and figures after each; the best of them as int8."""
        held = self.files[::HELD_OUT][: max(1, len(self.files) // HELD_OUT)]
        learn, test = read_positions([f for f in self.files if f not in held] or held), read_positions(held)
        lesson = Lesson(self._place(learn, test), learn, test)
        done = self._resume(lesson)
        for epoch in range(done, epochs):
            began = time.monotonic()
            loss = self._within_memory(lambda epoch=epoch: lesson.learn(epoch, epochs))  # type: ignore[misc]
            tested = lesson.check()
            facts = {"epoch": epoch + 1, "loss": round(loss, 4), "held_out": round(tested, 4)}
            facts |= {"positions": len(learn.rows), "seconds": round(time.monotonic() - began, 1)}
            self._keep(lesson, facts)
            self.tell(json.dumps(facts))
        return self._finish(lesson, test)

    def _place(self, learn: Positions, test: Positions) -> str:
        needed = learn.rows.nbytes + learn.places.nbytes + test.rows.nbytes + SPARE_BYTES
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

    def _finish(self, lesson: "Lesson", test: Positions) -> Network:
        """The best epoch as int8, in a weights file."""
        lesson.take_best()
        layers = quantise(lesson.model)
        save_weights(self.folder / WEIGHTS, self.game, layers)
        network = make_network(layers)
        self.tell(json.dumps({"int8": figures(network, test), "float": float_figures(lesson)}))
        return network


class Lesson:
    """A model, its optimiser and the positions it learns from, all on one device."""

    def __init__(self, device: str, learn: Positions, test: Positions) -> None:
        torch, self.device = torch_module(), device
        seats = learn.places.shape[1]
        self.model = make_model(learn.rows.shape[1], seats * seats).to(device)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=RATE, weight_decay=1e-4)
        self.rows, self.places = (torch.from_numpy(a).to(device) for a in (learn.rows, learn.places))
        self.tested = tuple(torch.from_numpy(a[:TESTED]).to(device) for a in (test.rows, test.places))
        self.best, self.best_epoch, self.done = float("inf"), 0, 0
        self.best_state = self._state()

    def _state(self) -> dict[str, Any]:
        return {name: value.detach().clone() for name, value in self.model.state_dict().items()}

    def learn(self, epoch: int, epochs: int) -> float:
        """One epoch; the mean loss. In the second half weights are rounded as they will be."""
        total, steps, rounded = 0.0, 0, 2 * epoch >= epochs
        for group in self.optimizer.param_groups:
            group["lr"] = RATE * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * epoch / epochs)))
        for chosen in _batches(torch_module(), len(self.rows), self.device):
            self.optimizer.zero_grad(set_to_none=True)
            loss = loss_of(self.model, self.rows[chosen], self.places[chosen], rounded)
            loss.backward()
            self.optimizer.step()
            total, steps = total + loss.detach(), steps + 1
        self.done = epoch + 1
        return float(total) / steps

    def check(self) -> float:
        """The held-out loss with rounded weights; the best state is remembered."""
        with torch_module().no_grad():
            tested = float(loss_of(self.model, self.tested[0], self.tested[1], rounded=True))
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


def _batches(torch: Any, count: int, device: str) -> Iterator[Any]:
    order = torch.randperm(count, device=device)
    for first in range(0, count - BATCH + 1, BATCH) if count >= BATCH else [0]:
        yield order[first : first + BATCH]


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


def save_weights(file: Path, game: Game, layers: list[Any]) -> None:
    """A weights file, there whole or not at all."""
    told = {"format": FORMAT, "game": game.meta.name, "layout": layout_of(game)}
    told |= {"rules_versions": [game.meta.rules_version]}
    arrays: dict[str, Any] = {"told": np.array(json.dumps(told))}
    for n, (weights, biases, scales) in enumerate(layers, 1):
        arrays |= {f"weights_{n}": weights, f"biases_{n}": biases, f"scales_{n}": scales}
    beside = file.with_name(file.name + ".part")
    with beside.open("wb") as out:
        np.savez_compressed(out, **arrays)
    beside.replace(file)


def float_figures(lesson: Lesson) -> dict[str, float]:
    """Calibration before weights became int8, over all numbers of seats."""
    torch, (rows, places) = torch_module(), lesson.tested
    seats = places.shape[1]
    with torch.no_grad():
        logits = lesson.model(rows.float() / UNIT).reshape(-1, seats, seats)[:, 0]
        count = (places >= 0).sum(dim=1, keepdim=True)
        beyond = torch.arange(seats, device=places.device)[None, :] >= count
        chances = torch.softmax(logits.masked_fill(beyond, -1e4), dim=1)[:, 0].cpu().numpy()
    return calibration(chances.astype(np.float64), places[:, 0].cpu().numpy() == 0)
