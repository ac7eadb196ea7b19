"""Measures of the server: load, being killed, and a soak."""

import asyncio
import json
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from quadriga.cli.arguments import AsJson
from quadriga.cli.console import open_console
from quadriga.core.errors import InvalidOption

MOST_RATE = 5000
Tables = Annotated[int, typer.Option(min=1, max=5000, help="Tables at once.")]
Seats = Annotated[int, typer.Option(min=2, max=6, help="Persons a table, a socket each.")]
Database = Annotated[str | None, typer.Option(help="Where tables are kept; a new SQLite file if left out.")]
GameOption = Annotated[str, typer.Option("--game", help="The game at all tables.")]


def run_work(work: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any]:
    """On the quicker loop where there is one: who measures shares the cores with what is measured."""
    try:
        from uvloop import run
    except ImportError:
        return asyncio.run(work)
    return run(work)


def server(
    tables: Tables = 500,
    seats: Seats = 4,
    seconds: Annotated[float, typer.Option(min=1, max=600, help="Seconds for each rate.")] = 30.0,
    rate: Annotated[list[float] | None, typer.Option(help="Choices a second; 200 and 1000 if left out.")] = None,
    processes: Annotated[int, typer.Option(min=1, max=4, help="Servers; more than one need PostgreSQL.")] = 1,
    trials: Annotated[int, typer.Option(min=0, max=12, help="Rates tried for the highest one; 0: no search.")] = 6,
    game: GameOption = "chariots",
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Load a server with choices at Poisson times and measure until the last of a table's views.

    Then find the highest rate at which 99 of 100 choices are seen by all within 50 ms and none is missed.
    """
    from quadriga.loadtest.load import Load, measure_load
    from quadriga.loadtest.servers import serving_several

    rates = rate or [200.0, 1000.0]
    if wrong := [one for one in rates if not 1 <= one <= MOST_RATE]:
        raise InvalidOption(f"a rate is from 1 to {MOST_RATE} choices a second, not {wrong[0]:g}")
    with tempfile.TemporaryDirectory() as folder:
        where = database or str(Path(folder) / "load.sqlite")
        with serving_several(where, processes) as servers:
            found = run_work(measure_load(Load(servers, game, tables, seats), rates, seconds, trials))
    first, *others = (str(int(rate)) for rate in rates)
    figures: dict[str, Any] = {"tables": tables, **found["by_rate"][first], "kb_per_table": found["kb_per_table"]}
    figures |= {f"at_{name}": found["by_rate"][name] for name in others}
    if trials:
        figures |= {"highest_rate": found["highest"]["rate"], "search": found["highest"]}
    if as_json:
        print(json.dumps(figures))
        return
    shown = Table(f"{tables} tables x {seats} sockets", "actions/s", "p50 ms", "p95 ms", "p99 ms", "driver CPU")
    for name, f in found["by_rate"].items():
        columns = ("actions_per_s", "p50_ms", "p95_ms", "p99_ms", "driver_cpu")
        shown.add_row(f"{name} choices/s", *(str(f[column]) for column in columns))
    open_console().print(shown, f"{found['kb_per_table']} KB a table")
    if trials:
        open_console().print(f"highest rate with p99 up to 50 ms and nothing missed: {found['highest']['rate']:.0f}/s")


def kill(
    times: Annotated[int, typer.Option(min=1, max=1000, help="How often the server is killed.")] = 100,
    tables: Tables = 500,
    seats: Seats = 4,
    rate: Annotated[float, typer.Option(min=1, max=2000, help="Choices a second.")] = 200.0,
    processes: Annotated[int, typer.Option(min=1, max=4, help="Servers; more than one need PostgreSQL.")] = 1,
    game: GameOption = "chariots",
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Kill a server under load at random moments; nothing acknowledged may be lost, nothing done twice.

    It is started again at once, as a supervisor would. The return is counted from the kill until the last guest is in
    step.
    """
    from quadriga.loadtest.kills import kill_again_and_again

    with tempfile.TemporaryDirectory() as folder:
        where = database or str(Path(folder) / "kill.sqlite")
        found = run_work(kill_again_and_again(where, game, tables, seats, rate, processes, times))
    if as_json:
        print(json.dumps(found))
    else:
        columns = ("kills", "choices", "lost", "doubled", "median_return_s", "slowest_return_s")
        shown = Table(*(column.replace("_", " ") for column in columns))
        shown.add_row(*(str(found[name]) for name in columns))
        open_console().print(shown)
    if found["lost"] or found["doubled"]:
        raise typer.Exit(1)


def soak(
    minutes: Annotated[float, typer.Option(min=0.1, max=1440, help="How long races are run.")] = 60.0,
    tables: Annotated[int, typer.Option(min=1, max=1000, help="Races of bots at once.")] = 100,
    game: GameOption = "chariots",
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Run races of bots for a long time and say whether the server's memory is flat over the second half."""
    from quadriga.loadtest import soak as soaking
    from quadriga.loadtest.servers import serving

    with tempfile.TemporaryDirectory() as folder, serving(database or str(Path(folder) / "soak.sqlite")) as one:
        found = soaking.soak(one, game, tables, minutes)
    if as_json:
        print(json.dumps(found))
    else:
        shown = Table("tables", "minutes", "races over", "mean MB", "grown MB", "flat")
        columns = ("tables", "minutes", "races_over", "mean_mb", "grown_mb", "flat")
        shown.add_row(*(str(found[name]) for name in columns))
        open_console().print(shown)
    if not found["flat"]:
        raise typer.Exit(1)


def attack(
    tables: Tables = 100,
    rate: Annotated[float, typer.Option(min=1, max=2000, help="Choices a second.")] = 100.0,
    seconds: Annotated[float, typer.Option(min=1, max=600, help="How long people play.")] = 45.0,
    each: Annotated[int, typer.Option(min=1, max=200, help="Hostile requests of each kind, all at once.")] = 20,
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Send hostile requests of every kind at once while people play, and say whether the server held."""
    from quadriga.loadtest.attacks import is_held

    with tempfile.TemporaryDirectory() as folder:
        where = database or str(Path(folder) / "attack.sqlite")
        found = run_work(_attack(where, tables, rate, seconds, each))
    found["held"] = is_held(found)
    if as_json:
        print(json.dumps(found))
    else:
        columns = ("actions_per_s", "p50_ms", "p99_ms", "missed", "server_errors", "before_mb", "after_mb", "held")
        shown = Table(*(column.replace("_", " ") for column in columns))
        shown.add_row(*(str(found[name]) for name in columns))
        open_console().print(shown)
    if not found["held"]:
        raise typer.Exit(1)


async def _attack(database: str, tables: int, rate: float, seconds: float, each: int) -> dict[str, Any]:
    from quadriga.loadtest.attacks import HangingWebhook, measure_under_attack
    from quadriga.loadtest.servers import ServerProcess

    webhook = HangingWebhook()
    address = await webhook.open()
    settings = {"QUADRIGA_WEBHOOK": address, "QUADRIGA_NOTICE_SECONDS": "1"}
    server = await asyncio.to_thread(ServerProcess, database, settings=settings)
    try:
        await asyncio.to_thread(server.wait_until_ready)
        return await measure_under_attack(server, webhook, tables, rate, seconds, each)
    finally:
        await asyncio.to_thread(server.stop)
        await webhook.close()
