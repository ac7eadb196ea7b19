"""A websocket for measurements, with no more than they need: who measures must not be slower than what is measured.

Thousands of these return at once, on the cores that the server runs on; a library's client takes a millisecond each.
"""

import asyncio
import os
from base64 import b64encode
from typing import Any, Protocol

TEXT, PING, PONG = 0x81, 0x89, 0x8A
MASKED = 0x80
NO_MASK = bytes(4)
"""Clients must mask what they send, but with what they like: these bytes change nothing."""
REQUEST = (
    "GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n"
)
PATH = "/api/play"
BLANK_LINE = b"\r\n\r\n"


class Listener(Protocol):
    """The owner of a connection."""

    def opened(self, wire: "Wire") -> None:
        """The connection is open."""

    def heard(self, text: bytes) -> None:
        """A text message arrived."""

    def ended(self) -> None:
        """The connection was closed, or could not be made."""


class Wire(asyncio.Protocol):
    """One websocket of texts."""

    def __init__(self, listener: Listener, host: str, port: int, path: str = PATH) -> None:
        key = b64encode(os.urandom(16)).decode()
        request = REQUEST.format(path=path, host=host, port=port, key=key)
        self._listener, self._request = listener, request.encode()
        self._transport: asyncio.Transport | None = None
        self._unread = bytearray()
        self._is_open = False

    @classmethod
    async def open(cls, listener: Listener, host: str, port: int, path: str = PATH) -> None:
        """Begin to connect; the listener is told when the connection is open."""
        await asyncio.get_running_loop().create_connection(lambda: cls(listener, host, port, path), host, port)

    def send(self, text: bytes) -> None:
        """Send a text."""
        self._send(TEXT, text)

    def cut(self) -> None:
        """Drop the connection without closing it."""
        if self._transport is not None:
            self._transport.abort()

    # ------------------------------------------------------------ what the loop calls

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._unread += data
        if self._is_open or self._has_entered():
            while (frame := self._next_frame()) is not None:
                self._take(*frame)

    def connection_lost(self, exc: Exception | None) -> None:
        self._listener.ended()

    # ------------------------------------------------------------ frames

    def _has_entered(self) -> bool:
        end = self._unread.find(BLANK_LINE)
        if end < 0:
            return False
        if b" 101 " not in self._unread[:20]:
            self.cut()
            return False
        del self._unread[: end + len(BLANK_LINE)]
        self._is_open = True
        self._listener.opened(self)
        return True

    def _next_frame(self) -> tuple[int, bytes] | None:
        """The kind and content of a frame that is there as a whole; servers send unmasked ones."""
        unread, start = self._unread, 2
        if len(unread) < start:
            return None
        length = unread[1]
        if length > 125:
            start += 2 if length == 126 else 8
            length = int.from_bytes(unread[2:start])
        if len(unread) < start + length:
            return None
        kind, content = unread[0], bytes(unread[start : start + length])
        del unread[: start + length]
        return kind, content

    def _take(self, kind: int, content: bytes) -> None:
        if kind == TEXT:
            self._listener.heard(content)
        elif kind == PING:
            self._send(PONG, content)
        else:
            self.cut()

    def _send(self, kind: int, content: bytes) -> None:
        length = len(content)
        size = bytes((MASKED | length,)) if length < 126 else bytes((MASKED | 126,)) + length.to_bytes(2)
        if self._transport is not None:
            self._transport.write(bytes((kind,)) + size + NO_MASK + content)
