"""What the results of many races say: shares with their intervals, and ratings."""

from collections.abc import Sequence
from math import sqrt

from openskill.models import PlackettLuce, PlackettLuceRating

CERTAINTY = 1.959964
"""Standard deviations to either side that hold 95 %."""
MODEL = PlackettLuce()


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's score interval)."""
    if games == 0:
        return 0.0, 1.0
    share, z = wins / games, CERTAINTY**2 / games
    middle = (share + z / 2) / (1 + z)
    half = CERTAINTY * sqrt(share * (1 - share) / games + z / (4 * games)) / (1 + z)
    return max(0.0, middle - half), min(1.0, middle + half)


def rate(ratings: Sequence[PlackettLuceRating], places: Sequence[int]) -> list[PlackettLuceRating]:
    """Ratings after one race; equal places share."""
    teams = MODEL.rate([[rating] for rating in ratings], ranks=list(map(float, places)))
    return [rated for (rated,) in teams]
