"""A server is killed again and again while people play; afterwards its logs are compared with what it acknowledged."""

import asyncio
import http.client
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from quadriga import games
from quadriga.cli.crowd import Crowd, Guest
from quadriga.cli.load import Load, must
from quadriga.cli.servers import ServerProcess, ask
from quadriga.core import codec
from quadriga.core.game import Game

PAUSE_SECONDS = (0.3, 1.3)
"""How long people play between two kills."""


async def kill_again_and_again(
    database: str, game: str, tables: int, seats: int, rate: float, processes: int, times: int
) -> dict[str, Any]:
    """Play, kill, wait until all are back, again and again; then compare."""
    servers = [await asyncio.to_thread(ServerProcess, database) for _ in range(processes)]
    try:
        for server in servers:
            await asyncio.to_thread(server.wait_until_ready)
        load = Load(servers[0], game, tables, seats)
        await asyncio.to_thread(load.set_up)
        async with Crowd([server.url for server in servers], load.tables) as crowd:
            crowd.play(rate)
            dice = random.Random(times)
            returns = [await _kill_one(_busiest(servers, crowd), crowd, dice) for _ in range(times)]
            await crowd.rest()
        found = await asyncio.to_thread(compare, servers[0], crowd.guests, games.load(game))
    finally:
        for server in servers:
            await asyncio.to_thread(server.stop)
    slowest, usual = round(max(returns), 2), round(statistics.median(returns), 2)
    return {"kills": times} | found | {"slowest_return_s": slowest, "median_return_s": usual}


def _busiest(servers: list[ServerProcess], crowd: Crowd) -> ServerProcess:
    """The server with the most guests: after a kill they are all at the other one."""
    guests = Counter(guest.url for guest in crowd.guests)
    return max(servers, key=lambda server: guests[server.url])


async def _kill_one(server: ServerProcess, crowd: Crowd, dice: random.Random) -> float:
    """Kill a server and start it again, as its supervisor would: seconds until all who were there are in step."""
    await asyncio.sleep(dice.uniform(*PAUSE_SECONDS))
    lost = [guest for guest in crowd.guests if guest.url == server.url]
    killed = time.monotonic()
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)
    return await crowd.all_back(killed, lost) - killed


# ---------------------------------------------------------------- afterwards


def compare(server: ServerProcess, guests: list[Guest], game: Game) -> dict[str, int]:
    """Acknowledged choices that are not in the log, and entries that nobody chose or that are there twice."""
    lost = doubled = choices = 0
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    for guest in guests:
        steps = list(_steps(connection, guest))
        numbers = [step["seq"] for step in steps]
        doubled += numbers != list(range(len(numbers)))
        view = must(ask(connection, "GET", f"/api/tables/{guest.table}/view?seat={guest.seat}", None, guest.token))
        logged = dict(_choices(steps, guest.seat))
        sent = {seq: {_notation(game, one) for one in some} for seq, some in guest.sent.items()}
        choices += len(guest.kept)
        waiting = {view["seq"]} if view["choice"] is not None else set()
        lost += sum(seq not in logged and seq not in waiting for seq in guest.kept)
        doubled += sum(notation not in sent.get(seq, ()) for seq, notation in logged.items())
    connection.close()
    return {"lost": lost, "doubled": doubled, "choices": choices}


def _steps(connection: http.client.HTTPConnection, guest: Guest) -> Iterator[dict[str, Any]]:
    """The log of a guest's table, as the guest may see it."""
    known, last = -1, 0
    while known < last:
        path = f"/api/tables/{guest.table}/steps?since={known}&seat={guest.seat}"
        found = must(ask(connection, "GET", path, None, guest.token))
        last = found["last"]
        yield from found["steps"]
        known = found["steps"][-1]["seq"]


def _choices(steps: list[dict[str, Any]], seat: int) -> Iterator[tuple[int, str]]:
    """What a seat chose, by the seq it answered."""
    for step in steps:
        if step["entry"]["kind"] == "choices" and (notation := step["entry"]["choices"].get(str(seat))):
            yield step["seq"] - 1, notation


def _notation(game: Game, action: bytes) -> str:
    return game.describe(codec.action_from_json(msgspec.json.decode(action), game.kinds, game.names))
