"""Two servers on one real PostgreSQL: a table opened on one and played on the other; the database restarted."""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from quadriga.client import Client, ServerRefused
from quadriga.core.match import Sitter
from quadriga.server.database.guests import Guest
from quadriga.server.process.run import prepare
from quadriga.server.settings import Settings
from quadriga.server.tables import commands as c
from quadriga.server.tables.agreement import AWAY_MS
from quadriga.server.tables.document import NewTable, WantedSeat
from quadriga.server.tables.persistence import rename_in_log
from tests.server.house import refusal
from tests.server.postgres import Postgres
from tests.server.serving import Server, serving
from tests.server.test_storage import some_race


@pytest.fixture(scope="module")
def pair(cluster: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    folder, database = tmp_path_factory.mktemp("pair"), cluster.new_database()
    with serving(database, folder) as first, serving(database, folder) as second:
        yield first, second


async def play(client: Client, table: str) -> None:
    async for turn in client.turns(table):
        while True:
            try:
                await client.choose(turn, turn["legal"][-1])
                break
            except ServerRefused as error:
                if error.code != "unavailable":
                    raise
                await asyncio.sleep(0.1)


def test_a_race_across_two_servers(pair: tuple[Server, Server]) -> None:
    async def story() -> None:
        async with Client(pair[0].url, "Ana") as ana, Client(pair[1].url, "Ben") as ben:
            options = {"laps": 1, "limit": 5}
            table = await ana.create("chariots", ["me", "open", "wanderer"], options=options, pace_ms=0)
            await ben.claim(table)
            await ana.start(table)
            await asyncio.wait_for(asyncio.gather(play(ana, table), play(ben, table)), 120)
            assert ana.view(table)["result"] == ben.view(table)["result"]
            for client in (ana, ben):
                (steps,) = client.watched[table].steps.values()
                assert [step["seq"] for step in steps] == list(range(client.view(table)["seq"] + 1))
            await ben.command("say", table, text="well raced")
            await ana.until(lambda: bool(ana.watched[table].chat))

    asyncio.run(story())


def test_simultaneous_choices_on_two_servers_are_both_kept(pair: tuple[Server, Server]) -> None:
    """Both nodes write to the same revision; the one that loses reads again and adds its own."""

    async def story() -> None:
        async with Client(pair[0].url, "Ana") as ana, Client(pair[1].url, "Ben") as ben:
            for _ in range(10):
                table = await ana.create("chariots", ["me", "open"])
                await ben.claim(table)
                await ana.start(table)
                await ana.until(lambda t=table: bool(ana.watched[t].views))
                await ben.until(lambda t=table: bool(ben.watched[t].views))
                turns = [(client, client.view(table)) for client in (ana, ben)]
                await asyncio.gather(*(client.choose(turn, turn["legal"][0]) for client, turn in turns))
                await ana.until(lambda t=table: ana.view(t)["seq"] == 1)
                await ben.until(lambda t=table: ben.view(t)["seq"] == 1)

    asyncio.run(story())


def test_everybody_is_in_step_after_the_database_was_restarted(pair: tuple[Server, Server], cluster: Postgres) -> None:
    async def story() -> None:
        async with Client(pair[0].url, "Ana") as ana, Client(pair[1].url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"], options={"laps": 2})
            await ben.claim(table)
            await ana.start(table)
            playing = [asyncio.create_task(play(client, table)) for client in (ana, ben)]
            await ana.until(lambda: bool(ana.watched[table].views) and ana.view(table)["seq"] > 5)
            await asyncio.to_thread(cluster.stop)
            await asyncio.sleep(0.5)
            await asyncio.to_thread(cluster.start)
            before = max(ana.view(table)["seq"], ben.view(table)["seq"])
            await ana.until(lambda: ana.view(table)["seq"] > before + 3)
            await ben.until(lambda: ben.view(table)["seq"] > before + 3)
            for task in playing:
                assert not task.done() or task.exception() is None
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)

    asyncio.run(story())


def test_a_name_that_is_forgotten_at_one_node_is_forgotten_at_the_other(cluster: Postgres) -> None:
    async def story() -> None:
        settings = Settings(database=cluster.new_database())
        one, two = prepare(settings), prepare(settings)
        table = await some_race(one, 1)
        here = await one.registry.open(table)

        def sit(now: int) -> dict[str, Any]:
            assert here.match is not None
            here.match.change_seat(1, Sitter("Ana"))
            return {}

        await one.executor.change(here, sit)
        there = await two.registry.open(table)
        working = [asyncio.create_task(work) for work in (two.background._listen(), two.background._refresh_woken())]
        await asyncio.sleep(0.5)
        assert there.match is not None
        assert "Ana" in repr(there.match.log)
        await one.store.write(partial(rename_in_log, table=table, is_theirs=lambda seat, name: True, name="-"))
        while "Ana" in repr(there.match.log):
            await asyncio.sleep(0.01)
        for work in working:
            work.cancel()
        for node in (one, two):
            await asyncio.to_thread(node.store.close)

    asyncio.run(asyncio.wait_for(story(), 30))


def test_who_does_something_at_another_node_is_present(cluster: Postgres) -> None:
    """A command that came by HTTP to one node is known to the other, and so is it after others have come and gone."""

    async def story() -> None:
        settings = Settings(database=cluster.new_database())
        one, two = prepare(settings), prepare(settings)
        time = 1_700_000_000_000
        one.registry.now = two.registry.now = lambda: time
        ana, ben, cyn = (Guest(name.lower(), name) for name in ("Ana", "Ben", "Cyn"))
        order = NewTable(game="chariots", seats=[WantedSeat("me"), WantedSeat("open"), WantedSeat("open")])
        table = (await one.registry.create(order, ana))[0].doc.id
        for guest in (ben, cyn):
            await one.execute(guest, c.Claim(table=table))
        await one.execute(ana, c.Start(table=table))
        time += AWAY_MS
        assert await refusal(two.execute(ben, c.Withdraw(table=table, seat=1, seq=0))) == "nothing_waits"
        await two.executor.close()
        await one.execute(ana, c.SetSeat(table=table, seat=2, kind="wanderer"))
        assert (await one.execute(ana, c.Kick(table=table, seat=1)))["agreed"] is None, "Ben is asked about"
        for node in (one, two):
            await node.driver.close()
            await node.executor.close()
            await asyncio.to_thread(node.store.close)

    asyncio.run(asyncio.wait_for(story(), 60))
