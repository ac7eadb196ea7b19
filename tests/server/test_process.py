"""A server that hangs, cannot write, has no descriptors left or waits for others: it ends, or says so, or goes on."""

import asyncio
import contextlib
import http.server
import itertools
import json
import os
import signal
import socket as sockets
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from quadriga.client import Client
from quadriga.server.database.health import LEAST_FREE_BYTES, NotUsable, require_integrity, require_space
from quadriga.server.notifications.notifier import post
from quadriga.server.process.watchdog import LEAST_SECONDS
from quadriga.server.settings import Settings
from tests.server.serving import GENEROUS, Server, serving

UNPRIVILEGED = ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"] if os.geteuid() == 0 else []
"""Without it root may write what is read-only."""
HELLO = '{"type":"hello","protocol":1,"build":null}'


def ask(url: str, seconds: float = 20.0) -> int:
    """The status of an answer."""
    try:
        with urllib.request.urlopen(url, timeout=seconds) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def wait_until(url: str, status: int, seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while (found := ask(url)) != status:
        assert time.monotonic() < end, f"{url} answers {found}"
        time.sleep(0.2)


# ---------------------------------------------------------------- hanging and stopping

HANGING = """
import asyncio, threading, time
from quadriga.server.process import run
from quadriga.server.process import watchdog
from quadriga.server.settings import Settings

def started(url):
    print(url, flush=True)
    loop = asyncio.get_running_loop()
    {hang}

watchdog.STOP_SECONDS = 3.0
run.serve(Settings(port=0, database={database!r}, hang_seconds={seconds}), started)
"""
SLEEPS = "loop.call_later(1.5, time.sleep, 60)"
HOLDS_THE_LOCK = "loop.call_later(1.5, sum, range(10**13))"
NEVER_JOINED = "threading.Thread(target=time.sleep, args=(60,)).start()"
NEVER_AWAITED = "asyncio.get_running_loop().run_in_executor(None, time.sleep, 60)"


class Hung(NamedTuple):
    """A server that hangs, and the file of what it says."""

    process: subprocess.Popen[bytes]
    log: Path


@contextlib.contextmanager
def hanging(folder: Path, hang: str, seconds: float) -> Iterator[subprocess.Popen[bytes]]:
    """A server with something in it that hangs."""
    program = HANGING.format(hang=hang, database=str(folder / "t.sqlite"), seconds=seconds)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=log, env=GENEROUS | os.environ
        )
    assert process.stdout is not None
    try:
        assert process.stdout.readline().startswith(b"http://")
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.fixture(scope="module")
def hung(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[tuple[str, bool], Hung]]:
    """Servers whose loop hangs, half of them told to stop; all at once, since each takes long to be noticed."""
    with contextlib.ExitStack() as stack:
        found = {}
        for hang, told in itertools.product((SLEEPS, HOLDS_THE_LOCK), (False, True)):
            folder = tmp_path_factory.mktemp("hung")
            found[hang, told] = Hung(stack.enter_context(hanging(folder, hang, LEAST_SECONDS)), folder / "log")
        time.sleep(2.5)
        for (_, told), one in found.items():
            if told:
                one.process.send_signal(signal.SIGTERM)
        yield found


@pytest.mark.parametrize("hang", [SLEEPS, HOLDS_THE_LOCK])
@pytest.mark.parametrize("told", [False, True])
def test_a_loop_that_hangs_ends_the_process_with_a_traceback(
    hung: dict[tuple[str, bool], Hung], hang: str, told: bool
) -> None:
    process, file = hung[hang, told]
    assert process.wait(LEAST_SECONDS + 10.0) == 1
    log = file.read_text()
    assert "Timeout" in log
    assert "most recent call first" in log


@pytest.mark.parametrize("hang", [NEVER_JOINED, NEVER_AWAITED])
def test_a_stop_that_hangs_ends_nevertheless(tmp_path: Path, hang: str) -> None:
    with hanging(tmp_path, hang, 0) as process:
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        assert process.wait(20) == 1
        assert time.monotonic() - began > 2.0
    assert "most recent call first" in (tmp_path / "log").read_text()


def test_a_loop_that_runs_is_left_alone(tmp_path: Path) -> None:
    with hanging(tmp_path, "pass", LEAST_SECONDS) as process:
        time.sleep(LEAST_SECONDS + 3.0)
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) in (0, -signal.SIGTERM)
    assert "most recent call first" not in (tmp_path / "log").read_text()


def read_until_closed(client: ClientConnection) -> None:
    """Read messages, such as how far games are prepared, until the server closes the socket."""
    while True:
        client.recv(timeout=10)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_closes_sockets_and_ends(tmp_path: Path, number: signal.Signals) -> None:
    server = Server(str(tmp_path / "t.sqlite"), tmp_path)
    with connect(server.url.replace("http", "ws") + "/api/play") as client:
        client.send(HELLO)
        assert json.loads(client.recv())["type"] == "welcome"
        server.process.send_signal(number)
        with pytest.raises(ConnectionClosed) as closed:
            read_until_closed(client)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012
    assert server.process.wait(20) in (0, -number, 130)
    assert "Traceback" not in server.log.read_text()
    server.stop()


def test_a_server_that_was_killed_can_be_started_again_at_once(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "t.sqlite"), tmp_path)
    port = server.port
    server.kill()
    server.start()
    assert (server.port, ask(f"{server.url}/api/health")) == (port, 200)
    server.stop()


# ---------------------------------------------------------------- connections


def test_half_open_requests_do_not_use_up_descriptors(tmp_path: Path) -> None:
    limits = {"QUADRIGA_HEADER_SECONDS": "2", "QUADRIGA_CONNECTIONS_PER_ADDRESS": "1000"}
    with serving(str(tmp_path / "t.sqlite"), tmp_path, **limits) as server:
        process = psutil.Process(server.process.pid)
        limit = process.num_fds() + 20
        process.rlimit(psutil.RLIMIT_NOFILE, (limit, limit))
        crowd = [sockets.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(60)]
        for person in crowd:
            with contextlib.suppress(OSError):
                person.sendall(b"GET /api/health HTTP/1.1\r\nx: ")
        time.sleep(3.0)
        assert ask(f"{server.url}/api/health") == 200
        for person in crowd:
            person.close()


def test_too_many_messages_close_the_socket_at_default_rates(tmp_path: Path) -> None:
    rate = {"QUADRIGA_MESSAGES_PER_SECOND": str(Settings().messages_per_second)}
    with serving(str(tmp_path / "t.sqlite"), tmp_path, **rate) as server:
        with connect(server.url.replace("http", "ws") + "/api/play") as client:
            client.send(HELLO)
            heard: list[str] = []
            with pytest.raises(ConnectionClosed) as closed:
                talk_too_much(client, heard)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4009
        assert 60 <= heard.count("pong") < 200  # a slow machine is allowed more meanwhile
        assert 60 <= heard.count("error") < 200


def talk_too_much(client: Any, heard: list[str]) -> None:
    """Message by message: whoever still sends when the server closes the socket may miss why."""
    with contextlib.suppress(ConnectionClosed):
        for _ in range(300):
            client.send('{"type":"ping","id":1}')
            heard.append(json.loads(client.recv(timeout=10))["type"])
    while True:
        heard.append(json.loads(client.recv(timeout=10))["type"])


def test_a_browser_that_reads_too_little_is_disconnected(server: Server) -> None:
    async def table() -> str:
        async with Client(server.url, "Ana") as ana:
            found = await ana.create("charioteer", ["me", {"kind": "me", "name": "B"}])
            await ana.start(found)
            return found

    watch = json.dumps({"type": "watch", "table": asyncio.run(table()), "id": 1})
    with connect(server.url.replace("http", "ws") + "/api/play", max_queue=1, max_size=None) as client:
        client.send(HELLO)
        for _ in range(8000):
            client.send(watch)
        wait_for_metric(server, b"quadriga_slow_sockets_total 1.0")


def wait_for_metric(server: Server, line: bytes) -> None:
    end, found = time.monotonic() + 30.0, b""
    while line not in found:
        assert time.monotonic() < end, found
        time.sleep(0.2)
        with urllib.request.urlopen(f"{server.url}/metrics") as answer:
            found = answer.read()


# ---------------------------------------------------------------- the database


def test_a_full_disk_makes_it_unready_until_there_is_space(tmp_path: Path) -> None:
    with serving(str(tmp_path / "t.sqlite"), tmp_path) as server:
        process = psutil.Process(server.process.pid)
        process.rlimit(psutil.RLIMIT_FSIZE, (1024, psutil.RLIM_INFINITY))  # less than a page
        wait_until(f"{server.url}/api/ready", 503)
        assert ask(f"{server.url}/api/health") == 200
        assert "the database cannot be written" in server.log.read_text()
        process.rlimit(psutil.RLIMIT_FSIZE, (psutil.RLIM_INFINITY, psutil.RLIM_INFINITY))
        wait_until(f"{server.url}/api/ready", 200)


def test_a_disk_that_is_nearly_full_is_noticed_before_a_write_fails(tmp_path: Path) -> None:
    require_space(f"sqlite:///{tmp_path}/t.sqlite")
    assert LEAST_FREE_BYTES > 0
    with pytest.raises(NotUsable, match="full"):
        require_space("sqlite:////proc/t.sqlite")  # a file system without space


def test_a_locked_database_makes_it_unready(tmp_path: Path) -> None:
    with serving(str(tmp_path / "t.sqlite"), tmp_path) as server:
        other = sqlite3.connect(tmp_path / "t.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        wait_until(f"{server.url}/api/ready", 503)
        other.execute("ROLLBACK")
        other.close()
        wait_until(f"{server.url}/api/ready", 200)


def corrupt(file: Path) -> None:
    """Overwrite pages in the middle, as a broken disk does."""
    size = file.stat().st_size
    with file.open("r+b") as opened:
        opened.seek(4096)
        opened.write(b"\xa5" * (size // 2))


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """The database of a server that has been stopped."""
    Server(str(tmp_path / "t.sqlite"), tmp_path).stop()
    return tmp_path / "t.sqlite"


def check(file: Path, *before: str) -> subprocess.CompletedProcess[str]:
    command = [*before, sys.executable, "-m", "quadriga", "serve", "--check", "--database", str(file)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_check_refuses_a_corrupt_database(stopped: Path) -> None:
    assert check(stopped).returncode == 0
    corrupt(stopped)
    found = check(stopped)
    assert (found.returncode, "the database cannot be used" in found.stderr) == (2, True), found.stderr
    assert "Traceback" not in found.stderr


def test_a_corrupt_database_makes_it_unready(tmp_path: Path) -> None:
    with serving(str(tmp_path / "t.sqlite"), tmp_path) as server:
        with sqlite3.connect(tmp_path / "t.sqlite") as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        other.close()
        corrupt(tmp_path / "t.sqlite")
        with pytest.raises(NotUsable):
            require_integrity(f"sqlite:///{tmp_path}/t.sqlite")
        wait_until(f"{server.url}/api/ready", 503)


def test_a_database_that_is_read_only_is_refused_by_check_and_never_ready(stopped: Path) -> None:
    stopped.chmod(0o444)
    found = check(stopped, *UNPRIVILEGED)
    assert (found.returncode, "readonly" in found.stderr, "Traceback" in found.stderr) == (2, True, False), found.stderr
    command = [*UNPRIVILEGED, sys.executable, "-m", "quadriga", "serve", "--port", "0", "--database", str(stopped)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        url = process.stdout.readline().split()[-1]
        for line in process.stderr:
            if "readonly" in line:
                break
        assert (ask(f"{url}/api/ready"), ask(f"{url}/api/health")) == (503, 200)
        process.terminate()


# ---------------------------------------------------------------- others who are slow


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\ncontent-length: 60000\r\n\r\n"], ids=["head", "body"])
def test_a_webhook_that_answers_byte_by_byte_is_given_up(answer: bytes) -> None:
    def trickle(listener: sockets.socket) -> None:
        connection, _ = listener.accept()
        with connection, contextlib.suppress(OSError):
            connection.sendall(answer)
            while True:
                connection.sendall(b"H")
                time.sleep(0.05)

    with sockets.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=trickle, args=(listener,))
        thread.start()
        began = time.monotonic()
        with contextlib.suppress(OSError):
            post(f"http://127.0.0.1:{listener.getsockname()[1]}/hook", {"table": "x"}, seconds=0.5)
        assert time.monotonic() - began < 2.0
        thread.join()


def test_a_webhook_that_hangs_keeps_nobody_from_anything(tmp_path: Path) -> None:
    asked, leave = threading.Semaphore(0), threading.Event()

    class Hook(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.release()
            leave.wait(60)

        def log_message(self, *_: object) -> None:
            pass

    async def start_races(server: Server, races: int) -> None:
        async with Client(server.url, "Ana") as ana:
            ben = Client(server.url)
            ben.token = (await ben.request("POST", "/api/guests", {"name": "Ben"}))["token"]
            order = {"game": "chariots", "seats": [{"kind": "me"}, {"kind": "open"}]}
            for _ in range(races):
                path = f"/api/tables/{(await ana.request('POST', '/api/tables', order))['table']['id']}/commands"
                await ben.request("POST", path, {"type": "claim"})
                await ana.request("POST", path, {"type": "start"})

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook) as hook:
        hook.daemon_threads = True
        threading.Thread(target=hook.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{hook.server_address[1]}/"
        server = Server(str(tmp_path / "t.sqlite"), tmp_path, QUADRIGA_WEBHOOK=url, QUADRIGA_NOTICE_SECONDS="0")
        server.wait_until_ready()
        asyncio.run(start_races(server, 40))
        assert asked.acquire(timeout=20)
        time.sleep(1.0)
        began = time.monotonic()
        assert [ask(f"{server.url}{path}") for path in ("/", "/api/ready", "/api/health")] == [200, 200, 200]
        assert time.monotonic() - began < 3.0
        began = time.monotonic()
        assert server.stop() in (0, -signal.SIGTERM)
        assert time.monotonic() - began < 8.0
        leave.set()
        hook.shutdown()
