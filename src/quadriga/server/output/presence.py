"""Who is at a table: whose page is open and looked at, whose is in the background, who is gone, and who watches.

Nobody is told more often than every `PAUSE_SECONDS`: a page that is loaded again, or a crowd that comes, is one change.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from quadriga.server.database.guests import Guest
from quadriga.server.output import views
from quadriga.server.tables.document import TableDocument

PAUSE_SECONDS = 0.5
ELSEWHERE_MS = 25_000
"""Nodes report who is present every ten seconds. A guest who was not reported for this long counts as absent."""
HERE, AWAY, DISCONNECTED = "here", "away", "disconnected"
MOST_NAMES = 20
"""Names of watchers that are told; all are counted."""
Looking = tuple[Guest | None, bool]
"""Who is at a screen, and whether they look at it."""


def describe(doc: TableDocument, looking: Iterable[Looking], elsewhere: set[str]) -> dict[str, Any]:
    """The state of each seat that belongs to somebody, and who watches without one."""
    seated = {seat.guest for seat in doc.seats if seat.guest}
    eyes: dict[str, bool] = dict.fromkeys(elsewhere, True)
    named: dict[str, str] = {}
    nameless = 0
    for guest, is_looking in looking:
        if guest is None:
            nameless += 1
        else:
            eyes[guest.id] = eyes.get(guest.id, False) or is_looking
            if guest.id not in seated:
                named[guest.id] = guest.name
    return {
        "table": doc.id,
        "seats": {str(i): _state(eyes.get(seat.guest)) for i, seat in enumerate(doc.seats) if seat.guest},
        "watching": sorted(named.values())[:MOST_NAMES],
        "watchers": len(named) + nameless,
    }


def _state(is_looking: bool | None) -> str:
    return DISCONNECTED if is_looking is None else HERE if is_looking else AWAY


class Presence:
    """Tells everybody at a table when somebody comes, goes or looks away."""

    def __init__(
        self,
        document: Callable[[str], TableDocument | None],
        looking: Callable[[str], list[Looking]],
        send: Callable[[str, bytes], None],
        now: Callable[[], int],
    ) -> None:
        self._document, self._looking, self._send, self._now = document, looking, send, now
        self._due: dict[str, asyncio.TimerHandle] = {}
        self._sent: dict[str, bytes] = {}
        self._left: dict[str, dict[str, int]] = {}
        """When guests closed their last page of a table on this node."""
        self._elsewhere: dict[str, Mapping[str, int]] = {}
        """When guests were last seen at a table on any node."""

    def message(self, table: str) -> bytes | None:
        """What everybody may know of who is there."""
        doc = self._document(table)
        if doc is None:
            return None
        body = describe(doc, self._looking(table), self._on_other_nodes(table))
        return views.encode({"type": "presence"} | body)

    def note_change(self, table: str) -> None:
        """Something may have changed: tell it soon."""
        if table not in self._due:
            loop = asyncio.get_running_loop()
            self._due[table] = loop.call_later(PAUSE_SECONDS, self._tell, table)

    def note_left(self, table: str, guest: str) -> None:
        """A guest has no page of the table left here."""
        self._left.setdefault(table, {})[guest] = self._now()

    def send_due(self) -> None:
        """Tell at once what would be told soon."""
        for table in list(self._due):
            self._due[table].cancel()
            self._tell(table)

    def forget(self, table: str) -> None:
        """Nobody has the table on a screen here."""
        if timer := self._due.pop(table, None):
            timer.cancel()
        for kept in (self._sent, self._left, self._elsewhere):
            kept.pop(table, None)

    def note_elsewhere(self, table: str, seen: Mapping[str, int]) -> None:
        """When guests were last seen at a table, on this node or another."""
        if seen != self._elsewhere.get(table):
            self._elsewhere[table] = seen
            self.note_change(table)

    def _on_other_nodes(self, table: str) -> set[str]:
        """Guests who were seen after they left this node, and not long ago."""
        left, limit = self._left.get(table, {}), self._now() - ELSEWHERE_MS
        seen = self._elsewhere.get(table, {})
        return {guest for guest, at in seen.items() if at > max(limit, left.get(guest, 0))}

    def _tell(self, table: str) -> None:
        self._due.pop(table, None)
        message = self.message(table)
        if message is not None and message != self._sent.get(table):
            self._sent[table] = message
            self._send(table, message)
