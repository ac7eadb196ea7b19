"""Chat and reactions on the way to everybody who watches a table and has not blocked who wrote them."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from quadriga.server.database import chat_rows
from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.output.watchers import Watcher, send
from quadriga.server.tables import chat
from quadriga.server.tables import commands as c
from quadriga.server.tables.registry import TableRegistry
from quadriga.server.tables.table import LiveTable

Json = dict[str, Any]


def message(row: Any, reactions: Mapping[str, str], guest: str | None, unwanted: set[str]) -> Json:
    """A message with its reactions, as somebody who does not want to hear of some guests gets it."""
    return chat_rows.message(row, guest) | describe_reactions(reactions, guest, unwanted)


def describe_reactions(reactions: Mapping[str, str], guest: str | None, unwanted: set[str]) -> Json:
    """How often each reaction was given, and which one is one's own."""
    counts = Counter(kind for who, kind in reactions.items() if who not in unwanted)
    return {"reactions": dict(sorted(counts.items())), "my_reaction": reactions.get(guest or "")}


class ChatBroadcaster:
    """Shows chat to those who watch."""

    def __init__(self, registry: TableRegistry, watchers: Mapping[str, set[Watcher]]) -> None:
        self.registry, self.store, self.watchers = registry, registry.store, watchers
        self._shown: dict[str, int] = {}
        """The last message of each table that those who watch have."""
        self._reactions: dict[str, chat_rows.Reactions] = {}
        """The reactions to its last messages that they know of."""

    def forget(self, table: str) -> None:
        """Nobody watches a table any more."""
        self._shown.pop(table, None)
        self._reactions.pop(table, None)

    async def say(self, guest: Guest | None, command: c.Say) -> Json:
        """Keep a message, and show it."""
        live = await self.registry.open(command.table)
        seat = chat.require_voice(live, guest)
        assert guest is not None
        text, now = chat.clean(command.text), self.registry.now()
        live.note_seen(guest, now)
        name = live.doc.seats[seat].name if seat is not None else guest.name
        async with live.chat_lock:
            await self.store.write(
                lambda connection: chat_rows.add(connection, live.doc.id, now, guest.id, seat, name, text)
            )
            await self.show_new(live)
        return {}

    async def react(self, guest: Guest | None, command: c.React) -> Json:
        """Keep a reaction, and show it."""
        live = await self.registry.open(command.table)
        chat.require_voice(live, guest)
        assert guest is not None
        live.note_seen(guest, self.registry.now())
        table, number, kind = live.doc.id, command.message, command.reaction
        async with live.chat_lock:
            if not await self.store.write(lambda db: chat_rows.react(db, table, number, guest.id, kind)):
                raise Refused("no_message")
            await self._show_reactions(live)
        return {}

    async def show_foreign(self, table: str) -> None:
        """Somebody has talked at another node."""
        if live := self.registry.in_memory(table):
            await self.show_new(live)
            await self._show_reactions(live)

    async def show_last(self, live: LiveTable, watcher: Watcher) -> None:
        """The last messages, to somebody who begins to watch."""
        table = live.doc.id
        if not await self.store.find(chat_rows.newest, table):
            return
        rows = await self.store.read(lambda connection: chat_rows.read(connection, table))
        reactions = await self.store.read(lambda connection: chat_rows.last_reactions(connection, table))
        for row in rows:
            _send_message(live, watcher, row, reactions.get(row.id, {}))
        if rows and self.watchers.get(table):
            self._shown[table] = max(rows[-1].id, self._shown.get(table, 0))
            self._reactions.setdefault(table, reactions)

    def misses(self, table: str, newest: int) -> bool:
        """Whether there are messages that nobody here has been shown."""
        return newest > self._shown.get(table, 0)

    async def show_new(self, live: LiveTable) -> None:
        """Show messages that came since the last look."""
        table = live.doc.id
        if not self.watchers.get(table):
            return
        after = self._shown.get(table, 0)
        for row in await self.store.read(lambda connection: chat_rows.read(connection, table, after)):
            if row.id > self._shown.get(table, 0) and self.watchers.get(table):
                self._shown[table] = row.id
                for watcher in self.watchers.get(table, ()):
                    _send_message(live, watcher, row, {})

    async def _show_reactions(self, live: LiveTable) -> None:
        """Show what has changed of the reactions to the last messages."""
        table = live.doc.id
        now = await self.store.read(lambda connection: chat_rows.last_reactions(connection, table))
        if not self.watchers.get(table):
            return
        before, self._reactions[table] = self._reactions.get(table, {}), now
        for number in sorted(now.keys() | before.keys()):
            if now.get(number) != before.get(number):
                for watcher in self.watchers.get(table, ()):
                    shown = describe_reactions(now.get(number, {}), watcher.guest_id, unwanted_by(live, watcher))
                    send(watcher, "reaction", {"table": table, "message": number} | shown)


def unwanted_by(live: LiveTable, watcher: Watcher) -> set[str]:
    """Guests of whom a watcher hears nothing."""
    return watcher.screen.blocked | set(live.doc.muted)


def _send_message(live: LiveTable, watcher: Watcher, row: Any, reactions: Mapping[str, str]) -> None:
    unwanted = unwanted_by(live, watcher)
    if row.guest not in unwanted:
        body = message(row, reactions, watcher.guest_id, unwanted)
        send(watcher, "chat", {"table": live.doc.id, "message": body})
