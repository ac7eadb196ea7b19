"""Background tasks of a node: tables that are due, eviction, and changes of other nodes.

PostgreSQL sends (table, seq) when a change is committed. The listener connects again when it is lost; open tables are
polled besides, so that a lost notice costs a moment and nothing else.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from quadriga.server.database import chat_rows, subscriptions, table_rows
from quadriga.server.errors import Refused
from quadriga.server.gc_schedule import GcSchedule
from quadriga.server.logs import mark
from quadriga.server.notifications.notifier import Notifier
from quadriga.server.output.broadcast import Broadcaster
from quadriga.server.output.presence import ELSEWHERE_MS
from quadriga.server.tables.document import DAY_MS
from quadriga.server.tables.erasure import forget_old
from quadriga.server.tables.execution import CommandExecutor

log = logging.getLogger("quadriga.background")
DUE_SECONDS = 0.5
HOUSEKEEPING_SECONDS = 30.0
LISTEN_AGAIN_SECONDS = 0.5
SEEN_SECONDS = 10.0


class BackgroundTasks:
    """The background tasks of a node; each continues after an error."""

    def __init__(self, executor: CommandExecutor, broadcaster: Broadcaster, notifier: Notifier) -> None:
        self.executor, self.broadcaster, self.notifier = executor, broadcaster, notifier
        self.registry, self.store = executor.registry, executor.store
        self.gc_schedule = GcSchedule()
        self._tasks: list[asyncio.Task[None]] = []
        self._changed: set[str] = set()
        """Tables that another node has changed."""
        self._talked: set[str] = set()
        """Tables with new chat."""
        self._wake = asyncio.Event()

    def start(self) -> None:
        """Start all tasks."""
        loops = [
            self._repeat(self._attend_due, DUE_SECONDS),
            self._repeat(self._keep_house, HOUSEKEEPING_SECONDS),
        ]
        if self.store.is_postgres:
            loops += [self._listen(), self._refresh_woken()]
            loops.append(self._repeat(self._poll, self.registry.settings.poll_seconds))
            loops.append(self._repeat(self._exchange_presence, SEEN_SECONDS))
        self._tasks = [asyncio.create_task(loop) for loop in loops]

    async def close(self) -> None:
        """Stop all tasks."""
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
        now = self.registry.now()
        due = await self.store.read(lambda connection: table_rows.due_tables(connection, now))
        here = [table for table in due if self.executor.is_watched_by_all(table)]
        if here:
            later = now + self.executor.notice_ms
            await self.store.write(lambda connection: table_rows.postpone(connection, here, now, later))
        for table in set(due).difference(here):
            try:
                await self.executor.attend(table)
            except Refused as error:
                log.warning("a table was not attended", extra={"table": mark(table), "cause": error.code})

    async def _keep_house(self) -> None:
        self.registry.evict()
        self.gc_schedule.collect_if_idle()
        if days := self.registry.settings.retention_days:
            await forget_old(self.registry, self.registry.now() - days * DAY_MS)

    # ------------------------------------------------------------ other nodes

    async def _exchange_presence(self) -> None:
        """Tell the other nodes who is here, and read who is there."""
        await self.notifier.mark_seen()
        tables, since = self._watched(), self.registry.now() - ELSEWHERE_MS
        for first in range(0, len(tables), 500):
            some = tables[first : first + 500]
            found = await self.store.read(partial(subscriptions.seen_since, tables=some, since=since))
            for table in some:
                self.broadcaster.presence.note_elsewhere(table, found.get(table, {}))

    def _watched(self) -> list[str]:
        return [table for table, watching in self.broadcaster.watchers.items() if watching]

    async def _poll(self) -> None:
        tables = self._watched()
        for first in range(0, len(tables), 500):
            some = tables[first : first + 500]
            revisions = await self.store.read(partial(table_rows.read_revisions, tables=some))
            chats = await self.store.read(partial(chat_rows.newest, tables=some))
            for table, revision in revisions.items():
                live = self.registry.in_memory(table)
                if live is not None and live.revision < revision and not live.lock.locked():
                    self._notice(table, self._changed)
                if self.broadcaster.chat.misses(table, chats.get(table, 0)):
                    self._notice(table, self._talked)

    async def _listen(self) -> None:
        import psycopg

        url = self.store.url.replace("postgresql+psycopg://", "postgresql://")
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
                    await connection.execute(f"LISTEN {table_rows.CHANNEL}")
                    await self._poll()  # what was missed while nobody listened
                    async for notice in connection.notifies():
                        if notice.pid == self.store.writer:
                            continue
                        self.registry.metrics.wakeups.inc()
                        table, seq = notice.payload.split(" ")
                        if int(seq) == table_rows.REWRITTEN:
                            self.registry.mark_outdated(table)
                        self._notice(table, self._changed)
                        if int(seq) == table_rows.NO_ENTRY:
                            self._notice(table, self._talked)
            except (psycopg.Error, OSError) as error:
                log.warning("listening again", extra={"cause": type(error).__name__})
            self.registry.metrics.listener_restarts.inc()
            await asyncio.sleep(LISTEN_AGAIN_SECONDS)

    def _notice(self, table: str, kind: set[str]) -> None:
        if self.registry.in_memory(table):
            kind.add(table)
            self._wake.set()

    async def _refresh_woken(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            changed, talked = list(self._changed), list(self._talked)
            self._changed.clear()
            self._talked.clear()
            work = [*map(self.broadcaster.refresh, changed), *map(self.broadcaster.chat.show_foreign, talked)]
            outcomes = await asyncio.gather(*work, return_exceptions=True)
            for table, outcome in zip([*changed, *talked], outcomes, strict=True):
                if isinstance(outcome, Exception):
                    log.warning("not refreshed", extra={"table": mark(table), "cause": type(outcome).__name__})
