"""People at many tables who choose at random moments, and come back by themselves when a server goes.

They notice what is missing or told twice, and remember every choice that a server acknowledged.
"""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Self
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from quadriga.client import OutOfStep
from quadriga.loadtest.load import LoadedTable
from quadriga.loadtest.wire import Wire

AGAIN_SECONDS = (0.1, 0.4)
"""Seconds before a guest connects again after its connection was lost or refused."""
ALREADY_KEPT = "duplicate"
"""The error code for a choice that was committed although its answer was lost."""
WAIT_SECONDS = 120.0


class Shown(Struct):
    """Of a message, what tells whether somebody is in step, and what may be chosen."""

    type: str
    id: int | str | None = None
    error: dict[str, Any] = {}
    seq: int = -1
    after: int = -1
    steps: list[msgspec.Raw] = []
    to_act: list[int] = []
    chosen: list[int] = []
    legal: list[msgspec.Raw] = []
    result: Any = None


_shown = msgspec.json.Decoder(Shown)


class Guest:
    """A browser with one seat at one table, at any of several servers."""

    def __init__(self, urls: Sequence[str], table: str, seat: int, token: str) -> None:
        self.urls, self.table, self.seat, self.token = urls, table, seat, token
        self.url = ""
        """The server where it is, or was last."""
        self.wire: Wire | None = None
        self.view: Shown | None = None
        self.back = 0.0
        """When the first view came after the last connection was made."""
        self.trouble: OutOfStep | None = None
        self.sent: dict[int, list[bytes]] = {}
        """What it chose, by the seq it answered; more than once where a server was not able to keep it."""
        self.kept: set[int] = set()
        """Choices that were acknowledged."""
        self._unanswered: int | None = None
        self._fresh = self._gone = False
        self._coming: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ being there

    def come(self) -> None:
        """Connect; from now on the guest connects again whenever its connection is lost."""
        if not self._gone:
            self._coming = asyncio.create_task(self._enter())

    def go(self) -> None:
        """Leave for good."""
        self._gone = True
        self.cut()

    def cut(self) -> None:
        """Drop the connection without closing it."""
        if self.wire is not None:
            self.wire.cut()

    async def _enter(self) -> None:
        """Try the servers in random order until one accepts."""
        for url in random.sample(self.urls, len(self.urls)):
            self.url, where = url, urlsplit(url)
            try:
                await Wire.open(self, where.hostname or "", where.port or 80)
            except OSError:
                continue
            return
        self.ended()

    def opened(self, wire: Wire) -> None:
        """Connected: say hello, and watch the table from the last entry seen."""
        self.wire, self._fresh = wire, True
        since = "" if self.view is None else f',"since":{self.view.seq}'
        wire.send(f'{{"type":"hello","protocol":1,"build":null,"token":"{self.token}"}}'.encode())
        wire.send(f'{{"type":"watch","table":"{self.table}"{since}}}'.encode())

    def ended(self) -> None:
        """Disconnected: connect again after a while."""
        self.wire = None
        asyncio.get_running_loop().call_later(random.uniform(*AGAIN_SECONDS), self.come)

    def heard(self, text: bytes) -> None:
        """Handle a message of the server."""
        heard = _shown.decode(text)
        if heard.type == "view":
            self._take(heard)
        elif heard.type == "chosen" and self.view and heard.seq == self.view.seq:
            self.view.chosen = heard.chosen
        elif isinstance(heard.id, int):
            self._answered(heard.id, heard)

    def _take(self, heard: Shown) -> None:
        known = heard.after if self.view is None else self.view.seq
        if heard.seq - heard.after != len(heard.steps) or not heard.after <= known <= heard.seq:
            self.trouble = OutOfStep(f"steps {heard.after + 1} to {heard.seq} of {self.table} came after step {known}")
        self.view = heard
        if self._fresh:
            self.back, self._fresh = time.monotonic(), False
            self._ask_again()

    def is_at(self, seq: int) -> bool:
        """Whether it has been shown an entry, or a later one."""
        return self.view is not None and self.view.seq >= seq

    # ------------------------------------------------------------ choosing

    def choose(self, dice: random.Random) -> bool:
        """Choose something if a choice is owed; whether it was."""
        view = self.view
        if not self.wire or not view or self._fresh or self._unanswered is not None or not self._owes(view):
            return False
        self._unanswered = view.seq
        self.sent.setdefault(view.seq, []).append(bytes(dice.choice(view.legal)))
        self._send(view.seq)
        return True

    def _owes(self, view: Shown) -> bool:
        return bool(view.legal) and not view.result and self.seat in view.to_act and self.seat not in view.chosen

    def _ask_again(self) -> None:
        """A choice without an answer is sent once more, as a page does: the server must not take it twice."""
        if self._unanswered is not None:
            self._send(self._unanswered)

    def _send(self, seq: int) -> None:
        action = self.sent[seq][-1].decode()
        fields = f'"id":{seq},"table":"{self.table}","seat":{self.seat},"seq":{seq},"action":{action}'
        if self.wire is not None:
            self.wire.send(f'{{"type":"choose",{fields}}}'.encode())

    def _answered(self, seq: int, heard: Shown) -> None:
        if heard.type == "done" or heard.error.get("code") == ALREADY_KEPT:
            self.kept.add(seq)
        if seq == self._unanswered:
            self._unanswered = None


class Crowd:
    """Guests at all seats of some tables: `async with Crowd(...) as crowd` has them all in step."""

    def __init__(self, urls: Sequence[str], tables: Sequence[LoadedTable]) -> None:
        self.guests = [
            Guest(urls, table.id, seat, token) for table in tables for seat, token in enumerate(table.tokens)
        ]
        self._playing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        for guest in self.guests:
            guest.come()
        try:
            await self.until(lambda: all(guest.view for guest in self.guests))
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.rest()
        for guest in self.guests:
            guest.go()

    def play(self, rate: float, seed: int = 1) -> None:
        """Choose at Poisson times from now on."""
        self._playing = asyncio.create_task(self._play(rate, random.Random(seed)))

    async def rest(self) -> None:
        """Stop choosing."""
        if self._playing is not None:
            self._playing.cancel()
            await asyncio.gather(self._playing, return_exceptions=True)
            self._playing = None

    async def _play(self, rate: float, dice: random.Random) -> None:
        planned = time.monotonic()
        while True:
            planned += dice.expovariate(rate)
            await asyncio.sleep(max(0.0, planned - time.monotonic()))
            any(guest.choose(dice) for guest in dice.sample(self.guests, min(20, len(self.guests))))

    async def until(self, check: Callable[[], bool], seconds: float = WAIT_SECONDS) -> None:
        """Wait for something, unless a guest found itself out of step."""
        end = time.monotonic() + seconds
        while not check():
            for guest in self.guests:
                if guest.trouble:
                    raise guest.trouble
            if time.monotonic() > end:
                raise TimeoutError("somebody did not come back")
            await asyncio.sleep(0.02)

    def cut(self) -> None:
        """Drop all connections."""
        for guest in self.guests:
            guest.cut()

    async def all_back(self, since: float, those: Sequence[Guest] | None = None) -> float:
        """Wait until all guests, or those, have been shown their tables again since a moment; when the last was."""
        guests = self.guests if those is None else those
        await self.until(lambda: all(guest.back > since for guest in guests))
        return max((guest.back for guest in guests), default=since)

    def steps_seen(self) -> int:
        """Entries that guests have been shown, all together."""
        return sum(guest.view.seq for guest in self.guests if guest.view)
