"""Bots against bots, measured."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from msgspec import to_builtins
from rich import box
from rich.table import Table

from quadriga import games
from quadriga.cli.arguments import AsJson, Components, Device, GameName, Options, Seats, parse_options
from quadriga.cli.console import open_console
from quadriga.cli.progress import Address, Jobs, OnCluster, executor_of, percent, progress_bar
from quadriga.core.device import device_named
from quadriga.core.errors import InvalidOption

ITERATIONS = 400
SHOWN_FAULTS = 10


def arena(  # long: a line or two for each option
    game: GameName,
    bots: Annotated[str, typer.Option(help="Levels, or your own as module:factory, with commas between.")],
    number: Annotated[int, typer.Option("--games", min=1, help="Races to play.")] = 100,
    seats: Seats = None,
    iterations: Annotated[int, typer.Option(min=1, help="Playouts that a thinking bot has for a choice.")] = ITERATIONS,
    seconds: Annotated[
        float | None, typer.Option(min=0.01, max=600.0, help="Seconds for a choice in place of playouts.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed plays other races.")] = 0,
    on_fault: Annotated[
        str, typer.Option(help="A bot that fails will `forfeit` the race, or be replaced by `novice`.")
    ] = "forfeit",
    stall: Annotated[float, typer.Option(min=0.1, help="Seconds for a choice after which a bot has failed.")] = 30.0,
    jobs: Jobs = None,
    cluster: OnCluster = False,
    address: Address = None,
    resume: Annotated[
        Path | None, typer.Option(help="Keep the races in this file, and go on with those it holds.")
    ] = None,
    option: Options = None,
    components: Components = None,
    as_json: AsJson = False,
) -> None:
    """Let bots race each other, all at every seat in turn; tell their shares, ratings and thinking time."""
    from quadriga.arena.results import Ledger
    from quadriga.arena.tournament import FORFEIT, NOVICE, Plan, play_with

    if on_fault not in (FORFEIT, NOVICE):
        raise InvalidOption(f"a bot that fails will {FORFEIT} or be replaced by {NOVICE}, not {on_fault!r}")
    names = _names(bots)
    _tell_notices(names, game, components)
    meta = games.meta(game)
    count = seats or max(len(names), meta.seats[0])
    plan = Plan(
        game, names, number, count, None if seconds else iterations, seconds, seed, on_fault, stall,
        meta.settle(count, parse_options(meta, option)), str(components) if components else None,
    )  # fmt: skip
    ledger = Ledger(plan, resume)
    with progress_bar() as progress, executor_of(names, jobs, cluster, address) as executor:
        task = progress.add_task(f"racing {game}", total=number, completed=ledger.played)
        for outcome in play_with(executor, plan, ledger.missing()):
            ledger.add(outcome)
            progress.advance(task)
    figures = ledger.tally.figures()
    if as_json:
        print(json.dumps(figures))
    else:
        _show(figures)


def _tell_notices(names: Sequence[str], game: str, components: Path | None) -> None:
    """Say of levels that play this edition otherwise than their names say."""
    from quadriga.bots import STAND_IN, notice_of

    loaded = games.load(game, components)
    for name in dict.fromkeys(names):
        if notice := notice_of(name, loaded):
            print(f"{name} plays as {STAND_IN} does: {notice}", file=sys.stderr)


def _names(bots: str) -> tuple[str, ...]:
    """The bots of the list; an unknown one is refused before anything is played. A bot may lie where one stands."""
    names = tuple(name.strip() for name in bots.split(",") if name.strip())
    if not names:
        raise InvalidOption("no bot is named")
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    for seat, name in enumerate(names):
        _find(seat, name)
    return names


def _find(seat: int, name: str) -> None:
    """Raise InvalidOption for a bot that cannot even be loaded, whatever its module does."""
    from quadriga.bots import find_maker

    try:
        find_maker(name)
    except InvalidOption as error:
        raise InvalidOption(f"seat {seat}: {error}") from None
    except (Exception, SystemExit) as error:
        raise InvalidOption(f"seat {seat}: bot {name!r} cannot be loaded: {type(error).__name__}: {error}") from None


def _show(figures: dict[str, Any]) -> None:
    console = open_console()
    title = f"{figures['game']}, {figures['seats']} seats, {figures['games']} races"
    table = _table(title, ("bot", "wins", "share (95 %)", "rating", "ms a choice"))
    for name, f in figures["bots"].items():
        table.add_row(name, str(f["wins"]), _share(f, 1), f"{f['rating']:.1f}", f"{f['ms_per_choice']:.2f}")
    console.print(table)
    if len(figures["bots"]) > 1:
        matrix = _table("placed ahead of (95 %)", ("", *figures["bots"]))
        for name, rivals in figures["ahead"].items():
            matrix.add_row(name, *(_share(rivals[other], 0) if other in rivals else "" for other in figures["bots"]))
        console.print(matrix)
    for fault in figures["faults"][:SHOWN_FAULTS]:
        console.print(f"race {fault['game']}: {fault['bot']} at seat {fault['seat']} {fault['why']}")
    if figures["faulted"] > SHOWN_FAULTS:
        console.print(f"and {figures['faulted'] - SHOWN_FAULTS} faults more (--json tells the first hundred)")


def _table(title: str, headings: Sequence[str]) -> Table:
    """A table whose first column is names and whose others are figures."""
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left", padding=(0, 1))
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="right" if i else "left", overflow="fold")
    return table


def _share(figure: dict[str, float], digits: int) -> str:
    return f"{percent(figure['share'])} ({100 * figure['low']:.{digits}f}–{100 * figure['high']:.{digits}f})"


def simulate(  # long: a line or two for each option
    game: GameName,
    bots: Annotated[
        str, typer.Option(help="Levels from wanderer to veteran, with commas between: not those that search.")
    ] = "greedy",
    number: Annotated[int, typer.Option("--games", min=1, help="Races to play.")] = 1000,
    seats: Seats = None,
    folder: Annotated[Path, typer.Option(help="Where rows and report go; a broken-off run goes on there.")] = Path(
        "simulation"
    ),
    seed: Annotated[int, typer.Option(min=0, help="Another seed plays other races.")] = 0,
    jobs: Jobs = None,
    cluster: OnCluster = False,
    address: Address = None,
    device: Device = None,
    option: Options = None,
    components: Components = None,
) -> None:
    """Play many races inside the compiled rules; write a row for each, and a page that shows what they say."""
    from quadriga.arena.folder import Folder
    from quadriga.arena.report import page
    from quadriga.arena.simulation import Simulation, check, simulate_on_gpu
    from quadriga.arena.simulation import simulate as play_all

    on_gpu = device_named(device) == "cuda"
    names, meta = _names(bots), games.meta(game)
    count = seats or max(len(names), games.meta(game).usual_seats)
    plan = Simulation(
        game, names, number, count, seed, meta.settle(count, parse_options(meta, option)),
        str(components) if components else None,
    )  # fmt: skip
    check(plan)
    if on_gpu:
        from quadriga.core.gpu import require_gpu

        require_gpu()
    kept = Folder(plan, folder)
    with progress_bar() as progress, executor_of(names, jobs, cluster, address) as executor:
        task = progress.add_task(f"simulating {game}", total=number, completed=kept.played)
        for rows in simulate_on_gpu(plan, kept.played) if on_gpu else play_all(plan, kept.played, executor):
            kept.add(rows)
            progress.advance(task, len(rows))
    if kept.write_parquet() is None:
        print('quadriga: the rows are CSV alone; for Parquet: pip install "quadriga[data]"', file=sys.stderr)
    print(kept.write_page(page(plan, kept.rows())))


def compare(
    first: Annotated[Path, typer.Argument(help="The folder of a simulation.")],
    second: Annotated[Path, typer.Argument(help="The folder of another one of the same game.")],
    page: Annotated[Path | None, typer.Option(help="Write the comparison to this HTML file, too.")] = None,
    as_json: AsJson = False,
) -> None:
    """Two simulations side by side: what differs, with intervals, corrected for the number of comparisons."""
    from quadriga.arena import compare as comparing
    from quadriga.arena.folder import whole_file

    tallies = comparing.read_tally(first), comparing.read_tally(second)
    found = comparing.compare(*tallies)
    if page:
        with whole_file(page) as beside:
            beside.write_text(comparing.comparison_page(*tallies, found), encoding="utf-8")
    if as_json:
        print(json.dumps([to_builtins(one) | {"clear": one.is_clear} for one in found]))
        return
    table = _table(f"{first} and {second}", comparing.HEADINGS)
    for one in found:
        table.add_row(one.what, *comparing.figures(one))
    open_console().print(table)
    print(comparing.KEY)
