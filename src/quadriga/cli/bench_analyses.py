"""Measures a server that analyses races while people play."""

import json
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from quadriga.cli.arguments import AsJson
from quadriga.cli.bench_server import Database, GameOption, Seats, Tables, run_work
from quadriga.cli.console import open_console


def analyses(
    count: Annotated[int, typer.Option(min=1, max=200, help="Analyses under way or waiting.")] = 20,
    tables: Tables = 200,
    seats: Seats = 4,
    rate: Annotated[float, typer.Option(min=1, max=2000, help="Choices a second.")] = 200.0,
    seconds: Annotated[float, typer.Option(min=1, max=600, help="Seconds without analyses, and with them.")] = 20.0,
    game: GameOption = "chariots",
    database: Database = None,
    as_json: AsJson = False,
) -> None:
    """Load a server with choices, without analyses and with many, and say whether people notice a difference."""
    from quadriga.loadtest.analyses import SETTINGS, measure_under_analyses
    from quadriga.loadtest.servers import serving

    with tempfile.TemporaryDirectory() as folder:
        where = database or str(Path(folder) / "analyses.sqlite")
        with serving(where, SETTINGS) as server:
            found = run_work(measure_under_analyses(server, game, tables, seats, rate, seconds, count))
    if as_json:
        print(json.dumps(found))
    else:
        open_console().print(_shown(found), f"analyses at the end: {found['analyses']}")
    if not found["unchanged"]:
        raise typer.Exit(1)


def _shown(found: dict[str, Any]) -> Table:
    columns = ("actions_per_s", "p50_ms", "p95_ms", "p99_ms", "missed", "unanswered")
    table = Table("", *(column.replace("_", " ") for column in columns))
    for name in ("without", "during"):
        table.add_row(f"{name} analyses", *(str(found[name][column]) for column in columns))
    return table
