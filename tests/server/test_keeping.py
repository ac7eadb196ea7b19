"""A server that dies is there again at once, and its keeper ends as it should."""

import signal
import socket as sockets
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import psutil
import pytest

from quadriga.server.keeping import CAN_KEEP
from tests.server.serving import Server, wait_for_end

pytestmark = pytest.mark.skipif(not CAN_KEEP, reason="there is no keeper on this system")

STORY = """
import os, sys
from quadriga.server.keeping import READY, SERVES, Keeper

def serve(report, first):
    print("serves", first, loaded, flush=True)
    {story}

loaded = []
Keeper(serve, lambda: loaded.append(1)).keep()
print("ends", flush=True)
"""


def tell(story: str) -> tuple[int, list[str]]:
    """A keeper whose children do what a story says."""
    command = [sys.executable, "-c", STORY.format(story=story)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    return done.returncode, done.stdout.splitlines()


def test_a_child_that_ends_well_ends_it() -> None:
    assert tell("report(SERVES)") == (0, ["serves True []", "ends"])


def test_a_child_that_never_served_is_not_replaced() -> None:
    assert tell("sys.exit(2)") == (2, ["serves True []"])
    assert tell("os.kill(os.getpid(), 9)") == (137, ["serves True []"])


def test_a_child_that_dies_is_replaced_by_one_that_finds_everything_loaded() -> None:
    story = """report(SERVES); report(READY)
    if first:
        os.abort()"""
    assert tell(story) == (0, ["serves True []", "serves False [1]", "ends"])


def test_children_that_die_at_once_are_not_replaced_at_once() -> None:
    command = [sys.executable, "-c", STORY.format(story="report(SERVES); sys.exit(1)")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as keeper:
        assert keeper.stdout is not None
        keeper.stdout.readline()
        began = time.monotonic()
        assert keeper.stdout.readline() == "serves False []\n"
        assert time.monotonic() - began > 0.5
        keeper.kill()


def test_told_to_stop_while_nobody_serves_it_ends() -> None:
    command = [sys.executable, "-c", STORY.format(story="report(SERVES); sys.exit(1)")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as keeper:
        assert keeper.stdout is not None
        keeper.stdout.readline()
        time.sleep(0.4)
        keeper.terminate()
        told, complained = keeper.communicate(timeout=10)
    assert (keeper.returncode, told, "Traceback" in complained) == (-signal.SIGTERM, "", False)


def test_a_keeper_that_cannot_load_keeps_nevertheless() -> None:
    story = """report(SERVES); report(READY)
    import time; time.sleep(0.2)
    if first:
        os.abort()"""
    program = STORY.format(story=story).replace("lambda: loaded.append(1)", "lambda: 1 / 0")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stdout.count("serves")) == (0, 2)


def test_a_child_whose_report_was_never_read_ends_with_its_keeper() -> None:
    story = """report(SERVES); report(READY)
    import time; time.sleep(0.5); report(SERVES); time.sleep(60)"""
    program = STORY.format(story=story).replace("lambda: loaded.append(1)", "lambda: __import__('time').sleep(60)")
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as keeper:
        assert keeper.stdout is not None
        keeper.stdout.readline()
        (child,) = psutil.Process(keeper.pid).children()
        time.sleep(0.8)
        keeper.kill()
        wait_for_end(child)


# ---------------------------------------------------------------- the server


def ask(server: Server, path: str = "/api/health") -> bytes:
    with urllib.request.urlopen(server.url + path, timeout=20) as answer:
        return bytes(answer.read())


def test_who_knocks_while_nobody_serves_waits_at_the_door(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "tables.sqlite"), tmp_path)
    try:
        server.wait_until_ready()
        first = server.serving()
        first.kill()
        assert ask(server) == b'{"ok":true}'
        assert server.serving() != first
        assert "the server died and is started again" in server.log.read_text()
    finally:
        assert server.stop() in (0, -15)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_stops_the_server_and_ends(tmp_path: Path, number: signal.Signals) -> None:
    server = Server(str(tmp_path / "tables.sqlite"), tmp_path)
    child = server.serving()
    ask(server)
    server.process.send_signal(number)
    assert server.process.wait(20) in (0, -number, 130)
    wait_for_end(child)
    assert "Traceback" not in server.log.read_text()
    server.stop()


def test_without_its_keeper_a_server_leaves_the_door(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "tables.sqlite"), tmp_path)
    child = server.serving()
    server.kill()
    wait_for_end(child)
    server.start()
    assert ask(server) == b'{"ok":true}'
    server.stop()


def test_a_host_can_do_without(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "tables.sqlite"), tmp_path, QUADRIGA_KEEPER="false")
    try:
        assert ask(server) == b'{"ok":true}'
        server.wait_until_ready()
        (worker,) = server.workers()
        assert "quadriga.server.bot_process" in worker.cmdline()
        assert server.serving().pid == server.process.pid
    finally:
        server.stop()


def test_when_the_system_has_no_room_people_wait_at_the_door(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "t.sqlite"), tmp_path)
    try:
        server.wait_until_ready()
        serving = server.serving()
        limit = serving.num_fds() + 5
        serving.rlimit(psutil.RLIMIT_NOFILE, (limit, limit))
        crowd = [sockets.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(12)]
        while "nobody is let in for a moment" not in server.log.read_text():
            time.sleep(0.02)
        for person in crowd:
            person.close()
        assert ask(server) == b'{"ok":true}'
    finally:
        server.stop()
