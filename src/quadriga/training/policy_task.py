"""What a policy network learns: which choices playouts prefer.

A first policy learns from scratch which of veteran's best choices playouts prefer. A policy that has raced improves:
the score of each choice moves by as much as champion's search says that it is better than the others.
"""

from typing import Any

import numpy as np

from quadriga.bots.evaluation import PART_COUNT
from quadriga.bots.network import UNIT, Layers, forward, make_network
from quadriga.bots.policy import TEMPERATURE
from quadriga.training.learning import RATE, Arrays, load_layers, make_model, outputs_of, torch_module
from quadriga.training.weights import hidden_of

COMPARED = 5000
"""Held-out positions whose choices are compared at the end."""
STEP = 100.0
"""How far a score moves for a choice that is surely won where the others are lost: by 1 for a hundredth of that."""
IMPROVING = 4
"""A policy that improves learns in steps so many times smaller: it begins with what is known."""
SCORED_AT_ONCE = 1 << 14


def choice_scores(said: Any, parts: Any) -> Any:
    """The score of each choice, the sum of its parts'."""
    torch = torch_module()
    padded = torch.cat([said, torch.zeros_like(said[:, :1])], dim=1)
    named = parts.long().reshape(len(parts), -1)
    named = torch.where(named < 0, PART_COUNT, named)
    return padded.gather(1, named).reshape(parts.shape).sum(dim=2)


class PolicyTask:
    """The share that each choice should get, by what playouts say of it."""

    arrays: tuple[str, ...] = ("rows", "parts", "values")
    hidden: tuple[int, int] = (256, 128)
    batch: int = 1024
    rate: float = RATE
    rounded: bool = True
    first: str = "veteran"
    """Who likes the first choice of each position best."""

    def outputs(self, examples: Arrays) -> int:
        """A score for each part that choices can have."""
        return PART_COUNT

    def complete(self, examples: list[Any], learning: bool) -> list[Any]:
        """Examples as they are."""
        return examples

    def loss(self, said: Any, *expected: Any) -> Any:
        """Cross entropy of the choices, the better ones of which are wanted more often."""
        torch, (parts, values) = torch_module(), expected
        scores, none = choice_scores(said, parts), torch.isnan(values)
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
        told = {self.first: values[:, 0], "policy": values[np.arange(len(rows)), taken]}
        told["playouts"] = np.nanmax(values, axis=1)
        return {name: round(float(array.mean()), 4) for name, array in told.items()} | {"n": len(rows)}


class ImprovementTask(PolicyTask):
    """Scores that differ from those of a policy by what search says of the choices (a natural policy gradient)."""

    first = "before"
    rate = RATE / IMPROVING

    def __init__(self, start: Layers) -> None:
        self.start, self.hidden = start, hidden_of(start)

    def complete(self, examples: list[Any], learning: bool) -> list[Any]:
        """Rows and parts, and the scores that are wanted; NaN where there is no choice."""
        rows, parts, values = examples
        return [rows, parts, self._scores_before(rows, parts) + STEP * values]

    def _scores_before(self, rows: Any, parts: Any) -> Any:
        torch, model = torch_module(), make_model(rows.shape[1], self.hidden, PART_COUNT).to(rows.device)
        load_layers(model, self.start)
        with torch.no_grad():
            pairs = zip(rows.split(SCORED_AT_ONCE), parts.split(SCORED_AT_ONCE), strict=True)
            return torch.cat([choice_scores(outputs_of(model, some, True), named) for some, named in pairs])

    def loss(self, said: Any, *expected: Any) -> Any:
        """How far apart scores are from how far apart they should be."""
        torch, (parts, wanted) = torch_module(), expected
        there = ~torch.isnan(wanted)
        miss = torch.where(there, choice_scores(said, parts) - wanted.nan_to_num(), 0.0)
        count = there.sum(dim=1, keepdim=True)
        miss = torch.where(there, miss - miss.sum(dim=1, keepdim=True) / count, 0.0)
        return (miss.square().sum(dim=1) / count[:, 0]).mean()
