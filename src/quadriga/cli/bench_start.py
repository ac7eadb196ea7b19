"""Measures of the first and the second start of `quadriga play`."""

import json
from statistics import median
from typing import Annotated

import typer
from rich.table import Table

from quadriga import games
from quadriga.cli.arguments import AsJson
from quadriga.cli.console import open_console

BARS = {"first_page": 5.0, "first_choice": 45.0, "second_page": 3.0}
"""Seconds that a start may take."""
MEANING = {
    "first_page": "first start: page",
    "first_choice": "first start: from the click to the first choice",
    "first_bots": "first start: from the click to the bots' answer",
    "second_page": "second start: page",
    "second_choice": "second start: from the click to the first choice",
    "second_bots": "second start: from the click to the bots' answer",
}


def start(
    game: Annotated[list[str] | None, typer.Option("--game", help="Games to start; all if none is named.")] = None,
    runs: Annotated[int, typer.Option(min=1, max=20, help="Runs of each; the median counts.")] = 3,
    level: Annotated[str, typer.Option(help="The bots at the table.")] = "veteran",
    as_json: AsJson = False,
) -> None:
    """Start `quadriga play` with nothing compiled, then again, and race bots each time; seconds."""
    from quadriga.loadtest.startup import measure_start

    figures = {}
    for name in game or games.NAMES:
        games.package(name)
        measured = [measure_start(name, level) for _ in range(runs)]
        figures[name] = {what: round(median(one[what] for one in measured), 2) for what in MEANING}
    if as_json:
        print(json.dumps({"runs": runs, "level": level, "bars": BARS, "games": figures}))
        return
    table = Table("seconds", *figures, "bar")
    for what, meaning in MEANING.items():
        table.add_row(meaning, *(f"{one[what]}" for one in figures.values()), f"{BARS.get(what, '')}")
    open_console().print(table)
