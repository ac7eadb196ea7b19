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

from quadriga.loadtest.search import find_highest_rate
from quadriga.loadtest.servers import ask
from quadriga.loadtest.wire import PATH, Wire

CONNECTING = 50
"""Sockets opened at once."""
TRIAL_SECONDS = 10.0
"""The longest time for one trial of a search."""
ATTEMPTS = 200
"""Tables looked at for one that waits for a choice; when all of them are busy a choice is missed."""


class Heard(Struct):
    """Of a message, what the driver needs."""

    type: str
    table: str = ""
    seat: int | None = None
    seq: int = -1
    to_act: list[int] = []
    chosen: list[int] = []
    codes: str = ""
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
    wires: dict[int, Wire] = field(default_factory=dict)
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
    ports: list[int]
    """One for each process; a table's seats are spread over them."""

    def memory_kb(self) -> int:
        """What it holds in memory."""

    def cpu_seconds(self) -> float:
        """The processor time it has used."""


class Seat:
    """One seat's socket."""

    def __init__(self, load: "Load", number: int, seat: int) -> None:
        self._load, self._number, self._seat = load, number, seat

    def opened(self, wire: Wire) -> None:
        """The server let it in."""
        self._load.tables[self._number].wires[self._seat] = wire
        self._load.greet(self._number, self._seat, wire)

    def heard(self, text: bytes) -> None:
        """A text came."""
        self._load.heard(self._number, self._seat, text)

    def ended(self) -> None:
        """Nobody should be cut off under load."""
        self._load.lost += 1


class Load:
    """All tables, their sockets, and the latencies measured so far."""

    path = PATH

    def __init__(self, server: Loaded, game: str, tables: int, seats: int) -> None:
        self.server, self.game, self.count, self.seats = server, game, tables, seats
        self.tables: list[LoadedTable] = []
        self.free: set[int] = set()
        self.latencies: list[float] = []
        self.sent = self.missed = self.lost = 0

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
            if self.lost:
                raise ConnectionError(f"{self.lost} sockets were cut off")
            await asyncio.sleep(0.05)
        self.free = set(range(self.count))

    async def _connect(self, number: int, seat: int, gate: asyncio.Semaphore) -> None:
        async with gate:
            ports = self.server.ports
            await Wire.open(Seat(self, number, seat), "127.0.0.1", ports[(number + seat) % len(ports)], self.path)

    def greet(self, number: int, seat: int, wire: Wire) -> None:
        """Say who it is, and watch its table."""
        table = self.tables[number]
        hello = {"type": "hello", "protocol": 1, "build": None, "token": table.tokens[seat], "codes": True}
        for message in (hello, {"type": "watch", "table": table.id}):
            wire.send(json.dumps(message).encode())

    def close(self) -> None:
        """Close all connections."""
        for table in self.tables:
            for wire in table.wires.values():
                wire.cut()

    # ------------------------------------------------------------ during

    def heard(self, number: int, seat: int, text: bytes) -> None:
        """A message to a seat."""
        table, heard = self.tables[number], _heard.decode(text)
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
        began, cpu, server_cpu = time.perf_counter(), time.process_time(), self.server.cpu_seconds()
        planned = began
        while planned < began + seconds:
            planned += dice.expovariate(rate)
            await asyncio.sleep(max(0.0, planned - time.perf_counter()))
            self._choose(planned, dice)
        await self._drain()
        spent = time.perf_counter() - began
        return self._figures(spent, time.process_time() - cpu, self.server.cpu_seconds() - server_cpu)

    def _choose(self, planned: float, dice: random.Random) -> None:
        """Choose at a random table of those where nothing is under way."""
        for _ in range(ATTEMPTS):
            number = dice.randrange(self.count)
            table = self.tables[number]
            if number in self.free and (seats := table.waiting_for()):
                seat = dice.choice(seats)
                view = table.views[seat]
                if not view.codes:
                    continue
                table.owed = Owed(planned, seat, view.seq, set(range(self.seats)))
                self.free.discard(number)
                self.sent += 1
                table.wires[seat].send(self.choice(table, seat, view, dice.choice(view.codes.split(" "))))
                return
        self.missed += 1

    def choice(self, table: LoadedTable, seat: int, view: Heard, code: str) -> bytes:
        """The message with which a seat chooses."""
        fields = f'"table":"{table.id}","seat":{seat},"seq":{view.seq},"action":"#{code}"'
        return f'{{"type":"choose",{fields}}}'.encode()

    async def _drain(self) -> None:
        limit = time.perf_counter() + 20
        while time.perf_counter() < limit and any(table.owed for table in self.tables):
            await asyncio.sleep(0.02)

    def _figures(self, spent: float, cpu: float, server_cpu: float) -> dict[str, float]:
        found = sorted(self.latencies)
        each = 1000 / max(len(found), 1)
        return {
            "actions_per_s": round(len(found) / spent, 1),
            "p50_ms": _percentile(found, 0.5),
            "p95_ms": _percentile(found, 0.95),
            "p99_ms": _percentile(found, 0.99),
            "sent": self.sent,
            "unanswered": self.sent - len(found),
            "missed": self.missed,
            "driver_cpu": round(cpu / spent, 2),
            "server_cpu": round(server_cpu / spent, 2),
            "driver_ms_each": round(cpu * each, 3),
            "server_ms_each": round(server_cpu * each, 3),
        }


def _percentile(found: list[float], share: float) -> float:
    return round(found[min(len(found) - 1, int(len(found) * share))] * 1000, 1) if found else 0.0


def must(answer: tuple[int, Any]) -> Any:
    """What was answered to a request that a server cannot refuse."""
    status, body = answer
    assert status in (200, 201), body
    return body


async def measure(
    server: Loaded, game: str, tables: int, seats: int, rates: list[float], seconds: float
) -> dict[str, Any]:
    """Tables of a server of ours under load at one rate after another; figures by rate, and memory."""
    return await measure_load(Load(server, game, tables, seats), rates, seconds)


async def measure_load(load: Load, rates: list[float], seconds: float, trials: int = 0) -> dict[str, Any]:
    """A load at one rate after another; figures by rate, memory, and after trials the highest rate that is taken."""
    before = load.server.memory_kb()
    await asyncio.to_thread(load.set_up)
    await load.connect()
    await load.run(rates[0], min(3.0, seconds))  # caches filled, as in a server that has run for a while
    figures = {str(int(rate)): await load.run(rate, seconds, int(rate)) for rate in rates}
    memory = load.server.memory_kb() - before
    found: dict[str, Any] = {"by_rate": figures, "kb_per_table": round(memory / load.count, 1)}
    if trials:
        found["highest"] = await find_highest_rate(load.run, min(seconds, TRIAL_SECONDS), trials)
    load.close()
    return found
