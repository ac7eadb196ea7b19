"""Commands for engineers: compile, fuzz, measure."""

import dataclasses
import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from quadriga import games
from quadriga.arena.speed import Speed
from quadriga.cli import bench_server
from quadriga.cli.arguments import AsJson, Components, GameName, Options, Seats, parse_options
from quadriga.core.errors import InvalidOption

bench = typer.Typer(help="Measure Quadriga, and other libraries beside it.", no_args_is_help=True)
for measure_server in (bench_server.server, bench_server.kill):
    bench.command()(measure_server)


def warmup(
    game: Annotated[list[str] | None, typer.Argument(help="Games to compile; all if none is named.")] = None,
) -> None:
    """Compile the rules, so that nobody waits for it later. Compiled code is kept on disk."""
    from quadriga.bots.warmup import bot_steps
    from quadriga.core.warmup import warmup_steps

    names = game or list(games.NAMES)
    definitions = {name: games.load(name) for name in names}
    with _progress() as progress:
        for name, loaded in definitions.items():
            steps = [*warmup_steps(loaded), *bot_steps(loaded)]
            task = progress.add_task(f"compiling {name}", total=len(steps))
            for _, compile_ in steps:
                compile_()
                progress.advance(task)


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}/{task.total}"))
    return Progress(*columns, TimeElapsedColumn(), console=Console(stderr=True))


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
    with _progress() as progress:
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


@bench.command()
def sim(
    game: Annotated[list[str] | None, typer.Option(help="Games to measure; all if none is named.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=600.0, help="Seconds for each measure.")] = 3.0,
    peers: Annotated[bool, typer.Option(help="Measure other libraries beside ours, where they are installed.")] = True,
    as_json: AsJson = False,
) -> None:
    """Random play on one core, every choice listed at every decision."""
    from quadriga.arena import peers as others
    from quadriga.arena.speed import measure

    if unknown := set(game or ()) - set(games.NAMES):
        raise InvalidOption(f"there is no game {min(unknown)!r}; there are {', '.join(games.NAMES)}")
    beside = others.installed() if peers else []
    names = game or list(games.NAMES)
    with _progress() as progress:
        task = progress.add_task("measuring", total=len(names) + len(beside))
        peer_speed = {}
        for name in beside:
            peer_speed[name] = others.measure_peer(name, seconds)
            progress.advance(task)
        others.one_core()
        speed = {}
        for name in names:
            speed[name] = measure(games.load(name), seconds)
            progress.advance(task)
    if as_json:
        print(json.dumps({"games": {n: dataclasses.asdict(s) for n, s in speed.items()}, "peers": peer_speed}))
        return
    _show(speed, peer_speed)


def _show(speed: dict[str, Speed], peers: dict[str, int]) -> None:
    table = Table("random play, one core", "decisions/s", "races/s", "state bytes", "copy µs", "sampled/s")
    for name, figures in speed.items():
        table.add_row(
            name,
            f"{figures.decisions_per_s:,}",
            f"{figures.games_per_s:,}",
            str(figures.state_bytes),
            str(figures.copy_us),
            "" if figures.sampled_per_s is None else f"{figures.sampled_per_s:,}",
        )
    for name, decisions in peers.items():
        table.add_row(name, f"{decisions:,}")
    Console().print(table)
