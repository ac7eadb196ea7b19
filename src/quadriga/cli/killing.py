"""A server is killed again and again while people play; afterwards its logs are compared with what it acknowledged."""

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Any

from quadriga import games
from quadriga.cli.servers import ServerProcess
from quadriga.client import Client, ServerRefused
from quadriga.core import codec
from quadriga.core.game import Game

SEATS = 2
THINK_SECONDS = 0.2
RETURN_SECONDS = 60.0


@dataclass
class Player:
    """A guest at one table, and every choice of his that was acknowledged."""

    client: Client
    table: str
    seat: int
    made: dict[int, str] = field(default_factory=dict)
    """Notation by the seq it answered."""

    async def play(self, game: Game, dice: random.Random) -> None:
        """Choose at random until stopped."""
        async for turn in self.client.turns(self.table):
            await asyncio.sleep(dice.random() * THINK_SECONDS)
            action = dice.choice(turn["legal"])
            try:
                await self.client.choose(turn, action)
            except ServerRefused as error:
                if error.code in ("late", "unavailable", "not_your_turn"):
                    continue
                raise
            self.made[turn["seq"]] = game.describe(codec.action_from_json(action, game.kinds, game.names))


async def seat_players(urls: list[str], game: str, tables: int) -> list[Player]:
    """Guests at tables whose races have begun."""
    players = []
    for _ in range(tables):
        clients = [Client(urls[i % len(urls) :] + urls[: i % len(urls)], f"P{i}") for i in range(SEATS)]
        for client in clients:
            await client.__aenter__()
        table = await clients[0].create(game, ["me", *["open"] * (SEATS - 1)])
        for client in clients[1:]:
            await client.claim(table)
        await clients[0].start(table)
        players += [Player(client, table, seat) for seat, client in enumerate(clients)]
    return players


async def kill_again_and_again(database: str, game: str, tables: int, processes: int, times: int) -> dict[str, Any]:
    """The whole story: play, kill, restart, compare."""
    servers = [await asyncio.to_thread(ServerProcess, database) for _ in range(processes)]
    for server in servers:
        await asyncio.to_thread(server.wait_until_ready)
    dice, rules = random.Random(times), games.load(game)
    players = await seat_players([server.url for server in servers], game, tables)
    playing = [asyncio.create_task(player.play(rules, random.Random(i))) for i, player in enumerate(players)]
    slowest = 0.0
    try:
        for _ in range(times):
            await asyncio.sleep(0.3 + dice.random())
            slowest = max(slowest, await kill_one(dice.choice(servers), players))
        await asyncio.sleep(1.0)
        for task in playing:
            task.cancel()
        outcomes = await asyncio.gather(*playing, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome
        return await _compare(players) | {"kills": times, "slowest_return_s": round(slowest, 2)}
    finally:
        for player in players:
            await player.client.__aexit__()
        for server in servers:
            await asyncio.to_thread(server.stop)


async def kill_one(server: ServerProcess, players: list[Player]) -> float:
    """Kill a server and start it again; the seconds from its restart until everybody is back in step."""
    before = {id(player): player.client.connections for player in players}
    lost = [player for player in players if player.client.current == server.url]
    await asyncio.to_thread(server.kill)
    started = time.monotonic()
    await asyncio.to_thread(server.start)
    while not all(_is_back(player, before[id(player)]) for player in lost):
        if time.monotonic() > started + RETURN_SECONDS:
            raise TimeoutError("somebody did not come back")
        await asyncio.sleep(0.01)
    return time.monotonic() - started


def _is_back(player: Player, before: int) -> bool:
    """Connected anew, and shown the table since then."""
    return player.client.connections > before and player.client.shown(player.table)


async def _compare(players: list[Player]) -> dict[str, int]:
    """Acknowledged choices that are not in the log, and entries that are there twice."""
    lost = doubled = choices = 0
    for player in players:
        steps = await _steps(player)
        numbers = [step["seq"] for step in steps]
        doubled += len(numbers) - len(set(numbers)) + (numbers != list(range(len(numbers))))
        waiting = (await player.client.request("GET", f"/api/tables/{player.table}/view"))["choice"]
        for seq, notation in player.made.items():
            choices += 1
            entry = steps[seq + 1]["entry"] if seq + 1 < len(steps) else None
            kept = entry["choices"].get(str(player.seat)) if entry and entry["kind"] == "choices" else None
            lost += kept != notation and not (entry is None and waiting is not None)
    return {"lost": lost, "doubled": doubled, "choices": choices}


async def _steps(player: Player) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    while True:
        path = f"/api/tables/{player.table}/steps?since={len(found) - 1}&seat={player.seat}"
        some = await player.client.request("GET", path)
        found += some["steps"]
        if not some["steps"] or found[-1]["seq"] >= some["last"]:
            return found
