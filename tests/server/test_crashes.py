"""Servers that are killed lose nothing they acknowledged; the short form of `quadriga bench kill`."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import uvloop

from quadriga import games
from quadriga.loadtest.crowd import Crowd, Guest
from quadriga.loadtest.kills import compare, kill_again_and_again
from quadriga.loadtest.load import Load, measure
from quadriga.loadtest.servers import ServerProcess, serving
from tests.server.postgres import Postgres

RETURN_SECONDS = 5.0
"""From a kill until everybody is in step again, in the median: the server starts anew."""
SHORT: dict[str, Any] = {"tables": 10, "rate": 20.0, "times": 2}
LONG: dict[str, Any] = {"tables": 500, "rate": 200.0, "times": 100}


def killed(database: str, processes: int, tables: int, rate: float, times: int) -> dict[str, float]:
    """What `quadriga bench kill` finds."""
    return uvloop.run(kill_again_and_again(database, "chariots", tables, 4, rate, processes, times))


def test_nothing_acknowledged_is_lost_on_sqlite(tmp_path: Path) -> None:
    found = killed(str(tmp_path / "tables.sqlite"), 1, **SHORT)
    assert (found["kills"], found["lost"], found["doubled"]) == (2, 0, 0)
    assert found["choices"] > 5


@pytest.mark.long
def test_nothing_acknowledged_is_lost_with_two_servers_on_postgres(cluster: Postgres) -> None:
    found = killed(cluster.new_database(), 2, **SHORT)
    assert (found["kills"], found["lost"], found["doubled"]) == (2, 0, 0)
    assert found["choices"] > 5


@pytest.mark.long
def test_a_hundred_kills_on_sqlite(tmp_path: Path) -> None:
    found = killed(str(tmp_path / "tables.sqlite"), 1, **LONG)
    assert (found["lost"], found["doubled"]) == (0, 0)
    assert found["median_return_s"] < RETURN_SECONDS


@pytest.mark.long
def test_a_hundred_kills_of_one_of_two_servers_on_postgres(cluster: Postgres) -> None:
    found = killed(cluster.new_database(), 2, **LONG)
    assert (found["lost"], found["doubled"]) == (0, 0)
    assert found["median_return_s"] < RETURN_SECONDS


def test_a_choice_that_a_log_lost_or_never_had_is_noticed(tmp_path: Path) -> None:
    async def story(server: ServerProcess) -> list[Guest]:
        load = Load(server, "chariots", 2, 2)
        await asyncio.to_thread(load.set_up)
        async with Crowd([server.url], load.tables) as crowd:
            crowd.play(40.0)
            await crowd.until(lambda: all(guest.kept for guest in crowd.guests))
            await crowd.rest()
        return crowd.guests

    with serving(str(tmp_path / "tables.sqlite")) as server:
        guests, rules = asyncio.run(story(server)), games.load("chariots")
        assert compare(server, guests, rules) | {"choices": 0} == {"lost": 0, "doubled": 0, "choices": 0}
        guests[0].kept.add(10_000)
        guests[1].sent.pop(min(guests[1].kept))
        assert compare(server, guests, rules) | {"choices": 0} == {"lost": 1, "doubled": 1, "choices": 0}


@pytest.mark.parametrize(
    ("tables", "rate", "seconds"), [(20, 50.0, 3.0), pytest.param(500, 200.0, 30.0, marks=pytest.mark.long)]
)
def test_every_choice_under_load_is_answered(tmp_path: Path, tables: int, rate: float, seconds: float) -> None:
    with serving(str(tmp_path / "load.sqlite")) as server:
        found = asyncio.run(measure(server, "chariots", tables, 4, [rate], seconds))
    figures = found["by_rate"][str(int(rate))]
    assert figures["unanswered"] == 0
    assert figures["actions_per_s"] > rate / 10  # how many there are is measured by quadriga bench server
    assert found["kb_per_table"] < 1000 if tables < 100 else found["kb_per_table"] < 200
