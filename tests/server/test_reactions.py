"""Reactions to chat messages."""

import asyncio
from typing import Any

from quadriga.client import Client
from tests.server.serving import Server
from tests.server.test_tables import refused


def test_reactions_are_counted_replaced_and_taken_back(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"])
            await ben.claim(table)
            await ana.command("say", table, text="Ave!")
            await ben.until(lambda: bool(ben.watched[table].chat))
            said = ben.watched[table].chat[0]
            assert (said["mine"], said["reactions"], said["my_reaction"]) == (False, {}, None)
            number = said["id"]

            async def shown(who: Client) -> tuple[Any, Any]:
                found = (await who.request("GET", f"/api/tables/{table}/chat"))[0]
                return found["reactions"], found["my_reaction"]

            for who, kind, counts in (
                (ben, "laurel", {"laurel": 1}),
                (ana, "laurel", {"laurel": 2}),
                (ben, "heart", {"heart": 1, "laurel": 1}),
                (ben, None, {"laurel": 1}),
            ):
                await who.command("react", table, message=number, reaction=kind)
                assert await shown(who) == (counts, kind)
                await ana.until(lambda counts=counts: ana.watched[table].chat[0]["reactions"] == counts)
            assert await refused(ben.command("react", table, message=number, reaction="bomb")) == "malformed"
            assert await refused(ben.command("react", table, message=2**50, reaction="heart")) == "no_message"
            other = await ben.create("chariots", ["me", "open"])
            assert await refused(ben.command("react", other, message=number, reaction="heart")) == "no_message"
            await ben.command("react", table, message=number, reaction="swords")
            await ana.request("POST", "/api/blocks", {"table": table, "seat": 1})
            assert (await shown(ana))[0] == {"laurel": 1}, "somebody blocked is not heard"
            await ben.request("DELETE", "/api/me")
            async with Client(server.url, "Cyn") as cyn:
                assert (await shown(cyn))[0] == {"laurel": 1}, "somebody forgotten has left nothing"

    asyncio.run(asyncio.wait_for(story(), 60))
