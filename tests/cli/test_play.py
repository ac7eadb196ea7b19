"""`quadriga` alone and `quadriga play`: what they say, how they start, and how they end."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from quadriga.cli import app
from quadriga.loadtest.startup import measure_start
from tests.server.serving import wait_for_end

QUADRIGA = (sys.executable, "-m", "quadriga")
START_SECONDS = 60


def test_quadriga_alone_says_in_ten_lines_what_one_can_do() -> None:
    done = subprocess.run(QUADRIGA, capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert (len(lines), lines[0].startswith("quadriga play "), done.stderr) == (10, True, "")
    named = set(re.findall(r"quadriga ([a-z]+)", done.stdout))
    known = {(command.name or command.callback.__name__) for command in app.registered_commands if command.callback}
    assert named - known == {"bench"}, "bench is a group of commands"
    assert max(map(len, lines)) <= 80


class Playing:
    """`quadriga play` as a terminal runs it: the leader of a group of processes, in an empty home."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.errors = (folder / "errors.txt").open("w+")
        self.process = subprocess.Popen(
            (*QUADRIGA, "play", "--no-browser", "--database", str(folder / "t.sqlite")),
            env=os.environ | environment,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", said)
        assert found, said + self.said()
        self.url = found[0]

    def said(self) -> str:
        """What it wrote to standard error."""
        self.errors.flush()
        self.errors.seek(0)
        return self.errors.read()

    def family(self) -> list[psutil.Process]:
        """The process and all that it started."""
        leader = psutil.Process(self.process.pid)
        return [leader, *leader.children(recursive=True)]

    def end(self, how: signal.Signals) -> int:
        """As the terminal does: the signal goes to the whole group."""
        family = self.family()
        os.killpg(self.process.pid, how)
        code = self.process.wait(30)
        for process in family:
            wait_for_end(process)
        return code


@contextmanager
def playing(folder: Path, **environment: str) -> Iterator[Playing]:
    one = Playing(folder, **environment)
    try:
        yield one
    finally:
        if one.process.poll() is None:
            one.process.kill()
        one.process.wait()
        assert one.process.stdout is not None
        one.process.stdout.close()
        one.errors.close()


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_page_is_served_and_ends_without_a_trace(tmp_path: Path, how: signal.Signals, compiled: bool) -> None:
    """Also while a game is being compiled, and while workers start."""
    cold = {} if compiled else {"QUADRIGA_CACHE": str(tmp_path / "cache")}
    with playing(tmp_path, **cold) as one:
        with urllib.request.urlopen(one.url, timeout=START_SECONDS) as page:
            assert b"<title>Quadriga" in page.read()
        with urllib.request.urlopen(f"{one.url}/api/games/chariots", timeout=START_SECONDS) as game:
            game.read()
        code = one.end(how)
        assert code == (0 if how == signal.SIGINT else -signal.SIGTERM)
        assert "Traceback" not in one.said()
        assert "Error" not in one.said()


def test_a_second_one_opens_the_page_of_the_first(tmp_path: Path) -> None:
    with playing(tmp_path) as first:
        with playing(tmp_path) as second:
            assert second.url == first.url
            assert second.process.wait(30) == 0
        first.end(signal.SIGINT)
    with playing(tmp_path) as third:
        assert third.url != first.url, "a note that was left behind is of no account"


def test_a_note_of_a_server_that_is_gone_is_of_no_account(tmp_path: Path) -> None:
    (tmp_path / "t.sqlite.running").write_text("http://127.0.0.1:9")
    with playing(tmp_path) as one:
        assert not one.url.endswith(":9")


@pytest.mark.long
@pytest.mark.parametrize("game", ["chariot_race", "charioteer", "chariots"])
def test_a_start_is_quick(game: str) -> None:
    """Twice the bars that docs/how-to/start.md names: the machine may be busy."""
    figures = measure_start(game)
    assert figures["first_page"] < 10
    assert figures["first_choice"] < 90
    assert figures["second_page"] < 6
