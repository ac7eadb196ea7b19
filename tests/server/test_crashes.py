"""Servers that are killed lose nothing they acknowledged; the short form of `quadriga bench kill`."""

import asyncio
from pathlib import Path

import pytest

from quadriga.cli.killing import kill_again_and_again
from quadriga.cli.load import measure
from quadriga.cli.servers import serving
from tests.server.postgres import Postgres

pytestmark = pytest.mark.xdist_group("crashes")


def killed(database: str, processes: int, times: int, tables: int) -> dict[str, float]:
    return asyncio.run(kill_again_and_again(database, "chariots", tables, processes, times))


def test_nothing_acknowledged_is_lost_on_sqlite(tmp_path: Path) -> None:
    found = killed(str(tmp_path / "tables.sqlite"), 1, times=2, tables=3)
    assert (found["kills"], found["lost"], found["doubled"]) == (2, 0, 0)
    assert found["choices"] > 5


def test_nothing_acknowledged_is_lost_with_two_servers_on_postgres(cluster: Postgres) -> None:
    found = killed(cluster.new_database(), 2, times=2, tables=3)
    assert (found["kills"], found["lost"], found["doubled"]) == (2, 0, 0)
    assert found["choices"] > 5


@pytest.mark.long
def test_a_hundred_kills_on_sqlite(tmp_path: Path) -> None:
    found = killed(str(tmp_path / "tables.sqlite"), 1, times=100, tables=50)
    assert (found["lost"], found["doubled"]) == (0, 0)


@pytest.mark.long
def test_a_hundred_kills_of_one_of_two_servers_on_postgres(cluster: Postgres) -> None:
    found = killed(cluster.new_database(), 2, times=100, tables=50)
    assert (found["lost"], found["doubled"]) == (0, 0)


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
