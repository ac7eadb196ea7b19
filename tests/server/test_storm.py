"""Everything at once: PostgreSQL is restarted under load, all sockets are cut and come back together."""

import asyncio
import time
from collections.abc import Callable
from functools import partial

import pytest

from quadriga.loadtest.crowd import Crowd
from quadriga.loadtest.load import Load
from quadriga.loadtest.servers import ServerProcess, serving
from tests.server.postgres import Postgres

SEATS = 4
RATE = 40.0
"""Choices a second while it happens."""


async def storm(server: ServerProcess, sockets: int, restart: Callable[[], None]) -> float:
    """Seconds from the database's return until everybody is in step again."""
    load = Load(server, "chariots", sockets // SEATS, SEATS)
    await asyncio.to_thread(load.set_up)
    async with Crowd([server.url], load.tables) as crowd:
        crowd.play(RATE)
        await crowd.until(lambda: crowd.steps_seen() > sockets // 8)
        cut = time.monotonic()
        crowd.cut()
        await asyncio.to_thread(restart)
        returned = time.monotonic()
        back = await crowd.all_back(cut)
        before = crowd.steps_seen()
        await crowd.until(lambda: crowd.steps_seen() > before + 10)
        await crowd.rest()
        await all_agree(server, crowd)
    return max(0.0, back - returned)


async def all_agree(server: ServerProcess, crowd: Crowd) -> None:
    """When nobody chooses any more, everybody sees the step that the server has."""
    for guest in crowd.guests[:: max(1, len(crowd.guests) // 50)]:
        path = f"/api/tables/{guest.table}/view"
        _, found = await asyncio.to_thread(server.request, "GET", path, None, guest.token)
        await crowd.until(partial(guest.is_at, found["seq"]))


@pytest.mark.parametrize(("sockets", "limit"), [(40, 30.0), pytest.param(2000, 5.0, marks=pytest.mark.long)])
def test_all_are_in_step_again_after_the_database_was_restarted(
    cluster: Postgres, sockets: int, limit: float, capsys: pytest.CaptureFixture[str]
) -> None:
    def restart() -> None:
        cluster.stop()
        cluster.start()

    with serving(cluster.new_database()) as server:
        seconds = asyncio.run(storm(server, sockets, restart))
    with capsys.disabled():
        print(f"\n{sockets} sockets back in step {seconds:.2f} s after the database", end=" ")
    assert seconds < limit
