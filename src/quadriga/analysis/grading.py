"""Grades a choice by what the seat knew: sequential halving, and a cost from new playouts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.analysis.chances import Codes
from quadriga.analysis.depth import Depth
from quadriga.analysis.estimator import Estimator
from quadriga.analysis.results import Candidate, Grade
from quadriga.bots.network import CHANCE
from quadriga.core.match import Left

STAY = 4
"""Candidates that are played out more often."""
SHOWN = 5
ERRORS = 2.0
"""Standard errors beyond which a difference counts."""
INACCURACY, MISTAKE, BLUNDER = 0.02, 0.04, 0.1
"""Costs from which a choice has these grades."""
FRESH = 1 << 20
"""The playouts for a cost are numbered from here on: none of them has helped to choose the best."""


@dataclass(frozen=True)
class Question:
    """A decision as the seat saw it."""

    view: Any
    seat: int
    codes: Codes
    """Its listed choices."""
    left: tuple[Left, ...]
    label: str
    """Keys the random streams."""


@dataclass(frozen=True)
class Verdict:
    """What playouts say of a decision."""

    candidates: tuple[Candidate, ...]
    codes: tuple[int, ...]
    """The codes of the candidates."""
    equals: tuple[int, ...]
    """The codes of those that are as good as the best, within two standard errors."""
    cost: float
    error: float
    grade: Grade


class Tally:
    """The chances of every playout of some choices; choices dropped on the way have fewer."""

    def __init__(self, estimator: Estimator, question: Question, arms: Codes) -> None:
        self.estimator, self.question, self.arms = estimator, question, arms
        self.played: list[list[NDArray[np.int64]]] = [[] for _ in arms]

    def play(self, which: Sequence[int], first: int, count: int) -> NDArray[np.int64]:
        """Play some choices out; their chances by choice, playout and place."""
        q = self.question
        sample = self.estimator.play_out(q.view, q.seat, self.arms[list(which)], first, count, q.left, q.label, False)
        for arm, rows in zip(which, sample.rows, strict=True):
            self.played[arm].append(rows)
        return sample.rows

    def rows(self, arm: int) -> NDArray[np.int64]:
        """All playouts of a choice."""
        return np.concatenate(self.played[arm])

    def wins(self, arm: int) -> NDArray[np.int64]:
        """The chance to win in each playout."""
        return self.rows(arm)[:, 0]

    def order(self, which: Sequence[int]) -> list[int]:
        """Choices by their mean chance to win, then to come second and so on; equals keep their order."""
        means = {arm: tuple(-self.rows(arm).sum(axis=0) * (1 << 20) // len(self.rows(arm))) for arm in which}
        return sorted(which, key=lambda arm: (means[arm], arm))

    def candidate(self, arm: int) -> Candidate:
        """A choice with its figures."""
        rows, game = self.rows(arm), self.estimator.game
        mean, error = _mean(rows[:, 0])
        places = tuple(round(float(share), 6) for share in rows.mean(axis=0) / CHANCE)
        return Candidate(game.describe(game.unpack(int(self.arms[arm]))), mean, error, len(rows), places)


def weigh(estimator: Estimator, question: Question, depth: Depth, chosen: int | None = None) -> Verdict:
    """Play the candidates of a decision out and grade the choice made; without one the best is taken for it."""
    arms = estimator.candidates(question.view, question.seat, question.codes, [] if chosen is None else [chosen])
    tally = Tally(estimator, question, arms)
    everyone = list(range(len(arms)))
    tally.play(everyone, 0, depth.first)
    stay = tally.order(everyone)[:STAY]
    made = None if chosen is None else int(np.flatnonzero(arms == chosen)[0])
    if made is not None and made not in stay:
        stay.append(made)
    tally.play(sorted(stay), depth.first, depth.second)
    ranked = tally.order(sorted(stay))
    best = ranked[0]
    equals = [arm for arm in ranked if not _is_worse(tally, arm, best)]
    cost, error = (0.0, 0.0) if made is None or made == best else _cost(tally, best, made, depth)
    if cost < 0:  # new playouts say that the choice made is the better one
        best, cost = made if made is not None else best, 0.0
    order = [best, *(arm for arm in ranked if arm != best)][:SHOWN]
    return Verdict(
        tuple(tally.candidate(arm) for arm in order),
        tuple(int(arms[arm]) for arm in order),
        tuple(int(arms[arm]) for arm in equals),
        cost, error, grade_of(cost, error, made is None or made == best),
    )  # fmt: skip


def grade_of(cost: float, error: float, is_best: bool) -> Grade:
    """The grade of a cost; one within two standard errors does not count."""
    if is_best:
        return Grade.BEST
    if cost < INACCURACY or cost <= ERRORS * error:
        return Grade.GOOD
    if cost < MISTAKE:
        return Grade.INACCURACY
    return Grade.MISTAKE if cost < BLUNDER else Grade.BLUNDER


def _cost(tally: Tally, best: int, made: int, depth: Depth) -> tuple[float, float]:
    """What the choice made cost on new playouts, and its error; they go on until it is clear whether it counts."""
    differences = np.zeros(0, np.int64)
    cost = error = 0.0
    for batch in range(depth.batches):
        rows = tally.play([best, made], FRESH + batch * depth.batch, depth.batch)
        differences = np.concatenate([differences, rows[0, :, 0] - rows[1, :, 0]])
        cost, error = _mean(differences)
        if cost + ERRORS * error < MISTAKE or cost - (ERRORS + 1) * error > MISTAKE:
            break
    return cost, error


def _is_worse(tally: Tally, arm: int, best: int) -> bool:
    """Whether a choice falls behind the best by more than two standard errors, over the playouts they share."""
    one, other = tally.wins(best), tally.wins(arm)
    shared = min(len(one), len(other))
    mean, error = _mean(one[:shared] - other[:shared])
    return mean > ERRORS * error and mean > 0


def _mean(numbers: NDArray[np.int64]) -> tuple[float, float]:
    """Mean and standard error of chances, from whole-number sums: the same on every machine."""
    count, total = len(numbers), int(numbers.sum())
    mean = total / count / CHANCE
    if count < 2:
        return mean, 0.0
    squares = int((numbers * numbers).sum())
    variance = (squares * count - total * total) / (count * (count - 1))
    return round(mean, 9), round((max(variance, 0.0) / count) ** 0.5 / CHANCE, 9)
