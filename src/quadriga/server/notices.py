"""Tells a person that it is their turn, by the host's webhook, when no page of theirs is open."""

import asyncio
import json
import logging
import urllib.request
from typing import Any

from quadriga.server.documents import PERSON
from quadriga.server.hippodrome import Hippodrome
from quadriga.server.live import LiveTable

log = logging.getLogger("quadriga.notices")
SECONDS = 10.0
MOST = 100
"""Notices under way; more are dropped, a page shows the turn anyway."""


class Notices:
    """Sends each turn of an absent person once."""

    def __init__(self, hippodrome: Hippodrome) -> None:
        self.hippodrome, self.settings = hippodrome, hippodrome.settings
        self._sending: set[asyncio.Task[None]] = set()
        self._told: dict[str, dict[int, int]] = {}
        if self.settings.webhook:
            hippodrome.on_turn = self.look

    def look(self, live: LiveTable) -> None:
        """Tell those who owe a choice and watch from nowhere."""
        told = self._told.setdefault(live.doc.id, {})
        here = {w.screen.guest_id for w in self.hippodrome.showing.watchers.get(live.doc.id, ())}
        for number in live.match.waiting_for() if live.match and live.doc.state == "racing" else ():
            seat = live.doc.seats[number]
            if seat.kind == PERSON and seat.guest not in here and number not in told:
                told[number] = live.stored
                self._send(live, number)
        for number in [n for n in told if n not in live.doc.owing or n in live.doc.pending]:
            del told[number]

    def _send(self, live: LiveTable, seat: int) -> None:
        if len(self._sending) >= MOST:
            return
        body = {
            "table": live.doc.id,
            "game": live.doc.game,
            "seat": seat,
            "name": live.doc.seats[seat].name,
            "url": f"{self.settings.public_url}/t/{live.doc.id}",
        }
        task = asyncio.create_task(self._post(body))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _post(self, body: dict[str, Any]) -> None:
        try:
            await asyncio.to_thread(post, self.settings.webhook, body)
        except (OSError, ValueError) as error:
            log.warning("the webhook did not answer", extra={"cause": type(error).__name__})

    async def close(self) -> None:
        """Wait for what is under way."""
        await asyncio.gather(*self._sending, return_exceptions=True)


def post(url: str, body: dict[str, Any]) -> None:
    """Send a notice."""
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers, method="POST")
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        answer.read()
