"""What a value network learns: the place of every seat at the end of the race.

First a wide network learns from how races ended, then the one that is shipped learns what the wide one says: that
differs less from position to position than results do.
"""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.network import MOST_SUM, SHIFT, UNIT, Layers, even_sharpness, make_network
from quadriga.training.calibration import figures
from quadriga.training.learning import RATE, Arrays, Trainer, outputs_of, quantise, torch_module
from quadriga.training.selfplay import SOURCES, Positions

HIDDEN, WIDE = (512, 64), (1024, 512)
WIDE_EPOCHS = 3
"""One epoch of the wide network in so many of the other: it learns results by heart sooner."""
MOST_WEIGHT = 4.0
"""Positions of a source that has too few count so many times at most: a few races say little, however often."""
OWN = 2.0
"""How much one's own place counts beside that of a rival: it is what is asked for."""
TAUGHT_AT_ONCE = 1 << 18
FITTED = 40_000
"""Held-out positions that the sharpness for a number of seats is found on."""


class ValueTask:
    """The place of every seat, as races ended or as a teacher says."""

    arrays: tuple[str, ...] = ("rows", "places", "sources")
    batch: int = 8192

    def __init__(self, hidden: tuple[int, int] = HIDDEN, teacher: Any = None) -> None:
        self.hidden, self.teacher, self.rate = hidden, teacher, RATE
        self.rounded = hidden != WIDE

    def outputs(self, examples: Arrays) -> int:
        """A logit for each seat and place."""
        return int(examples[1].shape[1]) ** 2

    def complete(self, examples: list[Any], learning: bool) -> list[Any]:
        """Rows, places, how much each counts, and what the teacher says of the rows to learn from."""
        rows, places, sources = examples
        weights = torch_module().from_numpy(source_weights(sources.cpu().numpy(), MOST_WEIGHT)).to(rows.device)
        found = [rows, places, weights]
        return [*found, self._taught(rows)] if learning and self.teacher is not None else found

    def _taught(self, rows: Any) -> Any:
        torch = torch_module()
        with torch.no_grad():
            said = [outputs_of(self.teacher, part, False).half() for part in rows.split(TAUGHT_AT_ONCE)]
        return torch.cat(said)

    def loss(self, said: Any, *expected: Any) -> Any:
        """How far the places it gives are from those of the race, or from what the teacher gives."""
        return place_loss(said, *expected)

    def figures(self, layers: Layers, tested: Arrays) -> dict[str, Any]:
        """Calibration by number of seats."""
        return figures(make_network(layers), Positions(*tested[:2]))


def place_loss(said: Any, places: Any, weights: Any, taught: Any = None, own: float = OWN, trust: Any = 1.0) -> Any:
    """Cross entropy of every seat's place; places beyond the seats of a race have no chance.

    weights: how much each position counts; taught: what a teacher says; trust: how much that counts, the result
    counting for the rest; own: how much one's own place counts beside that of a rival.
    """
    torch, seats = torch_module(), places.shape[1]
    taken = places >= 0
    count = taken.sum(dim=1, keepdim=True)
    beyond = torch.arange(seats, device=places.device)[None, None, :] >= count[:, :, None]
    shares = said.reshape(-1, seats, seats).masked_fill(beyond, -1e4).log_softmax(dim=2)
    target = places.long().clamp(min=0).minimum(count.long() - 1)
    each = -shares.gather(2, target[:, :, None])[:, :, 0]
    if taught is not None:
        expected = taught.float().reshape(-1, seats, seats).masked_fill(beyond, -1e4).softmax(dim=2)
        each = torch.lerp(each, -(expected * shares).sum(dim=2), trust)
    weight = taken * weights[:, None]
    weight[:, 0] *= own
    return (each * weight).sum() / weight.sum()


def source_weights(sources: NDArray[np.int8], most: float) -> NDArray[np.float32]:
    """How much each position counts, so that each source has its share; at most so many times."""
    counts = np.bincount(sources, minlength=len(SOURCES))
    shares = np.array([source.share for source in SOURCES]) * (counts > 0)
    wanted = len(sources) * shares / shares.sum() / np.maximum(counts, 1)
    return np.minimum(wanted, most).astype(np.float32)[sources]


def train_value(trainer: Trainer, epochs: int) -> tuple[Layers, NDArray[np.int32]]:
    """Train a wide network and by it the one that is shipped; its layers, and its sharpness."""
    learn, test = trainer.read()
    wide = Trainer(
        trainer.game, ValueTask(WIDE), trainer.folder / "wide", trainer.files, trainer.device, trainer.tell
    )  # fmt: skip
    teacher = wide.learn(learn, test, max(1, epochs // WIDE_EPOCHS))
    own = Trainer(trainer.game, ValueTask(teacher=teacher), trainer.folder, trainer.files, trainer.device, trainer.tell)
    layers = quantise(own.learn(learn, test, epochs))
    sharpness = fit_sharpness(forward_rows(layers, test[0]), test)
    trainer.tell(json.dumps({"sharpness": [round(int(value) / UNIT, 3) for value in sharpness]}))
    trainer.tell(json.dumps(figures(make_network(layers, sharpness), Positions(*test[:2]))))
    return layers, sharpness


def forward_rows(layers: Layers, rows: NDArray[np.int16]) -> NDArray[np.int64]:
    """What `forward` says of each row, in units, all at once."""
    values = rows[:, : len(layers[0][0])].astype(np.int64)
    for number, (weights, biases, scales) in enumerate(layers, 1):
        sums = (values.astype(np.float64) @ weights.astype(np.float64)).astype(np.int64) + biases
        values = (sums * scales.astype(np.int64)) >> SHIFT
        values = values if number == len(layers) else values.clip(0, MOST_SUM // values.shape[1])
    return values


def fit_sharpness(said: NDArray[np.int64], test: Arrays) -> NDArray[np.int32]:
    """For each number of seats, how much logits should count for the chance to win to be likeliest.

    said: what `forward_rows` gives for the rows of the test.
    """
    _, places, sources = test
    found, seats = even_sharpness(), (places >= 0).sum(axis=1)
    for count in (int(n) for n in np.unique(seats)):
        chosen = np.flatnonzero(seats == count)
        chosen = chosen[:: max(1, len(chosen) // FITTED)]
        logits = said[chosen, :count] / UNIT
        weights = source_weights(sources[chosen], MOST_WEIGHT)
        steps = np.arange(UNIT // 2, 2 * UNIT, 2)
        losses = [win_loss(logits * (step / UNIT), places[chosen, 0] == 0, weights) for step in steps]
        found[count] = steps[int(np.argmin(losses))]
    return found


def win_loss(logits: NDArray[Any], won: NDArray[np.bool_], weights: NDArray[np.float32]) -> float:
    """The mean loss of the chances that logits of the own places give to win."""
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances = (shares[:, 0] / shares.sum(axis=1)).clip(1e-6, 1 - 1e-6)
    losses = -np.where(won, np.log(chances), np.log(1 - chances))
    return float((losses * weights).sum() / weights.sum())
