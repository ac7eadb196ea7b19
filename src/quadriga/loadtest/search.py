"""The highest rate that a server takes: choices in time and none missed, found by halving the range of rates."""

from collections.abc import Awaitable, Callable
from typing import Any

MOST_P99_MS = 50.0
GOAL = 1000.0
"""The rate that is tried first."""
TRIALS = 6
STEP = 25.0
"""Rates that lie closer together are not told apart."""

Figures = dict[str, float]
Run = Callable[[float, float, int], Awaitable[Figures]]
"""Puts a load of a rate on a server for some seconds, with a seed."""


def is_taken(figures: Figures) -> bool:
    """Whether a rate was taken: 99 of 100 choices were seen by all in time, and nothing was missed."""
    return figures["p99_ms"] <= MOST_P99_MS and not figures["missed"] and not figures["unanswered"]


async def find_highest_rate(run: Run, seconds: float, trials: int = TRIALS) -> dict[str, Any]:
    """The highest rate that was taken and its figures, after so many trials of so many seconds at most; 0 if none."""
    lowest, highest, rate = 0.0, 2 * GOAL, GOAL
    best: dict[str, Any] = {"rate": 0.0, "figures": None, "tried": {}}
    for trial in range(trials):
        figures = await run(rate, seconds, trial + 1)
        best["tried"][str(int(rate))] = figures["p99_ms"]
        if is_taken(figures):
            lowest, best["rate"], best["figures"] = rate, rate, figures
        else:
            highest = rate
        if highest - lowest <= STEP:
            break
        rate = (lowest + highest) / 2
    return best
