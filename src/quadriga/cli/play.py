"""The command that opens the page: a server of one's own on this machine, and a browser on it."""

import sys
import threading
import webbrowser
from typing import Annotated

import typer


def play(
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; any free one if left out.")] = 0,
    database: Annotated[str | None, typer.Option(help="Where tables are kept; a file of yours if left out.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Open the page and race: on this machine alone, until Ctrl-C."""
    from quadriga.cli.preparing import PreparationLines
    from quadriga.server.process import run
    from quadriga.server.process.running import find_running
    from quadriga.server.settings import load_settings

    def started(url: str) -> None:
        print(f"Quadriga is at {url}", flush=True)
        print("Ctrl-C ends it.", file=sys.stderr)
        if browser:
            open_page(url)

    settings = load_settings(port=port, host="127.0.0.1", database=database, log_level="error", log_json=False)
    if url := find_running(settings):
        started(url)
        return
    try:
        run.serve(settings, started, PreparationLines().show)
    except KeyboardInterrupt:
        print("Quadriga has ended.", file=sys.stderr)


def open_page(url: str) -> None:
    """Open the page without waiting for it: some browsers do not come back before they are closed."""
    threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
