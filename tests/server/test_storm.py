"""Everybody comes back at once: the server is killed, and all of its sockets connect again."""

import asyncio
from pathlib import Path

import pytest

from quadriga.cli.killing import kill_one, seat_players
from quadriga.cli.servers import ServerProcess

pytestmark = pytest.mark.xdist_group("crashes")


@pytest.mark.parametrize("sockets", [40, pytest.param(2000, marks=pytest.mark.long)])
def test_all_are_in_step_again(tmp_path: Path, sockets: int) -> None:
    async def story() -> None:
        server = await asyncio.to_thread(ServerProcess, str(tmp_path / "t.sqlite"))
        await asyncio.to_thread(server.wait_until_ready)
        players = await seat_players([server.url], "chariots", sockets // 2)
        try:
            seconds = await kill_one(server, players)
            assert all(player.client.shown(player.table) for player in players)
            assert {player.client.view(player.table)["seq"] for player in players} == {0}
            assert seconds < 60  # the bar of 5 s is for a machine of one's own: quadriga bench kill tells
        finally:
            for player in players:
                await player.client.__aexit__()
            await asyncio.to_thread(server.stop)

    asyncio.run(story())
