"""A real server in a process of its own, on a free port, for tests."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil

READY_SECONDS = 120.0
GENEROUS = {
    "QUADRIGA_REQUESTS_PER_SECOND": "100000",
    "QUADRIGA_MESSAGES_PER_SECOND": "100000",
    "QUADRIGA_TABLES_PER_HOUR": "1000000",
    "QUADRIGA_GUESTS_PER_HOUR": "1000000",
    "QUADRIGA_CHATS_PER_MINUTE": "100000",
    "QUADRIGA_HINTS_PER_MINUTE": "100000",
    "QUADRIGA_SOCKETS_PER_ADDRESS": "100000",
    "QUADRIGA_CONNECTIONS_PER_ADDRESS": "100000",
    "QUADRIGA_BOT_WORKERS": "1",
}


class Server:
    """`quadriga serve` as a host runs it."""

    def __init__(self, database: str, folder: Path, **settings: str) -> None:
        self.database, self.folder, self.settings = database, folder, settings
        self.port = 0
        self.log = folder / f"server-{time.monotonic_ns()}.log"
        self.start()

    def start(self) -> None:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("QUADRIGA_P")}
        environment = clean | GENEROUS | self.settings
        command = [sys.executable, "-m", "quadriga", "serve", "--port", str(self.port), "--database", self.database]
        self.error = self.log.open("ab")
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=self.error)
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        found = re.search(r"http://[\d.]+:(\d+)", line)
        assert found, f"the server did not start: {line}{self.log.read_text()}"
        self.url, self.port = found[0], int(found[1])

    def wait_until_ready(self) -> None:
        limit = time.monotonic() + READY_SECONDS
        while time.monotonic() < limit:
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{self.url}/api/ready", timeout=5):
                return
            time.sleep(0.1)
        raise AssertionError(f"not ready: {self.log.read_text()}")

    def workers(self) -> list[psutil.Process]:
        """The processes in which bots think."""
        return [one for one in self.processes() if "quadriga.server.bots.process" in one.cmdline()]

    def processes(self) -> list[psutil.Process]:
        """All processes that the server has started."""
        return list(psutil.Process(self.process.pid).children())

    def kill(self) -> None:
        """As when the power goes."""
        self.process.kill()
        self._reap()

    def stop(self) -> int:
        """As a host stops it."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self._reap()
        return self.process.returncode

    def _reap(self) -> None:
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.error.close()


def wait_for_end(process: psutil.Process) -> None:
    """Until a process is no more; one that nobody has asked about counts as such."""
    limit = time.monotonic() + 20.0
    with contextlib.suppress(psutil.NoSuchProcess):
        while process.status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() < limit, f"{process} lives on"
            time.sleep(0.02)


@contextlib.contextmanager
def serving(database: str, folder: Path, **settings: str) -> Iterator[Server]:
    """A server that is ready, and stopped afterwards."""
    server = Server(database, folder, **settings)
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.stop()
