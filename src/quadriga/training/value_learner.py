"""A value network that learns from a stream of positions: very many races by scores, each seen a few times.

A wide network learns from how races ended and from what it says of the same seat some stretches later: that depends
less on luck than results do (temporal differences). The network that is shipped learns what the wide one says. Where
either learns from the wide one, its weights are a mean over many steps. Positions lie in pools (training/pools.py);
before they are learnt from, the networks are tested on them. Weights are rounded afterwards (training/rounding.py).
"""

from contextlib import nullcontext
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.network import UNIT, Layers, observation_of
from quadriga.core.game import Game
from quadriga.core.streams import stream_key
from quadriga.training.calibration import BINS, calibration
from quadriga.training.learning import RATE, make_model, outputs_of, torch_module
from quadriga.training.pools import TESTED, Batch, Examples, Supply, draw_from, make_supplies
from quadriga.training.rounding import INT8, round_model
from quadriga.training.value_task import fit_sharpness, forward_rows, place_loss

WIDE = (3072, 1536, 768)
LAST_RATE = 0.01
"""How far the optimisers go at a step at last, as a part of what they do at first."""
USES = 4
"""How often each position is learnt from, about."""
TRUST = 0.8
"""How much what the wide network says of a later position counts; the result counts for the rest."""
TRUSTED_FROM, TRUSTED_FULLY = 0.03, 0.15
"""The parts of the time from which on it counts at all, and so much."""
MEAN_STEPS = 1000
"""Steps that the mean of weights is over, about."""
OWN_STEPS = 8
"""Steps of the network that is shipped for one of the wide network, each on so small a part of the batch: what it
learns differs little from position to position, and it gains by more steps."""
OWN = 6.0
"""How much one's own place counts beside that of a rival, for the network that is shipped."""


class ValueLearner:
    """The wide network, the one that is shipped, and the positions that they learn from."""

    def __init__(
        self,
        game: Game,
        hidden: tuple[int, int],
        races: int,
        positions: int,
        seed: int,
        device: str,
        largest_weight: int = INT8,
    ) -> None:
        """largest_weight: of the network that is shipped."""
        torch, inputs, seats = torch_module(), observation_of(game).inputs, game.meta.seats[-1]
        torch.manual_seed(seed)
        torch.set_float32_matmul_precision("high")
        self.game, self.races, self.positions, self.device = game, races, positions, device
        self.largest_weight = largest_weight
        self.wide, self.own = (make_model(inputs, widths, seats**2).to(device) for widths in (WIDE, hidden))
        self.mean = deepcopy(self.wide)
        """The wide network with weights that are a mean over many steps."""
        self.steps = 0
        fused = device == "cuda"
        self.optimizers = [
            torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=1e-4, fused=fused)
            for model in (self.wide, self.own)
        ]
        self.supplies: list[Supply] = []
        self.losses: dict[int, dict[str, float]] = {}
        """By the number of a supply, those on its newest batch before it was learnt from."""
        self.done = 0.0

    def begin_races(self, seed: str, jobs: int = 0) -> None:
        """Races, and what is drawn while learning, follow from the seed. jobs: processes that play; 0: the device."""
        torch_module().manual_seed(int(stream_key(seed.encode())[0]))
        self.supplies = make_supplies(self.game, self.races, self.positions, seed, self.device, jobs)

    def end_races(self) -> None:
        """Play no more."""
        for supply in self.supplies:
            supply.close()

    def learn(self, batch: int) -> dict[str, Any]:
        """Play a batch of races, test what both networks say of them, and learn from the pools; figures."""
        first, *others = self.supplies
        played = self._take(0, first.play(wait=True))
        more = [self._take(number, supply.play(wait=False)) for number, supply in enumerate(others, 1)]
        self._set_rates()
        for _ in range(max(1, round(USES * played / (batch * first.share)))):
            self._step(*draw_from(self.supplies, batch))
        return {"learnt": played + sum(more)} | self._mean_losses()

    def _take(self, number: int, batch: Batch | None) -> int:
        """Test both networks on the positions of a batch and put them into the pool; how many there are."""
        if batch is None:
            return 0
        rows, places = batch.examples.rows[:TESTED], batch.examples.places[:TESTED]
        models = {"wide": self.mean, "own": self.own}
        self.losses[number] = {name: self._test(model, rows, places) for name, model in models.items()}
        self.supplies[number].add(batch)
        return len(batch.examples.rows)

    def _test(self, model: Any, rows: Any, places: Any) -> float:
        torch = torch_module()
        with torch.no_grad():
            said = outputs_of(model, rows, False)
            return float(place_loss(said, places, torch.ones_like(said[:, 0])))

    def _mean_losses(self) -> dict[str, float]:
        """The losses on the newest batches, each supply with its share."""
        shares = {number: self.supplies[number].share for number in self.losses}
        total = sum(shares.values())
        return {
            name: round(sum(share * self.losses[number][name] for number, share in shares.items()) / total, 4)
            for name in ("wide", "own")
        }

    def _set_rates(self) -> None:
        share = LAST_RATE + (1 - LAST_RATE) * 0.5 * (1 + np.cos(np.pi * self.done))
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = RATE * share

    def _step(self, examples: Examples, weights: Any) -> None:
        """One step of both networks. weights: how much each position counts."""
        trust = self._trust() * examples.goes_on[:, None]
        with self._half_precision():
            with torch_module().no_grad():
                taught, later = (outputs_of(self.mean, rows, False) for rows in (examples.rows, examples.later))
            said = outputs_of(self.wide, examples.rows, False)
        self._improve(0, place_loss(said.float(), examples.places, weights, later, trust=trust))
        self._take_mean()
        self._teach_own(examples.rows, examples.places, weights, taught)

    def _teach_own(self, *batch: Any) -> None:
        """Some steps of the network that is shipped. batch: rows, places, weights, and what the wide network says."""
        for first in range(OWN_STEPS):
            # Not one piece after the other: the positions of a supply lie side by side.
            rows, places, weights, taught = (array[first::OWN_STEPS] for array in batch)
            self._improve(1, place_loss(outputs_of(self.own, rows, False), places, weights, taught, OWN))

    def _trust(self) -> float:
        """How much what the wide network says of a later position counts by now."""
        return float(TRUST * np.clip((self.done - TRUSTED_FROM) / (TRUSTED_FULLY - TRUSTED_FROM), 0, 1))

    def _take_mean(self) -> None:
        """Move the mean of the wide network's weights a little towards them."""
        self.steps += 1
        part = 1 / min(self.steps, MEAN_STEPS)
        with torch_module().no_grad():
            for mean, newest in zip(self.mean.parameters(), self.wide.parameters(), strict=True):
                mean.lerp_(newest, part)

    def _half_precision(self) -> Any:
        """A GPU multiplies the wide network's numbers at half precision, several times as fast."""
        return torch_module().autocast("cuda", torch_module().bfloat16) if self.device == "cuda" else nullcontext()

    def _improve(self, number: int, loss: Any) -> None:
        optimizer = self.optimizers[number]
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()

    def tested(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Rows, places and sources of the newest batches, each supply with its share."""
        found = [supply.tested for supply in self.supplies if supply.tested]
        rows, places, sources = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return rows, places, sources

    def layers(self) -> tuple[Layers, NDArray[np.int32], dict[str, float]]:
        """The network that is shipped in whole numbers, the sharpness that fits the newest positions, and how true its
        chances to win are on them."""
        tested = self.tested()
        layers = round_model(self.own, torch_module().from_numpy(tested[0]), self.largest_weight)
        said = forward_rows(layers, tested[0])
        sharpness = fit_sharpness(said, tested)
        return layers, sharpness, calibration(*judged(said, sharpness, tested[1]), BINS)


def judged(
    said: NDArray[np.int64], sharpness: NDArray[np.int32], places: NDArray[np.int8]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The chances to win by what a network says of positions, and who won."""
    racing, seats = (places >= 0).sum(axis=1), places.shape[1]
    logits = said[:, :seats] / UNIT * (sharpness[racing] / UNIT)[:, None]
    logits[np.arange(seats) >= racing[:, None]] = -np.inf
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return shares[:, 0] / shares.sum(axis=1), places[:, 0] == 0
