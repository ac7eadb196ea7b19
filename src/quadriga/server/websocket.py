"""Websockets beneath the application: uvicorn hands a connection over that asks to become one.

Frames are the library's business. What lies between them and the application is kept short, since thousands of browsers
may come back at once: the application is called as ASGI has it, but finds the socket itself in the scope and talks to
it without events in between.
"""

import asyncio
from collections import deque
from typing import Any
from urllib.parse import unquote

from uvicorn.config import Config
from uvicorn.protocols.utils import get_remote_addr, is_ssl
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN, Side
from websockets.protocol import Protocol as Frames
from websockets.utils import accept_key

EXTENSION = "quadriga.socket"
"""Where the application finds the socket, among the scope's extensions."""
GOING_AWAY, NOT_TEXT, NO_ANSWER, RESTART = 1001, 1007, 1011, 1012
CLOSE_SECONDS = 5.0
"""How long a browser has to take what is in line for it, and to say goodbye."""
PING_SECONDS = 20.0
MOST_UNREAD = 32
"""Messages that wait to be read before the browser is made to wait."""
ACCEPTED = (
    b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: %s\r\n\r\n"
)
REFUSED = b"HTTP/1.1 %s\r\ncontent-length: 0\r\nconnection: close\r\nsec-websocket-version: 13\r\n\r\n"
TEXT_FRAME = 0x81


class HungUp(Exception):
    """The browser is gone, or we hung up."""


class Socket(asyncio.Protocol):
    """A websocket of texts."""

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        self._config, self._server = config, server_state
        self._transport: Any = None
        self._key = ""
        self._frames: Frames | None = None
        """None until the application takes the browser in."""
        self._parts: list[Any] = []
        self._is_text = True
        self._unread: deque[str] = deque()
        self._line: list[bytes] = []
        self._reader: asyncio.Future[None] | None = None
        self._gone = self._alive = False
        self._timer: asyncio.TimerHandle | None = None

    # ------------------------------------------------------------ for the application

    def accept(self) -> None:
        """Take the browser in."""
        self._frames = Frames(Side.SERVER, max_size=self._config.ws_max_size)
        self._transport.write(ACCEPTED % accept_key(self._key).encode())
        self._alive = True
        self._set_timer(PING_SECONDS, self._ping)

    async def receive(self) -> str:
        """The next text; bytes stand for none."""
        while not self._unread:
            if self._gone:
                raise HungUp
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        if len(self._unread) == MOST_UNREAD:
            self._transport.resume_reading()
        return self._unread.popleft()

    def send(self, text: bytes) -> None:
        """Put a text in line; what is put there in one moment is sent together."""
        if self._gone:
            return
        if not self._line:
            asyncio.get_running_loop().call_soon(self._send_line)
        self._line += (_head(len(text)), text)

    @property
    def waiting(self) -> int:
        """Bytes in line that the browser has not taken, those of this moment left out."""
        return int(self._transport.get_write_buffer_size())

    def close(self, code: int) -> None:
        """Hang up, after what is in line; a browser that was not taken in is refused."""
        if self._gone:
            return
        if self._frames is None:
            self._refuse(b"403 Forbidden")
        else:
            self._frames.send_close(code)
            self._flush()
            self._set_timer(CLOSE_SECONDS, self._transport.abort)
        self._end()

    # ------------------------------------------------------------ for uvicorn

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._server.connections.add(self)  # type: ignore[arg-type]

    def connection_lost(self, exc: Exception | None) -> None:
        self._server.connections.discard(self)
        if self._timer is not None:
            self._timer.cancel()
        self._end()

    def data_received(self, data: bytes) -> None:
        if self._frames is not None:
            self._read(self._frames, data)
        elif not self._key:
            self._open(data)
        else:  # nobody may send before being let in
            self._transport.abort()

    def shutdown(self) -> None:
        """The server stops, and waits for nobody's goodbye."""
        self.close(RESTART)
        self._transport.close()

    # ------------------------------------------------------------ opening

    def _open(self, request: bytes) -> None:
        """What uvicorn read of the request, as a whole."""
        first, *lines = request.split(b"\r\n")[:-2]
        target = first.split(b" ")[1].decode("latin-1").partition("?")[0]
        headers = [(name, value) for name, _, value in (line.partition(b": ") for line in lines)]
        found = dict(headers)
        self._key = found.get(b"sec-websocket-key", b"").decode("latin-1")
        if found.get(b"sec-websocket-version") != b"13" or not self._key or not first.startswith(b"GET "):
            self._refuse(b"426 Upgrade Required")
            return
        task = asyncio.get_running_loop().create_task(self._run(unquote(target), headers))
        self._server.tasks.add(task)
        task.add_done_callback(self._server.tasks.discard)

    async def _run(self, path: str, headers: list[tuple[bytes, bytes]]) -> None:
        scope: Any = {
            "type": "websocket",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "scheme": "wss" if is_ssl(self._transport) else "ws",
            "path": path,
            "query_string": b"",
            "headers": headers,
            "client": get_remote_addr(self._transport),
            "extensions": {EXTENSION: self},
        }
        try:
            await self._config.loaded_app(scope, self._no_event, self._refuse_as_asked)
        finally:
            self.close(GOING_AWAY)

    async def _no_event(self) -> Any:
        raise NotImplementedError("texts are read from the socket itself")

    async def _refuse_as_asked(self, event: Any) -> None:
        self.close(event.get("code", GOING_AWAY))

    def _refuse(self, status: bytes) -> None:
        if not self._transport.is_closing():
            self._transport.write(REFUSED % status)
            self._transport.close()

    # ------------------------------------------------------------ frames

    def _read(self, frames: Frames, data: bytes) -> None:
        self._alive = True
        frames.receive_data(data)
        for frame in frames.events_received():
            if isinstance(frame, Frame) and frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                self._take(frames, frame)
        self._flush()

    def _take(self, frames: Frames, frame: Frame) -> None:
        if frame.opcode is not Opcode.CONT:
            self._parts, self._is_text = [], frame.opcode is Opcode.TEXT
        self._parts.append(frame.data)
        if frame.fin:
            whole = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
            self._add(frames, whole if self._is_text else b"")
            self._parts = []

    def _add(self, frames: Frames, data: Any) -> None:
        try:
            text = str(data, "utf-8")
        except UnicodeDecodeError:
            frames.fail(NOT_TEXT)
            return
        if self._gone:
            return
        self._unread.append(text)
        if len(self._unread) == MOST_UNREAD:
            self._transport.pause_reading()
        self._wake()

    def _send_line(self) -> None:
        line, self._line = self._line, []
        if line and not self._transport.is_closing():
            self._transport.write(b"".join(line))

    def _flush(self) -> None:
        """Send what the library has to say: answers to pings and goodbyes."""
        assert self._frames is not None
        said = self._frames.data_to_send()
        if not said:
            return
        self._send_line()
        self._transport.write(b"".join(said))
        if said[-1] == b"":  # nothing more will be said
            self._end()
            self._transport.close()
            self._set_timer(CLOSE_SECONDS, self._transport.abort)

    def _ping(self) -> None:
        """Ask whether the browser is there; one that has said nothing since it was asked last is not."""
        if self._frames is None or self._frames.state is not OPEN:
            return
        if not self._alive:
            self.close(NO_ANSWER)
            return
        self._alive = False
        self._frames.send_ping(b"")
        self._flush()
        self._set_timer(PING_SECONDS, self._ping)

    def _set_timer(self, seconds: float, call: Any) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, call)

    def _end(self) -> None:
        self._gone = True
        self._wake()

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)


def _head(length: int) -> bytes:
    """What stands before a text of so many bytes."""
    if length < 126:
        return bytes((TEXT_FRAME, length))
    if length < 65536:
        return b"\x81\x7e" + length.to_bytes(2)
    return b"\x81\x7f" + length.to_bytes(8)
