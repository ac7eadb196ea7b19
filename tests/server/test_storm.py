"""Everything at once: PostgreSQL is restarted under load, all sockets are cut and come back together."""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from quadriga.cli.load import Load
from quadriga.cli.servers import ServerProcess, serving
from tests.server.postgres import Postgres

pytestmark = pytest.mark.xdist_group("crashes")
SEATS = 4
RATE = 40.0
"""Choices a second while it happens."""


class Shown(Struct):
    """Of a message, what tells whether somebody is in step."""

    type: str
    seq: int = -1
    after: int = -1
    steps: list[msgspec.Raw] = []
    to_act: list[int] = []
    chosen: list[int] = []
    legal: list[msgspec.Raw] = []
    result: Any = None


_shown = msgspec.json.Decoder(Shown)


class Guest:
    """A browser that comes back by itself, and checks that nothing is missing or told twice."""

    def __init__(self, server: ServerProcess, table: str, seat: int, token: str) -> None:
        self.server, self.table, self.seat, self.token = server, table, seat, token
        self.view: Shown | None = None
        self.back = 0.0
        """When the table was last shown for the first time on a new socket."""
        self.socket: ClientConnection | None = None

    async def stay(self, gate: asyncio.Semaphore) -> None:
        while True:
            try:
                await self._stay(gate)
            except (WebSocketException, OSError):
                await asyncio.sleep(random.uniform(0.05, 0.3))

    async def _stay(self, gate: asyncio.Semaphore) -> None:
        since = {} if self.view is None else {"since": self.view.seq}
        async with gate:
            url = f"ws://127.0.0.1:{self.server.port}/api/play"
            socket = await connect(url, compression=None, ping_interval=None, max_size=None)
            hello = {"type": "hello", "protocol": 1, "build": None, "token": self.token}
            await socket.send(json.dumps(hello))
            await socket.send(json.dumps({"type": "watch", "table": self.table} | since))
        self.socket = socket
        try:
            await self._listen(socket)
        finally:
            await socket.close()

    async def _listen(self, socket: ClientConnection) -> None:
        fresh = True
        async for message in socket:
            heard = _shown.decode(message)
            if heard.type == "view":
                self._take(heard)
                self.back, fresh = (time.monotonic() if fresh else self.back), False
            elif heard.type == "chosen" and self.view and heard.seq == self.view.seq:
                self.view.chosen = heard.chosen

    def _take(self, heard: Shown) -> None:
        assert heard.seq - heard.after == len(heard.steps), "a gap"
        if self.view is not None:
            assert heard.after <= self.view.seq <= heard.seq, "out of step"
        self.view = heard

    def is_at(self, seq: int) -> bool:
        return self.view is not None and self.view.seq >= seq

    async def choose(self, dice: random.Random) -> None:
        view = self.view
        if self.socket and view and not view.result and self.seat in view.to_act and self.seat not in view.chosen:
            action = bytes(dice.choice(view.legal)).decode()
            head = f'{{"type":"choose","table":"{self.table}","seat":{self.seat},"seq":{view.seq},"action":{action}}}'
            with contextlib.suppress(WebSocketException):
                await self.socket.send(head)


async def play(guests: list[Guest], seconds: float, rate: float = RATE) -> None:
    """Choices at Poisson times by whoever owes one."""
    dice, end = random.Random(1), time.monotonic() + seconds
    while time.monotonic() < end:
        await asyncio.sleep(dice.expovariate(rate))
        await dice.choice(guests).choose(dice)


async def storm(server: ServerProcess, sockets: int, restart: Callable[[], None]) -> float:
    """Seconds from the database's return until everybody is in step again."""
    load = Load(server, "chariots", sockets // SEATS, SEATS)
    await asyncio.to_thread(load.set_up)
    guests = [Guest(server, t.id, seat, token) for t in load.tables for seat, token in enumerate(t.tokens)]
    gate = asyncio.Semaphore(200)  # as many as the operating system keeps waiting
    staying = [asyncio.create_task(guest.stay(gate)) for guest in guests]
    await _until(lambda: all(guest.view for guest in guests), staying)
    playing = asyncio.create_task(play(guests, 600.0))
    await _until(lambda: sum(guest.view.seq for guest in guests if guest.view) > len(guests) // 8, staying)
    cut = time.monotonic()
    for guest in guests:
        assert guest.socket is not None
        guest.socket.transport.abort()
    await asyncio.to_thread(restart)
    returned = time.monotonic()
    await _until(lambda: all(guest.back > cut for guest in guests), staying)
    seconds = max(guest.back for guest in guests) - returned
    before = sum(guest.view.seq for guest in guests if guest.view)
    await _until(lambda: sum(guest.view.seq for guest in guests if guest.view) > before + 10, staying)
    playing.cancel()
    await _all_agree(server, guests, staying)
    for task in staying:
        task.cancel()
    await asyncio.gather(*staying, return_exceptions=True)
    return max(0.0, seconds)


async def _until(check: Callable[[], bool], staying: list[asyncio.Task[None]]) -> None:
    """Wait for something, unless a guest found itself out of step."""
    end = time.monotonic() + 120
    while not check():
        for task in staying:
            if task.done():
                task.result()
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


async def _all_agree(server: ServerProcess, guests: list[Guest], staying: list[asyncio.Task[None]]) -> None:
    """When nobody chooses any more, everybody sees the step that the server has."""
    for guest in guests[:: max(1, len(guests) // 50)]:
        path = f"/api/tables/{guest.table}/view"
        _, found = await asyncio.to_thread(server.request, "GET", path, None, guest.token)
        await _until(partial(guest.is_at, found["seq"]), staying)


@pytest.mark.parametrize(("sockets", "limit"), [(40, 30.0), pytest.param(2000, 5.0, marks=pytest.mark.long)])
def test_all_are_in_step_again_after_the_database_was_restarted(
    cluster: Postgres, sockets: int, limit: float, capsys: pytest.CaptureFixture[str]
) -> None:
    def restart() -> None:
        cluster.stop()
        cluster.start()

    with serving(cluster.new_database()) as server:
        seconds = asyncio.run(storm(server, sockets, restart))
    with capsys.disabled():
        print(f"\n{sockets} sockets back in step {seconds:.2f} s after the database", end=" ")
    assert seconds < limit
