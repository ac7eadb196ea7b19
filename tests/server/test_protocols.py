"""Limits on connections, at a real uvicorn with an application that sends back what it receives."""

import asyncio
import socket as sockets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed, ConnectionClosedError
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from quadriga.server.process import connection_limits
from quadriga.server.process.connection_limits import ConnectionLimits, limited_protocols

UPGRADE = (
    "GET / HTTP/1.1\r\nhost: here\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
    "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)
BUSY, LAST = "busy", "last"
"""What makes the application look away for a while, or send a lot and leave."""
LIMITS = ConnectionLimits(header_seconds=1.0, body_seconds=1.0, frames_per_second=20.0, per_address=50)
MASK = bytes(4)
PING = b"\x89\x80" + MASK
EMPTY_FRAGMENT = b"\x00\x80" + MASK
FIRST_FRAGMENT = b"\x01\x80" + MASK
PONG = b"\x8a\x80" + MASK


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Sends back what it receives; /large is answered with more than a socket's buffers hold."""
    if scope["type"] == "websocket":
        await _echo(receive, send)
        return
    body, more = b"", True
    while more:
        event = await receive()
        if event["type"] == "http.disconnect":
            return
        body, more = body + event.get("body", b""), event.get("more_body", False)
    answer = b"x" * 50_000_000 if scope["path"] == "/large" else body
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(answer))]})
    await send({"type": "http.response.body", "body": answer})


async def _echo(receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "websocket.accept"})
    while (event := await receive())["type"] == "websocket.receive":
        if event.get("text") == BUSY:
            await asyncio.sleep(0.3)
        await send({"type": "websocket.send", "text": event.get("text") or ""})
        if event.get("text") == LAST:
            await send({"type": "websocket.send", "text": "x" * 20_000_000})
            return


@contextmanager
def running(limits: ConnectionLimits) -> Iterator[tuple[int, uvicorn.Server]]:
    listener = sockets.create_server(("127.0.0.1", 0))
    http, ws = limited_protocols(limits)
    config = uvicorn.Config(
        application, http=http, ws=ws, ws_max_size=100_000, lifespan="off", log_config=None, timeout_keep_alive=1
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    try:
        yield listener.getsockname()[1], server
    finally:
        server.should_exit = server.force_exit = True
        thread.join()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running(replace(LIMITS)) as (port, _):
        yield port


def enter(port: int) -> ClientConnection:
    return connect(f"ws://127.0.0.1:{port}/", compression=None, max_size=None)


def dial(port: int, seconds: float = 10.0) -> sockets.socket:
    return sockets.create_connection(("127.0.0.1", port), timeout=seconds)


def seconds_until_cut(client: sockets.socket, drip: bytes = b"") -> float:
    """How long a connection lives of which a byte comes now and then."""
    began = time.monotonic()
    client.settimeout(0.1)
    while time.monotonic() < began + 8.0:
        try:
            client.sendall(drip)
            if not client.recv(65_536):
                break
        except TimeoutError:
            continue
        except OSError:
            break
    return time.monotonic() - began


class Bystander:
    """Somebody else's socket: how long its messages take while something happens."""

    def __init__(self, port: int) -> None:
        self.slowest, self._port, self._done = 0.0, port, threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Bystander":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        with enter(self._port) as client:
            while not self._done.is_set():
                began = time.monotonic()
                client.send("still here")
                client.recv(timeout=20)
                self.slowest = max(self.slowest, time.monotonic() - began)


# ---------------------------------------------------------------- websockets


@pytest.mark.parametrize("length", [0, 125, 126, 65535, 90_000])
def test_a_text_of_any_length_comes_back(port: int, length: int) -> None:
    with enter(port) as client:
        client.send("x" * length)
        assert client.recv() == "x" * length


def test_a_text_in_fragments_is_one_text(port: int) -> None:
    with enter(port) as client:
        client.send(["Ave, ", "Cae", "sar \N{HORSE}"])
        assert client.recv() == "Ave, Caesar \N{HORSE}"


def test_messages_wait_for_a_busy_application_and_none_is_lost(port: int) -> None:
    many = [BUSY, *(f"{number:0100}" for number in range(3000))]
    with enter(port) as client:
        client.socket.sendall(b"".join(Frame(Opcode.TEXT, text.encode()).serialize(mask=True) for text in many))
        assert [client.recv(timeout=20) for _ in many] == many


def test_a_ping_is_answered(port: int) -> None:
    with enter(port) as client:
        assert client.ping().wait(5)


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([Frame(Opcode.TEXT, b"\xff\xfe")], 1007),
        ([Frame(Opcode.CONT, b"of what?")], 1002),
        ([Frame(Opcode.TEXT, b"x" * 100_001)], 1009),
        ([Frame(Opcode.TEXT, b"x" * 99_990, fin=False), Frame(Opcode.CONT, b"x" * 20)], 1009),
        ([Frame(Opcode.PING, b"")] * 70, 1008),
        ([Frame(Opcode.PONG, b"")] * 70, 1008),
        ([Frame(Opcode.TEXT, b"", fin=False), *[Frame(Opcode.CONT, b"", fin=False)] * 70], 1008),
    ],
)
def test_what_is_not_allowed_closes_the_socket_with_the_reason(port: int, frames: list[Frame], code: int) -> None:
    with enter(port) as client:
        client.socket.sendall(b"".join(frame.serialize(mask=True) for frame in frames))
        with pytest.raises(ConnectionClosedError) as closed:
            client.recv(timeout=5)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code


@pytest.mark.parametrize("flood", [PING, PONG, EMPTY_FRAGMENT], ids=["ping", "pong", "fragment"])
def test_a_flood_of_frames_delays_nobody_else(port: int, flood: bytes) -> None:
    with Bystander(port) as bystander:
        for _ in range(5):
            with enter(port) as client, suppress(OSError):
                client.socket.sendall(FIRST_FRAGMENT + flood * 500_000)
            with pytest.raises(ConnectionClosed):
                client.recv(timeout=5)
    assert bystander.slowest < 1.0


def test_frames_at_a_lawful_rate_are_answered_for_ever() -> None:
    with running(replace(LIMITS, frames_per_second=40.0)) as (port, _), enter(port) as client:
        for _ in range(150):  # the burst is 120
            assert client.ping().wait(5)
            time.sleep(0.03)


def test_a_client_that_reads_no_pongs_is_cut_off() -> None:
    most = 0
    with running(replace(LIMITS, frames_per_second=1e9)) as (port, server), dial(port) as client:
        client.sendall((UPGRADE + "\r\n").encode())
        client.recv(1000)
        flood = (b"\x89\xfd" + MASK + b"x" * 125) * 1000
        with suppress(OSError):
            for _ in range(400):  # 52 MB
                client.sendall(flood)
                open_now: list[Any] = list(server.server_state.connections)
                most = max([most, *(one.transport.get_write_buffer_size() for one in open_now)])
        assert not server.server_state.connections
    assert most < 2 * connection_limits.WRITE_BUFFER_BYTES


def test_a_client_that_does_not_read_the_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limits, "CLOSE_SECONDS", 0.5)
    with running(replace(LIMITS)) as (port, server), dial(port) as client:
        client.sendall((UPGRADE + "\r\n").encode())
        client.recv(1000)
        client.sendall(Frame(Opcode.TEXT, LAST.encode()).serialize(mask=True))
        time.sleep(0.2)
        assert server.server_state.connections
        time.sleep(1.5)
        assert not server.server_state.connections


def test_an_upgrade_that_is_no_valid_request_leaves_no_connection(port: int) -> None:
    with dial(port) as client:
        client.sendall((UPGRADE + "".join(f"x{i}: y\r\n" for i in range(300)) + "\r\n").encode())
        assert seconds_until_cut(client) < 0.5


# ---------------------------------------------------------------- HTTP


def post(length: int) -> bytes:
    return b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: %d\r\n\r\n" % length


@pytest.mark.parametrize(
    ("start", "drip"),
    [
        (b"", b""),
        (b"\r\n", b"\r\n"),
        (b"GET / HTTP/1.1\r\nx: ", b"y"),
        (b"GET / HTTP/1.1\r\n", b"x: y\r\n"),
        (b"GET / HTTP/1.1\r\nhost: here\r\n\r\n", b"\r\n"),
        (b"GET / HTTP/1.1\r\nhost: here\r\n\r\nGET / HTTP/1.1\r\nx: ", b"y"),
        (post(100) + b"x", b"x"),
        (b"GET / HTTP/1.1\r\nhost: here\r\n\r\n" + post(100), b"x"),
        (b"POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n", b"1\r\nx\r\n"),
        (b"POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n0\r\n", b"x: y\r\n"),
    ],
)
def test_a_request_that_does_not_come_to_an_end_is_cut_off(port: int, start: bytes, drip: bytes) -> None:
    with dial(port) as client:
        client.sendall(start)
        assert 0.5 < seconds_until_cut(client, drip) < 3.0


@pytest.mark.parametrize(
    "start",
    [
        b"GET / HTTP/1.1\r\nx: ",
        b"GET /",
        b"POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n0\r\nx: ",
        b"POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n1;",
    ],
)
def test_headers_have_a_largest_size(port: int, start: bytes) -> None:
    with dial(port) as client:
        with suppress(OSError):
            client.sendall(start + b"y" * 100_000)
        assert seconds_until_cut(client) < 0.5, "long before the deadline"


def test_a_request_that_comes_in_time_is_answered(port: int) -> None:
    with dial(port) as client:
        for _ in range(3):
            body = b"x" * 300_000
            client.sendall(post(len(body)) + body)
            heard = b""
            while not heard.endswith(body[-1000:]) or len(heard) < len(body):
                heard += client.recv(100_000)
            time.sleep(0.7)


def test_a_response_that_is_not_read_is_cut_off() -> None:
    with running(replace(LIMITS)) as (port, server), dial(port) as client:
        client.sendall(b"GET /large HTTP/1.1\r\nhost: here\r\n\r\n")
        time.sleep(0.3)
        assert server.server_state.connections
        time.sleep(2.0)
        assert not server.server_state.connections


def test_an_address_has_only_so_many_connections() -> None:
    with running(replace(LIMITS, per_address=5, header_seconds=30.0)) as (port, _):
        first = [dial(port) for _ in range(4)]
        with enter(port) as client:
            client.send("in")
            assert client.recv() == "in"
            with dial(port) as sixth:
                assert seconds_until_cut(sixth) < 1.0
        for one in first:
            one.close()
        time.sleep(0.2)
        with enter(port) as client:
            client.send("in again")
            assert client.recv() == "in again"
