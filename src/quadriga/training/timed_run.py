"""A run in a folder that learns for so many minutes and is kept every few seconds, so that a kill loses little.

What learns is a subclass's: `reinforcing.py` (policy and critic by racing) and `valuing.py` (value by watching races).
"""

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from quadriga.bots.network import layout_of
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.training.checkpoints import (
    Arrays,
    load_optimizer,
    model_arrays,
    optimizer_arrays,
    read_arrays,
    without_prefix,
    write_arrays,
)
from quadriga.training.learning import CHECKPOINT, WEIGHTS, torch_module
from quadriga.training.plots import LOG, PLOT, read_lines

KEEP_SECONDS = 20.0
"""Between two checkpoints."""
BEFORE = "weights-before.npz"

Tell = Callable[[str], object]
Lines = Sequence[dict[str, Any]]
T = TypeVar("T")


def within_memory(work: Callable[[], T]) -> T:
    """What is made or learnt, or InvalidOption where the GPU's memory does not do; what was kept before is there."""
    try:
        return work()
    except torch_module().cuda.OutOfMemoryError:
        raise InvalidOption("the GPU's memory is too small: go on with fewer --races in another folder") from None


def require_gpu_for_races() -> None:
    """Raise InvalidOption where Numba, which plays the races, finds no GPU; PyTorch may find one all the same."""
    from quadriga.core.gpu import require_gpu

    require_gpu()


class TimedRun(ABC):
    """Learns until its time is over."""

    def __init__(self, game: Game, minutes: float, folder: Path, tell: Tell) -> None:
        self.game, self.minutes, self.folder, self.tell = game, minutes, folder, tell
        self.seconds = 0.0
        """Of learning, so far."""

    @abstractmethod
    def begin(self) -> None:
        """Set up what a run needs before it learns, or goes on learning."""

    def end(self) -> None:  # noqa: B027 - most runs leave nothing behind
        """Give back what `begin` took."""

    @abstractmethod
    def learn_once(self) -> dict[str, Any]:
        """Learn a little; figures of how it went."""

    @abstractmethod
    def save_weights(self) -> dict[str, Any]:
        """Write the weights as they are; figures of them."""

    @abstractmethod
    def draw(self, lines: Lines) -> str:
        """A picture of the lines told so far."""

    @abstractmethod
    def models(self) -> dict[str, Any]:
        """The networks that a checkpoint holds, by name."""

    @abstractmethod
    def optimizers(self) -> Sequence[Any]:
        """What changes them."""

    @abstractmethod
    def progress(self) -> dict[str, Any]:
        """Counts of what was done so far."""

    @abstractmethod
    def load_progress(self, facts: dict[str, Any]) -> None:
        """Go on from what `progress` told."""

    def arrays(self) -> Arrays:
        """All that a checkpoint holds besides `progress`."""
        found: Arrays = {}
        for name, model in self.models().items():
            found |= model_arrays(name, model)
        for number, optimizer in enumerate(self.optimizers()):
            found |= optimizer_arrays(f"optimizer-{number}", optimizer)
        return found

    def load(self, arrays: Arrays) -> None:
        """Go on from what `arrays` told."""
        tensors: Any = {name: torch_module().from_numpy(np.asarray(value)) for name, value in arrays.items()}
        for name, model in self.models().items():
            model.load_state_dict(without_prefix(name, tensors))
        for number, optimizer in enumerate(self.optimizers()):
            load_optimizer(f"optimizer-{number}", tensors, optimizer)

    @property
    def done(self) -> float:
        """The part of the time that is over, from 0 to 1."""
        return min(1.0, self.seconds / (60 * self.minutes))

    def learn(self) -> Path:
        """Learn until the time is over; the weights."""
        kept = time.monotonic()
        if self.done < 1:
            within_memory(self.begin)
        try:
            while self.done < 1:
                began = time.monotonic()
                figures = within_memory(self.learn_once)
                self.seconds += time.monotonic() - began
                if time.monotonic() - kept > KEEP_SECONDS or self.done >= 1:
                    self.keep(figures)
                    kept = time.monotonic()
        finally:
            self.end()
        return self.folder / WEIGHTS

    def keep(self, figures: dict[str, Any]) -> None:
        """Write the weights, the checkpoint, a line of figures and the picture.

        The checkpoint says how far the run is: what must be there by then is written before.
        """
        figures |= self.save_weights()
        told = {"seconds": self.seconds} | self.progress()
        write_arrays(self.folder / CHECKPOINT, self.arrays(), self._facts() | told)
        line = {"seconds": round(self.seconds)} | figures
        with (self.folder / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
        (self.folder / PLOT).write_text(self.draw(read_lines(self.folder / LOG)), encoding="utf-8")
        self.tell(json.dumps(line))

    def _facts(self) -> dict[str, Any]:
        """What a checkpoint must agree with."""
        return {"rules_version": self.game.meta.rules_version, "layout": layout_of(self.game)}

    def resume(self) -> None:
        """Go on from the checkpoint that lies in the folder."""
        kept = read_arrays(self.folder / CHECKPOINT)
        if kept is None:
            self._set_weights_aside()
            return
        arrays, facts = kept
        if {name: facts.get(name) for name in self._facts()} != self._facts():
            raise InvalidOption(
                f"{self.folder / CHECKPOINT} belongs to other rules of {self.game.meta.title}: name another folder"
            )
        self.seconds = float(facts["seconds"])
        self.load(arrays)
        self.load_progress(facts)

    def _set_weights_aside(self) -> None:
        """A run that has lost its checkpoint starts anew; what it had learnt stays beside."""
        if (self.folder / WEIGHTS).exists():
            (self.folder / WEIGHTS).replace(self.folder / BEFORE)
            self.tell(f"the weights so far are kept as {self.folder / BEFORE}")
