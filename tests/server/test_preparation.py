"""Games are compiled beside the server, those that are wanted first."""

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from quadriga import games
from quadriga.bots import LEVELS
from quadriga.client import Client
from tests.server.serving import Server

PARTS = ["rules", *LEVELS]
WAIT_SECONDS = 240.0


def run(script: str, **environment: str) -> str:
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_nothing_counts_as_compiled_in_an_empty_cache_and_everything_without_a_compiler(tmp_path: Path) -> None:
    script = "from quadriga.server.preparation.parts import *; print(*[is_part_compiled('chariots', p) for p in PARTS])"
    assert set(run(script, QUADRIGA_CACHE=str(tmp_path)).split()) == {"False"}
    assert set(run(script, QUADRIGA_CACHE=str(tmp_path), NUMBA_DISABLE_JIT="1").split()) == {"True"}


def test_a_note_holds_for_one_kind_of_processor(tmp_path: Path) -> None:
    note = "from quadriga.core.warmup import *; note_compiled('core', 'chariots-rules')"
    run(note, QUADRIGA_CACHE=str(tmp_path))
    ask = "from quadriga.core import warmup; {}; print(warmup.is_compiled('core', 'chariots-rules'))"
    assert run(ask.format("pass"), QUADRIGA_CACHE=str(tmp_path)) == "True\n"
    assert run(ask.format("warmup._processor = lambda: 'other'"), QUADRIGA_CACHE=str(tmp_path)) == "False\n"


def test_what_is_compiled_is_ready_without_a_process(server: Server) -> None:
    async def story() -> list[dict[str, Any]]:
        async with Client(server.url, "Ana") as ana:
            found: list[dict[str, Any]] = await ana.request("GET", "/api/preparation")
            return found

    found = asyncio.run(story())
    assert [(one["game"], one["state"], one["ready"]) for one in found] == [(n, "ready", PARTS) for n in games.NAMES]


# ---------------------------------------------------------------- with nothing compiled

SCRIPT = """
import asyncio, sys
from quadriga.server.preparation.games import Preparation

async def story():
    preparation, changes = Preparation(), []
    preparation.listeners.append(lambda one: changes.append((one.game, one.kind, one.percent, one.is_ready)))
    idle = asyncio.create_task(preparation.prepare_all())
    preparation.want("chariots")
    {then}
    idle.cancel()
    await preparation.close()

asyncio.run(story())
"""
KILLED = """
    await asyncio.sleep(2)
    process = preparation._games["chariots"].process
    process.kill()
    await preparation.require("chariots")
    print("required again")
"""
OVERTAKEN = """
    while preparation._games["chariots"].percent < 10:
        await asyncio.sleep(0.1)
    preparation._games["chariots"].wanted.clear()   # as a game that nobody waits for
    preparation._none_wanted.set()
    preparation.want("chariot_race")
    await asyncio.sleep(4)
    print({one.game: one.process is not None for one in preparation._games.values()})
"""


@pytest.mark.long
def test_a_process_that_dies_is_started_again(tmp_path: Path) -> None:
    assert run(SCRIPT.format(then=KILLED.strip()), QUADRIGA_CACHE=str(tmp_path)) == "required again\n"


@pytest.mark.long
def test_a_wanted_game_goes_before_one_that_nobody_waits_for(tmp_path: Path) -> None:
    said = run(SCRIPT.format(then=OVERTAKEN.strip()), QUADRIGA_CACHE=str(tmp_path))
    assert said == "{'chariot_race': True, 'charioteer': False, 'chariots': False}\n"


def compiled(cache: Path, game: str) -> int:
    """Kernels of a game in a cache."""
    return len(list((cache / f"games-{game}").rglob("*.nbc")))


@pytest.mark.long
def test_a_first_race_compiles_its_own_game_and_disturbs_nobody(tmp_path: Path) -> None:
    """Rules before bots, no other game, little work in the server itself, and quick answers to others meanwhile."""
    cache, heard = tmp_path / "cache", list[dict[str, Any]]()

    async def story(server: Server) -> float:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "veteran"], pace_ms=0)
            starting = asyncio.create_task(ana.start(table))
            slowest = 0.0
            while not starting.done():
                began = time.monotonic()
                heard.extend(await ben.request("GET", "/api/preparation"))
                slowest = max(slowest, time.monotonic() - began)
                await asyncio.sleep(0.2)
            await starting
            await ana.until(lambda: bool(ana.watched[table].views))
            return slowest

    server = Server(str(tmp_path / "t.sqlite"), tmp_path, QUADRIGA_CACHE=str(cache))
    try:
        slowest = asyncio.run(asyncio.wait_for(story(server), WAIT_SECONDS))
        busy = sum(psutil.Process(server.process.pid).cpu_times()[:2])
    finally:
        server.stop()
    mine = [one for one in heard if one["game"] == "chariots"]
    assert {one["state"] for one in mine} == {"compiling"}
    percents = [one["percent"] for one in mine if one["kind"] == "rules"]
    assert percents == sorted(percents)
    assert max(percents) >= 50
    assert compiled(cache, "chariots") > 20
    assert compiled(cache, "charioteer") == compiled(cache, "chariot_race") == 0
    assert slowest < 1.5
    assert busy < 15, "the server compiles nothing itself"
