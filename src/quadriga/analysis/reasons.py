"""Reasons in words, from what the playouts of two choices saw."""

from collections.abc import Sequence

import numpy as np

from quadriga.analysis.estimator import Estimator
from quadriga.analysis.grading import FRESH, Question
from quadriga.analysis.measures import SCALE
from quadriga.analysis.results import Reason
from quadriga.core.game import Game

MOST = 2
"""Reasons that are given."""
CLEAR = 2.0
"""Standard errors from which a difference is worth a word."""
SMALLEST = 0.1
"""Differences below this are not spoken of."""
SEEN = 2 * FRESH
"""Playouts that are looked at for reasons are numbered from here on."""


def find_reasons(estimator: Estimator, question: Question, pair: tuple[int, int], count: int) -> tuple[Reason, ...]:
    """What the better of two choices has more or less of, in its favour; the two largest differences."""
    measures = estimator.measures.measures
    if not measures:
        return ()
    q = question
    count = max(count, 8)
    arms = np.array(pair, np.int64)
    seen = estimator.play_out(q.view, q.seat, arms, SEEN, count, q.left, q.label, True).seen
    differences = (seen[0] - seen[1]) / SCALE
    means = differences.mean(axis=0)
    errors = np.maximum(differences.std(axis=0, ddof=1) / count**0.5, 1e-6)
    favours = [1 if measure.more_is_better else -1 for measure in measures]
    clear = [
        (float(means[i] * favours[i] / errors[i]), i)
        for i in range(len(measures))
        if means[i] * favours[i] > max(SMALLEST, CLEAR * errors[i])
    ]
    clear.sort(key=lambda found: (-found[0], found[1]))
    return tuple(Reason(measures[i].name, round(float(means[i]), 2)) for _, i in clear[:MOST])


def say_reasons(game: Game, reasons: Sequence[Reason], language: str) -> str:
    """Reasons as a clause such as "it gets 2.4 spaces further and takes 1.1 less damage"; empty for none."""
    words = game.words(language)
    said = [
        words.say(
            f"reasons.{reason.measure}.{'more' if reason.amount > 0 else 'less'}",
            amount=_number(abs(reason.amount), language),
        )
        for reason in reasons
    ]
    return words.say("reasons.two", first=said[0], second=said[1]) if len(said) == MOST else "".join(said)


def _number(amount: float, language: str) -> str:
    text = f"{amount:.1f}"
    return text.replace(".", ",") if language == "es" else text
