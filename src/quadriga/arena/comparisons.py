"""Differences that are no accident: tests of shares and means, corrected for their number."""

from collections.abc import Sequence
from math import erfc, sqrt

LEVEL = 0.05
"""How often one may be wrong, over all comparisons together."""


def two_sided(z: float) -> float:
    """How likely a normal number is to lie at least so far from 0."""
    return erfc(abs(z) / sqrt(2))


def share_chance(wins: int, games: int, fair: float) -> float:
    """How likely a share at least so far from the fair one is by accident (the score test, as Wilson's interval)."""
    spread = fair * (1 - fair) / games if games else 0.0
    return two_sided((wins / games - fair) / sqrt(spread)) if spread > 0 else 1.0


def difference_chance(first: tuple[int, int], second: tuple[int, int]) -> float:
    """How likely two shares (wins, games) differ at least so much by accident (pooled)."""
    (wins_a, games_a), (wins_b, games_b) = first, second
    if not games_a or not games_b:
        return 1.0
    pooled = (wins_a + wins_b) / (games_a + games_b)
    spread = pooled * (1 - pooled) * (1 / games_a + 1 / games_b)
    return two_sided((wins_a / games_a - wins_b / games_b) / sqrt(spread)) if spread > 0 else 1.0


def mean_chance(difference: float, error: float) -> float:
    """How likely two means differ at least so much by accident."""
    return two_sided(difference / error) if error > 0 else float(difference == 0)


def holm(chances: Sequence[float]) -> list[float]:
    """Chances corrected for their number by Holm's method: below LEVEL, a difference is real with all others looked at.

    The smallest is multiplied by their number, the next by one less, and so on; none falls below one before it.
    """
    corrected, highest = [0.0] * len(chances), 0.0
    for rank, index in enumerate(sorted(range(len(chances)), key=lambda i: chances[i])):
        highest = max(highest, min(1.0, chances[index] * (len(chances) - rank)))
        corrected[index] = highest
    return corrected
