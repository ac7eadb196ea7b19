"""What wakes a node: notices of other nodes, and the clock.

PostgreSQL sends (table, seq) when a change is committed. The listener connects again when it is lost; open tables are
polled besides, so that a lost notice costs a moment and nothing else.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from quadriga.server import archive, chat
from quadriga.server.documents import DAY_MS
from quadriga.server.forgetting import forget_old
from quadriga.server.hippodrome import Hippodrome
from quadriga.server.notices import Notices
from quadriga.server.refused import Refused

log = logging.getLogger("quadriga.wakeups")
DUE_SECONDS = 0.5
HOUSEKEEPING_SECONDS = 30.0
LISTEN_AGAIN_SECONDS = 0.5
SEEN_SECONDS = 10.0


class Wakeups:
    """The background tasks of a node; each one goes on after whatever goes wrong."""

    def __init__(self, hippodrome: Hippodrome, notices: Notices) -> None:
        self.hippodrome, self.store, self.notices = hippodrome, hippodrome.store, notices
        self._tasks: list[asyncio.Task[None]] = []
        self._changed: set[str] = set()
        """Tables that another node has changed."""
        self._talked: set[str] = set()
        """Tables with new chat."""
        self._wake = asyncio.Event()

    def start(self) -> None:
        """Begin to look after the tables."""
        loops = [
            self._repeat(self._attend_due, DUE_SECONDS),
            self._repeat(self._keep_house, HOUSEKEEPING_SECONDS),
        ]
        if self.store.is_postgres:
            loops += [self._listen(), self._refresh_woken()]
            loops.append(self._repeat(self._poll, self.hippodrome.settings.poll_seconds))
            loops.append(self._repeat(self.notices.mark_seen, SEEN_SECONDS))
        self._tasks = [asyncio.create_task(loop) for loop in loops]

    async def close(self) -> None:
        """Stop all of them."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _repeat(self, work: Callable[[], Awaitable[None]], seconds: float) -> None:
        while True:
            try:
                await work()
            except Exception as error:
                log.warning("will be tried again", extra={"work": work.__name__, "cause": type(error).__name__})
            await asyncio.sleep(seconds)

    # ------------------------------------------------------------ the clock

    async def _attend_due(self) -> None:
        now = self.hippodrome.now()
        due = await self.store.read(lambda connection: archive.due_tables(connection, now))
        here = [table for table in due if self.hippodrome.all_here(table)]
        if here:
            later = now + self.hippodrome.notice_ms
            await self.store.write(lambda connection: archive.postpone(connection, here, now, later))
        for table in set(due).difference(here):
            try:
                await self.hippodrome.attend(table)
            except Refused as error:
                log.warning("a table was not attended", extra={"table": table, "cause": error.code})

    async def _keep_house(self) -> None:
        self.hippodrome.evict()
        self.hippodrome.garbage.look()
        if days := self.hippodrome.settings.retention_days:
            await forget_old(self.hippodrome, self.hippodrome.now() - days * DAY_MS)

    # ------------------------------------------------------------ other nodes

    async def _poll(self) -> None:
        tables = [table for table, watching in self.hippodrome.showing.watchers.items() if watching]
        for first in range(0, len(tables), 500):
            some = tables[first : first + 500]
            revisions = await self.store.read(partial(archive.read_revisions, tables=some))
            chats = await self.store.read(partial(chat.newest, tables=some))
            for table, revision in revisions.items():
                live = self.hippodrome.in_memory(table)
                if live is not None and live.revision < revision and not live.lock.locked():
                    self._notice(table, self._changed)
                if self.hippodrome.showing.misses_chat(table, chats.get(table, 0)):
                    self._notice(table, self._talked)

    async def _listen(self) -> None:
        import psycopg

        url = self.store.url.replace("postgresql+psycopg://", "postgresql://")
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {archive.CHANNEL}")
                    await self._poll()  # what was missed while nobody listened
                    async for notice in connection.notifies():
                        if notice.pid == self.store.writer:
                            continue
                        self.hippodrome.metrics.wakeups.inc()
                        table, seq = notice.payload.split(" ")
                        if int(seq) == archive.REWRITTEN:
                            self.hippodrome.distrust(table)
                        self._notice(table, self._changed)
                        if int(seq) == archive.NO_ENTRY:
                            self._notice(table, self._talked)
            except (psycopg.Error, OSError) as error:
                log.warning("listening again", extra={"cause": type(error).__name__})
            self.hippodrome.metrics.listener_restarts.inc()
            await asyncio.sleep(LISTEN_AGAIN_SECONDS)

    def _notice(self, table: str, kind: set[str]) -> None:
        if self.hippodrome.in_memory(table):
            kind.add(table)
            self._wake.set()

    async def _refresh_woken(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            changed, talked = list(self._changed), list(self._talked)
            self._changed.clear()
            self._talked.clear()
            work = [*map(self.hippodrome.refresh, changed), *map(self.hippodrome.hear, talked)]
            outcomes = await asyncio.gather(*work, return_exceptions=True)
            for table, outcome in zip([*changed, *talked], outcomes, strict=True):
                if isinstance(outcome, Exception):
                    log.warning("not refreshed", extra={"table": table, "cause": type(outcome).__name__})
