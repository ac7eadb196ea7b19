"""The command that serves tables."""

from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from quadriga import games

FOR_OTHERS = "This machine alone can open it. To let others in: quadriga serve --host 0.0.0.0"


def serve(
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port; 8000 if left out, 0 for any free one.")
    ] = None,
    database: Annotated[
        str | None, typer.Option(help="A file, or postgresql://...; a file of yours if left out.")
    ] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on; this machine alone if left out.")] = None,
    settings: Annotated[Path | None, typer.Option(help="A TOML file with settings.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Check settings and database, then stop.")] = False,
    browser: Annotated[bool, typer.Option("--browser", help="Open the page when it is served.")] = False,
) -> None:
    """Serve tables: the page, the API and the database, in one process."""
    from quadriga.server.network import home_url
    from quadriga.server.process import run
    from quadriga.server.settings import load_settings

    chosen = load_settings(settings, port=port, database=database, host=host)
    if check:
        for note in run.check(chosen):
            print(note)
        return

    def started(url: str) -> None:
        home = home_url(chosen.host, urlsplit(url).port or 0)
        print(f"Quadriga is at {url}", f"On the home network: {home}" if home else FOR_OTHERS, sep="\n", flush=True)
        if browser:
            from quadriga.cli.play import open_page

            open_page(url)

    run.serve(chosen, started)


Database = Annotated[str | None, typer.Option(help="The database, as for serve.")]


def backup(file: Annotated[Path, typer.Argument(help="The file to write.")], database: Database = None) -> None:
    """Write all tables to a file, while the server runs or not."""
    from quadriga.server.database.backup import write_backup
    from quadriga.server.settings import load_settings

    print(f"{file}: {write_backup(load_settings(database=database).database_url, file)} rows")


def reports(database: Database = None) -> None:
    """Print what guests reported to whoever runs the server, a line of JSON each, oldest first."""
    from quadriga.server.database.backup import read_reports
    from quadriga.server.settings import load_settings

    for line in read_reports(load_settings(database=database).database_url):
        print(line)


def records(
    folder: Annotated[Path, typer.Argument(help="Where to write them; made if it is not there.")],
    game: Annotated[str | None, typer.Option(help="Races of this game alone.")] = None,
    database: Database = None,
) -> None:
    """Write the records of finished races to a folder, without the names of those who drove."""
    from quadriga.server.settings import load_settings
    from quadriga.server.tables.export import export_records

    if game:
        games.package(game)
    print(f"{folder}: {export_records(load_settings(database=database).database_url, folder, game)} records written")


def restore(file: Annotated[Path, typer.Argument(help="A file that backup wrote.")], database: Database = None) -> None:
    """Put all tables of a file into an empty database."""
    from quadriga.server.database.backup import read_backup
    from quadriga.server.settings import load_settings

    print(f"{file}: {read_backup(file, load_settings(database=database).database_url)} rows restored")
