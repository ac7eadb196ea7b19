"""Tells a person that it is their turn when no page of theirs shows it: by browser push and by the host's webhook.

Who owes a choice, since when, and who was told lies in the table's document: a restart forgets none of it, and of
several nodes the one whose write wins tells.
"""

import asyncio
import json
import logging
import time
import urllib.request
from collections.abc import Coroutine
from functools import partial
from typing import Any

from quadriga.server import subscriptions
from quadriga.server.clocks import now_ms
from quadriga.server.delivery import Delivery
from quadriga.server.hippodrome import Hippodrome
from quadriga.server.live import LiveTable
from quadriga.server.push import Sender, Subscription, SubscriptionGone

log = logging.getLogger("quadriga.notices")
SECONDS = 10.0
MOST = 100
"""Notices that wait for the database; more are dropped, a page shows the turn anyway."""
HOOK_THREADS, PUSH_THREADS = 2, 4
CLOSE_SECONDS = 2.0
"""How long a server that stops waits for notices to be sent."""
SEEN_MS = 25_000
"""A node tells every ten seconds who is there; who was not named for so long is gone."""


class Notices:
    """Sends each turn of an absent person once."""

    def __init__(self, hippodrome: Hippodrome, sender: Sender) -> None:
        self.hippodrome, self.settings, self.sender = hippodrome, hippodrome.settings, sender
        self._sending: set[asyncio.Task[None]] = set()
        self._hooks, self._pushes = Delivery("webhook", HOOK_THREADS), Delivery("push", PUSH_THREADS)
        hippodrome.on_turn = self.tell

    def tell(self, live: LiveTable, seats: list[int]) -> None:
        """Tell those of the seats' persons who watch from nowhere."""
        for seat in seats:
            if len(self._sending) < MOST:
                self._start(self._tell(live, seat))

    async def _tell(self, live: LiveTable, number: int) -> None:
        guest = live.doc.seats[number].guest
        body = {
            "table": live.doc.id,
            "game": live.doc.game,
            "seat": number,
            "name": live.doc.seats[number].name,
            "url": f"{self.settings.public_url}/t/{live.doc.id}",
        }
        try:
            if guest is None or await self._is_here(live.doc.id, guest):
                return
            found = await self.hippodrome.store.read(lambda connection: subscriptions.of(connection, guest))
        except Exception as error:
            log.warning("somebody was not told", extra={"cause": type(error).__name__})
            return
        if self.settings.webhook and not self._hooks.submit(partial(post, self.settings.webhook, body)):
            log.warning("the webhook is too slow, a notice was dropped")
        for subscription in found:
            self._push(subscription, body)

    async def _is_here(self, table: str, guest: str) -> bool:
        """Whether a page of theirs shows the table, on this node or another."""
        if any(w.screen.guest_id == guest for w in self.hippodrome.showing.watchers.get(table, ())):
            return True
        if not self.hippodrome.store.is_postgres:
            return False
        seen = await self.hippodrome.store.read(lambda connection: subscriptions.last_seen(connection, guest, table))
        return bool(seen > now_ms() - SEEN_MS)

    def _push(self, subscription: Subscription, body: dict[str, Any]) -> None:
        loop = asyncio.get_running_loop()

        def send() -> None:
            try:
                self.sender.send(subscription, body, body["table"], time.time())
            except SubscriptionGone:
                loop.call_soon_threadsafe(self._start, self._remove(subscription.endpoint))

        if not self._pushes.submit(send):
            log.warning("push services are too slow, a notice was dropped")

    async def _remove(self, endpoint: str) -> None:
        await self.hippodrome.store.write(lambda connection: subscriptions.remove(connection, endpoint))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def mark_seen(self) -> None:
        """Tell the other nodes who has which table on a screen here."""
        watchers = self.hippodrome.showing.watchers
        pairs = [(w.screen.guest_id, table) for table, some in watchers.items() for w in some if w.screen.guest_id]
        for first in range(0, len(pairs), 500):
            some = pairs[first : first + 500]
            await self.hippodrome.store.write(partial(subscriptions.mark_seen, pairs=some, now=now_ms()))

    async def close(self) -> None:
        """Wait a moment for what is under way."""
        await asyncio.gather(*self._sending, return_exceptions=True)
        for delivery in (self._hooks, self._pushes):
            await asyncio.to_thread(delivery.wait, CLOSE_SECONDS / 2)


def post(url: str, body: dict[str, Any]) -> None:
    """Send a notice."""
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(request, timeout=SECONDS):
        pass
