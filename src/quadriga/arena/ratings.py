"""What the results of many races say: shares with their intervals, and ratings."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt

CERTAINTY = 1.959964
"""Standard deviations to either side that hold 95 %."""
MEAN, SPREAD = 25.0, 25.0 / 3
LUCK = SPREAD / 2
"""How much the day's form adds to the spread of a skill."""
FLOOR = 1e-4


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson's score interval)."""
    if games == 0:
        return 0.0, 1.0
    share, z = wins / games, CERTAINTY**2 / games
    middle = (share + z / 2) / (1 + z)
    half = CERTAINTY * sqrt(share * (1 - share) / games + z / (4 * games)) / (1 + z)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class Rating:
    """A skill as OpenSkill sees it: its mean and how sure that is."""

    mean: float = MEAN
    spread: float = SPREAD

    @property
    def ordinal(self) -> float:
        """A skill that is almost surely no lower."""
        return self.mean - 3 * self.spread


def rate(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Ratings after one race (OpenSkill's Plackett-Luce model, Weng and Lin 2011): equal places share."""
    form = sqrt(sum(rating.spread**2 + LUCK**2 for rating in ratings))
    strength = [exp(rating.mean / form) for rating in ratings]
    below = [sum(s for s, p in zip(strength, places, strict=True) if p >= place) for place in places]
    equal = [places.count(place) for place in places]
    return [_rated(i, ratings, places, strength, below, equal, form) for i in range(len(ratings))]


def _rated(
    i: int,
    ratings: Sequence[Rating],
    places: Sequence[int],
    strength: list[float],
    below: list[float],
    equal: list[int],
    form: float,
) -> Rating:
    shift = surprise = 0.0
    for q, place in enumerate(places):
        if place > places[i]:
            continue
        chance = strength[i] / below[q]
        shift += ((1 - chance) if q == i else -chance) / equal[q]
        surprise += chance * (1 - chance) / equal[q]
    spread = ratings[i].spread
    variance = spread**2 / form
    shrink = 1 - (spread / form) * (spread / form) ** 2 * surprise
    return Rating(ratings[i].mean + variance * shift, spread * sqrt(max(shrink, FLOOR)))
