"""Nonsense over HTTP and websocket: always an answer, never a crash, never a foreign seat's data."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from quadriga.client import Client
from quadriga.server.tables import commands as c
from tests.server.serving import Server

KINDS = [kind.__struct_config__.tag for kind in c.AnyMessage.__args__]
FIELDS = sorted({name for kind in c.AnyMessage.__args__ for name in kind.__struct_fields__})
WORDS: list[Any] = ["", "open", "me", "wanderer", "person", "\u0000", "x" * 300, "🐎", "-1", "ask", "bank"]
NUMBERS: list[Any] = [0, 1, 2, 3, -1, 7, 15, 16, 2**31, 2**53, 2**70, -(2**70), 1.5, True, None]


def something(random: Random, tables: list[str], depth: int = 0) -> Any:
    """A JSON value of any kind."""
    roll = random.random()
    if roll < 0.3:
        return random.choice(NUMBERS)
    if roll < 0.5:
        return random.choice(WORDS)
    if roll < 0.7:
        return random.choice(tables)
    if roll < 0.8 and depth < 3:
        return [something(random, tables, depth + 1) for _ in range(random.randrange(3))]
    if roll < 0.9 and depth < 3:
        return {random.choice(FIELDS): something(random, tables, depth + 1) for _ in range(random.randrange(4))}
    return {"kind": random.choice(["plot", "step", "crash", "roll", "move"]), "coins": ["2", "3", "4"]}


def message(random: Random, tables: list[str]) -> str | bytes:
    """A message that is nearly right, or not at all."""
    body: Any = {"type": random.choice(KINDS), "id": random.randrange(1000), "table": random.choice(tables)}
    kind = next(kind for kind in c.AnyMessage.__args__ if kind.__struct_config__.tag == body["type"])
    for name in kind.__struct_fields__:
        if name not in body and random.random() < 0.9:
            plausible = {"seat": random.randrange(3), "seq": random.randrange(3), "yes": True, "proposal": 1, "to": 0}
            body[name] = plausible.get(name, something(random, tables))
            if random.random() < 0.3:
                body[name] = something(random, tables)
    if random.random() < 0.1:
        body[random.choice(FIELDS)] = something(random, tables)
    text = json.dumps(something(random, tables) if random.random() < 0.05 else body)
    roll = random.random()
    if roll < 0.03:
        return text[: random.randrange(len(text) + 1)]
    if roll < 0.05:
        return text.encode() if roll < 0.04 else random.randbytes(50)
    return "x" * 20_000 if roll < 0.052 else text


async def harass(server: Server, tables: list[str], count: int, seed: int) -> dict[str, int]:
    """Send nonsense; how often each thing was answered."""
    random, heard, ends = Random(seed), dict[str, int](), list[int]()
    async with Client(server.url, "F") as guest:
        token = guest.token
    left = count
    while left > 0:
        async with connect(server.url.replace("http", "ws") + "/api/play", compression=None, max_size=None) as socket:
            await socket.send(json.dumps({"type": "hello", "protocol": 1, "build": None, "token": token}))
            await socket.recv()
            try:
                while left > 0:
                    left -= 20
                    for _ in range(20):
                        await socket.send(message(random, tables))
                    await socket.send('{"type":"ping","id":424242}')
                    while (answer := msgspec.json.decode(await socket.recv())).get("id") != 424242:
                        note(heard, answer, tables)
            except ConnectionClosed as closed:
                ends.append(closed.rcvd.code if closed.rcvd else 1006)
    assert not {1006, 1011} & set(ends), ends
    return heard


def note(heard: dict[str, int], answer: Any, tables: list[str]) -> None:
    kind = answer["error"]["code"] if answer["type"] == "error" else answer["type"]
    assert kind != "broken", answer
    heard[kind] = heard.get(kind, 0) + 1
    if answer["type"] == "view" and answer["table"] == tables[0]:
        assert answer["seat"] is None, "a foreign seat's view"
        assert answer["choice"] is None


@pytest.mark.parametrize("count", [3_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_nonsense_over_the_websocket(server: Server, count: int) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"])
            await ben.claim(table)
            await ana.start(table)
            await ana.until(lambda: bool(ana.watched[table].views))
            await ana.choose(ana.view(table), ana.view(table)["legal"][0])
            played = await ana.create("chariots", ["me", "open", "wanderer"])
            heard = await harass(server, [table, played, "nowhere"], count, count)
            assert heard["malformed"] > 10
            assert heard["not_yours"] > 10
            assert len(heard) > 12, heard
            view = await ana.request("GET", f"/api/tables/{table}/view?seat=0")
            assert (view["seq"], view["chosen"]) == (0, [0])

    asyncio.run(story())


@pytest.mark.parametrize("examples", [4, pytest.param(100, marks=pytest.mark.long)])
def test_nonsense_over_http(server: Server, examples: int, tmp_path: Path) -> None:
    async def token() -> str:
        async with Client(server.url, "S") as guest:
            await guest.create("chariots", ["me", "open"])
            return str(guest.token)

    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/api/schema/openapi.json"]
    command += ["--checks", "not_a_server_error", "--max-examples", str(examples), "--seed", "1", "--workers", "1"]
    command += ["--phases", "examples,coverage,fuzzing", "--header", f"Authorization: Bearer {asyncio.run(token())}"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
