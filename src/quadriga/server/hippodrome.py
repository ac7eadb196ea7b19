"""All tables of one node: opened from the database, changed by commands, shown to those who watch.

A change is carried out in memory under the table's lock, committed, and only then shown. If another node was faster,
the table is read again and the command carried out anew.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any
from weakref import WeakValueDictionary

from quadriga.core.errors import QuadrigaError
from quadriga.server import archive, chat, gate, hints, racing, subscriptions, upload_rows
from quadriga.server import commands as c
from quadriga.server.bot_pool import BotPool
from quadriga.server.clocks import deadline, now_ms
from quadriga.server.documents import OVER, RACING, NewTable, TableDocument
from quadriga.server.editions import Editions
from quadriga.server.garbage import Garbage
from quadriga.server.guests import Guest
from quadriga.server.live import LiveTable
from quadriga.server.lobby import new_table
from quadriga.server.metrics import Metrics
from quadriga.server.moments import layout_key
from quadriga.server.refused import Refused, refused
from quadriga.server.settings import Settings
from quadriga.server.showing import Showing, Watcher
from quadriga.server.storage import Store, Unchanged

log = logging.getLogger("quadriga.tables")

ATTEMPTS = 8
BOT_GRACE_MS = 5_000
"""After this long another node may move the bots of a table whose node is gone."""
IDLE_SECONDS = 60.0
OUTDATED = -1
"""The revision of a table in memory that must be read again."""
TURN_FREE = (c.Try,)
"""Commands that change nothing."""
MEMBERS = (c.Claim, c.Sit, c.Leave, c.SetSeat, c.Kick, c.Rematch)
"""Commands after which the table may belong to others."""


CarryOut = Callable[[int], dict[str, Any] | None]
"""Does something to a table in memory at a time, and says what to answer."""


class Hippodrome:
    """The tables of a node."""

    def __init__(self, store: Store, settings: Settings, pool: BotPool, metrics: Metrics) -> None:
        self.store, self.settings, self.pool, self.metrics = store, settings, pool, metrics
        self.now: Callable[[], int] = now_ms
        """The clock of all tables; tests set their own."""
        self.live: dict[str, LiveTable] = {}
        self.used: dict[str, float] = {}
        self._evicted: WeakValueDictionary[str, LiveTable] = WeakValueDictionary()
        """Evicted tables that somebody still holds: opened again they are the same, never a second copy."""
        self.showing = Showing(self)
        self.on_turn: Callable[[LiveTable, list[int]], None] = lambda live, seats: None
        self.on_bots: Callable[[LiveTable], None] = lambda live: None
        self.has_bots_at_work: Callable[[str], bool] = lambda table: False
        self._working: set[asyncio.Task[dict[str, Any]]] = set()
        self._opening: dict[str, asyncio.Task[LiveTable]] = {}
        self.garbage = Garbage()
        self.editions = Editions()
        self.notice_ms = int(settings.notice_seconds * 1000)

    # ------------------------------------------------------------ opening

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

    async def _load(self, table: str) -> LiveTable:
        live = await self._revive(table, None)
        live.opened = self.now()
        self._keep(live)
        return live

    def in_memory(self, table: str) -> LiveTable | None:
        """A table that this process has in memory, evicted ones included while somebody holds them."""
        return self.live.get(table) or self._evicted.get(table)

    def _keep(self, live: LiveTable) -> None:
        table = live.doc.id
        self.live[table], self.used[table] = live, time.monotonic()
        self._evicted.pop(table, None)
        self.metrics.live_tables.set(len(self.live))

    def drop(self, table: str) -> None:
        """Forget a table that was deleted, and tell those who watch it."""
        self.live.pop(table, None)
        self.used.pop(table, None)
        self._evicted.pop(table, None)
        self.showing.gone(table)

    async def reload(self, live: LiveTable) -> None:
        """Forget what was done in memory and read the table again, with what watchers have not seen."""
        live.revision = OUTDATED
        await self._revive(live.doc.id, live)
        if live.match is not None:
            await self.remember(live, self.showing.first_unseen(live))

    async def _catch_up(self, live: LiveTable) -> None:
        """Read what another node has added."""
        if live.match is None or live.revision == OUTDATED:
            await self.reload(live)
            return
        known, live.revision = f"{live.doc.id} {live.stored}", OUTDATED
        stored = archive.require_table(await self.store.find(archive.read_news, known))
        stored.follow(live)
        await self._bring_to_life(stored, live)
        await self.remember(live, self.showing.first_unseen(live))

    async def _revive(self, table: str, live: LiveTable | None) -> LiveTable:
        stored = archive.require_table(await self.store.find(archive.read_tables, table))
        return await self._bring_to_life(stored, live)

    async def _bring_to_life(self, stored: archive.Stored, live: LiveTable | None) -> LiveTable:
        known = live is not None and live.doc.fingerprint == stored.doc.fingerprint
        game = live.game if live and known else await self.editions.load(stored.doc.game, stored.edition)
        if live is None and stored.seq >= 0 and stored.key != layout_key(game):  # the whole race is played again
            live = await asyncio.to_thread(archive.revive, stored, game)
        else:
            live = archive.revive(stored, game, live)
        if live.match is not None and stored.key != layout_key(live.game):
            current = live
            await self.store.write(lambda connection: archive.rewrite_moments(connection, current))
        return live

    def evict(self) -> None:
        """Evict idle tables, and of more tables than allowed the ones not used for longest."""
        surplus = len(self.live) - self.settings.live_tables
        limit = time.monotonic() - IDLE_SECONDS
        for table, live in sorted(self.live.items(), key=lambda item: self.used.get(item[0], 0)):
            if (self.used.get(table, 0) < limit or surplus > 0) and not self._is_busy(live):
                self._evicted[table] = self.live.pop(table)
                surplus -= 1
        self.used = {table: at for table, at in self.used.items() if table in self.live}
        self.metrics.live_tables.set(len(self.live))

    def _is_busy(self, live: LiveTable) -> bool:
        """Whether somebody watches a table, changes it, or lets its bots choose."""
        table = live.doc.id
        locked = live.lock.locked() or live.chat_lock.locked()
        return locked or bool(self.showing.watchers.get(table)) or self.has_bots_at_work(table)

    # ------------------------------------------------------------ new tables

    async def create(self, order: NewTable, host: Guest) -> dict[str, Any]:
        """A new table; the host's seats with their tokens."""
        edition = order.edition
        try:
            game = await self.editions.load(order.game, edition)
            doc, tokens = new_table(order, game, host, self.now())
        except QuadrigaError as error:
            raise refused(error) from None
        size = len((edition or "").encode())
        await upload_rows.write_table(self.store, self.settings, doc, edition, size=size)
        live = LiveTable(doc, edition, game, written=gate.encode(doc), opened=doc.created)
        self._keep(live)
        return {"table": gate.table(live, host.id), "seats": tokens}

    # ------------------------------------------------------------ commands

    async def act(self, guest: Guest | None, command: c.Command) -> dict[str, Any]:
        """Carry out a command and show what it changed; refusals change nothing."""
        began = time.perf_counter()
        self.garbage.busy()
        kind = type(command).__struct_config__.tag
        try:
            answer = await self._act(guest, command)
        except Refused as error:
            self.metrics.commands.labels(kind, error.code).inc()
            raise
        self.metrics.commands.labels(kind, "done").inc()
        self.metrics.command_seconds.observe(time.perf_counter() - began)
        return answer

    async def _act(self, guest: Guest | None, command: c.Command) -> dict[str, Any]:
        if isinstance(command, c.Say):
            return await self._to_the_end(self.say(guest, command))
        live = await self.open(command.table)
        if guest:
            live.seen[guest.id] = self.now()
        if isinstance(command, c.Hint):
            return await hints.hint(live, self.pool, guest, command)
        await self._require_welcome(live, guest, command)
        handler = racing.HANDLERS[type(command)]
        members = isinstance(command, MEMBERS)
        return await self.change(
            live,
            lambda now: handler(live, guest, command, now),
            members=members,
            prepare=lambda: self._prepare(live, command),
            reading=isinstance(command, TURN_FREE),
        )

    async def change(
        self,
        live: LiveTable,
        carry_out: CarryOut,
        members: bool = False,
        prepare: Callable[[], Any] | None = None,
        reading: bool = False,
    ) -> dict[str, Any]:
        """Change a table: in memory, in the database, on the screens, in this order and to the end."""
        return await self._to_the_end(self._change(live, carry_out, members, prepare, reading))

    async def _to_the_end(self, work: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any]:
        """What is begun is finished and shown to others, also if who asked for it has gone meanwhile."""
        task = asyncio.create_task(work)
        self._working.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    def _finished(self, task: asyncio.Task[dict[str, Any]]) -> None:
        self._working.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waits gets it; nobody may be left to

    async def close(self) -> None:
        """Wait for what is under way."""
        await asyncio.gather(*self._working, return_exceptions=True)
        self.editions.close()

    async def _change(
        self,
        live: LiveTable,
        carry_out: CarryOut,
        members: bool,
        prepare: Callable[[], Any] | None,
        reading: bool,
    ) -> dict[str, Any]:
        async with live.lock:
            for _ in range(ATTEMPTS):
                await self._require_current(live)
                if prepare is not None:
                    await prepare()
                answer = await self._attempt(live, carry_out)
                if answer is None:
                    continue
                if not reading and not await self._store(live, members):
                    continue
                if not reading:
                    self._after(live)
                return answer
        raise Refused("unavailable")

    async def _attempt(self, live: LiveTable, carry_out: CarryOut) -> dict[str, Any] | None:
        """What a command answers; None if the table was out of date and has been read again."""
        revision = live.revision
        now = self.now()
        try:
            return carry_out(now) or {}
        except (Refused, QuadrigaError) as error:
            await self._undo(live)
            if self.store.is_postgres and await self._is_behind(live, revision):
                return None
            raise (error if isinstance(error, Refused) else refused(error)) from None
        except Exception:
            await self.reload(live)
            raise

    async def _undo(self, live: LiveTable) -> None:
        """A refused command may have begun; nothing of it may stay."""
        live.created = []
        seq = live.match.seq if live.match else -1
        if seq != live.stored or gate.encode(live.doc) != live.written:
            await self.reload(live)

    async def _require_current(self, live: LiveTable) -> None:
        """Read a table again whose last change may or may not have been written."""
        if live.revision == OUTDATED:
            try:
                await self.reload(live)
            except Refused:
                raise
            except Exception:
                raise Refused("unavailable") from None

    async def _is_behind(self, live: LiveTable, revision: int) -> bool:
        found = await self.store.find(archive.read_revisions, live.doc.id)
        if found is None or found == revision:
            return False
        await self.reload(live)
        return True

    async def _store(self, live: LiveTable, members: bool) -> bool:
        """Commit what changed; False if another node was faster and the table has been read again."""
        now = self.now()
        racing.settle(live, now)
        live.doc.changed = now
        change = archive.change_of(live, self._due(live, now), members)
        try:
            await self.store.write_by(archive.write_changes, change)
        except Unchanged:
            self.metrics.conflicts.inc()
            await self.reload(live)
            return False
        except Exception:
            log.exception("a change was not written", extra={"table": live.doc.id})
            live.revision = OUTDATED
            raise Refused("unavailable") from None
        self.metrics.entries.inc(len(change.entries))
        live.revision += 1
        live.stored = live.match.seq if live.match else -1
        live.written = change.table["document"]
        live.created = []
        return True

    def _due(self, live: LiveTable, now: int) -> int | None:
        """When somebody must look after the table, whoever has it open."""
        if live.doc.state != RACING:
            return None
        times = [t for t in (deadline(live.doc),) if t is not None]
        if live.bots_waiting():
            times.append(now + BOT_GRACE_MS + live.doc.settings.pace_ms)
        untold = [since for seat, since in live.doc.owed.items() if seat not in live.doc.told]
        times += [since + self.notice_ms for since in untold]
        return min(times, default=None)

    def _after(self, live: LiveTable) -> None:
        """Show what was committed, and see who is next."""
        self.showing.publish(live)
        if live.bots_waiting():
            self.on_bots(live)

    # ------------------------------------------------------------ what commands need first

    async def _require_welcome(self, live: LiveTable, guest: Guest | None, command: c.Command) -> None:
        if guest and isinstance(command, c.Claim):
            host = live.doc.host
            if guest.id in await self.store.read(lambda connection: chat.blocked_by(connection, host)):
                raise Refused("blocked")

    async def _prepare(self, live: LiveTable, command: c.Command) -> None:
        """Bring the moments to mind that a take-back looks at, and who is here before somebody is removed."""
        if isinstance(command, c.AskTakeBack):
            await self.remember(live, command.to)
        elif isinstance(command, c.Kick | c.SetSeat) and live.match is not None:
            await self._note_presence(live)
        elif isinstance(command, c.Agree):
            for proposal in live.doc.proposals:
                if proposal.proposal == command.proposal and proposal.to is not None:
                    await self.remember(live, proposal.to)

    async def _note_presence(self, live: LiveTable) -> None:
        """When the persons of a race last had it on a screen, on this node or another."""
        table, now = live.doc.id, self.now()
        for watcher in self.showing.watchers.get(table, ()):
            if watcher.screen.guest_id:
                live.seen[watcher.screen.guest_id] = now
        if not self.store.is_postgres:
            return
        for guest, seen in (await self.store.read(lambda connection: subscriptions.seen_at(connection, table))).items():
            live.seen[guest] = max(seen, live.seen.get(guest, 0))

    async def remember(self, live: LiveTable, since: int) -> None:
        """Read the moments from an entry on, unless they are known."""
        if live.match is None or not 0 <= since <= live.match.seq or live.match.remembers(since):
            return
        for step, moment in await self.steps(live, since, live.match.seq):
            live.match.remember(step.seq, moment)

    async def steps(self, live: LiveTable, first: int, last: int) -> list[tuple[gate.LoggedStep, Any]]:
        """Entries with their moments, from the database."""
        if live.match is None:
            return []
        game, table = live.game, live.doc.id
        return list(await self.store.read(lambda connection: archive.read_steps(connection, game, table, first, last)))

    # ------------------------------------------------------------ time

    async def attend(self, table: str) -> None:
        """Look after a table whose time has come: clocks that ran out, persons to be told, bots that wait."""
        live = await self.open(table)
        told: list[int] = []

        def carry_out(now: int) -> dict[str, Any]:
            nonlocal told
            late = racing.time_out(live, now)
            told = racing.tell(live.doc, now - self.notice_ms)
            if not late and not told:
                raise Refused("not_your_turn")
            return {}

        try:
            await self.change(live, carry_out)
            self.on_turn(live, told)
        except Refused:
            if live.bots_waiting():
                self.on_bots(live)

    def all_here(self, table: str) -> bool:
        """Whether a table that is due waits only for persons who have it on a screen here: nobody need be told."""
        live = self.in_memory(table)
        if live is None or live.doc.since or live.bots_waiting():
            return False
        watching = {watcher.screen.guest_id for watcher in self.showing.watchers.get(table, ())}
        return all(live.doc.seats[seat].guest in watching for seat in live.doc.owed if seat not in live.doc.told)

    # ------------------------------------------------------------ other nodes

    async def refresh(self, table: str) -> None:
        """Another node has changed a table that somebody watches here."""
        live = self.in_memory(table)
        if live is None:
            return
        async with live.lock:
            before = live.revision
            await self._catch_up(live)
            if live.revision != before:
                self.showing.publish(live)

    def distrust(self, table: str) -> None:
        """Another node has changed what was known already: the table is to be read as a whole."""
        if live := self.in_memory(table):
            live.revision = OUTDATED

    async def hear(self, table: str) -> None:
        """Somebody has talked at another node."""
        if live := self.in_memory(table):
            await self.showing.new_chat(live)

    # ------------------------------------------------------------ chat

    async def say(self, guest: Guest | None, command: c.Say) -> dict[str, Any]:
        """Chat, to everybody who watches and has not blocked the guest."""
        live = await self.open(command.table)
        seat = chat.require_voice(live, guest)
        assert guest is not None
        text, now = chat.clean(command.text), self.now()
        live.seen[guest.id] = now
        name = live.doc.seats[seat].name if seat is not None else guest.name
        async with live.chat_lock:
            await self.store.write(
                lambda connection: chat.add(connection, live.doc.id, now, guest.id, seat, name, text)
            )
            await self.showing.new_chat(live)
        return {}

    async def documents(self, guest: str | None) -> list[TableDocument]:
        """A guest's tables, or the listed ones."""
        return list(await self.store.read(lambda connection: archive.list_tables(connection, guest)))

    async def watch(self, watcher: Watcher, since: int | None) -> None:
        """Begin to show a table to somebody."""
        live = await self.open(watcher.table)
        async with live.lock:
            await self._require_current(live)
            if self.store.is_postgres:
                await self._is_behind(live, live.revision)
            await self.showing.begin(live, watcher, since)

    def is_over(self, live: LiveTable) -> bool:
        """Whether everything may be seen."""
        return live.doc.state == OVER
