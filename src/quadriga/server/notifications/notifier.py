"""Tells a person that it is their turn when no page of theirs shows it: by browser push and by the host's webhook.

The table's document says whose choice is awaited, since when, and who was notified. So a restart loses nothing, and of
several nodes only the one whose write succeeds notifies.
"""

import asyncio
import json
import logging
import time
from collections.abc import Coroutine
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from quadriga.server.database import subscriptions
from quadriga.server.database.subscriptions import Subscription
from quadriga.server.notifications import push_services
from quadriga.server.notifications.delivery import Delivery
from quadriga.server.notifications.push import Sender, SubscriptionGone
from quadriga.server.output.broadcast import Broadcaster
from quadriga.server.output.presence import ELSEWHERE_MS
from quadriga.server.settings import Settings
from quadriga.server.tables.execution import CommandExecutor
from quadriga.server.tables.table import LiveTable

log = logging.getLogger("quadriga.notices")
SECONDS = 10.0
MOST = 100
"""Notices that wait for the database; more are dropped, a page shows the turn anyway."""
HOOK_THREADS, PUSH_THREADS = 2, 4
CLOSE_SECONDS = 2.0
"""How long a server that stops waits for notices to be sent."""


class Notifier:
    """Sends each turn of an absent person once."""

    def __init__(self, executor: CommandExecutor, broadcaster: Broadcaster, settings: Settings, sender: Sender) -> None:
        self.broadcaster, self.store, self.registry = broadcaster, executor.store, executor.registry
        self.settings, self.sender = settings, sender
        self._sending: set[asyncio.Task[None]] = set()
        self._hooks, self._pushes = Delivery("webhook", HOOK_THREADS), Delivery("push", PUSH_THREADS)
        executor.on_turn = self.notify

    def notify(self, live: LiveTable, seats: list[int]) -> None:
        """Notify those of the seats' persons who have the table on no screen."""
        for seat in seats:
            if len(self._sending) < MOST:
                self._start(self._notify(live, seat))

    async def _notify(self, live: LiveTable, number: int) -> None:
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
            found = await self.store.read(lambda connection: subscriptions.of(connection, guest))
        except Exception as error:
            log.warning("somebody was not told", extra={"cause": type(error).__name__})
            return
        if self.settings.webhook and not self._hooks.submit(partial(post, self.settings.webhook, body)):
            log.warning("the webhook is too slow, a notice was dropped")
        for subscription in found:
            self._push(subscription, body)

    async def _is_here(self, table: str, guest: str) -> bool:
        """Whether a page of theirs shows the table, on this node or another."""
        if guest in self.broadcaster.guests_watching(table):
            return True
        if not self.store.is_postgres:
            return False
        seen = await self.store.read(lambda connection: subscriptions.last_seen(connection, guest, table))
        return bool(seen > self.registry.now() - ELSEWHERE_MS)

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
        await self.store.write(lambda connection: subscriptions.remove(connection, endpoint))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def mark_seen(self) -> None:
        """Tell the other nodes who has which table on a screen here."""
        watchers = self.broadcaster.watchers
        pairs = [(w.guest_id, table) for table, some in watchers.items() for w in some if w.guest_id]
        for first in range(0, len(pairs), 500):
            some = pairs[first : first + 500]
            await self.store.write(partial(subscriptions.mark_seen, pairs=some, now=self.registry.now()))

    async def close(self) -> None:
        """Wait briefly for notices that are being sent."""
        await asyncio.gather(*self._sending, return_exceptions=True)
        for delivery in (self._hooks, self._pushes):
            await asyncio.to_thread(delivery.wait, CLOSE_SECONDS / 2)


def post(url: str, body: dict[str, Any], seconds: float = SECONDS) -> None:
    """Send a notice to the host's webhook; OSError if it is not taken in time."""
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    port = parts.port or push_services.PORTS[parts.scheme]
    endpoint = push_services.Endpoint(parts.scheme, parts.hostname or "", port, path, trusted=True)
    headers = {"content-type": "application/json"}
    status = push_services.post(endpoint, json.dumps(body).encode(), headers, seconds)
    if status >= 300:
        raise OSError(f"the webhook answered {status}")
