"""The policy network: which choices of a seat are likely to be best, before anything is played out.

It reads the seat's observation and scores every part that choices can have; a choice is worth the sum of its parts.
A difference of 1 between two choices stands for a chance to win that differs by TEMPERATURE.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import PART_COUNT, parts
from quadriga.bots.network import UNIT, Network, forward_hidden, one_result
from quadriga.core.kernel import kernel
from quadriga.core.observation import encode_inputs

Codes = NDArray[np.int64]

PER_MILLE = 30
TEMPERATURE = PER_MILLE / 1000
"""What a score of 1 is worth as a chance to win."""
UNKNOWN = -(1 << 31)
"""Stands for a score that was not computed yet."""


@kernel
def score_choices(
    view: Any, race: Any, tables: Any, seat: int, codes: Codes, policy: Network, found: Codes, scores: Codes
) -> None:
    """Write the score of each choice, in UNIT. race: one that could lie behind the view. found: room for parts.

    A part's score is computed when a choice first has it: most parts belong to no choice at hand.
    """
    encode_inputs(view, tables, policy.observation, policy.weights_1.shape[0])
    forward_hidden(policy)
    for part in range(PART_COUNT):
        policy.results[part] = UNKNOWN
    for i in range(codes.shape[0]):
        total = 0
        for k in range(parts(race, tables, seat, codes[i], found)):
            part = found[k]
            if policy.results[part] == UNKNOWN:
                policy.results[part] = one_result(policy, part)
            total += int(policy.results[part])
        scores[i] = total


def as_leads(scores: Codes, winning_lead: int) -> Codes:
    """How far each choice is behind the best one, in the unit that playouts are counted in."""
    return (scores - scores.max()) * (2 * winning_lead * PER_MILLE) // (1000 * UNIT)
