"""Ends a process that hangs, and logs the traceback of every thread, so that its supervisor can start another.

The timer is faulthandler's. It runs in a thread of its own that needs no lock of Python's, so it also ends a process in
which some C code holds that lock.
"""

import faulthandler
import sys
from types import FrameType

import uvicorn

ARM_SECONDS = 1
LEAST_SECONDS = 5.0
"""A shorter timer could run out between two armings."""
STOP_SECONDS = 15.0
"""How long a process may take to end after it was told to."""


class Watchdog:
    """One timer: armed anew again and again while the event loop runs, and for the last time when it is to stop."""

    def __init__(self, hang_seconds: float) -> None:
        debugged = sys.gettrace() is not None  # a breakpoint would look like a hang
        self._seconds = 0.0 if debugged or not hang_seconds else max(hang_seconds, LEAST_SECONDS)
        self._stopping = False

    async def arm(self) -> None:
        """Called by the event loop while it runs."""
        if self._seconds and not self._stopping:
            _start_timer(self._seconds)

    def stop(self) -> None:
        """From now on the process has a fixed time to end."""
        if not self._stopping:
            self._stopping = True
            _start_timer(STOP_SECONDS)


def _start_timer(seconds: float) -> None:
    faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__ or sys.stderr)


class WatchedServer(uvicorn.Server):
    """uvicorn's server, which ends in time after SIGTERM or SIGINT whatever it is waiting for."""

    def __init__(self, config: uvicorn.Config, watchdog: Watchdog) -> None:
        super().__init__(config)
        self._watchdog = watchdog

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Called for these signals."""
        self._watchdog.stop()
        super().handle_exit(sig, frame)
