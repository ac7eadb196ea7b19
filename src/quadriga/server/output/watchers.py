"""Browsers that watch a table, and how something is sent to them."""

import asyncio
from typing import Any, Protocol

from quadriga.server.database.guests import Guest
from quadriga.server.output import views


class Screen(Protocol):
    """A connected browser."""

    blocked: set[str]
    watching: "dict[str, Watcher]"

    @property
    def guest(self) -> Guest | None:
        """Who sits there."""

    @property
    def is_looking(self) -> bool:
        """Whether the page is in the foreground."""

    def send(self, message: bytes) -> None:
        """Queue a message."""


class Watcher:
    """A browser that watches one table."""

    def __init__(self, screen: Screen, table: str, as_codes: bool = False) -> None:
        self.screen, self.table, self.as_codes = screen, table, as_codes
        self.seats: list[int | None] = []
        """Whose views it gets; [None] for a spectator."""
        self.known = -1
        """The last entry it has seen."""
        self.catching_up: asyncio.Task[None] | None = None
        """Shows entries later, to a spectator of a table with a delay."""

    @property
    def guest_id(self) -> str | None:
        """Who sits at the browser."""
        return self.screen.guest.id if self.screen.guest else None


def send(watcher: Watcher, kind: str, body: dict[str, Any]) -> None:
    """Queue a message for a watcher."""
    watcher.screen.send(message(kind, body))


def message(kind: str, body: dict[str, Any]) -> bytes:
    """What is sent: a table, a view or less."""
    return views.encode({"type": kind} | body)
