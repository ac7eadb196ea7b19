"""Servers started for a measurement: real ones, each in a process of its own."""

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from quadriga.core.errors import InvalidOption

NO_LIMITS = {
    "QUADRIGA_REQUESTS_PER_SECOND": "1000000",
    "QUADRIGA_MESSAGES_PER_SECOND": "1000000",
    "QUADRIGA_TABLES_PER_HOUR": "10000000",
    "QUADRIGA_GUESTS_PER_HOUR": "10000000",
    "QUADRIGA_SOCKETS_PER_ADDRESS": "1000000",
    "QUADRIGA_CONNECTIONS_PER_ADDRESS": "1000000",
    "QUADRIGA_BOT_WORKERS": "1",
    "QUADRIGA_LOG_LEVEL": "error",
}
READY_SECONDS = ANSWER_SECONDS = 300.0
"""The first start on a machine compiles the rules."""


class ServerProcess:
    """`quadriga serve` on this machine, without limits on rates."""

    def __init__(self, database: str, port: int = 0, settings: Mapping[str, str] | None = None) -> None:
        self.database, self.port = database, port
        self.environment = os.environ | NO_LIMITS | dict(settings or {})
        self.start()

    def start(self) -> None:
        """Start it, on the port it had before; returns when it listens."""
        command = [sys.executable, "-m", "quadriga", "serve", "--port", str(self.port), "--database", self.database]
        self.process = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        line = self.process.stdout.readline().decode()
        found = re.search(r"http://[\d.]+:(\d+)", line)
        if not found:
            raise InvalidOption(f"the server did not start on {self.database}")
        self.url, self.port = found[0], int(found[1])
        self.ports = [self.port]

    def wait_until_ready(self) -> None:
        """Until the rules are compiled and the bots are warm."""
        limit = time.monotonic() + READY_SECONDS
        while time.monotonic() < limit:
            with contextlib.suppress(OSError, http.client.HTTPException):
                if self.request("GET", "/api/ready")[0] == 200:
                    return
            time.sleep(0.1)
        raise InvalidOption("the server was not ready in time")

    def kill(self) -> None:
        """Kill the process; bot workers end by themselves."""
        self.process.kill()
        self._reap()

    def stop(self) -> None:
        """As a host stops it."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self._reap()

    def _reap(self) -> None:
        self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def memory_kb(self) -> int:
        """What it holds in memory, bot workers not counted."""
        return memory_kb(self.process.pid)

    def cpu_seconds(self) -> float:
        """The processor time it has used, bot workers not counted."""
        return cpu_seconds(self.process.pid)

    def request(self, method: str, path: str, body: object = None, token: str = "") -> tuple[int, Any]:
        """One HTTP request: its status and what it answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=ANSWER_SECONDS)
        try:
            return ask(connection, method, path, body, token)
        finally:
            connection.close()


class ServerGroup:
    """Several servers on one database; a table's sockets are spread over all of them."""

    def __init__(self, servers: Sequence[ServerProcess]) -> None:
        self.servers = servers
        self.port, self.ports = servers[0].port, [server.port for server in servers]

    def memory_kb(self) -> int:
        """What they hold in memory together."""
        return sum(server.memory_kb() for server in self.servers)

    def cpu_seconds(self) -> float:
        """The processor time they have used together."""
        return sum(server.cpu_seconds() for server in self.servers)


def memory_kb(process: int) -> int:
    """What a process holds in memory."""
    status = Path(f"/proc/{process}/status")
    if status.is_file():
        found = re.search(r"VmRSS:\s+(\d+)", status.read_text())
        return int(found[1]) if found else 0
    shown = subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, check=False)
    return int(shown.stdout or 0)


def cpu_seconds(process: int) -> float:
    """The processor time a process has used; 0 where the system does not tell."""
    stat = Path(f"/proc/{process}/stat")
    if not stat.is_file():
        return 0.0
    user, system = stat.read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def ask_once(port: int, path: str, body: bytes, token: str, seconds: float = 60.0) -> tuple[int, Any]:
    """Post a body as it is, on a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    try:
        headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read() or b"null")
    finally:
        connection.close()


def ask(
    connection: http.client.HTTPConnection, method: str, path: str, body: object = None, token: str = ""
) -> tuple[int, Any]:
    """A request on a connection that stays open."""
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read() or b"null")


@contextlib.contextmanager
def serving_several(database: str, processes: int) -> Iterator[ServerGroup]:
    """So many servers on one database that are ready, stopped afterwards."""
    with contextlib.ExitStack() as stack:
        yield ServerGroup([stack.enter_context(serving(database)) for _ in range(processes)])


@contextlib.contextmanager
def serving(database: str, settings: Mapping[str, str] | None = None) -> Iterator[ServerProcess]:
    """A server with some settings that is ready, stopped afterwards."""
    server = ServerProcess(database, settings=settings)
    try:
        server.wait_until_ready()
        yield server
    finally:
        server.stop()
