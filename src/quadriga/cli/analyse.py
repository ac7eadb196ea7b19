"""Analyse records: chances, grades, luck and skill."""

import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.table import Table

from quadriga import games
from quadriga.analysis.analyse import analyse_match
from quadriga.analysis.depth import DEPTHS, Depth, find_depth
from quadriga.analysis.files import FORMAT, Folder, Kept, digest, to_json
from quadriga.analysis.page import page
from quadriga.analysis.reasons import say_reasons
from quadriga.analysis.timing import scale_for
from quadriga.cli.arguments import AsJson, Language, system_language
from quadriga.cli.console import open_console
from quadriga.cli.progress import cores, progress_bar
from quadriga.core.bounds import MOST_RECORD
from quadriga.core.edition import TomlFile, read_text
from quadriga.core.errors import InvalidOption, QuadrigaError
from quadriga.core.game import Game
from quadriga.core.match import Match
from quadriga.core.record import from_json, replay

SHOWN = 8
Seconds = Annotated[float | None, typer.Option(min=0.1, help="About how long to take for each race.")]


def analyse(  # long: a line or two for each option
    records: Annotated[list[Path], typer.Argument(help="Records, or folders of them.", metavar="RECORD...")],
    depth: Annotated[str, typer.Option(help=f"One of {', '.join(DEPTHS)}.")] = "standard",
    seconds: Seconds = None,
    scale: Annotated[float | None, typer.Option(help="So many times the playouts of quick.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed makes other playouts.")] = 0,
    jobs: Annotated[int | None, typer.Option(min=1, help="Threads; one for each core if left out.")] = None,
    as_json: AsJson = False,
    html: Annotated[Path | None, typer.Option(help="Write a page with plots to this file.")] = None,
    folder: Annotated[Path | None, typer.Option(help="Keep analyses here; a broken-off run goes on.")] = None,
    language: Language = None,
) -> None:
    """Say of finished races how the chances went, what each choice cost, and what was luck."""
    if seconds is not None and scale is not None:
        raise InvalidOption("give --seconds or --scale, not both")
    words, kept_in = system_language(language), Folder(folder) if folder else None
    find_depth(depth)
    chosen: str | Depth = depth if scale is None else DEPTHS["quick"].scaled(scale)
    files, done, failed = _files(records), [], 0
    with progress_bar() as progress:
        task = progress.add_task("analysing", total=len(files) * 100)
        for at, file in enumerate(files):
            try:
                done.append(_analyse_file(file, chosen, seconds, seed, jobs or cores(), kept_in, progress, task, at))
            except QuadrigaError as error:
                failed += 1
                said = str(error)
                print(f"quadriga: {said if said.startswith(str(file)) else f'{file}: {said}'}", file=sys.stderr)
            progress.update(task, completed=100 * (at + 1))
    for kept, game, taken in done:
        if as_json:
            sys.stdout.write(to_json(kept).decode())
        else:
            _show(kept, game, taken, words)
    if html is not None and done:
        html.write_text(page([(kept.file, kept.analysis, game) for kept, game, _ in done], words), encoding="utf-8")
        print(html, file=sys.stderr)
    if failed:
        raise typer.Exit(1)


def _files(places: list[Path]) -> list[Path]:
    return [file for place in places for file in (sorted(place.rglob("*.json")) if place.is_dir() else [place])]


def _analyse_file(
    file: Path,
    depth: str | Depth,
    seconds: float | None,
    seed: int,
    threads: int,
    folder: Folder | None,
    progress: Any,
    task: Any,
    at: int,
) -> tuple[Kept, Game, float]:
    """An analysis, from the folder if it is there; and the seconds that it took."""
    began, text = time.perf_counter(), read_text(file, MOST_RECORD)
    record = from_json(text, str(file))
    name = str(depth) if seconds is None else f"{seconds:g}s"
    known = folder.find(digest(text), name, seed) if folder else None
    if known is not None:
        source = None if record.edition is None else TomlFile(str(file), record.edition)
        return known, games.load(record.game, source), 0.0
    match = replay(record, games.load)
    if seconds is not None:
        depth = _timed(match, seconds, threads)

    def tell(done: int, total: int) -> None:
        progress.update(task, completed=100 * at + 100 * done // total)

    kept = Kept(FORMAT, str(file), digest(text), analyse_match(match, depth, seed, threads, tell))
    if folder is not None:
        folder.add(kept, name)
    return kept, match.game, time.perf_counter() - began


def _timed(match: Match, seconds: float, threads: int) -> Depth:
    scale = scale_for(match, seconds, threads)
    print(f"quadriga: --scale {scale:g} repeats this depth", file=sys.stderr)
    return DEPTHS["quick"].scaled(scale)


def _show(kept: Kept, game: Game, taken: float, language: str) -> None:
    words, analysis, console = game.words(language), kept.analysis, open_console()
    if taken:
        console.print(words.say("analysis.analysed", file=kept.file, seconds=f"{taken:.1f}"))
    else:
        console.print(words.say("analysis.known", file=kept.file))
    if analysis.notice:
        console.print(analysis.notice)
    parts = ("start", "skill", "luck", "rivals", "result")
    table = _table([words.say(f"analysis.{name}") for name in ("seat", *parts, "accuracy")])
    for account in analysis.accounts:
        figures = [f"{100 * getattr(account, part):+.1f}" for part in parts]
        table.add_row(account.name, *figures, "" if account.accuracy is None else f"{account.accuracy:.1f}")
    console.print(table)
    costly = sorted((d for d in analysis.decisions if d.counts), key=lambda d: (-d.cost, d.step))[:SHOWN]
    for decision in costly:
        why = say_reasons(game, decision.reasons, language)
        console.print(
            f"{words.say('analysis.step')} {decision.step}, {analysis.players[decision.seat]}: {decision.choice} "
            f"({words.say(f'analysis.grades.{decision.grade}')}, {-100 * decision.cost:+.1f} ± "
            f"{100 * decision.error:.1f}); {words.say('analysis.better')}: {decision.best.choice}"
            f"{f' ({why})' if why else ''}"
        )


def _table(headings: list[str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
    for i, heading in enumerate(headings):
        table.add_column(heading, justify="right" if i else "left")
    return table
