"""Whether the database can be written and is whole: what `/api/ready` and `quadriga serve --check` say."""

import asyncio
import logging
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from quadriga.server.database import schema
from quadriga.server.database.store import Store, Unavailable, open_engine

log = logging.getLogger("quadriga.readiness")
LEAST_FREE_BYTES = 4 * 1024 * 1024
"""SQLite's write-ahead log grows by about as much before it is used again."""
CHECK_SECONDS = 5.0
"""The least number of seconds between two checks."""
ANSWER_SECONDS = 2.0
INTEGRITY_SECONDS = 10.0
INTEGRITY_SHARE = 0.01
"""The largest share of the time that integrity checks may take."""


class NotUsable(Exception):
    """Why a database cannot be used."""


def try_to_write(connection: Connection) -> None:
    """A write that changes nothing and fails where others would: full disk, read-only, locked."""
    if connection.dialect.name == "sqlite":  # it would not write a row that stays the same; this writes the first page
        version = int(connection.execute(text("PRAGMA user_version")).scalar_one())
        connection.execute(text(f"PRAGMA user_version = {version}"))
    else:
        table = schema.secrets
        connection.execute(table.update().where(table.c.name == "signing").values(value=table.c.value))


def require_space(url: str) -> None:
    """Raise NotUsable if the disk of a SQLite file is nearly full."""
    if file := sqlite_file(url):
        free = shutil.disk_usage(file.parent).free
        if free < LEAST_FREE_BYTES:
            raise NotUsable(f"the disk is full: {free} bytes are free")


def require_integrity(url: str) -> None:
    """Raise NotUsable if the pages of a SQLite file contradict each other; takes time in proportion to its size."""
    if sqlite_file(url) is None:
        return
    engine = open_engine(url, writing=False)  # a new connection: others have pages in memory
    try:
        with engine.connect() as connection:
            found = connection.execute(text("PRAGMA quick_check(1)")).scalar()
    except SQLAlchemyError as error:
        raise NotUsable(first_line(error)) from None
    finally:
        engine.dispose()
    if found != "ok":
        raise NotUsable(f"the database is corrupt: {str(found).strip().splitlines()[-1]}")


def sqlite_file(url: str) -> Path | None:
    """The file of a SQLite database."""
    parsed = make_url(url)
    return Path(parsed.database).expanduser() if parsed.get_backend_name() == "sqlite" and parsed.database else None


def first_line(error: Exception) -> str:
    """What a database says, without the statement."""
    return (str(getattr(error, "orig", None) or error).strip() or type(error).__name__).splitlines()[0]


class Readiness:
    """The last answer, kept for a while: requests do not repeat the check."""

    def __init__(self, store: Store, clock: Callable[[], float] = time.monotonic) -> None:
        self._store, self._clock = store, clock
        self._trouble: str | None = None
        self._checked = self._integrity_due = float("-inf")
        self._check: asyncio.Task[None] | None = None
        self._integrity: asyncio.Task[None] | None = None
        self._corrupt: str | None = None
        self._is_checked = False
        """Whether the integrity check has been done once."""

    async def trouble(self) -> str | None:
        """Why the database cannot be used, if it cannot."""
        if self._check is None and self._clock() >= self._checked + CHECK_SECONDS:
            self._check = asyncio.create_task(self._check_writing())
        if self._integrity is None and self._clock() >= self._integrity_due:
            self._integrity = asyncio.create_task(self._check_integrity())
        running = [self._check, None if self._is_checked else self._integrity]
        awaited = [task for task in running if task is not None]
        if awaited and (await asyncio.wait(awaited, timeout=ANSWER_SECONDS))[1]:
            return "the database does not answer" if self._check else "the database is being checked"
        return self._corrupt or self._trouble

    async def _check_writing(self) -> None:
        try:
            await asyncio.to_thread(require_space, self._store.url)
            await self._store.write(try_to_write)
            self._note(None)
        except (NotUsable, SQLAlchemyError, Unavailable, OSError) as error:
            self._note(first_line(error))
        finally:
            self._checked, self._check = self._clock(), None

    async def _check_integrity(self) -> None:
        began = self._clock()
        try:
            await asyncio.to_thread(require_integrity, self._store.url)
            self._corrupt = None
        except NotUsable as error:
            if self._corrupt is None:
                log.error("the database cannot be used", extra={"cause": str(error)})
            self._corrupt = str(error)
        finally:
            now = self._clock()
            self._integrity_due = now + max(INTEGRITY_SECONDS, (now - began) / INTEGRITY_SHARE)
            self._integrity, self._is_checked = None, True

    def _note(self, trouble: str | None) -> None:
        if trouble and not self._trouble:
            log.error("the database cannot be written", extra={"cause": trouble})
        self._trouble = trouble
