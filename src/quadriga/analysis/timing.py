"""A depth that fits a time."""

import time

from quadriga.analysis.analyse import Analyst
from quadriga.analysis.depth import DEPTHS, MOST_SCALE
from quadriga.core.match import Match

PROBES = 8
"""Decisions that are graded to see how long one takes."""
REST = 0.7
"""Of the time, the share that is left for grading when all else is done."""
LEAST_SCALE = 0.25


def scale_for(match: Match, seconds: float, threads: int) -> float:
    """How many times the playouts of `quick` fit a time for one race, from how long a few decisions take."""
    analyst = Analyst(match, DEPTHS["quick"], 0, True)
    jobs = analyst.decisions()
    if not jobs:
        return 1.0
    chosen = jobs[:: max(1, len(jobs) // PROBES)][:PROBES]
    analyst.grade(*chosen[0])  # compiled code is loaded at the first
    began = time.perf_counter()
    for job in chosen:
        analyst.grade(*job)
    quick = (time.perf_counter() - began) / len(chosen) * len(jobs) / max(1, threads)
    return round(min(max(REST * seconds / max(quick, 1e-6), LEAST_SCALE), MOST_SCALE), 2)
