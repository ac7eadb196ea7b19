"""The database behind the tables. Requests that arrive together are executed in one batch.

A job is a function of a connection. A writing job that raises `Unchanged` has written nothing; after any other failure
the batch is rolled back and its jobs run again one by one, so that one bad job does not affect the others. Items
of the same kind are written by one call. There is one writer.
"""

import asyncio
import contextlib
import itertools
import logging
import operator
import os
import queue
import threading
import time
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, NoSuchModuleError, OperationalError

from quadriga.core.errors import InvalidOption
from quadriga.server.database.checkpoints import Checkpoints, turn_off_automatic_checkpoints

log = logging.getLogger("quadriga.storage")

Job = Callable[[Connection], Any]
Finder = Callable[[Connection, list[Any]], dict[Any, Any]]
"""Finds what belongs to some of many keys."""
Question = tuple[Job, asyncio.Future[Any]]
Writer = Callable[[Connection, list[Any]], list[Any]]
"""Writes some items and says what became of each; `Unchanged` for one that came too late."""
Order = tuple[Writer, Any]
"""An item to be written, and by whom."""
BATCH = 256
BUSY_BATCH, GATHER_SECONDS = 4, 0.004
"""After so many writes in one batch the next one waits for so long, so that it holds more: a batch has a fixed cost."""
PRIVATE = 0o600
"""The mode of files that hold names and keys."""
READERS = 2
RETRY_SECONDS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0, 1.0)
"""How long jobs wait for a database that went away before they fail."""


class Unchanged(Exception):
    """Raised by a job that found it had come too late, before it wrote anything."""


class Unavailable(Exception):
    """The database did not answer; whether something was written is not known."""


def open_engine(url: str, writing: bool) -> Engine:
    """An engine for SQLite or PostgreSQL with our settings."""
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() not in ("sqlite", "postgresql"):
            raise ArgumentError(f"{parsed.get_backend_name()} is neither")
        if parsed.get_backend_name() == "sqlite":
            return _sqlite(url, parsed.database, writing)
        return create_engine(url, pool_size=1 if writing else READERS, max_overflow=0, hide_parameters=True)
    except (ArgumentError, NoSuchModuleError):
        raise InvalidOption("the database is a file, sqlite:///FILE or postgresql://USER@HOST/NAME") from None
    except ModuleNotFoundError:
        raise InvalidOption("PostgreSQL needs the extra: pip install quadriga[postgres]") from None


def _sqlite(url: str, file: str | None, writing: bool) -> Engine:
    if not file or file == ":memory:":
        raise InvalidOption("tables need a file: a database in memory would lose them")
    make_private(Path(file))
    engine = create_engine(
        url,
        pool_size=1 if writing else READERS,
        max_overflow=0,
        connect_args={"check_same_thread": False},
        hide_parameters=True,
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


def make_private(file: Path) -> None:
    """An empty file that its owner alone may read; SQLite gives its write-ahead log the same mode."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):  # it is there already, or SQLite will say why it cannot be made
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))


def require_database(url: str) -> None:
    """Refuse a file that is not there: to open it would make an empty database."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        return
    if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").is_file():
        raise InvalidOption(f"there is no database {parsed.database}")


class Store:
    """A database with one writer thread and a few reader threads."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.is_postgres = url.startswith("postgresql")
        self._writing, self._reading = open_engine(url, True), open_engine(url, False)
        if self.is_postgres:  # readers see what is committed when they ask; a transaction would cost two more messages
            self._reading = self._reading.execution_options(isolation_level="AUTOCOMMIT")
        self._checkpoints: Checkpoints | None = None
        if not self.is_postgres:
            turn_off_automatic_checkpoints(self._writing)
            self._checkpoints = Checkpoints(open_engine(url, False))
        self._orders: queue.SimpleQueue[tuple[Order, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._asked: dict[Finder, list[tuple[Hashable, asyncio.Future[Any]]]] = {}
        self._finding: set[asyncio.Task[None]] = set()
        self._questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._write_all, name="quadriga-write", daemon=True)
        readers = [threading.Thread(target=self._read_all, name="quadriga-read", daemon=True) for _ in range(READERS)]
        self._threads = [self._writer, *readers]
        for thread in self._threads:
            thread.start()
        self.batches = 0
        self.writer = 0
        """The process id PostgreSQL gives to the writer, to know its own notices."""

    async def read(self, job: Callable[[Connection], Any]) -> Any:
        """What a job finds, in a transaction of its own."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._questions.put((job, answer))
        return await answer

    async def find(self, finder: Finder, key: Hashable) -> Any:
        """What a finder has for a key, None if nothing; keys asked for in one moment are found by one statement."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        with self._lock:
            self._asked.setdefault(finder, []).append((key, answer))
            first = len(self._asked[finder]) == 1
        if first:
            self._finding.add(task := asyncio.create_task(self._find_asked(finder)))
            task.add_done_callback(self._finding.discard)
        return await answer

    async def _find_asked(self, finder: Finder) -> None:
        """Find what has been asked for by the time when the database is asked."""
        asked: list[tuple[Hashable, asyncio.Future[Any]]] = []

        def job(connection: Connection) -> dict[str, Any]:
            self._take_asked(finder, asked)
            return finder(connection, [key for key, _ in asked])

        try:
            found = await self.read(job)
            outcomes = [found.get(key) for key, _ in asked]
        except Exception as error:
            self._take_asked(finder, asked)
            outcomes = [error] * len(asked)
        _answer([answer for _, answer in asked], outcomes)

    def _take_asked(self, finder: Finder, asked: list[tuple[Hashable, asyncio.Future[Any]]]) -> None:
        with self._lock:
            asked += self._asked.pop(finder, ())

    async def write(self, job: Callable[[Connection], Any]) -> Any:
        """What a job returns, after what it wrote is committed. Cancelling the wait does not cancel the job."""
        return await self.write_by(_do_each, job)

    async def write_by(self, writer: Writer, item: Any) -> Any:
        """What a writer says of an item, after what it wrote is committed; items that wait together are handed over
        together."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._orders.put(((writer, item), answer))
        return await answer

    def write_now(self, job: Callable[[Connection], Any]) -> Any:
        """`write` for code outside an event loop."""
        outcome = self._commit([(_do_each, job)])[0]
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def close(self) -> None:
        """Finish all jobs, then close the database."""
        self._orders.put(None)
        for _ in range(READERS):
            self._questions.put(None)
        for thread in self._threads:
            thread.join()
        if self._checkpoints is not None:
            self._checkpoints.close()
        self._writing.dispose()
        self._reading.dispose()

    # ------------------------------------------------------------ readers

    def _read_all(self) -> None:
        while self._read_batch():
            pass

    def _read_batch(self) -> bool:
        """Answer one batch; False at the end. No reference to a batch is kept while waiting."""
        first = self._questions.get()
        if first is None:
            return False
        batch = [first]
        while len(batch) < BATCH and (more := _next(self._questions)) is not None:
            batch.append(more)
        _tell([answer for _, answer in batch], self._outcomes([job for job, _ in batch]))
        return True

    def _outcomes(self, jobs: list[Job]) -> list[Any]:
        """What jobs find, in one transaction if nothing goes wrong; a database that went away is waited for."""
        outcomes: list[Any] = []
        pauses = iter(RETRY_SECONDS)
        while len(outcomes) < len(jobs):
            try:
                with self._reading.connect() as connection:
                    for job in jobs[len(outcomes) :]:
                        outcomes.append(_outcome(job, connection))
            except DBAPIError as error:
                if not _is_away(error, self.is_postgres):
                    outcomes.append(error)
                elif (pause := next(pauses, None)) is None:
                    outcomes += [Unavailable()] * (len(jobs) - len(outcomes))
                else:
                    time.sleep(pause)
        return outcomes[: len(jobs)]

    # ------------------------------------------------------------ the writer

    def _write_all(self) -> None:
        while self._write_waiting():
            pass

    def _write_waiting(self) -> bool:
        """Write one batch; False at the end. No reference to a batch is kept while waiting."""
        batch = [self._orders.get()]
        while len(batch) < BATCH and not self._orders.empty():
            batch.append(self._orders.get())
        self._write_batch([item for item in batch if item is not None])
        if self._checkpoints is not None and self._checkpoints.is_log_long:
            self._checkpoints.finish(self._writing)
        if len(batch) >= BUSY_BATCH:
            time.sleep(GATHER_SECONDS)
        return None not in batch

    def _write_batch(self, batch: list[tuple[Order, asyncio.Future[Any]]]) -> None:
        self.batches += 1
        _tell([answer for _, answer in batch], self._commit_all([order for order, _ in batch]))

    def _commit_all(self, orders: list[Order]) -> list[Any]:
        """The outcomes of orders, in one transaction if all succeed; else each has a transaction of its own."""
        try:
            return self._commit(orders)
        except Unavailable:
            return [Unavailable()] * len(orders)
        except Exception:
            return [self._commit_one(order) for order in orders]

    def _commit_one(self, order: Order) -> Any:
        """The outcome of an order, or the error that it raised."""
        try:
            return self._commit([order])[0]
        except Exception as error:
            return error

    def _commit(self, orders: list[Order]) -> list[Any]:
        """The outcomes of committed orders. A database that is away is waited for; Unavailable if it stays away."""
        pauses = iter(RETRY_SECONDS)
        while True:
            try:
                return self._transaction(orders)
            except DBAPIError as error:
                if not _is_away(error, self.is_postgres):
                    raise
                if (pause := next(pauses, None)) is None:
                    raise Unavailable from error
            log.warning("the database does not answer")
            self._writing.dispose()
            time.sleep(pause)

    def _transaction(self, orders: list[Order]) -> list[Any]:
        with self._writing.connect() as connection:
            if self.is_postgres:
                driver: Any = connection.connection.driver_connection
                self.writer = driver.info.backend_pid
            outcomes: list[Any] = []
            for writer, some in itertools.groupby(orders, key=operator.itemgetter(0)):
                outcomes += writer(connection, [item for _, item in some])
            try:
                connection.commit()
            except DBAPIError as error:
                self._writing.dispose()
                raise Unavailable from error
            return outcomes


def _do_each(connection: Connection, jobs: list[Job]) -> list[Any]:
    """What writing jobs return, one after the other."""
    outcomes: list[Any] = []
    for job in jobs:
        try:
            outcomes.append(job(connection))
        except Unchanged as late:
            outcomes.append(late)
    return outcomes


def _next(waiting: queue.SimpleQueue[Any]) -> Any:
    """The next item; None if the queue is empty or ends here."""
    try:
        found = waiting.get_nowait()
    except queue.Empty:
        return None
    if found is None:
        waiting.put(None)  # for another thread, or for this one after the batch
    return found


def _outcome(job: Job, connection: Connection) -> Any:
    """What a job finds, or why it finds nothing; what the database says against it is raised."""
    try:
        return job(connection)
    except DBAPIError:
        raise
    except Exception as error:
        return error


def _tell(answers: list[asyncio.Future[Any]], outcomes: list[Any]) -> None:
    """Pass outcomes to the event loops that wait for them."""
    for loop in {answer.get_loop() for answer in answers}:
        mine = [i for i, answer in enumerate(answers) if answer.get_loop() is loop]
        with contextlib.suppress(RuntimeError):  # nobody waits in a loop that was closed meanwhile
            loop.call_soon_threadsafe(_answer, [answers[i] for i in mine], [outcomes[i] for i in mine])


def _answer(answers: list[asyncio.Future[Any]], outcomes: list[Any]) -> None:
    """Set the results of futures that are not cancelled."""
    for answer, outcome in zip(answers, outcomes, strict=True):
        if answer.done():
            continue
        if isinstance(outcome, BaseException):
            answer.set_exception(outcome)
        else:
            answer.set_result(outcome)


def _is_away(error: DBAPIError, is_postgres: bool) -> bool:
    """Whether the database is away, rather than the statement wrong.

    An error without a SQLSTATE never reached the server. Class 08 is a lost connection, 57P0 a server that stops or
    starts.
    """
    if not is_postgres or not isinstance(error, OperationalError | InterfaceError):
        return False
    state = getattr(error.orig, "sqlstate", None)
    return error.connection_invalidated or state is None or state.startswith(("08", "57P0"))
