"""The database behind the tables. Writes of a moment are committed together: one writer, a batch at a time.

A job is a function of a connection. A job that raises `Unchanged` has written nothing; after any other failure the
batch is rolled back and its jobs run again one by one, so that one bad job harms no other.
"""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError

from quadriga.core.errors import InvalidOption

log = logging.getLogger("quadriga.storage")

Job = Callable[[Connection], Any]
BATCH = 256
READERS = 4
RETRY_SECONDS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0, 1.0)
"""How long jobs wait for a database that went away before they fail."""


class Unchanged(Exception):
    """Raised by a job that found it had come too late, before it wrote anything."""


class Unavailable(Exception):
    """The database did not answer; whether something was written is not known."""


def open_engine(url: str, writing: bool) -> Engine:
    """An engine with the house's settings, for SQLite or PostgreSQL."""
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite":
            return _sqlite(url, parsed.database, writing)
        return create_engine(url, pool_size=1 if writing else READERS, max_overflow=0)
    except (ArgumentError, NoSuchModuleError):
        raise InvalidOption("the database is a file, sqlite:///FILE or postgresql://USER@HOST/NAME") from None
    except ModuleNotFoundError:
        raise InvalidOption("PostgreSQL needs the extra: pip install quadriga[postgres]") from None


def _sqlite(url: str, file: str | None, writing: bool) -> Engine:
    if not file or file == ":memory:":
        raise InvalidOption("tables need a file: a database in memory would lose them")
    Path(file).expanduser().parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        url, pool_size=1 if writing else READERS, max_overflow=0, connect_args={"check_same_thread": False}
    )
    begin = "BEGIN IMMEDIATE" if writing else "BEGIN"

    @event.listens_for(engine, "connect")
    def _(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver's own BEGIN would come too late
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


class Store:
    """A database with one writer thread and a few reader threads."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.is_postgres = url.startswith("postgresql")
        self._writing, self._reading = open_engine(url, True), open_engine(url, False)
        self._jobs: queue.SimpleQueue[tuple[Job, Future[Any]] | None] = queue.SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, "quadriga-read")
        self._writer = threading.Thread(target=self._write_all, name="quadriga-write", daemon=True)
        self._writer.start()
        self.batches = self.writes = 0
        self.writer = 0
        """The process id PostgreSQL gives to the writer, to know its own notices."""

    async def read(self, job: Callable[[Connection], Any]) -> Any:
        """What a job finds, in a transaction of its own."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, job)

    async def write(self, job: Callable[[Connection], Any]) -> Any:
        """What a job returns, after what it wrote is committed. Who stops waiting does not stop the job."""
        return await asyncio.wrap_future(self._submit(job))

    def write_now(self, job: Callable[[Connection], Any]) -> Any:
        """`write` for code outside an event loop."""
        return self._submit(job).result()

    def _submit(self, job: Job) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_running_or_notify_cancel()  # from here on nobody can cancel it
        self._jobs.put((job, done))
        return done

    def close(self) -> None:
        """Finish what waits, then let go of the database."""
        self._jobs.put(None)
        self._writer.join()
        self._readers.shutdown()
        self._writing.dispose()
        self._reading.dispose()

    def _read(self, job: Job) -> Any:
        """What a job finds; a database that went away is waited for."""
        for pause in RETRY_SECONDS:
            try:
                with self._reading.connect() as connection:
                    return job(connection)
            except OperationalError as error:
                if not _is_gone(error, self.is_postgres):
                    raise
            time.sleep(pause)
        raise Unavailable

    # ------------------------------------------------------------ the writer

    def _write_all(self) -> None:
        running = True
        while running:
            batch = [self._jobs.get()]
            while len(batch) < BATCH and not self._jobs.empty():
                batch.append(self._jobs.get())
            running = None not in batch
            self._write_batch([item for item in batch if item is not None])

    def _write_batch(self, batch: list[tuple[Job, Future[Any]]]) -> None:
        outcomes = self._attempt([job for job, _ in batch])
        if outcomes is None:
            outcomes = [one for job, _ in batch for one in self._attempt([job], alone=True) or ()]
        self.batches += 1
        self.writes += len(batch)
        for (_, done), outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, BaseException):
                done.set_exception(outcome)
            else:
                done.set_result(outcome)

    def _attempt(self, jobs: list[Job], alone: bool = False) -> list[Any] | None:
        """The outcomes of committed jobs; None if one of several failed and nothing was written."""
        for pause in (*RETRY_SECONDS, None):
            try:
                return self._transaction(jobs)
            except (Unavailable, OperationalError) as error:
                if isinstance(error, Unavailable) or not _is_gone(error, self.is_postgres):
                    return [error] if alone else [Unavailable()] * len(jobs) if isinstance(error, Unavailable) else None
                if pause is None:
                    return [Unavailable()] * len(jobs)
                log.warning("the database does not answer")
                self._writing.dispose()
                time.sleep(pause)
            except Exception as error:
                return [error] if alone else None
        return None

    def _transaction(self, jobs: list[Job]) -> list[Any]:
        with self._writing.connect() as connection:
            if self.is_postgres:
                driver: Any = connection.connection.driver_connection
                self.writer = driver.info.backend_pid
            outcomes: list[Any] = []
            for job in jobs:
                try:
                    outcomes.append(job(connection))
                except Unchanged as late:
                    outcomes.append(late)
            try:
                connection.commit()
            except DBAPIError as error:
                self._writing.dispose()
                raise Unavailable from error
            return outcomes


def _is_gone(error: OperationalError, is_postgres: bool) -> bool:
    """Whether the database is away, rather than the statement wrong."""
    return is_postgres and (error.connection_invalidated or error.orig is None or "connect" in str(error.orig).lower())
