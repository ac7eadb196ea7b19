"""When Python's garbage collector runs. A full collection visits every object, and the server waits meanwhile.

So the objects that exist after the start are excluded from collections, and full collections are made when nobody has
been served for a moment, or at long intervals.
"""

import gc
import time

YOUNG, MIDDLE, NEVER = 10_000, 20, 1_000_000
"""Thresholds of the three generations: Python itself starts no full collection."""
IDLE_SECONDS, LONGEST_SECONDS = 2.0, 600.0


class GcSchedule:
    """The garbage collection of one server."""

    def __init__(self) -> None:
        self._collected = self._active = time.monotonic()

    def begin(self) -> None:
        """Exclude everything that has been loaded so far."""
        gc.freeze()
        gc.set_threshold(YOUNG, MIDDLE, NEVER)

    def note_activity(self) -> None:
        """Somebody has just been served."""
        self._active = time.monotonic()

    def collect_if_idle(self) -> bool:
        """Collect if nobody is served, or if that has been put off for long; whether it was done."""
        now = time.monotonic()
        idle, waited = now - self._active >= IDLE_SECONDS, now - self._collected >= LONGEST_SECONDS
        if self._collected > self._active or not (idle or waited):
            return False
        gc.collect()
        self._collected = time.monotonic()
        return True
