"""The policy network: which choices of a seat are likely to be best, before anything is played out.

It reads the seat's observation and scores every part that choices can have; a choice is worth the sum of its parts.
A difference of 1 between two choices stands for a chance to win that differs by TEMPERATURE.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import parts
from quadriga.bots.network import UNIT, Network, forward
from quadriga.core.kernel import kernel
from quadriga.core.observation import encode

Codes = NDArray[np.int64]

PER_MILLE = 30
TEMPERATURE = PER_MILLE / 1000
"""What a score of 1 is worth as a chance to win."""


@kernel
def score_choices(
    view: Any, race: Any, tables: Any, seat: int, codes: Codes, policy: Network, found: Codes, scores: Codes
) -> None:
    """Write the score of each choice, in UNIT. race: one that could lie behind the view. found: room for parts."""
    encode(view, tables, policy.observation)
    forward(policy)
    for i in range(codes.shape[0]):
        total = 0
        for k in range(parts(race, tables, seat, codes[i], found)):
            total += int(policy.results[found[k]])
        scores[i] = total


def as_leads(scores: Codes, winning_lead: int) -> Codes:
    """How far each choice is behind the best one, in the unit that playouts are counted in."""
    return (scores - scores.max()) * (2 * winning_lead * PER_MILLE) // (1000 * UNIT)
