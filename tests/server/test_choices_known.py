"""Who chose what: one's own choices while a race runs, everybody's once it is over."""

import asyncio
from typing import Any

from quadriga.client import Client
from tests.server.serving import Server


async def known(who: Client, table: str) -> set[str]:
    """The seats whose choices somebody is told."""
    answer: dict[str, Any] = await who.request("GET", f"/api/tables/{table}/steps")
    return {seat for choices in answer["choices"].values() for seat in choices}


def test_choices_of_others_are_told_when_the_race_is_over(server: Server) -> None:
    async def story() -> None:
        clients = [Client(server.url, name) for name in ("Ana", "Ben", "Cyn")]
        async with clients[0] as ana, clients[1] as ben, clients[2] as cyn:
            table = await ana.create("chariots", ["me", "open"], options={"laps": 1})
            await ben.claim(table)
            await ana.start(table)
            for who in (ana, ben):
                await who.until(lambda who=who: bool(who.watched[table].views))
                view = who.view(table)
                await who.choose(view, view["legal"][0])
            await ana.until(lambda: ana.view(table)["seq"] > 0)
            assert [await known(who, table) for who in (ana, ben, cyn)] == [{"0"}, {"1"}, set()]
            await ana.command("resign", table, seat=0)
            await ben.until(lambda: ben.watched[table].table["state"] == "over")
            assert [await known(who, table) for who in (ana, ben, cyn)] == [{"0", "1"}] * 3
            first = await cyn.request("GET", f"/api/tables/{table}/steps?limit=2")
            assert first["choices"]["1"]["0"]["kind"] == "plot"

    asyncio.run(asyncio.wait_for(story(), 60))
