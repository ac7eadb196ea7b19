"""Who is at a table: here, away, disconnected or watching; told when it changes, and no more than that."""

import asyncio
from pathlib import Path
from typing import Any

from quadriga.client import Client
from quadriga.server.database.guests import Guest
from quadriga.server.output import presence
from quadriga.server.output.presence import MOST_NAMES, describe
from quadriga.server.output.watchers import Watcher
from quadriga.server.process.run import prepare
from quadriga.server.settings import Settings
from quadriga.server.tables import commands as c
from quadriga.server.tables.document import NewTable, WantedSeat
from tests.server.house import House, Screen, run
from tests.server.postgres import Postgres
from tests.server.serving import Server


def told(screen: Screen) -> list[dict[str, Any]]:
    """What somebody was told of who is there, without the table's id."""
    return [{key: m[key] for key in ("seats", "watching", "watchers")} for m in screen.got if m["type"] == "presence"]


def test_everybody_is_told_who_comes_looks_away_and_goes(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben", "wanderer"])
        settle = house.services.broadcaster.presence.send_due
        ana = await house.watch("Ana", table)
        assert told(ana) == [{"seats": {"0": "here", "1": "disconnected"}, "watching": [], "watchers": 0}]
        ben = await house.watch("Ben", table)
        settle()
        assert told(ana)[-1]["seats"] == {"0": "here", "1": "here"}
        ben.is_looking = False
        house.services.broadcaster.note_look(ben)
        settle()
        assert told(ana)[-1]["seats"] == {"0": "here", "1": "away"}
        second = await house.watch("Ben", table)
        settle()
        assert told(ana)[-1]["seats"] == {"0": "here", "1": "here"}, "one of two pages is enough"
        house.look_away(second, table)
        house.look_away(ben, table)
        settle()
        assert told(ana)[-1]["seats"] == {"0": "here", "1": "disconnected"}

    run(tmp_path, story)


def test_watchers_are_counted_and_those_with_a_name_are_named(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"])
        ana = await house.watch("Ana", table)
        for name in ("Cyn", "Cyn", None, None):
            await house.watch(name, table)
        house.services.broadcaster.presence.send_due()
        assert told(ana)[-1]["watching"] == ["Cyn"]
        assert told(ana)[-1]["watchers"] == 3, "a guest with two pages is one watcher"
        text = str([m for m in ana.got if m["type"] == "presence"])
        assert all(house.guest(name).id not in text for name in ("Ana", "Ben", "Cyn"))

    run(tmp_path, story)


def test_a_crowd_that_comes_at_once_is_one_message(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"])
        ana = await house.watch("Ana", table)
        for number in range(30):
            await house.watch(f"guest {number}", table)
        await asyncio.sleep(presence.PAUSE_SECONDS * 2)
        assert len(told(ana)) == 2
        assert told(ana)[-1]["watchers"] == 30
        assert len(told(ana)[-1]["watching"]) == MOST_NAMES

    run(tmp_path, story)


def test_sitting_down_changes_who_is_there(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.create("Ana", ["me", "open"])
        ana, _ = await house.watch("Ana", table), await house.watch("Ben", table)
        house.services.broadcaster.presence.send_due()
        assert told(ana)[-1] == {"seats": {"0": "here"}, "watching": ["Ben"], "watchers": 1}
        await house.act("Ben", c.Claim(table=table, seat=1))
        house.services.broadcaster.presence.send_due()
        assert told(ana)[-1] == {"seats": {"0": "here", "1": "here"}, "watching": [], "watchers": 0}

    run(tmp_path, story)


def test_nothing_is_kept_of_a_table_that_nobody_watches(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"])
        kept = house.services.broadcaster.presence
        for _ in range(3):
            screen = await house.watch("Ana", table)
            kept.note_elsewhere(table, {house.guest("Ben").id: house.time})
            house.look_away(screen, table)
        assert [kept._due, kept._sent, kept._left, kept._elsewhere] == [{}, {}, {}, {}]

    run(tmp_path, story)


def test_a_bot_that_sits_in_leaves_its_person_a_presence(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"])
        await house.act("Ben", c.Leave(table=table, seat=1))
        doc = (await house.live(table)).doc
        assert describe(doc, [(house.guest("Ben"), True)], set())["seats"] == {"0": "disconnected", "1": "here"}

    run(tmp_path, story)


def test_who_is_at_another_node_is_here(cluster: Postgres) -> None:
    async def story() -> None:
        settings = Settings(database=cluster.new_database())
        one, two = prepare(settings), prepare(settings)
        ana, ben = Guest("ana", "Ana"), Guest("ben", "Ben")
        order = NewTable(game="chariots", seats=[WantedSeat("me"), WantedSeat("open")])
        table = (await one.registry.create(order, ana))[0].doc.id
        await one.execute(ben, c.Claim(table=table))
        screen, far = Screen(ana), Screen(ben)
        await one.broadcaster.watch(Watcher(screen, table), None)
        assert told(screen)[-1]["seats"] == {"0": "here", "1": "disconnected"}
        await two.broadcaster.watch(Watcher(far, table), None)
        await two.background._exchange_presence()
        await one.background._exchange_presence()
        one.broadcaster.presence.send_due()
        assert told(screen)[-1]["seats"] == {"0": "here", "1": "here"}
        two.broadcaster.unwatch(next(iter(two.broadcaster.watchers[table])))
        for services in (one, two):
            now = services.registry.now() + presence.ELSEWHERE_MS + 1
            services.registry.now = lambda now=now: now  # type: ignore[misc]
        await one.background._exchange_presence()
        one.broadcaster.presence.send_due()
        assert told(screen)[-1]["seats"] == {"0": "here", "1": "disconnected"}
        for services in (one, two):
            services.store.close()

    asyncio.run(asyncio.wait_for(story(), 60))


def test_who_left_this_node_is_not_taken_for_somebody_at_another(cluster: Postgres) -> None:
    async def story() -> None:
        one = prepare(Settings(database=cluster.new_database()))
        ana, ben = Guest("ana", "Ana"), Guest("ben", "Ben")
        order = NewTable(game="chariots", seats=[WantedSeat("me"), WantedSeat("open")])
        table = (await one.registry.create(order, ana))[0].doc.id
        await one.execute(ben, c.Claim(table=table))
        screen, his = Screen(ana), Watcher(Screen(ben), table)
        await one.broadcaster.watch(Watcher(screen, table), None)
        await one.broadcaster.watch(his, None)
        await one.background._exchange_presence()
        one.broadcaster.unwatch(his)
        await one.background._exchange_presence()
        one.broadcaster.presence.send_due()
        assert told(screen)[-1]["seats"] == {"0": "here", "1": "disconnected"}
        one.store.close()

    asyncio.run(asyncio.wait_for(story(), 60))


def test_a_page_says_that_nobody_looks_at_it(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"])
            await ben.claim(table)
            for looks, state in ((True, "here"), (False, "away"), (True, "here")):
                await ben.send("here", yes=looks)
                await ana.until(lambda state=state: ana.watched[table].presence["seats"].get("1") == state)
            await ben.send("unwatch", table=table)
            await ana.until(lambda: ana.watched[table].presence["seats"]["1"] == "disconnected")

    asyncio.run(asyncio.wait_for(story(), 60))
