"""The tables that a node has in memory: at most one copy of each, evicted when idle."""

import asyncio
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

from quadriga.core.errors import QuadrigaError
from quadriga.server.database.guests import Guest
from quadriga.server.errors import refused
from quadriga.server.metrics import Metrics
from quadriga.server.settings import Settings
from quadriga.server.tables import creation, persistence
from quadriga.server.tables.clocks import now_ms
from quadriga.server.tables.document import NewTable
from quadriga.server.tables.loader import OUTDATED, TableLoader
from quadriga.server.tables.lobby import new_table
from quadriga.server.tables.table import LiveTable

IDLE_SECONDS = 60.0


class TableRegistry:
    """Opens, keeps and evicts tables."""

    def __init__(self, loader: TableLoader, settings: Settings, metrics: Metrics) -> None:
        self.loader, self.store = loader, loader.store
        self.settings, self.metrics = settings, metrics
        self.now: Callable[[], int] = now_ms
        """The clock of all tables; tests set their own."""
        self.live: dict[str, LiveTable] = {}
        self.used: dict[str, float] = {}
        self.busy_checks: list[Callable[[LiveTable], bool]] = [_is_locked]
        """Reasons not to evict a table; broadcaster and bots add theirs."""
        self.on_drop: Callable[[str], None] = lambda table: None
        self._evicted: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """Evicted tables that somebody still holds: opened again they are the same, never a second copy."""
        self._opening: dict[str, asyncio.Task[LiveTable]] = {}

    async def open(self, table: str) -> LiveTable:
        """A table in memory, read if need be; refused if there is none."""
        if found := self.in_memory(table):
            self._keep(found)
            return found
        task = self._opening.get(table)
        if task is None:
            task = self._opening[table] = asyncio.create_task(self._load(table))
            task.add_done_callback(lambda _: self._opening.pop(table, None))
        return await asyncio.shield(task)

    async def create(self, order: NewTable, host: Guest) -> tuple[LiveTable, list[dict[str, Any]]]:
        """A new table, and the host's seats with their tokens."""
        edition = order.edition
        try:
            game = await self.loader.editions.load(order.game, edition)
            self.loader.preparation.want(order.game)
            doc, tokens = new_table(order, game, host, self.now())
        except QuadrigaError as error:
            raise refused(error) from None
        size = len((edition or "").encode())
        await creation.write_table(self.store, self.settings, doc, edition, size=size)
        live = LiveTable(doc, edition, game, written=persistence.encode(doc), opened=doc.created)
        self._keep(live)
        return live, tokens

    def in_memory(self, table: str) -> LiveTable | None:
        """A table that this process has in memory, evicted ones included while somebody holds them."""
        return self.live.get(table) or self._evicted.get(table)

    def drop(self, table: str) -> None:
        """Forget a table that was deleted, and tell those who watch it."""
        self.live.pop(table, None)
        self.used.pop(table, None)
        self._evicted.pop(table, None)
        self.on_drop(table)

    def mark_outdated(self, table: str) -> None:
        """Another node has changed old entries: the whole table is read again when it is next used."""
        if live := self.in_memory(table):
            live.revision = OUTDATED

    def evict(self) -> None:
        """Evict idle tables, and of more tables than allowed the ones not used for longest."""
        surplus = len(self.live) - self.settings.live_tables
        limit = time.monotonic() - IDLE_SECONDS
        for table, live in sorted(self.live.items(), key=lambda item: self.used.get(item[0], 0)):
            is_idle = self.used.get(table, 0) < limit or surplus > 0
            if is_idle and not any(is_busy(live) for is_busy in self.busy_checks):
                self._evicted[table] = self.live.pop(table)
                surplus -= 1
        self.used = {table: at for table, at in self.used.items() if table in self.live}
        self.metrics.live_tables.set(len(self.live))

    async def _load(self, table: str) -> LiveTable:
        live = await self.loader.load(table)
        live.opened = self.now()
        self._keep(live)
        return live

    def _keep(self, live: LiveTable) -> None:
        table = live.doc.id
        self.live[table], self.used[table] = live, time.monotonic()
        self._evicted.pop(table, None)
        self.metrics.live_tables.set(len(self.live))


def _is_locked(live: LiveTable) -> bool:
    return live.lock.locked() or live.chat_lock.locked()
