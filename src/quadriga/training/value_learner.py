"""A value network that learns from a stream of positions: very many races by scores, each seen a few times.

A wide network learns from how races ended, and the one that is shipped learns what the wide one says. Positions lie
in a pool, the newest in place of the oldest; before they are learnt from, both networks are tested on them.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.network import UNIT, Layers, make_network, observation_of
from quadriga.core.game import Game
from quadriga.core.streams import stream_key
from quadriga.training.calibration import BINS, calibration
from quadriga.training.learning import RATE, make_model, outputs_of, quantise, torch_module
from quadriga.training.parallel_races import ParallelScoredRaces
from quadriga.training.scored_races import Kept, ScoredRaces
from quadriga.training.value_task import ValueTask, fit_sharpness, forward_rows

WIDE = (2048, 1024)
LAST_RATE = 0.01
"""How far the optimisers go at a step at last, as a part of what they do at first."""
ROUNDED = 0.4
"""From this part of the time on weights are rounded as they will be."""
USES = 6
"""How often each position is learnt from, about."""
TESTED = 60_000
"""Positions of a batch that both networks are tested on before they learn from it, at most."""


def make_races(game: Game, races: int, seed: str, device: str, jobs: int = 0) -> Any:
    """What plays batches of races: so many processes, or the device if 0."""
    if jobs > 0:
        return ParallelScoredRaces(game, races, seed, jobs)
    if device == "cpu":
        return ScoredRaces(game, races, seed)
    from quadriga.training.gpu_scored_races import GpuScoredRaces

    return GpuScoredRaces(game, races, seed)


class Pool:
    """Positions to learn from on a device: rows and places, the newest in place of the oldest."""

    def __init__(self, most: int, inputs: int, seats: int, device: str) -> None:
        torch = torch_module()
        self.rows = torch.empty((most, inputs), dtype=torch.int16, device=device)
        self.places = torch.empty((most, seats), dtype=torch.int8, device=device)
        self.count, self._next, self.device = 0, 0, device

    def add(self, rows: Any, places: Any) -> None:
        """Put positions in, the last of them where there are more than find room."""
        most = len(self.rows)
        rows, places = rows[-most:], places[-most:]
        at = (self._next + torch_module().arange(len(rows), device=self.device)) % most
        self.rows[at], self.places[at] = rows, places
        self._next = (self._next + len(rows)) % most
        self.count = min(most, self.count + len(rows))

    def draw(self, count: int) -> tuple[Any, Any]:
        """Positions by lot."""
        at = torch_module().randint(self.count, (count,), device=self.device)
        return self.rows[at], self.places[at]


class ValueLearner:
    """The wide network, the one that is shipped, and the positions that they learn from."""

    def __init__(self, game: Game, hidden: tuple[int, int], races: int, most: int, seed: int, device: str) -> None:
        torch, inputs, seats = torch_module(), observation_of(game).inputs, game.meta.seats[-1]
        torch.manual_seed(seed)
        torch.set_float32_matmul_precision("high")
        self.game, self.races, self.device, self.task = game, races, device, ValueTask()
        self.wide, self.own = (make_model(inputs, widths, seats**2).to(device) for widths in (WIDE, hidden))
        self.optimizers = [
            torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=1e-4) for model in (self.wide, self.own)
        ]
        self.pool, self.done = Pool(most, inputs, seats, device), 0.0
        self.player: Any = None
        self.tested: tuple[NDArray[Any], NDArray[Any], NDArray[Any]] | None = None
        """Rows, places and sources of the newest batch, before anything was learnt from it."""

    def begin_races(self, seed: str, jobs: int = 0) -> None:
        """Races, and what is drawn while learning, follow from the seed. jobs: processes that play; 0: the device."""
        torch_module().manual_seed(int(stream_key(seed.encode())[0]))
        self.player = make_races(self.game, self.races, seed, self.device, jobs)

    def play(self) -> tuple[Any, Any]:
        """The rows and places of another batch of races, shuffled; they are kept to be tested on, too."""
        torch, kept = torch_module(), self.player.play()
        rows, places, sources = self._filled(kept)
        order = torch.randperm(len(rows), device=self.device)
        rows, places, sources = rows[order], places[order], sources[order]
        self.tested = tuple(part[:TESTED].cpu().numpy() for part in (rows, places, sources))
        return rows, places

    def _filled(self, kept: Kept) -> tuple[Any, Any, Any]:
        """Rows, places and sources of positions, without the room that races did not fill."""
        torch = torch_module()
        rows, places, counts, sources = (torch.as_tensor(part, device=self.device) for part in kept)
        there = torch.arange(rows.shape[1], device=self.device) < counts[:, None]
        return rows[there], places[there], sources[:, None].expand_as(there)[there]

    def learn(self, batch: int) -> dict[str, Any]:
        """Play a batch of races, test what both networks say of them, and learn from the pool; figures."""
        rows, places = self.play()
        figures = {"wide": self._test(self.wide, rows, places), "own": self._test(self.own, rows, places)}
        self.pool.add(rows, places)
        self._set_rates()
        for _ in range(max(1, USES * len(rows) // batch)):
            self._step(*self.pool.draw(batch))
        return {"learnt": len(rows)} | {name: round(loss, 4) for name, loss in figures.items()}

    def _test(self, model: Any, rows: Any, places: Any) -> float:
        torch = torch_module()
        with torch.no_grad():
            said = outputs_of(model, rows[:TESTED], model is self.own and self.rounded)
            return float(self.task.loss(said, places[:TESTED], torch.ones_like(said[:, 0])))

    @property
    def rounded(self) -> bool:
        """Whether the weights of the network that is shipped are rounded as they will be."""
        return self.done >= ROUNDED

    def _set_rates(self) -> None:
        share = LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + np.cos(np.pi * self.done))
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = RATE * share

    def _step(self, rows: Any, places: Any) -> None:
        """One step of both networks."""
        even = torch_module().ones(len(rows), device=self.device)
        said = outputs_of(self.wide, rows, False)
        self._improve(0, self.task.loss(said, places, even))
        self._improve(1, self.task.loss(outputs_of(self.own, rows, self.rounded), places, even, said.detach()))

    def _improve(self, number: int, loss: Any) -> None:
        optimizer = self.optimizers[number]
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()

    def layers(self) -> tuple[Layers, NDArray[np.int32]]:
        """The network that is shipped as int8, and the sharpness that fits the newest positions."""
        assert self.tested is not None, "races were played before"
        layers = quantise(self.own)
        return layers, fit_sharpness(layers, self.tested)

    def calibration(self, layers: Layers, sharpness: NDArray[np.int32]) -> dict[str, float]:
        """How true the chances to win are on the newest positions, of all numbers of seats."""
        assert self.tested is not None, "races were played before"
        rows, places, _ = self.tested
        racing, seats = (places >= 0).sum(axis=1), places.shape[1]
        counts = make_network(layers, sharpness).sharpness[racing] / UNIT
        logits = forward_rows(layers, rows)[:, :seats] / UNIT * counts[:, None]
        logits[np.arange(seats) >= racing[:, None]] = -np.inf
        shares = np.exp(logits - logits.max(axis=1, keepdims=True))
        return calibration(shares[:, 0] / shares.sum(axis=1), places[:, 0] == 0, BINS)
