"""People at many tables who choose at random moments, and come back by themselves when a server goes.

They notice what is missing or told twice, and remember every choice that a server acknowledged.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Self

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from quadriga.cli.load import LoadedTable
from quadriga.client import OutOfStep

AGAIN_SECONDS = (0.1, 0.4)
"""How soon somebody tries again whom a server did not let in."""
AT_ONCE = 200
"""As many knock at the same time as an operating system keeps waiting."""
ALREADY_KEPT = "duplicate"
"""What a server says of a choice that it had kept before its word of it was lost."""
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
        self.socket: ClientConnection | None = None
        self.view: Shown | None = None
        self.back = 0.0
        """When the table was last shown for the first time on a new socket."""
        self.sent: dict[int, list[bytes]] = {}
        """What it chose, by the seq it answered; more than once where a server was not able to keep it."""
        self.kept: set[int] = set()
        """Choices that were acknowledged."""
        self._unanswered: int | None = None

    # ------------------------------------------------------------ being there

    async def stay(self, gate: asyncio.Semaphore) -> None:
        """Come, listen, and come again, for ever."""
        while True:
            try:
                await self._stay(gate)
            except (WebSocketException, OSError):
                self.socket = None
                await asyncio.sleep(random.uniform(*AGAIN_SECONDS))

    async def _stay(self, gate: asyncio.Semaphore) -> None:
        async with gate:
            socket = await self._enter()
            since = {} if self.view is None else {"since": self.view.seq}
            hello = {"type": "hello", "protocol": 1, "build": None, "token": self.token}
            for message in (hello, {"type": "watch", "table": self.table} | since):
                await socket.send(msgspec.json.encode(message).decode())
        self.socket = socket
        try:
            await self._listen(socket)
        finally:
            await socket.close()

    async def _enter(self) -> ClientConnection:
        """A socket at the first server that lets it in."""
        for url in random.sample(self.urls, len(self.urls)):
            with contextlib.suppress(ConnectionRefusedError):
                found = await connect(
                    url.replace("http", "ws", 1) + "/api/play", compression=None, ping_interval=None, max_size=None
                )
                self.url = url
                return found
        raise ConnectionRefusedError

    async def _listen(self, socket: ClientConnection) -> None:
        fresh = True
        async for message in socket:
            heard = _shown.decode(message)
            if heard.type == "view":
                self._take(heard)
                if fresh:
                    self.back, fresh = time.monotonic(), False
                    await self._ask_again()
            elif heard.type == "chosen" and self.view and heard.seq == self.view.seq:
                self.view.chosen = heard.chosen
            elif isinstance(heard.id, int):
                self._answered(heard.id, heard)

    def _take(self, heard: Shown) -> None:
        known = heard.after if self.view is None else self.view.seq
        if heard.seq - heard.after != len(heard.steps) or not heard.after <= known <= heard.seq:
            raise OutOfStep(f"steps {heard.after + 1} to {heard.seq} of {self.table} came after step {known}")
        self.view = heard

    def is_at(self, seq: int) -> bool:
        """Whether it has been shown an entry, or a later one."""
        return self.view is not None and self.view.seq >= seq

    # ------------------------------------------------------------ choosing

    async def choose(self, dice: random.Random) -> bool:
        """Choose something if a choice is owed; whether it was."""
        view = self.view
        if not self.socket or not view or self._unanswered is not None or not self._owes(view) or not view.legal:
            return False
        self._unanswered = view.seq
        self.sent.setdefault(view.seq, []).append(bytes(dice.choice(view.legal)))
        await self._send(view.seq)
        return True

    def _owes(self, view: Shown) -> bool:
        return not view.result and self.seat in view.to_act and self.seat not in view.chosen

    async def _ask_again(self) -> None:
        """A choice without an answer is sent once more, as a page does: the server must not take it twice."""
        if self._unanswered is not None:
            await self._send(self._unanswered)

    async def _send(self, seq: int) -> None:
        action = self.sent[seq][-1].decode()
        fields = f'"id":{seq},"table":"{self.table}","seat":{self.seat},"seq":{seq},"action":{action}'
        with contextlib.suppress(WebSocketException):
            if self.socket is not None:
                await self.socket.send(f'{{"type":"choose",{fields}}}')

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
        self._staying: list[asyncio.Task[None]] = []
        self._playing: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        gate = asyncio.Semaphore(AT_ONCE)
        self._staying = [asyncio.create_task(guest.stay(gate)) for guest in self.guests]
        try:
            await self.until(lambda: all(guest.view for guest in self.guests))
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.rest()
        for task in self._staying:
            task.cancel()
        await asyncio.gather(*self._staying, return_exceptions=True)

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
            for guest in dice.sample(self.guests, min(20, len(self.guests))):
                if await guest.choose(dice):
                    break

    async def until(self, check: Callable[[], bool], seconds: float = WAIT_SECONDS) -> None:
        """Wait for something, unless a guest found itself out of step."""
        end = time.monotonic() + seconds
        while not check():
            for task in self._staying:
                if task.done():
                    task.result()
            if time.monotonic() > end:
                raise TimeoutError("somebody did not come back")
            await asyncio.sleep(0.02)

    async def all_back(self, since: float, those: Sequence[Guest] | None = None) -> float:
        """Wait until all guests, or those, have been shown their tables again since a moment; when the last was."""
        guests = self.guests if those is None else those
        await self.until(lambda: all(guest.back > since for guest in guests))
        return max((guest.back for guest in guests), default=since)

    def steps_seen(self) -> int:
        """Entries that guests have been shown, all together."""
        return sum(guest.view.seq for guest in self.guests if guest.view)
