"""Changing a table: in memory under its lock, then in the database, and only then on the screens.

If another node was faster, the table is read again and the command is executed anew. `executor.execute` is the way of
every command that changes a table, a choice included: open the table, find the handler, change, commit, publish.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from quadriga.core.errors import QuadrigaError
from quadriga.server.database import chat_rows, subscriptions, table_rows
from quadriga.server.database.guests import Guest
from quadriga.server.database.store import Unchanged
from quadriga.server.errors import Refused, refused
from quadriga.server.logs import mark
from quadriga.server.tables import commands as c
from quadriga.server.tables import persistence, race
from quadriga.server.tables.clocks import deadline
from quadriga.server.tables.document import RACING
from quadriga.server.tables.handlers import HANDLERS
from quadriga.server.tables.loader import OUTDATED
from quadriga.server.tables.registry import TableRegistry
from quadriga.server.tables.table import LiveTable

log = logging.getLogger("quadriga.tables")

ATTEMPTS = 8
BOT_GRACE_MS = 5_000
"""After this long another node may move the bots of a table whose node is gone."""
TELL_MS = 10_000
"""How often other nodes are told that somebody acts at a table; who has done nothing for two minutes is away."""

Answer = dict[str, Any]
Change = Callable[[int], Answer | None]
"""Changes a table in memory at a time, and says what to answer."""


class CommandExecutor:
    """Executes commands, and changes that are not commands: bots' choices, clocks that ran out, erasure."""

    def __init__(self, registry: TableRegistry) -> None:
        self.registry, self.loader, self.store = registry, registry.loader, registry.store
        self.metrics, self.notice_ms = registry.metrics, int(registry.settings.notice_seconds * 1000)
        self.on_change: Callable[[LiveTable, int], None] = lambda live, now: None
        """Told of every committed change; the broadcaster shows it."""
        self.on_bots: Callable[[LiveTable], None] = lambda live: None
        """Told of tables whose bots owe a choice."""
        self.on_turn: Callable[[LiveTable, list[int]], None] = lambda live, seats: None
        """Told of persons who have owed a choice for long."""
        self.guests_watching: Callable[[str], set[str]] = lambda table: set()
        """Who has a table on a screen of this node."""
        self._running: set[asyncio.Task[Answer]] = set()

    async def execute(self, guest: Guest | None, command: c.Command) -> Answer:
        """Execute a command; a refusal changes nothing."""
        live = await self.registry.open(command.table)
        if isinstance(command, c.Claim):
            await self._require_not_blocked(live, guest)
        elif isinstance(command, c.Start):
            await self.loader.preparation.require(live.doc.game)
        handler = HANDLERS[type(command)]

        def change(now: int) -> Answer:
            live.note_seen(guest, now)
            return handler(live, guest, command, now)

        return await self.change(live, change, command)

    async def change(
        self, live: LiveTable, change: Change, command: c.Command | None = None, changes_members: bool = False
    ) -> Answer:
        """Change a table for a command, or without one; `changes_members` if the table may then belong to others."""
        members = command.changes_members if command else changes_members
        return await self.finish(self._change(live, change, command, members))

    async def finish(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Finish what was begun, also if whoever asked for it has gone meanwhile."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    def _finished(self, task: asyncio.Task[Answer]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waits gets it; nobody may be left to

    def tell_acted(self, table: str, guest: Guest | None) -> None:
        """Tell the other nodes that a guest does something at a table, now and then."""
        live = self.registry.in_memory(table)
        if live is None or guest is None or not self.store.is_postgres:
            return
        seen = live.seen.get(guest.id, 0)
        if seen - live.told.get(guest.id, 0) >= TELL_MS:
            live.told[guest.id] = seen
            task = asyncio.create_task(self._mark_acted(guest.id, table, seen))
            self._running.add(task)
            task.add_done_callback(self._finished)

    async def _mark_acted(self, guest: str, table: str, now: int) -> Answer:
        await self.store.write(lambda connection: subscriptions.mark_acted(connection, guest, table, now))
        return {}

    async def close(self) -> None:
        """Wait for changes under way."""
        await asyncio.gather(*self._running, return_exceptions=True)

    # ------------------------------------------------------------ one change

    async def _change(self, live: LiveTable, change: Change, command: c.Command | None, members: bool) -> Answer:
        async with live.lock:
            for _ in range(ATTEMPTS):
                await self.loader.require_current(live)
                now = self.registry.now()
                if command is not None:
                    await self._prepare(live, command, now)
                answer = await self._attempt(live, change, now)
                if answer is None:
                    continue
                if command is not None and command.is_read_only:
                    return answer
                if await self._commit(live, now, members):
                    self._publish(live, now)
                    return answer
        raise Refused("unavailable")

    async def _attempt(self, live: LiveTable, change: Change, now: int) -> Answer | None:
        """The answer to a command; None if the table was out of date and has been read again."""
        revision = live.revision
        try:
            return change(now) or {}
        except (Refused, QuadrigaError) as error:
            await self._undo(live)
            if await self.loader.reload_if_behind(live, revision):
                return None
            raise (error if isinstance(error, Refused) else refused(error)) from None
        except Exception:
            await self.loader.reload(live)
            raise

    async def _undo(self, live: LiveTable) -> None:
        """A refused command may have begun; nothing of it may stay."""
        live.created = []
        seq = live.match.seq if live.match else -1
        if seq != live.stored or persistence.encode(live.doc) != live.written:
            await self.loader.reload(live)

    async def _commit(self, live: LiveTable, now: int, members: bool) -> bool:
        """Write what changed; False if another node was faster and the table has been read again."""
        race.settle(live, now)
        live.doc.changed = now
        change = persistence.change_of(live, self._due(live, now), members)
        try:
            await self.store.write_by(table_rows.write_changes, change)
        except Unchanged:
            self.metrics.conflicts.inc()
            await self.loader.reload(live)
            return False
        except Exception:
            log.exception("a change was not written", extra={"table": mark(live.doc.id)})
            live.revision = OUTDATED
            raise Refused("unavailable") from None
        self.metrics.entries.inc(len(change.entries))
        live.mark_written(change.table["document"])
        return True

    def _due(self, live: LiveTable, now: int) -> int | None:
        """When some node must attend to the table again."""
        if live.doc.state != RACING:
            return None
        times = [t for t in (deadline(live.doc),) if t is not None]
        if live.bots_waiting():
            times.append(now + BOT_GRACE_MS + live.doc.settings.pace_ms)
        not_notified = [at for seat, at in live.doc.waiting_since.items() if seat not in live.doc.notified]
        times += [at + self.notice_ms for at in not_notified]
        return min(times, default=None)

    def _publish(self, live: LiveTable, now: int) -> None:
        self.on_change(live, now)
        if live.bots_waiting():
            self.on_bots(live)

    # ------------------------------------------------------------ what commands need first

    async def _require_not_blocked(self, live: LiveTable, guest: Guest | None) -> None:
        """Refuse a seat to somebody whom the host has blocked."""
        host = live.doc.host
        if guest and guest.id in await self.store.read(lambda connection: chat_rows.blocked_by(connection, host)):
            raise Refused("blocked")

    async def _prepare(self, live: LiveTable, command: c.Command, now: int) -> None:
        """Read the moments that a take-back looks at, and who is present before somebody is removed."""
        if isinstance(command, c.AskTakeBack):
            await self.loader.remember(live, command.to)
        elif isinstance(command, c.Kick | c.SetSeat) and live.match is not None:
            await self._note_presence(live, now)
        elif isinstance(command, c.Agree):
            for proposal in live.doc.proposals:
                if proposal.proposal == command.proposal and proposal.to is not None:
                    await self.loader.remember(live, proposal.to)

    async def _note_presence(self, live: LiveTable, now: int) -> None:
        """When the persons of a race last had it on a screen or did something there, on this node or another."""
        table = live.doc.id
        for guest in self.guests_watching(table):
            live.seen[guest] = now
        if not self.store.is_postgres:
            return
        for guest, seen in (await self.store.read(lambda connection: subscriptions.seen_at(connection, table))).items():
            live.seen[guest] = max(seen, live.seen.get(guest, 0))

    # ------------------------------------------------------------ time

    async def attend(self, table: str) -> None:
        """Attend to a table that is due: clocks that ran out, persons to be notified, bots that wait."""
        live = await self.registry.open(table)
        async with live.lock:
            await self.loader.require_current(live)
            is_due = race.is_late(live, self.registry.now()) or self._unnotified(live, self.registry.now())
        if is_due:
            notified: list[int] = []

            def change(now: int) -> Answer:
                race.time_out(live, now)
                notified[:] = race.mark_notified(live.doc, now - self.notice_ms)
                return {}

            await self.change(live, change)
            self.on_turn(live, notified)
        elif live.bots_waiting():
            self.on_bots(live)

    def _unnotified(self, live: LiveTable, now: int) -> list[int]:
        return race.unnotified(live.doc, now - self.notice_ms)

    def is_watched_by_all(self, table: str) -> bool:
        """Whether a table that is due waits only for persons who have it on a screen here: nobody is notified."""
        live = self.registry.in_memory(table)
        if live is None or live.doc.since or live.bots_waiting():
            return False
        watching = self.guests_watching(table)
        waiting = [seat for seat in live.doc.waiting_since if seat not in live.doc.notified]
        return all(live.doc.seats[seat].guest in watching for seat in waiting)
