"""The state of a race."""

from typing import Annotated, Any

from numpy.typing import NDArray

from quadriga.core.fields import I8, I16, At, Fields, I8s, I16s, In

Log = NDArray[Any]
"""The log, lists of codes and scratch, as kernels are handed them."""

RUNNERS, SQUARES = 3, 6
OATS, NET = 0, 1
LIMIT_ROUNDS = 60
REASONS = ("", "won", "limit")
WON, LIMIT = 1, 2


class Public(Fields):
    """What everybody sees."""

    seats: Annotated[I16, "players at the table"]
    laps: Annotated[I16, "laps agreed on"]
    muddy: Annotated[I8, "1: every die is worth one less"]
    wind: Annotated[I8, "0: calm, 1: storm"]
    rounds: Annotated[I16, "rounds run"]
    square: Annotated[I16s, RUNNERS, At("runner"), In("square"), "where each runner is"]
    lap: Annotated[I16s, RUNNERS, At("runner"), "laps run"]
    down: Annotated[I8s, RUNNERS, At("runner"), "1: lies on the ground"]
    ahead: Annotated[I8, In("runner"), "who is furthest, none before the first step"]
    trail: Annotated[I16s, (RUNNERS, 2), In("square"), "the last two squares of each"]


class Race(Public):
    """With the cards."""

    hand: Annotated[I16s, RUNNERS, At("runner"), In("card"), "the card held face down"]
