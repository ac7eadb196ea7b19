"""Commands for engineers: compile and fuzz."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from quadriga import games
from quadriga.cli.arguments import AsJson, Components, GameName, Options, Seats, parse_options
from quadriga.cli.console import open_console
from quadriga.cli.progress import progress_bar


def warmup(
    game: Annotated[list[str] | None, typer.Argument(help="Games to compile; all if none is named.")] = None,
) -> None:
    """Compile the rules, so that nobody waits for it later. Compiled code is kept on disk."""
    from quadriga.analysis.warmup import analysis_steps
    from quadriga.bots.warmup import bot_steps
    from quadriga.core.warmup import simulation_steps, table_steps
    from quadriga.server.preparation.parts import note_rules

    names = game or list(games.NAMES)
    definitions = {name: games.load(name) for name in names}
    with _progress() as progress:
        for name, loaded in definitions.items():
            _compile(progress, name, [*table_steps(loaded)])
            note_rules(name)
            _compile(progress, f"{name}: bots", [*bot_steps(loaded)])
            _compile(progress, f"{name}: analysis", [*analysis_steps(loaded)])
            _compile(progress, f"{name}: simulations", [*simulation_steps(loaded)])


def _compile(progress: Progress, what: str, steps: list[tuple[str, Callable[[], object]]]) -> None:
    task = progress.add_task(f"compiling {what}", total=len(steps))
    for _, compile_ in steps:
        compile_()
        progress.advance(task)


def _progress() -> Progress:
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    return Progress(*columns, TimeElapsedColumn(), console=open_console(stderr=True))


def fuzz(
    game: GameName,
    number: Annotated[int, typer.Option("--games", min=1, help="Races to play.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Another seed plays other races.")] = 0,
    seats: Seats = None,
    option: Options = None,
    folder: Annotated[Path, typer.Option(help="Where to write what breaks.")] = Path(),
    components: Components = None,
    as_json: AsJson = False,
) -> None:
    """Play random races over all seats and options, checking every step; write a record of whatever breaks."""
    from quadriga.core.fuzz import fuzz as play_all

    loaded = games.load(game, components)
    played, findings = 0, []
    with progress_bar() as progress:
        task = progress.add_task(f"fuzzing {game}", total=number)
        for batch in play_all(loaded, number, seed, seats, parse_options(loaded.meta, option), folder):
            played += batch.races
            findings += [str(batch.finding)] if batch.finding else []
            progress.update(task, completed=played, total=max(number, played))
    if as_json:
        print(json.dumps({"races": played, "broken": findings}))
    else:
        print("\n".join([*findings, f"{played} races played, {len(findings)} broken"]))
    if findings:
        raise typer.Exit(1)
