"""The figures of a game's ladder, by one command."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from quadriga import games
from quadriga.cli.arguments import AsJson, GameName, Options, parse_options
from quadriga.cli.console import open_console
from quadriga.cli.progress import Address, Jobs, OnCluster, executor_of, percent, progress_bar
from quadriga.core.errors import InvalidOption


def ladder(  # long: a line or two for each option
    game: GameName,
    number: Annotated[int, typer.Option("--games", min=1, help="Races of each pair of quick levels.")] = 2000,
    champion_games: Annotated[int, typer.Option(min=1, help="Races of each pair with champion.")] = 400,
    iterations: Annotated[
        int | None, typer.Option(min=1, help="Playouts that champion has for a choice; set by the game if left out.")
    ] = None,
    champion_seconds: Annotated[
        float | None,
        typer.Option(min=0.001, max=60.0, help="Champion against searcher alone: what champion's playouts would take."),
    ] = None,
    searcher_seconds: Annotated[
        float | None, typer.Option(min=0.001, max=60.0, help="The same of searcher; as champion's if left out.")
    ] = None,
    exploiter: Annotated[
        Path | None, typer.Option(help="Weights that learnt to beat champion's: what champion with them wins of it.")
    ] = None,
    level: Annotated[list[str] | None, typer.Option(help="Only what this level should win; may be repeated.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed plays other races.")] = 0,
    jobs: Jobs = None,
    cluster: OnCluster = False,
    address: Address = None,
    resume: Annotated[
        Path | None, typer.Option(help="Keep the races in this folder, and go on with those it holds.")
    ] = None,
    option: Options = None,
    as_json: AsJson = False,
) -> None:
    """Every level against the one below it, two-handed and among three: shares, their intervals, and their bars."""
    from quadriga.arena.ladder import LEVELS, Duel, Length, duel_rungs, exploiter_rung, of_levels, playouts, rungs
    from quadriga.bots.network import read_weights

    if champion_seconds is None and searcher_seconds is not None:
        raise InvalidOption("--searcher-seconds says how long searcher thinks against champion: add --champion-seconds")
    if champion_seconds is not None and (level or iterations):
        raise InvalidOption("--champion-seconds is champion against searcher alone: leave --level and --iterations out")
    if exploiter and (level or champion_seconds):
        raise InvalidOption("--exploiter is against champion alone: leave --level and --champion-seconds out")
    iterations, options = iterations or playouts(game), parse_options(games.meta(game), option)
    length = Length(number, champion_games, iterations)
    if exploiter:
        read_weights(games.load(game), exploiter)
        climbed = [exploiter_rung(game, exploiter, length, seed, options)]
    elif champion_seconds is None:
        climbed = of_levels(rungs(game, length, seed, options), level or [])
    else:
        duel = Duel(champion_seconds, searcher_seconds or champion_seconds, champion_games)
        climbed = duel_rungs(game, duel, seed, options)
    if resume:
        resume.mkdir(parents=True, exist_ok=True)
    with progress_bar() as progress, executor_of(LEVELS, jobs, cluster, address) as executor:
        tasks = [progress.add_task(rung.name, total=rung.plan.games, start=False) for rung in climbed]
        told = [_climb(rung, resume, executor, progress, task) for rung, task in zip(climbed, tasks, strict=True)]
    if as_json:
        print(json.dumps({"game": game, "iterations": _budgets(climbed) or iterations, "seed": seed, "rungs": told}))
    else:
        budgets = _budgets(climbed) or {"champion": iterations}
        title = " and ".join(f"{name} at {count} playouts" for name, count in budgets.items())
        _show(f"{game}, {title}; ms: thinking time for a choice", told)


def _budgets(climbed: list[Any]) -> dict[str, int]:
    """Playouts by level, where champion meets searcher."""
    return dict(climbed[0].plan.budgets) if climbed else {}


def _climb(rung: Any, folder: Path | None, executor: Any, progress: Any, task: Any) -> dict[str, Any]:
    from quadriga.arena.ladder import figures
    from quadriga.arena.results import Ledger
    from quadriga.arena.tournament import play_with

    ledger = Ledger(rung.plan, folder / f"{rung.name}.jsonl" if folder else None)
    progress.start_task(task)
    progress.update(task, completed=ledger.played)
    for outcome in play_with(executor, rung.plan, ledger.missing()):
        ledger.add(outcome)
        progress.advance(task)
    return figures(rung, ledger.tally.figures())


def _show(title: str, told: list[dict[str, Any]]) -> None:
    table = Table(title=title, box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), collapse_padding=True)
    for heading in ("level", "against", "races", "share (95 %)", "bar", "verdict", "ms"):
        table.add_column(heading, justify="left" if heading in ("level", "against") else "right", no_wrap=True)
    for f in told:
        share = f"{percent(f['share'])} ({100 * f['low']:.1f}–{100 * f['high']:.1f})"
        bar = f"{'at most ' if f['at_most'] else ''}{percent(f['bar'])}"
        row = (str(f["games"]), share, bar, f["verdict"], f"{f['ms_per_choice']:.2f}")
        table.add_row("exploiter" if f["at_most"] else f["bot"], _rivals(f), *row)
    open_console().print(table)


def _rivals(figures: dict[str, Any]) -> str:
    rivals = figures["seats"] - 1
    return figures["against"] if rivals == 1 else f"{rivals} x {figures['against']}"
