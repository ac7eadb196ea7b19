"""People play while finished races are analysed: what a choice takes before and during."""

import asyncio
import time
from collections import Counter
from typing import Any

from quadriga import games
from quadriga.core.errors import InvalidOption
from quadriga.loadtest.load import Load, must
from quadriga.loadtest.servers import ServerProcess

SETTINGS = {"QUADRIGA_ANALYSES_PER_HOUR": "100000", "QUADRIGA_ANALYSES_WAITING": "1000"}
SEATS = 4
WAIT_SECONDS = 180.0
"""For races to end, and for the first analysis to begin."""
MOST_TIMES, MOST_MS = 1.5, 5.0
"""By how much the 99th percentile may differ and count as unchanged: a factor, or so many milliseconds."""


async def measure_under_analyses(
    server: ServerProcess, game: str, tables: int, seats: int, rate: float, seconds: float, analyses: int
) -> dict[str, Any]:
    """The figures of a load without analyses, and with so many under way or waiting from begin to end."""
    token = must(server.request("POST", "/api/guests", {"name": "Analyst"}))["token"]
    finished = await asyncio.to_thread(run_races, server, game, token, analyses)
    load = Load(server, game, tables, seats)
    await asyncio.to_thread(load.set_up)
    await load.connect()
    await load.run(rate, min(3.0, seconds))
    without = await load.run(rate, seconds, 1)
    await asyncio.to_thread(begin_analyses, server, finished, token)
    during = await load.run(rate, seconds, 2)
    states = await asyncio.to_thread(count_states, server, finished)
    load.close()
    return {"without": without, "during": during, "analyses": states, "unchanged": is_unchanged(without, during)}


def is_unchanged(without: dict[str, float], during: dict[str, float]) -> bool:
    """Whether people notice nothing."""
    most = max(without["p99_ms"] * MOST_TIMES, without["p99_ms"] + MOST_MS)
    return during["p99_ms"] <= most and not during["missed"] and not during["unanswered"]


def run_races(server: ServerProcess, game: str, token: str, count: int) -> list[str]:
    """Tables at which bots have raced to the end."""
    short = {"laps": 1} if any(option.name == "laps" for option in games.meta(game).options) else {}
    order = {"game": game, "seats": [{"kind": "novice"}] * SEATS, "pace_ms": 0, "options": short}
    tables = []
    for _ in range(count):
        table = str(must(server.request("POST", "/api/tables", order, token))["table"]["id"])
        must(server.request("POST", f"/api/tables/{table}/commands", {"type": "start"}, token))
        tables.append(table)
    for table in tables:
        _wait_for(server, f"/api/tables/{table}", "over")
    return tables


def begin_analyses(server: ServerProcess, tables: list[str], token: str) -> None:
    """Ask for all analyses; returns when the first is under way."""
    for table in tables:
        status, answer = server.request("POST", f"/api/tables/{table}/analysis", token=token)
        if status != 202:
            raise InvalidOption(f"the server answered a request for an analysis with {answer}")
    _wait_for(server, f"/api/tables/{tables[0]}/analysis", "running", "done")


def count_states(server: ServerProcess, tables: list[str]) -> dict[str, int]:
    """How many analyses are done, running or queued."""
    found = [must(server.request("GET", f"/api/tables/{table}/analysis"))["state"] for table in tables]
    return dict(Counter(found))


def _wait_for(server: ServerProcess, path: str, *states: str) -> None:
    limit = time.monotonic() + WAIT_SECONDS
    while must(server.request("GET", path))["state"] not in states:
        if time.monotonic() > limit:
            raise InvalidOption(f"{path} was not {' or '.join(states)} in time")
        time.sleep(0.2)
