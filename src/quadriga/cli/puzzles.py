"""Mine puzzles, pack them, check them, show one."""

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quadriga import games
from quadriga.cli.arguments import AsJson, GameName
from quadriga.cli.progress import cores, percent, progress_bar
from quadriga.core.errors import InvalidOption

if TYPE_CHECKING:
    from quadriga.arena.executors import Executor
    from quadriga.puzzles.pack import Pack
    from quadriga.puzzles.puzzle import Puzzle

puzzles = typer.Typer(help="Puzzles: mine, pack, check and show them.", no_args_is_help=True, rich_markup_mode=None)

Count = Annotated[int, typer.Option(min=1, max=9999, help="Puzzles to choose.")]
Processes = Annotated[int | None, typer.Option(min=1, max=256, help="Processes; one for each core if left out.")]
OwnFile = Annotated[Path | None, typer.Option("--file", help="A file of puzzles in place of the game's own.")]
Records = Annotated[Path | None, typer.Option(help="A folder of finished races to mine in place of new ones.")]


@puzzles.command()
def mine(
    game: GameName,
    folder: Annotated[Path, typer.Option(help="Where puzzles are kept; a broken-off run goes on there.")],
    count: Count = 150,
    processes: Processes = None,
    seed: Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Another seed mines other races.")] = 0,
    minutes: Annotated[float | None, typer.Option(min=0.1, help="Stop after so long, with what is found.")] = None,
    records: Records = None,
) -> None:
    """Find positions with one best choice in races of bots, or in finished ones, and pack the most varied."""
    from quadriga.puzzles.folder import Folder
    from quadriga.puzzles.mining import Plan, prepare
    from quadriga.puzzles.mining import mine as mine_races

    games.meta(game)
    ends = time.time() + 60 * minutes if minutes is not None else float("inf")
    plan, kept = Plan(game, str(folder), seed, ends, _records(records)), Folder(folder, game)
    print(f"{game}: compiling", file=sys.stderr)
    prepare(game)
    try:
        with progress_bar() as progress, _executor(processes) as executor:
            task = progress.add_task(f"{game}: puzzles", total=count, completed=kept.count(count))
            for mined in mine_races(plan, executor):
                if mined.problem:
                    progress.console.print(f"quadriga: {mined.problem}", markup=False)
                progress.update(task, completed=kept.count(count))
                if kept.count(count) == count:
                    break
    finally:
        _write(game, kept.puzzles(), count, folder)


def _records(folder: Path | None) -> tuple[str, ...]:
    if folder is None:
        return ()
    files = tuple(map(str, sorted(folder.rglob("*.json"))))
    if not files:
        raise InvalidOption(f"there are no records in {folder}")
    return files


def _executor(processes: int | None) -> "Executor":
    from quadriga.arena.executors import ProcessExecutor, SerialExecutor

    jobs = processes or cores()
    return SerialExecutor() if jobs == 1 else ProcessExecutor(jobs)


def _write(game: str, found: "list[Puzzle]", count: int, folder: Path) -> None:
    """Write all puzzles that were found into one file, and the most varied of them into another."""
    from quadriga.puzzles.folder import encode
    from quadriga.puzzles.pack import pack
    from quadriga.puzzles.selection import select
    from quadriga.puzzles.writing import write_puzzle

    loaded, chosen = games.load(game), select(found, count)
    everything, packed = folder / f"{game}.jsonl", folder / f"{game}.zip"
    everything.write_bytes(encode(found))
    pack([write_puzzle(loaded, puzzle, number) for number, puzzle in enumerate(chosen, 1)], packed)
    print(f"{len(found)} puzzles in {everything}, {len(chosen)} of them in {packed} ({packed.stat().st_size} bytes)")


@puzzles.command()
def merge(
    game: GameName,
    files: Annotated[list[Path], typer.Argument(help="What mining wrote: files of one puzzle a line.")],
    folder: Annotated[Path, typer.Option(help="Where the merged files are written.")],
    count: Count = 150,
) -> None:
    """Put puzzles of several runs together and pack the most varied of them."""
    from quadriga.puzzles.folder import read_puzzles

    found = [puzzle for file in files for puzzle in read_puzzles(file, game)]
    folder.mkdir(parents=True, exist_ok=True)
    _write(game, found, count, folder)


@puzzles.command()
def check(
    game: GameName,
    file: OwnFile = None,
    times: Annotated[int, typer.Option(min=1, max=100, help="So many times the playouts of mining.")] = 10,
    processes: Processes = None,
    seed: Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Another seed makes other playouts.")] = 1_000_003,
    as_json: AsJson = False,
) -> None:
    """Say how many answers hold when they are judged anew, with other dice and many more playouts."""
    from quadriga.puzzles.checking import check_all

    pack, results = _open(game, file), []
    with progress_bar() as progress, _executor(processes) as executor:
        task = progress.add_task(f"{game}: checking", total=len(pack))
        for result in check_all(pack, times, seed, executor):
            results.append(result)
            progress.advance(task)
    held = sum(result.holds for result in results)
    if as_json:
        failed = [{"name": r.name, "margin": r.margin, "error": r.error} for r in results if not r.holds]
        print(json.dumps({"game": game, "puzzles": len(pack), "hold": held, "times": times, "failed": failed}))
        return
    for result in sorted((r for r in results if not r.holds), key=lambda r: r.name):
        print(f"{result.name}: {100 * result.margin:+.1f} ± {100 * result.error:.1f}")
    print(f"{held} of {len(pack)} answers hold ({percent(held / max(1, len(pack)))}) at {times} times the depth")


@puzzles.command()
def show(
    game: GameName,
    number: Annotated[int, typer.Argument(min=1, max=9999, help="The number of the puzzle.")],
    file: OwnFile = None,
) -> None:
    """Print the scenario file of a puzzle, its answer included."""
    from quadriga.puzzles.pack import name_of

    sys.stdout.write(_open(game, file).read(name_of(number)).text)


def _open(game: str, file: Path | None) -> "Pack":
    from quadriga.puzzles.pack import Pack, open_shipped

    games.meta(game)
    pack = open_shipped(game) if file is None else Pack(file, str(file))
    if pack is None:
        raise InvalidOption(f"no puzzles come with {game}; name a file with --file")
    return pack
