"""How long `quadriga play` takes until the page is there, a person can choose, and the bots have answered."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from quadriga.core.errors import QuadrigaError
from quadriga.loadtest.servers import ServerProcess

MOST_SECONDS = 300.0
POLL_SECONDS = 0.1
"""More often would be refused: the server's limits are those of a host."""
LEVEL = "veteran"
"""The bots that the page seats unless told otherwise."""


class PlayProcess(ServerProcess):
    """`quadriga play` without a browser, with a cache and a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__(str(folder / "tables.sqlite"))

    def start(self) -> None:
        """Start it; returns when the page is there."""
        environment = os.environ | {"QUADRIGA_CACHE": str(self.folder / "cache"), "QUADRIGA_BOT_SECONDS": "0.3"}
        command = [sys.executable, "-m", "quadriga", "play", "--no-browser", "--database", self.database]
        self.began = time.monotonic()
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self.process.stdout is not None
        found = re.search(r"http://[\d.]+:(\d+)", self.process.stdout.readline().decode())
        assert found, "the server did not start"
        self.url, self.port = found[0], int(found[1])
        self.get_page()
        self.page_seconds = self.elapsed()

    def get_page(self) -> None:
        """Load the page once."""
        with urllib.request.urlopen(self.url, timeout=30) as answer:
            answer.read()

    def elapsed(self) -> float:
        """Seconds since the command."""
        return time.monotonic() - self.began

    def stop(self) -> None:
        """As Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        self._reap()


@contextlib.contextmanager
def playing(folder: Path) -> Iterator[PlayProcess]:
    """`quadriga play`, ended afterwards."""
    server = PlayProcess(folder)
    try:
        yield server
    finally:
        server.stop()


def measure_start(game: str, level: str = LEVEL) -> dict[str, float]:
    """The first and the second start on an empty cache, in seconds since the command (`page`) or the click."""
    with tempfile.TemporaryDirectory(prefix="quadriga-start-") as name:
        with playing(Path(name)) as first:
            figures = {"first_page": first.page_seconds} | _named("first", _race(first, game, level))
        with playing(Path(name)) as second:
            figures |= {"second_page": second.page_seconds} | _named("second", _race(second, game, level))
    return {name: round(seconds, 2) for name, seconds in figures.items()}


def _named(run: str, figures: dict[str, float]) -> dict[str, float]:
    return {f"{run}_{name}": seconds for name, seconds in figures.items()}


def _race(server: PlayProcess, game: str, level: str) -> dict[str, float]:
    """Race bots as the page does: seconds from the click until I can choose, and until bots have answered."""
    token = _answer(server, "POST", "/api/guests", {"name": "Ana"})["token"]
    began = time.monotonic()
    order = {"game": game, "seats": [{"kind": "me"}, {"kind": level}, {"kind": level}], "pace_ms": 0}
    path = f"/api/tables/{_answer(server, 'POST', '/api/tables', order, token)['table']['id']}"
    _answer(server, "POST", f"{path}/commands", {"type": "start"}, token)
    view = _until_mine(server, path, token, 0)
    choice = time.monotonic() - began
    chosen = {"type": "choose", "seat": 0, "seq": view["seq"], "action": view["legal"][0]}
    _answer(server, "POST", f"{path}/commands", chosen, token)
    _until_mine(server, path, token, view["seq"] + 1)
    return {"choice": choice, "bots": time.monotonic() - began}


def _answer(server: PlayProcess, method: str, path: str, body: object = None, token: str = "") -> dict[str, Any]:
    """What the server answers; an error if it refuses."""
    status, answer = server.request(method, path, body, token)
    if status >= 400:
        raise QuadrigaError(f"the server refused {method} {path}: {answer['error']['sentence']}")
    found: dict[str, Any] = answer
    return found


def _until_mine(server: PlayProcess, path: str, token: str, seq: int) -> dict[str, Any]:
    """My view as soon as I owe a choice at an entry or later."""
    limit = time.monotonic() + MOST_SECONDS
    while time.monotonic() < limit:
        view = _answer(server, "GET", f"{path}/view?seat=0", token=token)
        if view["seq"] >= seq and view["legal"] and view["choice"] is None:
            return view
        time.sleep(POLL_SECONDS)
    raise QuadrigaError(f"nobody asked for a choice within {MOST_SECONDS:.0f} seconds")
