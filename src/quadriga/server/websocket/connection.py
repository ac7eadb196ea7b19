"""One websocket per browser: hello, then watching and commands. Errors are answered and never end the connection.

This is a plain ASGI application. Messages to a browser wait in a queue of limited size for the task that sends them.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine
from typing import Any

import msgspec
from litestar.types import Receive, Scope, Send

from quadriga.core.typed import complaint
from quadriga.server import PROTOCOL
from quadriga.server.database import chat_rows
from quadriga.server.database.guests import Guest
from quadriga.server.database.store import Unavailable
from quadriga.server.errors import Refused
from quadriga.server.guest_tokens import COOKIE
from quadriga.server.output.views import encode
from quadriga.server.output.watchers import Watcher
from quadriga.server.page_files import page_build
from quadriga.server.preparation.games import GamePreparation
from quadriga.server.rate_limits import Bucket
from quadriga.server.services import Services
from quadriga.server.tables import commands as c

log = logging.getLogger("quadriga.sockets")

PATH = "/api/play"
NO_HELLO, RELOAD, PROTOCOL_ERROR, TOO_SLOW, TOO_FAST = 4000, 4001, 4002, 4008, 4009
HELLO_SECONDS = 10.0
QUEUE_BYTES = 1_000_000
"""Messages that wait for a browser before it counts as too slow."""
CLOSE_SECONDS = 5.0
"""How long a browser has to take what was sent before a close."""
MOST_WATCHED = 20
BURST = 3.0
"""Seconds' worth of messages that may come at once. A client that is as far in debt is disconnected."""


class Disconnected(Exception):
    """The browser is gone."""


class Outbox:
    """Messages that wait to be sent to one browser."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._messages: deque[bytes] = deque()
        self._bytes = 0
        self._ended = False
        self._news = asyncio.Event()

    def put(self, message: bytes) -> bool:
        """Add a message; False if that makes too many bytes."""
        self._messages.append(message)
        self._bytes += len(message)
        self._news.set()
        return self._bytes <= QUEUE_BYTES

    def end(self) -> None:
        """Nothing more will be added."""
        self._ended = True
        self._news.set()

    async def run(self) -> None:
        """Send what is added, until the end."""
        while self._messages or not self._ended:
            await self._news.wait()
            self._news.clear()
            while self._messages:
                message = self._messages.popleft()
                await self._send({"type": "websocket.send", "text": message.decode(), "bytes": None})
                self._bytes -= len(message)


class Connection:
    """A browser, with the signed text of its cookie if it has one."""

    def __init__(self, receive: Receive, send: Send, services: Services, cookie: str | None) -> None:
        self._receive, self._send, self.services, self.cookie = receive, send, services, cookie
        self.guest: Guest | None = None
        self.is_looking = True
        self.as_codes = False
        """Whether it gets choices as codes."""
        self.blocked: set[str] = set()
        self.is_welcome = False
        self.watching: dict[str, Watcher] = {}
        burst = services.settings.messages_per_second * BURST
        self._rate = Bucket(burst, asyncio.get_running_loop().time())
        self._burst = burst
        self._outbox = Outbox(send)
        self._writer: asyncio.Task[None] | None = None
        self._close_code: int | None = None
        self._thinking: set[asyncio.Task[None]] = set()

    @property
    def guest_id(self) -> str | None:
        """Who sits at the browser."""
        return self.guest.id if self.guest else None

    async def run(self) -> None:
        """Read and write until one of them ends, then close."""
        reader, self._writer = asyncio.create_task(self._read()), asyncio.create_task(self._outbox.run())
        try:
            await asyncio.wait((reader, self._writer), return_when=asyncio.FIRST_COMPLETED)
            if self._close_code is not None:
                await self._finish(self._close_code)
        finally:
            reader.cancel()
            self._writer.cancel()
            outcomes = await asyncio.gather(reader, self._writer, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception) and not isinstance(outcome, Disconnected | OSError):
                log.error("a socket broke", exc_info=outcome)

    async def _finish(self, code: int) -> None:
        """Send what waits and the reason for closing, if the browser takes it in time."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                if self._writer is not None:
                    await asyncio.wait((self._writer,))
                await self._send({"type": "websocket.close", "code": code, "reason": None})
        except (TimeoutError, OSError):  # uvicorn raises an OSError when a client is gone
            pass

    # ------------------------------------------------------------ out

    def send(self, message: bytes) -> None:
        """Queue a message; a browser that does not take them is disconnected."""
        if self._close_code is not None:
            return
        self.services.metrics.sent.inc()
        if not self._outbox.put(message):
            self.services.metrics.slow.inc()
            self.close(TOO_SLOW)
            if self._writer is not None:
                self._writer.cancel()

    def close(self, code: int) -> None:
        """End the connection after what is queued."""
        if self._close_code is None:
            self._close_code = code
            self._outbox.end()

    def tell_preparation(self, one: GamePreparation) -> None:
        """Say how far the preparation of a game is."""
        if self.is_welcome:
            self._say("preparing", **one.describe())

    # ------------------------------------------------------------ in

    async def _read(self) -> None:
        """Answer what comes, until the browser goes or the connection is closed."""
        await self._greet()
        while self._close_code is None:
            await self._answer(await self._next())

    async def _next(self) -> str:
        """The next message; bytes stand for an empty one."""
        event: Any = await self._receive()
        if event["type"] != "websocket.receive":
            raise Disconnected
        return event.get("text") or ""

    async def _greet(self) -> None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                first = await self._next()
        except TimeoutError:
            self.close(NO_HELLO)
            return
        try:
            hello = self._decode(first)
            if not isinstance(hello, c.Hello):
                raise Refused("hello_first")
        except Refused as error:
            self._refuse(None, error)
            self.close(PROTOCOL_ERROR)
            return
        await self._welcome(hello)

    async def _welcome(self, hello: c.Hello) -> None:
        build = page_build()
        if hello.protocol != PROTOCOL or (hello.build and build and hello.build != build):
            self._say("reload", protocol=PROTOCOL, build=build)
            self.close(RELOAD)
            return
        self.as_codes = hello.codes
        known = self.services.signer.read(self.cookie if hello.token is None else hello.token)
        if known and (found := await self.services.store.find(chat_rows.who, known)):
            self.guest, self.blocked = found
        self._say("welcome", protocol=PROTOCOL, build=build, guest=self.guest, now=self.services.registry.now())
        self.is_welcome = True
        for one in self.services.preparation.unready():
            self.tell_preparation(one)

    def _decode(self, text: str | bytes) -> Any:
        most = self.services.settings.message_bytes
        if len(text) > most:
            raise Refused("too_large", most=most)
        try:
            return c.decoder.decode(text)
        except msgspec.ValidationError as error:
            place, cause = complaint(error)
            raise Refused("malformed", cause=".".join(map(str, place)) + ": " + cause if place else cause) from None
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise Refused("malformed", cause="it is not JSON") from None

    async def _answer(self, text: str) -> None:
        rate = self.services.settings.messages_per_second
        wait = self._rate.charge(rate, self._burst, asyncio.get_running_loop().time())
        if wait > BURST:
            self.close(TOO_FAST)
            return
        message: Any = None
        try:
            if wait:
                raise Refused("too_fast", seconds=max(1, round(wait)))
            message = self._decode(text)
        except Refused as error:
            self._refuse(_id_of(text), error)
            return
        await self._reply(message, self._carry_out(message))

    async def _reply(self, message: Any, work: Coroutine[Any, Any, None]) -> None:
        """Carry out a message; whatever is wrong with it is an answer."""
        try:
            await work
        except Refused as error:
            self._refuse(message.id, error)
        except Unavailable:
            self._refuse(message.id, Refused("unavailable"))
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("a message broke", extra={"kind": type(message).__name__})
            self._refuse(message.id, Refused("broken"))

    async def _carry_out(self, message: Any) -> None:
        match message:
            case c.Hello():
                raise Refused("malformed", cause="there was a hello before")
            case c.Ping():
                self._say("pong", id=message.id, now=self.services.registry.now())
            case c.Here():
                self.is_looking = message.yes
                self.services.broadcaster.note_look(self)
                self._done(message.id, {})
            case c.Watch():
                await self._watch(message)
            case c.Unwatch():
                self._unwatch(message.table)
                self._done(message.id, {})
            case _:
                if self.services.takes_long(message):
                    self._think(message)
                else:
                    await self._execute(message)

    def _think(self, message: c.Command) -> None:
        """Execute a slow command in a task of its own, so that other messages are answered meanwhile."""
        task = asyncio.create_task(self._reply(message, self._execute(message)))
        self._thinking.add(task)
        task.add_done_callback(self._thinking.discard)

    async def _execute(self, message: c.Command) -> None:
        self._done(message.id, await self.services.execute(self.guest, message))

    async def _watch(self, message: c.Watch) -> None:
        if len(self.watching) >= MOST_WATCHED and message.table not in self.watching:
            raise Refused("too_many", most=MOST_WATCHED)
        self._unwatch(message.table)
        watcher = Watcher(self, message.table, self.as_codes)
        try:
            await self.services.broadcaster.watch(watcher, message.since)
        except BaseException:
            self.services.broadcaster.unwatch(watcher)
            raise
        self.watching[message.table] = watcher
        self._done(message.id, {})

    def _unwatch(self, table: str) -> None:
        if watcher := self.watching.pop(table, None):
            self.services.broadcaster.unwatch(watcher)

    def leave(self) -> None:
        """The browser is gone."""
        for table in list(self.watching):
            self._unwatch(table)
        for task in self._thinking:
            task.cancel()

    def _say(self, kind: str, /, **fields: Any) -> None:
        self.send(encode({"type": kind} | fields))

    def _done(self, number: int | None, answer: dict[str, Any]) -> None:
        self.send(encode({"type": "done", "id": number} | answer))

    def _refuse(self, number: int | None, error: Refused) -> None:
        self.send(encode({"type": "error", "id": number} | error.body()))


def _id_of(text: str) -> int | None:
    """The id of a message that could not be read, if it has one."""
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    number = found.get("id") if isinstance(found, dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


class SocketApplication:
    """The ASGI application for websockets."""

    def __init__(self, services: Services) -> None:
        self.services = services
        services.preparation.listeners.append(self._tell_preparation)

    def _tell_preparation(self, one: GamePreparation) -> None:
        for connection in self.services.connections:
            connection.tell_preparation(one)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one browser from hello to the end, unless its address has too many sockets already."""
        client = scope.get("client")
        address, addresses = client[0] if client else "", self.services.addresses
        await receive()  # websocket.connect
        if scope["path"] != PATH or addresses[address] >= self.services.settings.sockets_per_address:
            await send({"type": "websocket.close", "code": TOO_FAST, "reason": None})
            return
        addresses[address] += 1
        try:
            await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
            await self._run(Connection(receive, send, self.services, _cookie(scope)))
        finally:
            addresses[address] -= 1
            if not addresses[address]:
                del addresses[address]

    async def _run(self, connection: Connection) -> None:
        services = self.services
        services.connections.add(connection)
        services.metrics.sockets.inc()
        try:
            await connection.run()
        finally:
            services.connections.discard(connection)
            services.metrics.sockets.dec()
            connection.leave()


def _cookie(scope: Scope) -> str | None:
    """Our cookie among all that came."""
    sent = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
    return dict(one.strip().partition("=")[::2] for one in sent.split(";")).get(COOKIE)
