"""A boardgame.io server under the load that `quadriga bench server` puts on ours: the same tables, sockets and times.

make boardgame installs it; then .venv/bin/python bench/boardgame/measure.py --json. Its matches lie in memory alone,
ours are committed to a disk before anybody sees a choice.
"""

import argparse
import asyncio
import http.client
import json
import os
import socket
import subprocess
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from quadriga.loadtest.load import Heard, Load, LoadedTable, measure_load
from quadriga.loadtest.servers import ask, cpu_seconds, memory_kb
from quadriga.loadtest.wire import Wire

HERE = Path(__file__).parent
MODULES = HERE.parents[1] / "build" / "boardgame" / "node_modules"
SPACE = "/race"
"""The namespace: boardgame.io gives each game one."""
PLACES = "0 1 2 3 4"


class Context(Struct):
    """Of boardgame.io's `ctx`, who moves."""

    currentPlayer: str  # noqa: N815  its own name
    gameover: Any = None


class State(Struct):
    """Of what a client gets, what the driver needs."""

    ctx: Context
    _stateID: int  # noqa: N815  its own name


class Synced(Struct):
    """The answer to `sync`."""

    state: State


_event = msgspec.json.Decoder(list[msgspec.Raw])
_state, _synced = msgspec.json.Decoder(State), msgspec.json.Decoder(Synced)


class BoardgameServer:
    """A Node process."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.ports = [self.port]
        command = ["node", str(HERE / "server.cjs"), str(self.port)]
        environment = os.environ | {"NODE_PATH": str(MODULES), "NODE_ENV": "production"}
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE)
        assert self.process.stdout is not None
        while b"listening" not in self.process.stdout.readline():
            if self.process.poll() is not None:
                raise SystemExit("boardgame.io did not start: run make boardgame first")

    def memory_kb(self) -> int:
        """What it holds in memory."""
        return memory_kb(self.process.pid)

    def cpu_seconds(self) -> float:
        """The processor time it has used."""
        return cpu_seconds(self.process.pid)

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(30)


class BoardgameLoad(Load):
    """The same load, in boardgame.io's words: socket.io messages over one websocket a seat."""

    path = "/socket.io/?EIO=4&transport=websocket"

    def set_up(self) -> None:
        """Matches and players, over one connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        for _ in range(self.count):
            match = ask(connection, "POST", "/games/race/create", {"numPlayers": self.seats})[1]["matchID"]
            tokens = []
            for seat in range(self.seats):
                order = {"playerID": str(seat), "playerName": f"G{seat}"}
                answer = ask(connection, "POST", f"/games/race/{match}/join", order)[1]
                tokens.append(answer["playerCredentials"])
            self.tables.append(LoadedTable(match, tokens))
        connection.close()

    def greet(self, number: int, seat: int, wire: Wire) -> None:
        """The server speaks first."""

    def heard(self, number: int, seat: int, text: bytes) -> None:
        """A packet of socket.io: its greeting, the namespace's, a ping, or an event."""
        table = self.tables[number]
        if text == b"2":
            table.wires[seat].send(b"3")
        elif text.startswith(f"42{SPACE},".encode()):
            self._take(number, seat, text.partition(b",")[2])
        elif text.startswith(b"40"):
            table.wires[seat].send(_emit("sync", table.id, str(seat), table.tokens[seat], self.seats))
        elif text.startswith(b"0"):
            table.wires[seat].send(f"40{SPACE},".encode())

    def _take(self, number: int, seat: int, text: bytes) -> None:
        kind, _, body, *_ = _event.decode(text)
        if bytes(kind) not in (b'"update"', b'"sync"'):
            return
        state = _state.decode(body) if bytes(kind) == b'"update"' else _synced.decode(body).state
        heard = Heard("view", seq=state._stateID, to_act=[int(state.ctx.currentPlayer)], codes=PLACES)
        heard.result = state.ctx.gameover
        self.tables[number].views[seat] = heard
        self._hear(number, seat, heard)

    def choice(self, table: LoadedTable, seat: int, view: Heard, code: str) -> bytes:
        """A move as boardgame.io's own client sends it."""
        payload = {"type": "play", "args": [int(code)], "playerID": str(seat), "credentials": table.tokens[seat]}
        return _emit("update", {"type": "MAKE_MOVE", "payload": payload}, view.seq, table.id, str(seat))


def _emit(*event: Any) -> bytes:
    return f"42{SPACE},{json.dumps(event)}".encode()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--rate", type=float, action="append")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rates = given.rate or [200.0, 1000.0]
    server = BoardgameServer()
    try:
        load = BoardgameLoad(server, "race", given.tables, given.seats)
        found = asyncio.run(measure_load(load, rates, given.seconds))
    finally:
        server.stop()
    first, *others = (str(int(rate)) for rate in rates)
    figures = {"tables": given.tables, **found["by_rate"][first], "kb_per_table": found["kb_per_table"]}
    figures |= {f"at_{name}": found["by_rate"][name] for name in others}
    print(json.dumps(figures, indent=None if given.json else 2))


if __name__ == "__main__":
    main()
