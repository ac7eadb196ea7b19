"""Which decisions make a puzzle: not forced, with a clear answer, and not the first that comes to mind."""

from typing import Any

import numpy as np

from quadriga.analysis.chances import Codes
from quadriga.analysis.estimator import Estimator
from quadriga.analysis.grading import MISTAKE
from quadriga.bots.evaluation import GREEDY
from quadriga.puzzles.judging import Judgement

LEAST_CHOICES = 4
MARGIN = MISTAKE
"""By how much the answer must be better than all others, in chance to win: any other choice is a mistake."""
ERRORS, CERTAIN = 3.0, 0.03
"""What is left of the margin after so many standard errors."""
SCREEN_MARGIN = 0.03
"""The margin in fewer playouts from which more are worth while."""
LEAST_CHANCE, MOST_CHANCE = 0.1, 0.99
"""Chances to win with the best choice outside which nobody cares."""
MOST_ANSWERS = 0.34
"""The share of choices that may be right."""


def find_first_thought(estimator: Estimator, view: Any, seat: int, codes: Codes) -> frozenset[int]:
    """The places of the choices that bring most at once: the longest move, for instance."""
    worth = estimator.evaluator.score(view, seat, codes, GREEDY)
    return frozenset(np.flatnonzero(worth == worth.max()).tolist())


def is_promising(judgement: Judgement | None, obvious: frozenset[int], errors: float = 0.0) -> bool:
    """Whether a decision is worth more playouts. errors: standard errors by which the margin must exceed 0."""
    return (
        judgement is not None
        and judgement.margin > max(SCREEN_MARGIN, errors * judgement.error)
        and _is_interesting(judgement, obvious)
    )


def is_puzzle(judgement: Judgement | None, obvious: frozenset[int]) -> bool:
    """Whether a decision is a puzzle, judged by enough playouts."""
    return (
        judgement is not None
        and judgement.margin >= MARGIN
        and judgement.margin - ERRORS * judgement.error > CERTAIN
        and LEAST_CHANCE <= judgement.chance <= MOST_CHANCE
        and _is_interesting(judgement, obvious)
    )


def _is_interesting(judgement: Judgement, obvious: frozenset[int]) -> bool:
    return not obvious & set(judgement.answers) and len(judgement.answers) <= MOST_ANSWERS * len(judgement.chances)
