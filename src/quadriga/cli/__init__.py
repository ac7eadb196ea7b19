"""The command line. Every refusal is one sentence on standard error and exit code 2."""

import os
import sys
from typing import Annotated

import typer
from rich.table import Table
from typer.exceptions import TyperException

from quadriga import __version__
from quadriga.cli.analyse import analyse
from quadriga.cli.arena import arena, compare, simulate
from quadriga.cli.bench import bench
from quadriga.cli.console import open_console
from quadriga.cli.files import components, replay, scenario
from quadriga.cli.gpu import gpu_check
from quadriga.cli.join import join
from quadriga.cli.lab import fuzz, warmup
from quadriga.cli.ladder import ladder
from quadriga.cli.levels import bots
from quadriga.cli.picture import picture
from quadriga.cli.play import play
from quadriga.cli.puzzles import puzzles
from quadriga.cli.race import race
from quadriga.cli.serve import backup, records, reports, restore, serve
from quadriga.cli.training import calibrate, improve, reinforce, train, train_value
from quadriga.core.errors import QuadrigaError

app = typer.Typer(
    name="quadriga",
    help="Chariot-racing board games: play, replay, test and measure.",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


WELCOME = """\
quadriga play             open the page: race bots, friends, or each other
quadriga race charioteer  race in this terminal; also chariot_race, chariots
quadriga join LINK        play at the table of a link, in this terminal
quadriga games            the games, their seats and options
quadriga serve            host tables for others
quadriga replay FILE      check a saved race; quadriga picture FILE draws it
quadriga arena GAME       let bots race each other
quadriga simulate GAME    play races by the thousand and see what wins
quadriga bench            measure how fast all this is on your machine
quadriga --help           every command; quadriga COMMAND --help its options"""


def _version(asked: bool) -> None:
    if asked:
        print(f"quadriga {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(WELCOME)


@app.command()
def games(as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False) -> None:
    """List the games with their seats and options, and what of their components is reconstructed."""
    from quadriga import games as shelf
    from quadriga.core.discovery import game_packages
    from quadriga.core.text import catalogue

    metas = [shelf.meta(name) for name in shelf.NAMES]
    words = {name: catalogue("en", package) for name, package in game_packages().items()}
    said = {name: words[name].say("reconstructed") if words[name].has("reconstructed") else "" for name in shelf.NAMES}
    if as_json:
        import msgspec

        cards = [msgspec.to_builtins(meta) | {"reconstructed": said[meta.name]} for meta in metas]
        print(msgspec.json.encode(cards).decode())
        return
    table = Table("game", "designer", "seats", "minutes", "options (default)")
    for meta in metas:
        options = "\n".join(f"{option.name} ({option.shown_default})" for option in meta.options)
        table.add_row(
            meta.name, meta.designer, f"{meta.seats[0]}-{meta.seats[-1]}", "-".join(map(str, meta.minutes)), options
        )
    console = open_console(wrap=False)
    console.print(table)
    for meta in metas:
        if said[meta.name]:
            console.print(f"{meta.title}. {said[meta.name]}")


COMMANDS = (
    play, race, join, serve, bots, arena, ladder, simulate, compare, backup, restore, reports, records, replay, analyse,
    picture, scenario, components, fuzz, warmup, gpu_check, train, train_value, reinforce, improve, calibrate,
)  # fmt: skip
for command in COMMANDS:
    app.command()(command)
app.add_typer(bench, name="bench")
app.add_typer(puzzles, name="puzzles")


def _refused(sentence: str) -> int:
    print(f"quadriga: {sentence}", file=sys.stderr)
    return 2


def main() -> None:
    """Run a command; nothing it does wrong shows a traceback."""
    try:
        code = app(prog_name="quadriga", standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt):
        code = 130
    except TyperException as error:
        code = _refused(error.format_message())
    except QuadrigaError as error:
        code = _refused(str(error))
    except OSError as error:
        code = _refused(f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error))
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code if isinstance(code, int) else 0)
