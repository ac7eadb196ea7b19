"""The command line."""

from typing import Annotated

import typer

from quadriga import __version__

app = typer.Typer(name="quadriga", no_args_is_help=True)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"quadriga {__version__}")
        raise typer.Exit


@app.callback()
def quadriga(
    version: Annotated[bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show it.")] = False,
) -> None:
    """Race chariots: three board games."""


def main() -> None:
    app()
