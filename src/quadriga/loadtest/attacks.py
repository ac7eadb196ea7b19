"""Hostile requests of many kinds at once, from an address each, while people play at a server.

Every attacker notes how the server answered: an HTTP status, 0 for a connection that was cut, 500 for a message that
the server calls broken.
"""

import asyncio
import contextlib
import json
import os
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from quadriga import games
from quadriga.core.match import Match, Sitter
from quadriga.core.record import record_of, to_json
from quadriga.loadtest.load import Load, must
from quadriga.loadtest.servers import ServerProcess, ask_once
from quadriga.loadtest.wire import NO_MASK, REQUEST

EACH = 20
"""Attackers of each kind."""
LONGEST_SECONDS = 60.0
"""After this an attacker gives up."""
CUT, BROKEN = 0, 500
FLOOD_BYTES = 3_000_000
TAKEN_BACK = 2_000
"""Turns of the long record that were taken back again."""
SETTLE_SECONDS = 90.0
"""How long memory has to return."""
MOST_MB = 50.0
MOST_P99_MS = 200.0
GAME = "chariot_race"

Statuses = dict[str, dict[int, int]]
Json = dict[str, Any]


@dataclass(frozen=True)
class Target:
    """A server, a guest of it, a finished race that was uploaded there, and the long record itself."""

    port: int
    token: str
    table: str
    record: bytes


# ---------------------------------------------------------------- what is sent

HOSTILE_EDITIONS = (
    f'[edition]\ngame = "{GAME}"\n[track]\nlap = "1e1000000000"',
    f'[edition]\ngame = "{GAME}"\n[track]\nlap = "1/0"',
    "a = " + "9" * 5000,
    "a." * 12_000 + "a = 1",
    '"' * 100_000,
    "a = " + "[" * 90_000,
    "[a]\n" * 20_000,
)
DEEP = b"[" * 100_000
ODD_PATHS = (
    "steps?since=%C2%B2", "steps?limit=%D9%A3", "steps/%C2%B2", "steps/%D9%A3", "view?seat=%C2%B9",
    "chat?before=%E0%A5%A7",
)  # fmt: skip
REPLAY_PATHS = ("steps?since=-1&limit=500", "record", "verify", "steps/2000", "view", "game")
PING, PONG, FIRST, REST = (bytes((head, 0x80)) + NO_MASK for head in (0x89, 0x8A, 0x01, 0x00))


def long_record() -> bytes:
    """A valid record that takes long to replay: turns that were played and taken back."""
    match = Match(games.load(GAME), [Sitter(name) for name in "abcdef"], seed=bytes(32))
    choices = {seat: match.legal_actions(seat)[-1] for seat in match.to_act()}
    for _ in range(TAKEN_BACK):
        match.step(choices)
        match.take_back(0)
        match.forget(match.seq)
        match.remember(0, match.moment(match.seq))
    for seat in range(5):
        match.resign(seat)
    return to_json(record_of(match)).encode()


# ---------------------------------------------------------------- attackers


class Attacker:
    """One client with an address of its own."""

    def __init__(self, target: Target, number: int) -> None:
        self.target, self.number = target, number

    async def dial(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection, from another loopback address where the system has several."""
        for local in ((f"127.0.0.{self.number + 2}", 0), None):
            with contextlib.suppress(OSError):
                return await asyncio.open_connection("127.0.0.1", self.target.port, local_addr=local)
        raise ConnectionError("the server takes no connections")

    def head(self, method: str, path: str, *headers: str) -> bytes:
        """The first lines of a request."""
        lines = (f"{method} {path} HTTP/1.1", "host: 127.0.0.1", f"authorization: Bearer {self.target.token}", *headers)
        return "\r\n".join(lines).encode() + b"\r\n"

    async def request(self, method: str, path: str, body: bytes = b"") -> int:
        """The status of a request."""
        reader, writer = await self.dial()
        length = (f"content-length: {len(body)}", "content-type: application/json", "connection: close")
        writer.write(self.head(method, path, *length) + b"\r\n" + body)
        return await self._status(reader, writer)

    async def _status(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        try:
            line = await reader.readline()
            while await reader.read(65_536):
                pass
        except OSError:
            return CUT
        finally:
            writer.close()
        return int(line.split()[1]) if line else CUT

    async def edition(self) -> int:
        """An edition that is costly to read."""
        text = HOSTILE_EDITIONS[self.number % len(HOSTILE_EDITIONS)]
        return await self.request("POST", "/api/editions", _encode({"game": GAME, "edition": text}))

    async def edition_of_a_table(self) -> int:
        """The same for a new table."""
        text = HOSTILE_EDITIONS[self.number % len(HOSTILE_EDITIONS)]
        order = {"game": GAME, "seats": [{"kind": "me"}, {"kind": "open"}], "edition": text}
        return await self.request("POST", "/api/tables", _encode(order))

    async def verification(self) -> int:
        """A long record to verify, or one that is none."""
        return await self.request("POST", "/api/verify", DEEP if self.number % 2 else self.target.record)

    async def upload(self) -> int:
        """A long record to keep, or one that is none."""
        return await self.request("POST", "/api/records", self.target.record if self.number % 4 == 0 else DEEP)

    async def replay(self) -> int:
        """Everything that is served of a long race."""
        path = REPLAY_PATHS[self.number % len(REPLAY_PATHS)]
        return await self.request("GET", f"/api/tables/{self.target.table}/{path}")

    async def deep_json(self) -> int:
        """Brackets in brackets, as a request or as a message."""
        if self.number % 2:
            return await self.talk(DEEP[:8000])
        paths = ("/api/guests", "/api/tables", f"/api/tables/{self.target.table}/commands")
        return await self.request("POST", paths[self.number % 3], DEEP)

    async def odd_digits(self) -> int:
        """Digits of other scripts where a number belongs."""
        path = ODD_PATHS[self.number % len(ODD_PATHS)]
        return await self.request("GET", f"/api/tables/{self.target.table}/{path}")

    async def half_open_request(self) -> int:
        """A request that never goes on."""
        reader, writer = await self.dial()
        writer.write(self.head("POST", "/api/verify")[: -self.number or None])
        return await self._status(reader, writer)

    async def slow_request(self) -> int:
        """A request that comes byte by byte."""
        reader, writer = await self.dial()
        writer.write(self.head("POST", "/api/verify", "content-length: 100000") + (b"\r\n" if self.number % 2 else b""))
        drip = asyncio.create_task(self._drip(writer))
        try:
            return await self._status(reader, writer)
        finally:
            drip.cancel()

    async def _drip(self, writer: asyncio.StreamWriter) -> None:
        while True:
            writer.write(b"x")
            await asyncio.sleep(0.2)

    async def talk(self, text: bytes) -> int:
        """A message over a websocket; whether the server calls it broken."""
        reader, writer = await self._enter()
        hello = _encode({"type": "hello", "protocol": 1, "build": None, "token": self.target.token})
        for content in (hello, text):
            writer.write(bytes((0x81, 0xFE)) + len(content).to_bytes(2) + NO_MASK + content)
        found = b""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(5.0):
                while b'"error"' not in found and (more := await reader.read(65_536)):
                    found += more
        writer.close()
        return BROKEN if b'"broken"' in found else CUT

    async def _enter(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await self.dial()
        key = "AAAAAAAAAAAAAAAAAAAAAA=="
        writer.write(REQUEST.format(path="/api/play", host="127.0.0.1", port=self.target.port, key=key).encode())
        await reader.readuntil(b"\r\n\r\n")
        return reader, writer

    async def flood(self, first: bytes, frame: bytes) -> int:
        """One frame over and over; answers are not read."""
        _, writer = await self._enter()
        piece = frame * 1000
        with contextlib.suppress(OSError):
            writer.write(first)
            for _ in range(FLOOD_BYTES // len(piece)):
                writer.write(piece)
                await writer.drain()
        writer.transport.abort()
        return CUT

    async def pings(self) -> int:
        """Pings."""
        return await self.flood(b"", PING)

    async def pongs(self) -> int:
        """Pongs that nobody asked for."""
        return await self.flood(b"", PONG)

    async def empty_fragments(self) -> int:
        """A message in fragments that bring nothing."""
        return await self.flood(FIRST, REST)


KINDS: tuple[Callable[[Attacker], Awaitable[int]], ...] = (
    Attacker.edition, Attacker.edition_of_a_table, Attacker.verification, Attacker.upload, Attacker.replay,
    Attacker.deep_json, Attacker.odd_digits, Attacker.half_open_request, Attacker.slow_request, Attacker.pings,
    Attacker.pongs, Attacker.empty_fragments,
)  # fmt: skip


async def _attack(target: Target, each: int) -> Statuses:
    """All kinds at once; how often each status was the answer."""
    work = [(kind.__name__, kind(Attacker(target, number))) for kind in KINDS for number in range(each)]
    found = await asyncio.gather(*(_bounded(one) for _, one in work))
    statuses: dict[str, Counter[int]] = {kind.__name__: Counter() for kind in KINDS}
    for (name, _), status in zip(work, found, strict=True):
        statuses[name][status] += 1
    return {name: dict(sorted(counts.items())) for name, counts in statuses.items()}


async def _bounded(work: Awaitable[int]) -> int:
    try:
        return await asyncio.wait_for(work, LONGEST_SECONDS)
    except (TimeoutError, OSError, asyncio.IncompleteReadError):
        return CUT


def attack(target: Target, each: int) -> Statuses:
    """For a process of its own: attackers have other machines, so this one yields to those who are measured."""
    os.nice(10)
    return asyncio.run(_attack(target, each))


# ---------------------------------------------------------------- a webhook that hangs


class HangingWebhook:
    """Takes requests and answers a byte at a time, for ever."""

    def __init__(self) -> None:
        self.taken = 0
        self._server: asyncio.Server | None = None
        self._closing = asyncio.Event()
        self._answers: set[asyncio.Task[None]] = set()

    async def open(self) -> str:
        """Its address."""
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/"

    def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.taken += 1
        answer = asyncio.get_running_loop().create_task(self._hang(writer))
        self._answers.add(answer)
        answer.add_done_callback(self._answers.discard)

    async def _hang(self, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while not self._closing.is_set():
                writer.write(b"H")
                await writer.drain()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), 0.5)
        writer.transport.abort()

    async def close(self) -> None:
        """Take no more, and end the answers that are under way."""
        self._closing.set()
        if self._server is not None:
            self._server.close()
        await asyncio.gather(*self._answers)


def leave_turns_waiting(server: ServerProcess, token: str, tables: int) -> None:
    """Races whose person is absent, so that the webhook is called for each."""
    for _ in range(tables):
        order = {"game": GAME, "seats": [{"kind": "me"}, {"kind": "me"}]}
        table = must(server.request("POST", "/api/tables", order, token))["table"]["id"]
        must(server.request("POST", f"/api/tables/{table}/commands", {"type": "start"}, token))


# ---------------------------------------------------------------- the measure


async def measure_under_attack(
    server: ServerProcess, webhook: HangingWebhook, tables: int, rate: float, seconds: float, each: int
) -> Json:
    """Latency of choices while everything hostile happens at once; statuses by kind; memory before and afterwards."""
    load = Load(server, GAME, tables, 4)
    await asyncio.to_thread(load.set_up)
    target = await asyncio.to_thread(_prepare, server)
    await load.connect()
    await load.run(rate, 3.0)
    before = server.memory_kb()
    await asyncio.to_thread(leave_turns_waiting, server, target.token, each)
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        attacking = asyncio.get_running_loop().run_in_executor(process, attack, target, each)
        figures = await load.run(rate, seconds)
        statuses = await attacking
    load.close()
    after = await asyncio.to_thread(_memory_when_settled, server, before)
    errors = sum(count for counts in statuses.values() for status, count in counts.items() if status >= 500)
    memory = {"before_mb": round(before / 1024, 1), "after_mb": round(after / 1024, 1)}
    return figures | memory | {"webhooks": webhook.taken, "server_errors": errors, "statuses": statuses}


def _prepare(server: ServerProcess) -> Target:
    token = must(server.request("POST", "/api/guests", {"name": "Mallory"}))["token"]
    record = long_record()
    table = must(ask_once(server.port, "/api/records", record, token))["table"]
    return Target(server.port, token, table, record)


def _memory_when_settled(server: ServerProcess, before: int) -> int:
    """What the server holds when it has let go of what it can, or after a while."""
    limit = time.monotonic() + SETTLE_SECONDS
    while (found := server.memory_kb()) > before and time.monotonic() < limit:
        time.sleep(1.0)
    return found


def is_held(found: Json) -> bool:
    """Whether a server held: choices in time, no server error, memory returned, nothing missed."""
    grown = found["after_mb"] - found["before_mb"]
    done = not found["unanswered"] and not found["missed"] and not found["server_errors"]
    return bool(done and found["p99_ms"] < MOST_P99_MS and grown < MOST_MB)


def _encode(body: object) -> bytes:
    return json.dumps(body).encode()
