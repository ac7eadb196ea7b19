"""An open-loop load on a server: choices at random times, whatever the server does, latency from the planned time."""

import asyncio
import http.client
import json
import random
import time
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect

from quadriga.loadtest.servers import ServerProcess, ask

CONNECTING = 50
"""Sockets opened at once."""


class Heard(Struct):
    """Of a message, what the driver needs."""

    type: str
    table: str = ""
    seat: int | None = None
    seq: int = -1
    to_act: list[int] = []
    chosen: list[int] = []
    legal: list[msgspec.Raw] = []
    result: Any = None


_heard = msgspec.json.Decoder(Heard)


@dataclass
class Owed:
    """A choice that was sent, and the sockets that have yet to hear of it."""

    planned: float
    seat: int
    seq: int
    waiting: set[int]


@dataclass
class LoadedTable:
    """A table under load: one socket a seat."""

    id: str
    tokens: list[str]
    sockets: dict[int, ClientConnection] = field(default_factory=dict)
    views: dict[int, Heard] = field(default_factory=dict)
    owed: Owed | None = None

    def waiting_for(self) -> list[int]:
        """Seats that owe a choice, as all of them know."""
        if len(self.views) < len(self.tokens) or len({view.seq for view in self.views.values()}) > 1:
            return []
        view = self.views[0]
        return [] if view.result else [seat for seat in view.to_act if seat not in view.chosen]


class Loaded(Protocol):
    """A server under load."""

    port: int

    def memory_kb(self) -> int:
        """What it holds in memory."""


class Load:
    """All tables, their sockets, and the latencies measured so far."""

    def __init__(self, server: Loaded, game: str, tables: int, seats: int) -> None:
        self.server, self.game, self.count, self.seats = server, game, tables, seats
        self.tables: list[LoadedTable] = []
        self.free: set[int] = set()
        self.latencies: list[float] = []
        self.sent = self.missed = 0
        self._readers: list[asyncio.Task[None]] = []

    # ------------------------------------------------------------ before

    def set_up(self) -> None:
        """Guests and tables, over one connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        for _ in range(self.count):
            tokens = [
                must(ask(connection, "POST", "/api/guests", {"name": f"G{i}"}))["token"] for i in range(self.seats)
            ]
            order = {"game": self.game, "seats": [{"kind": "me"}, *[{"kind": "open"}] * (self.seats - 1)]}
            table = must(ask(connection, "POST", "/api/tables", order, tokens[0]))["table"]["id"]
            path = f"/api/tables/{table}/commands"
            for token in tokens[1:]:
                must(ask(connection, "POST", path, {"type": "claim"}, token))
            must(ask(connection, "POST", path, {"type": "start"}, tokens[0]))
            self.tables.append(LoadedTable(table, tokens))
        connection.close()

    async def connect(self) -> None:
        """A socket for every seat, watching."""
        gate = asyncio.Semaphore(CONNECTING)
        await asyncio.gather(
            *(self._connect(number, seat, gate) for number in range(self.count) for seat in range(self.seats))
        )
        while any(len(table.views) < self.seats for table in self.tables):
            for reader in self._readers:
                if reader.done():
                    reader.result()
            await asyncio.sleep(0.05)
        self.free = set(range(self.count))

    async def _connect(self, number: int, seat: int, gate: asyncio.Semaphore) -> None:
        table = self.tables[number]
        async with gate:
            socket = await self.greet(table, seat)
        table.sockets[seat] = socket
        self._readers.append(asyncio.create_task(self._read(number, seat, socket)))

    async def greet(self, table: LoadedTable, seat: int) -> ClientConnection:
        """A socket that watches a table."""
        url = f"ws://127.0.0.1:{self.server.port}/api/play"
        socket = await connect(url, compression=None, ping_interval=None, max_size=None)
        hello = {"type": "hello", "protocol": 1, "build": None, "token": table.tokens[seat]}
        await socket.send(json.dumps(hello))
        await socket.send(json.dumps({"type": "watch", "table": table.id}))
        return socket

    async def close(self) -> None:
        """Close all connections."""
        for task in self._readers:
            task.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)
        await asyncio.gather(*(socket.close() for table in self.tables for socket in table.sockets.values()))

    # ------------------------------------------------------------ during

    async def _read(self, number: int, seat: int, socket: ClientConnection) -> None:
        table = self.tables[number]
        async for message in socket:
            heard = _heard.decode(message)
            if heard.type == "view":
                table.views[seat] = heard
                self._hear(number, seat, heard)
            elif heard.type == "chosen" and seat in table.views:
                table.views[seat].chosen = heard.chosen
                self._hear(number, seat, heard)

    def _hear(self, number: int, seat: int, heard: Heard) -> None:
        owed = self.tables[number].owed
        if owed is None or not (heard.seq > owed.seq or owed.seat in heard.chosen):
            return
        owed.waiting.discard(seat)
        if not owed.waiting:
            self.latencies.append(time.perf_counter() - owed.planned)
            self.tables[number].owed = None
            self.free.add(number)

    async def run(self, rate: float, seconds: float, seed: int = 1) -> dict[str, float]:
        """Choices at Poisson times; what was measured."""
        dice = random.Random(seed)
        self.latencies, self.sent, self.missed = [], 0, 0
        began, cpu = time.perf_counter(), time.process_time()
        planned = began
        while planned < began + seconds:
            planned += dice.expovariate(rate)
            await asyncio.sleep(max(0.0, planned - time.perf_counter()))
            await self._choose(planned, dice)
        await self._drain()
        spent = time.perf_counter() - began
        return self._figures(spent, (time.process_time() - cpu) / spent)

    async def _choose(self, planned: float, dice: random.Random) -> None:
        for number in dice.sample(sorted(self.free), min(20, len(self.free))):
            table = self.tables[number]
            if seats := table.waiting_for():
                seat = dice.choice(seats)
                view = table.views[seat]
                if not view.legal:
                    continue
                action = bytes(dice.choice(view.legal)).decode()
                table.owed = Owed(planned, seat, view.seq, set(range(self.seats)))
                self.free.discard(number)
                self.sent += 1
                await table.sockets[seat].send(self.choice(table, seat, view, action))
                return
        self.missed += 1

    def choice(self, table: LoadedTable, seat: int, view: Heard, action: str) -> str:
        """The message with which a seat chooses."""
        return f'{{"type":"choose","table":"{table.id}","seat":{seat},"seq":{view.seq},"action":{action}}}'

    async def _drain(self) -> None:
        limit = time.perf_counter() + 20
        while time.perf_counter() < limit and any(table.owed for table in self.tables):
            await asyncio.sleep(0.02)

    def _figures(self, spent: float, cpu: float) -> dict[str, float]:
        found = sorted(self.latencies)
        return {
            "actions_per_s": round(len(found) / spent, 1),
            "p50_ms": _percentile(found, 0.5),
            "p95_ms": _percentile(found, 0.95),
            "p99_ms": _percentile(found, 0.99),
            "sent": self.sent,
            "unanswered": self.sent - len(found),
            "missed": self.missed,
            "driver_cpu": round(cpu, 2),
        }


def _percentile(found: list[float], share: float) -> float:
    return round(found[min(len(found) - 1, int(len(found) * share))] * 1000, 1) if found else 0.0


def must(answer: tuple[int, Any]) -> Any:
    """What was answered to a request that a server cannot refuse."""
    status, body = answer
    assert status in (200, 201), body
    return body


async def measure(
    server: ServerProcess, game: str, tables: int, seats: int, rates: list[float], seconds: float
) -> dict[str, Any]:
    """Tables of a server of ours under load at one rate after another; figures by rate, and memory."""
    return await measure_load(Load(server, game, tables, seats), rates, seconds)


async def measure_load(load: Load, rates: list[float], seconds: float) -> dict[str, Any]:
    """A load at one rate after another; figures by rate, and memory."""
    before = load.server.memory_kb()
    await asyncio.to_thread(load.set_up)
    await load.connect()
    await load.run(rates[0], min(3.0, seconds))  # caches filled, as in a server that has run for a while
    figures = {str(int(rate)): await load.run(rate, seconds, int(rate)) for rate in rates}
    memory = load.server.memory_kb() - before
    await load.close()
    return {"by_rate": figures, "kb_per_table": round(memory / load.count, 1)}
