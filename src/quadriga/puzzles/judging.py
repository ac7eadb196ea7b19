"""Judges all choices of a seat by what it knows: the best, those as good, and how far behind the others are.

Choices that lead to the same in every playout have the same effect and count as one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from quadriga.analysis.estimator import Estimator
from quadriga.analysis.grading import FRESH, Question
from quadriga.bots.network import CHANCE
from quadriga.core.game import Game

SOME, FEW = 8, 5
"""Groups of choices that are played out more often, and those of them that are compared in the end."""
NEAR = 0.01
"""Choices that are at most so far behind the best in chance to win are answers, too."""


@dataclass(frozen=True)
class Depth:
    """Numbers of playouts."""

    every: int
    """Of every choice."""
    some: int
    """Of the most promising ones."""
    few: int
    """New playouts of the best of these; only they count for the margin."""

    def times(self, factor: int) -> "Depth":
        """The same with so many times the playouts."""
        return Depth(self.every * factor, self.some * factor, self.few * factor)


SCREEN = Depth(every=6, some=24, few=24)
"""Enough to see that there is no puzzle."""
STANDARD = Depth(every=24, some=96, few=400)
"""The depth at which a puzzle is found; it must hold at TIMES as many playouts."""
TIMES = 10


@dataclass(frozen=True)
class Judgement:
    """What playouts say of the choices of a decision."""

    answers: tuple[int, ...]
    """Places in the list of choices that are the best or as good, the best first."""
    chance: float
    """The chance to win with the best."""
    following: int
    """The place of the best choice that is no answer."""
    margin: float
    """How far that is behind, in chance to win."""
    error: float
    """The standard error of the margin."""
    chances: tuple[float, ...]
    """The chance to win with each choice; those that fell behind early are known less exactly."""

    @property
    def is_clear(self) -> bool:
        """Whether there is a choice that is no answer, and it is behind by more than two standard errors."""
        return self.margin > 2 * self.error and self.margin > NEAR


def judge_of(game: Game, seed: int) -> Estimator:
    """Who judges puzzles: what wins most often among the players there are, not among champions."""
    return Estimator(game, seed, as_champion=False)


def judge(estimator: Estimator, question: Question, depth: Depth) -> Judgement | None:
    """Judge the listed choices; None where all have the same effect, or too many are equally good to tell."""
    arms = complete_choices(estimator, question)
    rows = _play(estimator, question, arms, 0, depth.every)
    groups = _group(rows)
    if len(groups) < 2:
        return None
    sums = {group[0]: rows[group[0], :, 0].sum() / depth.every for group in groups}
    some = sorted(groups, key=lambda group: -sums[group[0]])[:SOME]
    wins = _play(estimator, question, arms[_heads(some)], depth.every, depth.some)[:, :, 0]
    total = [(sums[group[0]] * depth.every + wins[i].sum()) for i, group in enumerate(some)]
    few = [some[i] for i in np.argsort(-np.array(total), kind="stable")[:FEW]]
    fresh = _play(estimator, question, arms[_heads(few)], FRESH, depth.few)[:, :, 0]
    known = {place: sums[group[0]] / CHANCE for group in groups for place in group}
    means = fresh.mean(axis=1) / CHANCE
    known |= {place: float(means[i]) for i, group in enumerate(few) for place in group}
    return _compare(few, fresh, means, tuple(known[place] for place in range(len(arms))))


def complete_choices(estimator: Estimator, question: Question) -> NDArray[np.int64]:
    """The listed choices as codes, each with the part that lists leave out."""
    evaluator, game = estimator.evaluator, estimator.game
    return np.array(
        [
            evaluator.complete_choice(question.view, question.seat, game.unpack(int(code))).pack()
            for code in question.codes
        ],
        np.int64,
    )


def _play(
    estimator: Estimator, question: Question, arms: NDArray[np.int64], first: int, count: int
) -> NDArray[np.int64]:
    q = question
    return estimator.play_out(q.view, q.seat, arms, first, count, q.left, q.label, False).rows


def _group(rows: NDArray[np.int64]) -> list[list[int]]:
    """Choices with the same outcome in every playout, together."""
    found: dict[bytes, list[int]] = {}
    for place, row in enumerate(rows):
        found.setdefault(row.tobytes(), []).append(place)
    return list(found.values())


def _heads(groups: Sequence[Sequence[int]]) -> list[int]:
    return [group[0] for group in groups]


def _compare(
    groups: Sequence[Sequence[int]], wins: NDArray[np.int64], means: NDArray[np.float64], chances: tuple[float, ...]
) -> Judgement | None:
    order = np.argsort(-means, kind="stable")
    best = int(order[0])
    good = [int(i) for i in order if means[best] - means[i] <= NEAR]
    if len(good) == len(groups):
        return None
    following = int(order[len(good)])
    margin, error = min(
        (_difference(wins[i], wins[following]) for i in good), key=lambda found: found[0] - 2 * found[1]
    )
    answers = tuple(place for i in good for place in groups[i])
    return Judgement(answers, float(means[best]), groups[following][0], margin, error, chances)


def _difference(one: NDArray[np.int64], other: NDArray[np.int64]) -> tuple[float, float]:
    differences = (one - other) / CHANCE
    return float(differences.mean()), float(differences.std(ddof=1) / len(differences) ** 0.5)
