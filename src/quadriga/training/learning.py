"""From positions to a network: supervised learning with PyTorch, then weights as int8."""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.network import (
    FORMAT,
    LAYERS,
    SHIFT,
    UNIT,
    UNREADABLE,
    Network,
    activate,
    add_inputs,
    layout_of,
    make_network,
    place_chance,
)
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.training.selfplay import Positions

HIDDEN = (256, 64)
BATCH = 8192
RATE = 2e-3
HELD_OUT = 20
"""One file in so many is held out, and at least one."""
CHECKPOINT, WEIGHTS, LOG = "checkpoint.pt", "weights.npz", "log.jsonl"


def torch_module() -> Any:
    """PyTorch, or InvalidOption."""
    try:
        import torch
    except ImportError:
        raise InvalidOption("training needs PyTorch: pip install 'quadriga[training]'") from None
    return torch


def read_positions(files: list[Path]) -> Positions:
    """The positions of files, one after the other; a file that cannot be read is left out with a line."""
    rows, places = [], []
    for file in files:
        try:
            with np.load(file, allow_pickle=False) as body:
                rows.append(body["rows"])
                places.append(body["places"])
        except UNREADABLE as error:
            print(f"quadriga: {file} is left out: {error}")
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

    def train(self, epochs: int, progress: Callable[[str], object] = print) -> Network:
        """Train for so many epochs in all, keeping model and figures after each."""
        torch = torch_module()
        held = self.files[::HELD_OUT][: max(1, len(self.files) // HELD_OUT)]
        learn, test = read_positions([f for f in self.files if f not in held] or held), read_positions(held)
        device = "cuda" if torch.cuda.is_available() else "cpu"
        seats = learn.places.shape[1]
        model = make_model(learn.rows.shape[1], seats * seats).to(device)
        optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=1e-4)
        done = self._resume(model, optimizer)
        data = [torch.from_numpy(a).to(device) for a in (learn.rows, learn.places, test.rows, test.places)]
        best: tuple[float, Any] = (float("inf"), model.state_dict())
        for epoch in range(done, epochs):
            began, total, steps, rounded = time.monotonic(), 0.0, 0, 2 * epoch >= epochs
            for group in optimizer.param_groups:
                group["lr"] = RATE * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * epoch / epochs)))
            for chosen in _batches(torch, len(data[0]), device):
                optimizer.zero_grad(set_to_none=True)
                loss = loss_of(model, data[0][chosen], data[1][chosen], rounded)
                loss.backward()
                optimizer.step()
                total, steps = total + loss.detach(), steps + 1
            with torch.no_grad():
                tested = float(loss_of(model, data[2][:200_000], data[3][:200_000], True))
            if tested < best[0]:
                best = tested, {name: value.clone() for name, value in model.state_dict().items()}
            told = {"epoch": epoch + 1, "loss": round(float(total) / steps, 4), "held_out": round(tested, 4)}
            told |= {"positions": len(learn.rows), "seconds": round(time.monotonic() - began, 1)}
            self._keep(torch, model, optimizer, epoch + 1, told)
            progress(json.dumps(told))
        model.load_state_dict(best[1])
        layers = quantise(model)
        save_weights(self.folder / WEIGHTS, self.game, layers)
        network = make_network(layers)
        progress(json.dumps({"int8": figures(network, test), "float": float_figures(model, data[2], data[3])}))
        return network

    def _resume(self, model: Any, optimizer: Any) -> int:
        """Epochs done before, from a checkpoint; one that cannot be read is set aside."""
        torch, file = torch_module(), self.folder / CHECKPOINT
        if not file.exists():
            return 0
        try:
            kept = torch.load(file, map_location="cpu", weights_only=True)
            model.load_state_dict(kept["model"])
            optimizer.load_state_dict(kept["optimizer"])
            return int(kept["epoch"])
        except Exception as error:  # torch raises whatever its unpickler does
            file.rename(file.with_suffix(".broken"))
            print(f"quadriga: {file} cannot be read ({type(error).__name__}) and is set aside; training starts anew")
            return 0

    def _keep(self, torch: Any, model: Any, optimizer: Any, epoch: int, told: dict[str, Any]) -> None:
        file = self.folder / CHECKPOINT
        beside = file.with_suffix(".part")
        torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, beside)
        beside.replace(file)
        with (self.folder / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(told) + "\n")


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


def chances_of(network: Network, positions: Positions) -> NDArray[np.float64]:
    """The chance to win that the int8 network gives each position, computed by its kernels."""
    n, seats = network, positions.places.shape[1]
    found = np.zeros(len(positions.rows))
    for at, row in enumerate(positions.rows):
        n.results[: len(row)] = row
        add_inputs(n.weights_1, n.biases_1, n.results, len(row), n.sums)
        activate(n.sums, n.scales_1, n.weights_1.shape[1], n.hidden)
        add_inputs(n.weights_2, n.biases_2, n.hidden, n.weights_2.shape[0], n.sums)
        activate(n.sums, n.scales_2, n.weights_2.shape[1], n.hidden)
        add_inputs(n.weights_3, n.biases_3, n.hidden, n.weights_3.shape[0], n.sums)
        outputs = n.weights_3.shape[1]
        n.results[:outputs] = (n.sums[:outputs].astype(np.int64) * n.scales_3) >> SHIFT
        racing = int((positions.places[at] >= 0).sum())
        found[at] = place_chance(n, 0, 0, racing, seats) / (1 << 16)
    return found


def calibration(chances: NDArray[np.float64], won: NDArray[Any], bins: int = 20) -> dict[str, float]:
    """Brier score and expected calibration error of chances to win."""
    slot = np.minimum((chances * bins).astype(int), bins - 1)
    error = sum(
        abs(chances[slot == k].mean() - won[slot == k].mean()) * (slot == k).mean()
        for k in range(bins)
        if (slot == k).any()
    )
    return {"brier": round(float(((chances - won) ** 2).mean()), 4), "ece": round(float(error), 4)}


def figures(network: Network, test: Positions, most: int = 20_000) -> dict[str, Any]:
    """Calibration by number of seats."""
    seats = (test.places >= 0).sum(axis=1)
    found: dict[str, Any] = {}
    for count in np.unique(seats):
        chosen = np.flatnonzero(seats == count)[:most]
        part = Positions(test.rows[chosen], test.places[chosen])
        found[str(count)] = calibration(chances_of(network, part), part.places[:, 0] == 0) | {"n": len(chosen)}
    return found


def float_figures(model: Any, rows: Any, places: Any) -> dict[str, float]:
    """Calibration before weights became int8, over all numbers of seats."""
    torch, seats = torch_module(), places.shape[1]
    with torch.no_grad():
        logits = model(rows[:100_000].float() / UNIT).reshape(-1, seats, seats)[:, 0]
        count = (places[:100_000] >= 0).sum(dim=1, keepdim=True)
        beyond = torch.arange(seats, device=places.device)[None, :] >= count
        chances = torch.softmax(logits.masked_fill(beyond, -1e4), dim=1)[:, 0].cpu().numpy()
    return calibration(chances.astype(np.float64), places[:100_000, 0].cpu().numpy() == 0)
