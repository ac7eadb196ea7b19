"""Limits on connections that ASGI does not show: slow requests, control frames, fragments and unread answers.

uvicorn parses HTTP and websockets. The two subclasses below add deadlines and budgets, and change nothing else. They
rely on the methods of uvicorn's protocols that they override; tests/server/test_protocols.py tests each of them.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from quadriga.server.rate_limits import Bucket
from quadriga.server.settings import Settings

TOO_MANY_FRAMES = 1008
"""The close code of websockets for a violated policy."""
BURST_SECONDS = 3.0
"""Frames of so many seconds may come at once."""
FRAME_PIECE = 512
"""Bytes that are parsed before the budget is looked at again: at most 85 frames, which take less than a millisecond.
Sixty floods that come at the same moment then hold up the others for some 50 ms in all."""
REQUEST_PIECE = 16_384
OVERHEAD_BYTES = 65_536
"""Headers, trailers and chunk sizes of one request."""
WRITE_BUFFER_BYTES = 262_144
"""Unread answers to pings."""
CLOSE_SECONDS = 5.0
"""How long a closed socket waits for a client to read what was sent before."""


@dataclass
class ConnectionLimits:
    """The limits of one server, and its open connections by address."""

    header_seconds: float
    body_seconds: float
    frames_per_second: float
    per_address: int
    open: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, settings: Settings) -> "ConnectionLimits":
        """The limits that a host has set. Behind proxies all connections have the proxies' addresses."""
        per_address = 0 if settings.proxies else settings.connections_per_address
        return cls(settings.header_seconds, settings.body_seconds, settings.frames_per_second, per_address)

    def add(self, client: tuple[str, int] | None) -> bool:
        """Count a connection; False if its address has too many now."""
        address = client[0] if client else ""
        self.open[address] += 1
        return not self.per_address or self.open[address] <= self.per_address

    def remove(self, client: tuple[str, int] | None) -> None:
        """A counted connection is closed."""
        address = client[0] if client else ""
        self.open[address] -= 1
        if not self.open[address]:
            del self.open[address]


class LimitedHttp(HttpToolsProtocol):
    """HTTP with deadlines for headers and bodies, and a limit on everything that is not a body.

    While no request is being answered, `header_seconds` run: from the first moment of a connection, or from the end of
    the last response, until the headers of the next request are complete. Then `body_seconds` run until its body is.
    A client that has not read enough of a response for `body_seconds` is cut off, too.
    """

    limits: ConnectionLimits
    _deadline: asyncio.TimerHandle | None = None
    _awaited: tuple[RequestResponseCycle | None, bool] | None = None
    """The request that the deadline is for, and whether it is answered already."""
    _overhead = 0
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.limits.add(self.client):
            self._set_deadline()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.limits.remove(self.client)
        self._cancel_deadline()
        self.resume_writing()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(self.limits.body_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), REQUEST_PIECE):
            piece = data[start : start + REQUEST_PIECE]
            self._overhead += len(piece)
            super().data_received(piece)
            if self._overhead > OVERHEAD_BYTES:
                self.transport.abort()
            if self.transport.is_closing() or self._is_upgraded():
                break
        self._set_deadline()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._overhead = 0

    def on_body(self, body: bytes) -> None:
        self._overhead -= len(body)
        super().on_body(body)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._set_deadline()

    def _is_upgraded(self) -> bool:
        return self.transport.get_protocol() is not self

    def _set_deadline(self) -> None:
        """Begin to wait for headers or a body, or stop waiting; what is awaited already keeps its time."""
        awaited = None
        if not self._is_upgraded() and not self.pipeline:
            cycle: RequestResponseCycle | None = self.cycle
            answered = cycle is None or cycle.response_complete
            if cycle is None or answered or cycle.more_body:
                awaited = (cycle, answered)
        if awaited == self._awaited and self._deadline is not None:
            return
        self._cancel_deadline()
        self._awaited = awaited
        if awaited is not None:
            seconds = self.limits.header_seconds if awaited[1] else self.limits.body_seconds
            self._deadline = self.loop.call_later(seconds, self._expire)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _expire(self) -> None:
        self._deadline = None
        if self.flow.read_paused:  # the client waits for us
            self._set_deadline()
        else:
            self.transport.abort()


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """Websockets with a budget for pings, pongs and fragments, parsed piece by piece.

    Whole messages are not counted here: after each the application is waited for, which counts them itself.
    """

    limits: ConnectionLimits

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._burst = max(1.0, self.limits.frames_per_second * BURST_SECONDS)
        self._budget = Bucket(self._burst, self.loop.time())
        self._unparsed = bytearray()
        """What came behind a message that the application has not read yet."""

    def connection_lost(self, exc: Exception | None) -> None:
        self.limits.remove(self.client)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._unparsed += data
        self._parse()
        if not self.handshake_initiated:  # uvicorn hands over whole requests: this one is not valid
            self.transport.abort()

    async def receive(self) -> Any:
        event = await super().receive()
        self._parse()
        return event

    async def send(self, message: Any) -> None:
        try:
            await super().send(message)
        except RuntimeError:
            if not self.close_sent:
                raise
            raise ClientDisconnected from None  # closed by us while the application had something to send

    def _parse(self) -> None:
        while self._unparsed and not self.read_paused and not self.transport.is_closing():
            piece = bytes(self._unparsed[:FRAME_PIECE])
            del self._unparsed[:FRAME_PIECE]
            super().data_received(piece)

    def handle_ping(self) -> None:
        self._count()
        super().handle_ping()
        if self.transport.get_write_buffer_size() > WRITE_BUFFER_BYTES:
            self.transport.abort()

    def handle_pong(self, event: Frame) -> None:
        self._count()
        super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        self._count()
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        if self.close_sent:  # uvicorn drops the message
            self._count()
        super().send_receive_event_to_app()

    def _count(self) -> None:
        if self.transport.is_closing() or not self._budget.take(
            self.limits.frames_per_second, self._burst, self.loop.time()
        ):
            return
        if self.close_sent:
            self.transport.abort()
            return
        self.conn.fail(TOO_MANY_FRAMES, "too many frames")
        self.handle_parser_exception()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._abort_later()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self._abort_later()

    def _abort_later(self) -> None:
        """A closed transport would wait for ever for a client that does not read."""
        self.loop.call_later(CLOSE_SECONDS, self.transport.abort)


def limited_protocols(limits: ConnectionLimits) -> tuple[type[LimitedHttp], type[LimitedWebSocket]]:
    """Both protocols with the limits of one server, for `uvicorn.Config`."""

    class Http(LimitedHttp):
        pass

    class WebSocket(LimitedWebSocket):
        pass

    Http.limits = WebSocket.limits = limits
    return Http, WebSocket
