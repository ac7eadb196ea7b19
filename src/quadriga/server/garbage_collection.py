"""Python's collector of garbage. A full collection looks at every object and stops the server meanwhile: with some
hundred tables for half a second. So what is there after the start is left out of it for good, and full collections
are made when nobody waits, or at long intervals."""

import gc
import time

YOUNG, MIDDLE, NEVER = 10_000, 20, 1_000_000
QUIET_SECONDS, LONG_SECONDS = 2.0, 600.0


class GarbageCollector:
    """When the garbage of one server is collected."""

    def __init__(self) -> None:
        self._collected = self._busy = time.monotonic()

    def start(self) -> None:
        """What has been loaded so far stays: it need not be looked at again."""
        gc.freeze()
        gc.set_threshold(YOUNG, MIDDLE, NEVER)
        gc.enable()

    def note_busy(self) -> None:
        """Somebody has just been served."""
        self._busy = time.monotonic()

    def collect_if_idle(self) -> bool:
        """Collect now if it disturbs nobody, or if it was put off for long; whether it was done."""
        now = time.monotonic()
        if self._collected > self._busy or (now - self._busy < QUIET_SECONDS and now - self._collected < LONG_SECONDS):
            return False
        gc.collect()
        self._collected = time.monotonic()
        return True
