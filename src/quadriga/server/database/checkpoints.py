"""Checkpoints of SQLite's write-ahead log, made beside the writer.

By default SQLite makes a checkpoint within a commit whenever the log has grown by 1,000 pages, and everybody whose
choice is in that commit or behind it waits for two more syncs of the disk. Here a thread copies pages meanwhile. Only
when the log has become long does the writer finish a checkpoint itself, between two commits, so that the log begins
anew; few pages are left to copy then.
"""

import contextlib
import logging
import threading

from sqlalchemy import Engine, event
from sqlalchemy.exc import DBAPIError

log = logging.getLogger("quadriga.storage")
SECONDS = 1.0
MOST_FRAMES = 8_192
"""Pages in the log after which it begins anew: 32 MB."""


def turn_off_automatic_checkpoints(engine: Engine) -> None:
    """Let the writer's commits write to the log alone."""

    @event.listens_for(engine, "connect")
    def _(connection: object, _record: object) -> None:
        connection.execute("PRAGMA wal_autocheckpoint=0")  # type: ignore[attr-defined]


def copy_pages(engine: Engine) -> int:
    """Copy pages from the log to the database, as far as nobody reads older ones; how many the log holds."""
    connection = engine.raw_connection()
    try:
        row = connection.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return int(row[1])
    finally:
        connection.close()


class Checkpoints:
    """A thread that makes checkpoints of a database."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._end = engine, threading.Event()
        self.is_log_long = False
        """Whether the writer should finish a checkpoint."""
        self._thread = threading.Thread(target=self._run, name="quadriga-checkpoint", daemon=True)
        self._thread.start()

    def finish(self, writer: Engine) -> None:
        """Make a checkpoint while nobody writes: the next commit begins the log anew."""
        self.is_log_long = False
        with contextlib.suppress(DBAPIError):  # it is tried again
            copy_pages(writer)

    def close(self) -> None:
        """End the thread."""
        self._end.set()
        self._thread.join()
        self._engine.dispose()

    def _run(self) -> None:
        while not self._end.wait(SECONDS):
            try:
                self.is_log_long = copy_pages(self._engine) > MOST_FRAMES
            except Exception as error:
                log.warning("no checkpoint", extra={"cause": type(error).__name__})
