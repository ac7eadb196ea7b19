"""What a table takes in memory is let go, and never while somebody works on the table."""

import asyncio
import gc
import json
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import pytest

from quadriga.loadtest.soak import judge
from quadriga.server.bots.worker import Question
from quadriga.server.tables import commands as c
from quadriga.server.tables.registry import IDLE_SECONDS, TableRegistry
from tests.server.house import House, run


def grow_old(tables: TableRegistry) -> None:
    """Nobody has used any table for long."""
    tables.used = {table: at - IDLE_SECONDS - 1 for table, at in tables.used.items()}


def think(house: House, gate: asyncio.Event) -> None:
    """Bots that take the first choice, once the gate is open."""

    async def choose(question: Question) -> int:
        await gate.wait()
        return question.choices[0]

    house.services.pool.choose = choose  # type: ignore[method-assign]


def test_a_table_whose_bots_think_is_not_evicted(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        gate = asyncio.Event()
        think(house, gate)
        table = await house.race("Ana", ["wanderer", "wanderer"], pace_ms=0, options={"laps": 1, "limit": 5})
        live = await house.live(table)
        await asyncio.sleep(0.05)
        grow_old(house.tables)
        house.tables.evict()
        assert house.tables.live[table] is live
        gate.set()
        screen = await house.watch(None, table)
        while live.doc.state == "racing":
            await asyncio.sleep(0.01)
        assert live.match is not None
        async with asyncio.timeout(10):  # the last view is sent a little after the race is over
            while not any(seen["type"] == "view" and seen["seq"] == live.match.seq for seen in screen.got):
                await asyncio.sleep(0.01)

    run(tmp_path, story)


@pytest.mark.parametrize("why", ["lock", "chat", "watcher"])
def test_a_table_in_use_is_not_evicted(tmp_path: Path, why: str) -> None:
    async def story(house: House) -> None:
        table = await house.create("Ana", ["me", "open"])
        live = await house.live(table)
        if why == "watcher":
            await house.watch("Ana", table)
        else:
            await (live.lock if why == "lock" else live.chat_lock).acquire()
        grow_old(house.tables)
        house.tables.evict()
        assert table in house.tables.live

    run(tmp_path, story)


def test_an_evicted_table_that_somebody_holds_is_opened_as_the_same(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.create("Ana", ["me", "open"])
        held = await house.live(table)
        grow_old(house.tables)
        house.tables.evict()
        assert table not in house.tables.live
        assert await house.live(table) is held, "two copies would overwrite each other"
        assert table in house.tables.live

    run(tmp_path, story)


def test_of_too_many_tables_those_not_used_for_longest_go(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        made = [await house.create("Ana", ["me", "open"]) for _ in range(4)]
        await house.live(made[0])
        house.tables.evict()
        assert set(house.tables.live) == {made[0], made[3]}

    run(tmp_path, story, live_tables=2)


def test_a_spectator_who_lags_behind_gets_the_end(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "me"], watch_delay_s=3600)
        screen = await house.watch(None, table)
        for seat in (0, 1):
            await house.choose("Ana", table, seat)
        live = await house.live(table)
        assert live.match is not None
        while live.match.seq < 3:  # so that the first step is no longer in memory
            await house.choose("Ana", table, live.match.waiting_for()[0])
        await house.act("Ana", c.Resign(table=table, seat=0))
        assert live.doc.state == "over"
        while not any(message.get("seq") == live.stored for message in screen.got):
            await asyncio.sleep(0.05)
        steps = [step["seq"] for message in screen.got if message["type"] == "view" for step in message["steps"]]
        assert steps == list(range(1, live.stored + 1))
        house.look_away(screen, table)

    run(tmp_path, story)


def test_after_eviction_nothing_of_a_table_is_left(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        gate = asyncio.Event()
        gate.set()
        think(house, gate)
        seats = ["wanderer", "wanderer"]
        made = [await house.race("Ana", seats, pace_ms=0, options={"laps": 1, "limit": 5}) for _ in range(5)]
        for table in made:
            screens = [await house.watch(name, table) for name in ("Ana", None)]
            await house.act("Ana", c.Say(table=table, text="hello"))
            while (await house.live(table)).doc.state == "racing":
                await asyncio.sleep(0.01)
            for screen in screens:
                house.look_away(screen, table)
        tables, driver, showing = house.tables, house.services.driver, house.services.broadcaster
        await house.services.executor.close()
        kept = [weakref.ref(live) for live in tables.live.values()]
        assert len(kept) == len(made)
        grow_old(tables)
        tables.evict()
        await asyncio.sleep(0)
        gc.collect()
        pieces: list[Any] = [tables.live, tables.used, tables._opening, house.services.executor._running, driver._tasks]
        pieces += [showing.watchers, showing._lobby, showing._chosen, showing.chat._shown]
        pieces += [showing.chat._reactions, showing.presence._due, showing.presence._sent, showing.presence._left]
        assert [piece for piece in pieces if piece] == []
        assert [one() for one in kept if one() is not None] == []

    run(tmp_path, story)


def test_what_counts_as_flat() -> None:
    assert judge([(at, 100.0 + min(at, 50)) for at in range(101)]) == {"mean_mb": 150.0, "grown_mb": 0.0, "flat": True}
    assert judge([(at, 100.0 + at) for at in range(101)])["flat"] is False
    wobble = judge([(at, 200.0 + at % 2) for at in range(101)])
    assert wobble["flat"] is True


@pytest.mark.long
def test_a_short_soak(tmp_path: Path) -> None:
    command = ["bench", "soak", "--minutes", "0.2", "--tables", "3", "--database", str(tmp_path / "s.sqlite"), "--json"]
    done = subprocess.run([sys.executable, "-m", "quadriga", *command], capture_output=True, text=True, check=False)
    found = json.loads(done.stdout)
    assert (found["tables"], len(found["rss_mb"]) > 5, found["flat"]) == (3, True, done.returncode == 0)
