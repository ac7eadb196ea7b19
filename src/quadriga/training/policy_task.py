"""What a policy network learns: which choices playouts prefer."""

from typing import Any

import numpy as np

from quadriga.bots.evaluation import PART_COUNT
from quadriga.bots.network import UNIT, Layers, forward, make_network
from quadriga.bots.policy import TEMPERATURE
from quadriga.training.learning import RATE, Arrays, torch_module

COMPARED = 5000
"""Held-out positions whose choices are compared at the end."""


class PolicyTask:
    """The share that each choice should get, by what playouts say of it."""

    arrays: tuple[str, ...] = ("rows", "parts", "values")
    hidden: tuple[int, int] = (256, 128)
    batch: int = 1024
    rate: float = RATE
    rounded: bool = True

    def outputs(self, examples: Arrays) -> int:
        """A score for each part that choices can have."""
        return PART_COUNT

    def complete(self, examples: list[Any], learning: bool) -> list[Any]:
        """Examples as they are."""
        return examples

    def loss(self, said: Any, *expected: Any) -> Any:
        """Cross entropy of the choices, the better ones of which are wanted more often."""
        torch, (parts, values) = torch_module(), expected
        padded = torch.cat([said, torch.zeros_like(said[:, :1])], dim=1)
        named = parts.long().reshape(len(parts), -1)
        named = torch.where(named < 0, PART_COUNT, named)
        scores = padded.gather(1, named).reshape(parts.shape).sum(dim=2)
        none = torch.isnan(values)
        wanted = torch.softmax((values / TEMPERATURE).masked_fill(none, -1e4), dim=1)
        shares = torch.log_softmax(scores.masked_fill(none, -1e4), dim=1)
        return -(wanted * shares.masked_fill(none, 0.0)).sum(dim=1).mean()

    def figures(self, layers: Layers, tested: Arrays) -> dict[str, Any]:
        """Mean chances to win, by playouts, of the choice that the veteran, the policy and the playouts prefer."""
        network, taken = make_network(layers), []
        rows, parts, values = (array[:COMPARED] for array in tested)
        for row, named in zip(rows, parts, strict=True):
            network.observation[: len(row)] = row / UNIT
            forward(network)
            scores = [sum(int(network.results[part]) for part in choice if part >= 0) for choice in named]
            there = [score for score, choice in zip(scores, named, strict=True) if choice[0] >= 0]
            taken.append(int(np.argmax(there)))
        told = {"veteran": values[:, 0], "policy": values[np.arange(len(rows)), taken]}
        told["playouts"] = np.nanmax(values, axis=1)
        return {name: round(float(array.mean()), 4) for name, array in told.items()} | {"n": len(rows)}
