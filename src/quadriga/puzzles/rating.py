"""Ratings of puzzles and of those who solve them: an answer is a race of the two, which one of them wins."""

from functools import cache
from typing import Any

from msgspec import Struct

MEAN, SPREAD = 25.0, 25.0 / 3
"""Of a solver of whom nothing is known."""
EASIEST, HARDEST = 15.0, 35.0
"""What a puzzle begins with that every bot finds, and one that none finds."""
KNOWN = 5.0
"""The spread that puzzles begin with: bots have tried them."""
MIDDLE, UNIT = 1500, 40
"""What is shown for the mean, and for one point of rating more."""


class Rating(Struct, frozen=True):
    """A rating and how uncertain it is."""

    mu: float = MEAN
    sigma: float = SPREAD

    @property
    def shown(self) -> int:
        """As people read it."""
        return round(MIDDLE + UNIT * (self.mu - MEAN))


def first_rating(difficulty: float) -> Rating:
    """The rating that a puzzle begins with. difficulty: the share of bots that do not find it."""
    return Rating(EASIEST + (HARDEST - EASIEST) * min(1.0, max(0.0, difficulty)), KNOWN)


def rate_answer(solver: Rating, puzzle: Rating, is_right: bool) -> tuple[Rating, Rating]:
    """The ratings of solver and puzzle after an answer."""
    model = _model()
    teams = [[model.create_rating([rating.mu, rating.sigma])] for rating in (solver, puzzle)]
    ((one,), (other,)) = model.rate(teams, ranks=[1, 2] if is_right else [2, 1])
    return Rating(one.mu, one.sigma), Rating(other.mu, other.sigma)


@cache
def _model() -> Any:
    """The model of the arena's ratings; loaded when somebody answers."""
    from quadriga.arena.ratings import MODEL

    return MODEL
