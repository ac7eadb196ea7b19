"""A soak: tables of bots race for a long time, and the server's memory is watched."""

import time
from typing import Any

from quadriga.cli.servers import ServerProcess
from quadriga.core.errors import InvalidOption

Json = dict[str, Any]
PACE_MS = 500
SAMPLES = 120
"""Samples of memory in a whole run."""
SHORTEST_SECONDS = 1.0
MOST_GROWTH = 0.02
"""The share by which memory may grow over the second half of a run that counts as flat."""


def soak(server: ServerProcess, game: str, tables: int, minutes: float) -> Json:
    """Keep so many races of bots going; memory over time, and whether it was flat over the second half."""
    token = _ask(server, "POST", "/api/guests", {"name": "Soak"})["token"]
    racing, over, samples = set[str](), 0, list[tuple[float, float]]()
    began, seconds = time.monotonic(), minutes * 60
    while (passed := time.monotonic() - began) < seconds:
        ended = {table for table in racing if _has_ended(server, table)}
        over += len(ended)
        racing -= ended
        while len(racing) < tables:
            racing.add(_begin_race(server, game, token))
        samples.append((round(passed, 1), round(server.memory_kb() / 1024, 1)))
        time.sleep(max(SHORTEST_SECONDS, seconds / SAMPLES))
    return {"tables": tables, "minutes": minutes, "races_over": over} | judge(samples) | {"rss_mb": samples}


def judge(samples: list[tuple[float, float]]) -> Json:
    """How much memory grew over the second half, by the line that fits it best, and whether that is flat."""
    half = samples[len(samples) // 2 :]
    middle = sum(at for at, _ in half) / len(half)
    mean = sum(mb for _, mb in half) / len(half)
    spread = sum((at - middle) ** 2 for at, _ in half)
    slope = sum((at - middle) * (mb - mean) for at, mb in half) / spread if spread else 0.0
    grown = slope * (half[-1][0] - half[0][0])
    return {"mean_mb": round(mean, 1), "grown_mb": round(grown, 1), "flat": grown <= MOST_GROWTH * mean}


def _begin_race(server: ServerProcess, game: str, token: str) -> str:
    seats = [{"kind": "wanderer"}, {"kind": "wanderer"}]
    made = _ask(server, "POST", "/api/tables", {"game": game, "seats": seats, "pace_ms": PACE_MS}, token)
    table = str(made["table"]["id"])
    _ask(server, "POST", f"/api/tables/{table}/commands", {"type": "start"}, token)
    return table


def _has_ended(server: ServerProcess, table: str) -> bool:
    return bool(_ask(server, "GET", f"/api/tables/{table}")["state"] == "over")


def _ask(server: ServerProcess, method: str, path: str, body: Json | None = None, token: str = "") -> Json:
    status, answer = server.request(method, path, body, token)
    if status >= 400:
        raise InvalidOption(f"the server answered {method} {path} with status {status}")
    found: Json = answer
    return found
