"""Websockets as browsers and others send them, at a real uvicorn with an application that says everything back."""

import asyncio
import socket as sockets
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.frames import Frame, Opcode
from websockets.sync.client import ClientConnection, connect

from quadriga.server import websocket
from quadriga.server.websocket import EXTENSION, HungUp, Socket

ASKING = "GET {path} HTTP/1.1\r\nhost: here\r\nconnection: Upgrade\r\nupgrade: websocket\r\n{more}\r\n"
KEY = "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
BUSY = "busy"
"""What makes the application look away for a while."""


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Says back what it hears; a secret door is not opened."""
    if scope["path"] == "/secret":
        await send({"type": "websocket.close", "code": 4003})
        return
    socket: Socket = scope["extensions"][EXTENSION]
    socket.accept()
    try:
        while (text := await socket.receive()) != "enough":
            if text == BUSY:
                await asyncio.sleep(0.3)
            socket.send(text.encode())
    except HungUp:
        return
    socket.close(4000)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    listener = sockets.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(echo, ws=Socket, ws_max_size=100_000, lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],))
    thread.start()
    yield listener.getsockname()[1]
    server.should_exit = True
    thread.join()


def enter(port: int, path: str = "/", **options: Any) -> ClientConnection:
    return connect(f"ws://127.0.0.1:{port}{path}", compression=None, max_size=None, **options)


def status_of(port: int, request: str) -> str:
    with sockets.create_connection(("127.0.0.1", port), timeout=5) as raw:
        raw.sendall(request.encode())
        return raw.recv(1000).decode().partition("\r\n")[0].partition(" ")[2]


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65535, 65536, 90_000])
def test_a_text_of_any_length_comes_back(port: int, length: int) -> None:
    with enter(port) as client:
        client.send("x" * length)
        assert client.recv() == "x" * length


def test_a_text_in_pieces_is_one_text_and_bytes_are_none(port: int) -> None:
    with enter(port) as client:
        client.send(["Ave, ", "Cae", "sar \N{HORSE}"])
        assert client.recv() == "Ave, Caesar \N{HORSE}"
        client.send(b"bytes")
        assert client.recv() == ""
        client.send([b"by", b"tes"])
        assert client.recv() == ""


def test_more_than_is_read_makes_the_browser_wait_and_is_not_lost(port: int) -> None:
    many = [BUSY, *(str(i) for i in range(10 * websocket.MOST_UNREAD))]
    with enter(port) as client:
        for text in many:
            client.send(text)
        assert [client.recv() for _ in many] == many


def test_a_ping_is_answered(port: int) -> None:
    with enter(port) as client:
        assert client.ping().wait(5)


def test_the_application_hangs_up_with_its_code(port: int) -> None:
    with enter(port) as client:
        client.send("first")
        client.send("enough")
        assert client.recv() == "first"
        with pytest.raises(ConnectionClosedError) as closed:
            client.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 4000


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([Frame(Opcode.TEXT, b"\xff\xfe")], 1007),
        ([Frame(Opcode.CONT, b"of what?")], 1002),
        ([Frame(Opcode.TEXT, b"x" * 100_001)], 1009),
        ([Frame(Opcode.TEXT, b"x" * 60_000, fin=False), Frame(Opcode.CONT, b"x" * 60_000)], 1009),
    ],
)
def test_what_is_no_text_ends_the_socket_with_the_reason(port: int, frames: list[Frame], code: int) -> None:
    with enter(port) as client:
        client.socket.sendall(b"".join(frame.serialize(mask=True) for frame in frames))
        with pytest.raises(ConnectionClosedError) as closed:
            client.recv(timeout=5)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == code


def test_a_door_that_is_not_opened_is_forbidden(port: int) -> None:
    with pytest.raises(InvalidStatus) as refused, enter(port, "/secret"):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("more", ["", KEY, "sec-websocket-version: 13\r\n", KEY + "sec-websocket-version: 8\r\n"])
def test_another_kind_of_websocket_is_told_which_is_spoken(port: int, more: str) -> None:
    assert status_of(port, ASKING.format(path="/", more=more)) == "426 Upgrade Required"


def test_a_browser_that_answers_no_ping_is_let_go(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "PING_SECONDS", 0.1)
    request = ASKING.format(path="/", more=KEY + "sec-websocket-version: 13\r\n")
    with sockets.create_connection(("127.0.0.1", port), timeout=5) as silent, enter(port) as lively:
        silent.sendall(request.encode())
        heard = b""
        while not heard.endswith(b"\x88\x02" + (1011).to_bytes(2)):
            heard += (more := silent.recv(1000))
            assert more
        lively.send("here")
        assert lively.recv() == "here"
