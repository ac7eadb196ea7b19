"""Requests to other servers, which may be slow or never answer. They wait in a bounded queue for a few threads."""

import logging
import queue
import threading
import time
from collections.abc import Callable

log = logging.getLogger("quadriga.delivery")
QUEUED = 100


class Delivery:
    """Sends one request after the other in daemon threads, which neither the event loop nor a stop waits for."""

    def __init__(self, name: str, threads: int) -> None:
        self._name, self._most_threads = name, threads
        self._jobs: queue.Queue[Callable[[], None]] = queue.Queue(QUEUED)
        self._threads: list[threading.Thread] = []

    def submit(self, job: Callable[[], None]) -> bool:
        """Queue a request; False if too many wait already."""
        try:
            self._jobs.put_nowait(job)
        except queue.Full:
            return False
        if len(self._threads) < self._most_threads:
            self._threads.append(threading.Thread(target=self._run, name=f"quadriga-{self._name}", daemon=True))
            self._threads[-1].start()
        return True

    def wait(self, seconds: float) -> None:
        """Wait until everything is sent, for so long at most."""
        end = time.monotonic() + seconds
        while self._jobs.unfinished_tasks and time.monotonic() < end:
            time.sleep(0.02)

    def _run(self) -> None:
        while True:
            job = self._jobs.get()
            try:
                job()
            except Exception as error:
                log.warning("not delivered", extra={"to": self._name, "cause": type(error).__name__})
            finally:
                self._jobs.task_done()
