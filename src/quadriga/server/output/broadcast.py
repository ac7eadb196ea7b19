"""Who watches which table, and what each of them has seen. All messages are built in `views`."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from quadriga.core.match import Match, Moment
from quadriga.core.messages import Action
from quadriga.server.errors import Refused
from quadriga.server.output import views
from quadriga.server.output.chat_broadcast import ChatBroadcaster
from quadriga.server.output.presence import Looking, Presence
from quadriga.server.output.watchers import Screen, Watcher, send
from quadriga.server.tables.document import OVER, TableDocument
from quadriga.server.tables.execution import CommandExecutor
from quadriga.server.tables.table import LiveTable, LoggedStep

MOST_WAIT_MS = 1_000
"""Delayed watchers are updated at least this often, because the delay ends with the race."""
Found = list[tuple[LoggedStep, Moment]]
"""Entries read from the database."""


class News:
    """What a change brings to those who watch, written once for all who get the same."""

    def __init__(self, live: LiveTable, now: int) -> None:
        self.live, self.at = live, views.position(live, now)
        self._steps: dict[int, list[LoggedStep]] = {}
        self._views: dict[tuple[int | None, int, bool], bytes] = {}

    def view(self, seat: int | None, known: int, as_codes: bool) -> bytes:
        """The view of a seat that knows the race up to an entry."""
        key = (seat, known, as_codes)
        if key not in self._views:
            steps = self._steps_after(known)
            self._views[key] = views.view_message(self.live, self.at, seat, steps, known, as_codes)
        return self._views[key]

    def _steps_after(self, known: int) -> list[LoggedStep]:
        if known not in self._steps:
            match = self.live.match
            assert match is not None
            self._steps[known] = [
                LoggedStep(seq, self.live.times[seq], match.log[seq], match.moment(seq).events)
                for seq in range(known + 1, match.seq + 1)
            ]
        return self._steps[known]


class Broadcaster:
    """Everybody who watches a table of this node, and what they are sent."""

    def __init__(self, executor: CommandExecutor) -> None:
        self.registry, self.loader, self.store = executor.registry, executor.loader, executor.store
        self.watchers: defaultdict[str, set[Watcher]] = defaultdict(set)
        self._lobby: dict[str, tuple[Any, ...]] = {}
        self._chosen: dict[str, dict[int, Action]] = {}
        self.chat = ChatBroadcaster(self.registry, self.watchers)
        executor.on_change, executor.guests_watching = self.publish, self.guests_watching
        self.registry.on_drop = self.gone
        self.registry.busy_checks.append(lambda live: bool(self.watchers.get(live.doc.id)))
        self.loader.first_needed = self.first_unseen
        self.presence = Presence(self._document, self._looking, self._send_all, self._now)

    def guests_watching(self, table: str) -> set[str]:
        """Guests who have a table on a screen here."""
        return {w.guest_id for w in self.watchers.get(table, ()) if w.guest_id}

    def _now(self) -> int:
        return self.registry.now()

    # ------------------------------------------------------------ who is there

    def _document(self, table: str) -> TableDocument | None:
        live = self.registry.in_memory(table)
        return live.doc if live else None

    def _looking(self, table: str) -> list[Looking]:
        return [(w.screen.guest, w.screen.is_looking) for w in self.watchers.get(table, ())]

    def _send_all(self, table: str, message: bytes) -> None:
        for watcher in self.watchers.get(table, ()):
            watcher.screen.send(message)

    def note_look(self, screen: Screen) -> None:
        """Somebody looks at their page again, or away from it."""
        for table in screen.watching:
            self.presence.note_change(table)

    # ------------------------------------------------------------ coming and going

    async def watch(self, watcher: Watcher, since: int | None) -> None:
        """Begin to show a table to somebody, from entry `since` on."""
        live = await self.registry.open(watcher.table)
        async with live.lock:
            await self.loader.require_current(live)
            await self.loader.reload_if_behind(live, live.revision)
            await self._begin(live, watcher, since)

    async def _begin(self, live: LiveTable, watcher: Watcher, since: int | None) -> None:
        guest = watcher.guest_id
        require_sight(live, guest)
        watcher.seats = views_of(live, guest)
        self.watchers[live.doc.id].add(watcher)
        send(watcher, "table", views.table(live, guest))
        self._lobby.setdefault(live.doc.id, lobby_of(live))
        if live.match is None and live.stored >= 0:
            raise Refused("stopped", made=live.doc.rules_version, now=live.game.meta.rules_version)
        last = last_shown(live, delay_of(live, watcher.seats), self.registry.now())
        watcher.known = last if since is None else min(since, last)
        if live.match is not None:
            self._show_until(live, watcher, last, await self._unseen(live, watcher, last))
        await self.chat.show_last(live, watcher)
        if (there := self.presence.message(live.doc.id)) is not None:
            watcher.screen.send(there)
        self.presence.note_change(live.doc.id)

    def unwatch(self, watcher: Watcher) -> None:
        """Stop showing a table to somebody."""
        watching = self.watchers.get(watcher.table)
        if watching is None:
            return
        watching.discard(watcher)
        if watcher.catching_up:
            watcher.catching_up.cancel()
        live, guest = self.registry.in_memory(watcher.table), watcher.guest_id
        if live and guest:
            live.seen[guest] = self.registry.now()
        if guest and guest not in self.guests_watching(watcher.table):
            self.presence.note_left(watcher.table, guest)
        if watching:
            self.presence.note_change(watcher.table)
        else:
            del self.watchers[watcher.table]
            self.presence.forget(watcher.table)
            self.chat.forget(watcher.table)
            for kept in (self._lobby, self._chosen):
                kept.pop(watcher.table, None)

    def gone(self, table: str) -> None:
        """Tell everybody that a table was deleted."""
        for watcher in list(self.watchers.get(table, ())):
            send(watcher, "gone", {"table": table})
            self._dismiss(watcher)

    def _dismiss(self, watcher: Watcher) -> None:
        watcher.screen.watching.pop(watcher.table, None)
        self.unwatch(watcher)

    def _dismiss_strangers(self, live: LiveTable) -> None:
        """Tell those who may no longer watch why, and send them nothing more."""
        for watcher in list(self.watchers.get(live.doc.id, ())):
            try:
                require_sight(live, watcher.guest_id)
            except Refused as error:
                send(watcher, "unwatched", {"table": live.doc.id} | error.body())
                self._dismiss(watcher)

    # ------------------------------------------------------------ after a change here

    def publish(self, live: LiveTable, now: int) -> None:
        """Show what has just been committed, then forget moments that nobody needs."""
        self._dismiss_strangers(live)
        watching = self.watchers.get(live.doc.id)
        if watching:
            if live.match is not None:
                self._show_race(live, watching, now)
            self._show_lobby(live, watching)  # second, so that who reads "over" has the result
        if live.match is not None:
            live.match.forget(live.match.seq)

    def _show_lobby(self, live: LiveTable, watching: Iterable[Watcher]) -> None:
        lobby = lobby_of(live)
        if self._lobby.get(live.doc.id) == lobby:
            return
        self._lobby[live.doc.id] = lobby
        for watcher in watching:
            send(watcher, "table", views.table(live, watcher.guest_id))
        self.presence.note_change(live.doc.id)

    def _show_race(self, live: LiveTable, watching: Iterable[Watcher], now: int) -> None:
        match = live.match
        assert match is not None
        news, changed = News(live, now), self._changed(live, match)
        for watcher in watching:
            seats = views_of(live, watcher.guest_id)
            if delay_of(live, seats) or not match.remembers(watcher.known + 1):
                watcher.seats = seats
                self._show_later(live, watcher)
                continue
            for seat in seats:
                self._show_seat(news, watcher, seat, seat in changed)
            watcher.seats, watcher.known = seats, match.seq

    def _changed(self, live: LiveTable, match: Match) -> set[int | None]:
        """For whom the choices look different: all if somebody has chosen or withdrawn, else who chose anew."""
        before, now = self._chosen.get(live.doc.id, {}), dict(match.pending)
        self._chosen[live.doc.id] = now
        if set(before) != set(now):
            return {None, *range(len(live.doc.seats))}
        return {seat for seat in now if now[seat] != before[seat]}

    def _show_seat(self, news: News, watcher: Watcher, seat: int | None, changed: bool) -> None:
        """A view if the race went on or the seat is new here, else who has chosen, if that changed."""
        if watcher.known < news.at.seq or seat not in watcher.seats:
            watcher.screen.send(news.view(seat, watcher.known, watcher.as_codes))
        elif changed:
            send(watcher, "chosen", views.chosen(news.live, news.at, seat))

    # ------------------------------------------------------------ from the database

    def first_unseen(self, live: LiveTable) -> int:
        """The first entry that somebody has yet to see."""
        watching = self.watchers.get(live.doc.id, ())
        return min((w.known for w in watching if not delay_of(live, w.seats)), default=live.stored) + 1

    async def _unseen(self, live: LiveTable, watcher: Watcher, last: int) -> Found:
        """What must be read to show entry `last` to a watcher: nothing if it knows all there is."""
        if live.match is None or last == live.match.seq == watcher.known:
            return []
        return await self.loader.steps(live, min(watcher.known + 1, last), last)

    def _show_until(self, live: LiveTable, watcher: Watcher, last: int, found: Found) -> None:
        """The views of a watcher after entry `last`, with the steps it does not know."""
        assert live.match is not None
        steps = [step for step, _ in found if step.seq > watcher.known]
        current = last == live.match.seq
        at = views.position(live, self.registry.now()) if current else views.past(live, last, found[-1][1].state)
        for seat in watcher.seats:
            watcher.screen.send(views.view_message(live, at, seat, steps, watcher.known, watcher.as_codes))
        watcher.known = last

    def _show_later(self, live: LiveTable, watcher: Watcher) -> None:
        if watcher.catching_up is None or watcher.catching_up.done():
            watcher.catching_up = asyncio.create_task(self._catch_up(live, watcher))

    async def _catch_up(self, live: LiveTable, watcher: Watcher) -> None:
        """Show each entry when it is old enough, until the watcher knows all."""
        while watcher.known < live.stored:
            delay = delay_of(live, watcher.seats)
            wait = live.times[watcher.known + 1] + delay - self.registry.now() if delay else 0
            await asyncio.sleep(min(max(0, wait), MOST_WAIT_MS) / 1000)
            async with live.lock:
                await self._show_old_enough(live, watcher)

    async def _show_old_enough(self, live: LiveTable, watcher: Watcher) -> None:
        last = last_shown(live, delay_of(live, watcher.seats), self.registry.now())
        if live.match is not None and last > watcher.known:
            self._show_until(live, watcher, last, await self._unseen(live, watcher, last))

    async def refresh(self, table: str) -> None:
        """Another node has changed a table: read what is new, and show it."""
        live = self.registry.in_memory(table)
        if live is None:
            return
        async with live.lock:
            before = live.revision
            await self.loader.catch_up(live)
            if live.revision != before:
                self.publish(live, self.registry.now())


def views_of(live: LiveTable, guest: str | None) -> list[int | None]:
    """The seats a guest sees the race from; a spectator's view for those who play none."""
    return list(live.doc.seats_of(guest)) or [None]


def require_sight(live: LiveTable, guest: str | None) -> None:
    """Refuse strangers at a table without watchers."""
    if not live.doc.settings.watchers and live.doc.state != "open" and guest not in live.doc.owners():
        raise Refused("no_watchers")


def delay_of(live: LiveTable, seats: list[int | None]) -> int:
    """Milliseconds by which these views lag behind."""
    return live.doc.settings.watch_delay_s * 1000 if seats == [None] and live.doc.state != OVER else 0


def last_shown(live: LiveTable, delay: int, now: int) -> int:
    """The last entry that is old enough; the set-up always is."""
    last = len(live.times) - 1
    while delay and last > 0 and live.times[last] > now - delay:
        last -= 1
    return last


def lobby_of(live: LiveTable) -> tuple[Any, ...]:
    """What of a table all watchers see, to notice when it changes; choices change none of it."""
    doc = live.doc
    return (
        doc.state,
        doc.host,
        doc.next,
        doc.settings,
        doc.options,
        [(seat.kind, seat.name, seat.guest, seat.was_left, bool(seat.nonce)) for seat in doc.seats],
        list(doc.colours),
        list(doc.muted),
        [(proposal.proposal, list(proposal.yes)) for proposal in doc.proposals],
        live.match.left if live.match else (),
    )
