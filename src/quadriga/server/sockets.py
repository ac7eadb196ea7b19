"""One websocket per browser: hello, then watching and commands. What goes wrong is answered, never fatal."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

import msgspec
from litestar.types import Scope

from quadriga.core.typed import complaint
from quadriga.server import PROTOCOL, chat
from quadriga.server import commands as c
from quadriga.server.clocks import now_ms
from quadriga.server.gate import encode
from quadriga.server.guests import COOKIE, Guest
from quadriga.server.limits import Bucket
from quadriga.server.refused import Refused
from quadriga.server.services import Services
from quadriga.server.showing import Watcher
from quadriga.server.static import page_build
from quadriga.server.storage import Unavailable
from quadriga.server.websocket import EXTENSION, HungUp, Socket

log = logging.getLogger("quadriga.sockets")

PATH = "/api/play"
NO_HELLO, RELOAD, PROTOCOL_ERROR, TOO_SLOW, TOO_FAST = 4000, 4001, 4002, 4008, 4009
HELLO_SECONDS = 10.0
MOST_WAITING = 1_000_000
"""Bytes in line for a browser before it counts as too slow."""
MOST_WATCHED = 20
BURST = 3.0
"""Seconds' worth of messages that may come at once."""


class Connection:
    """A browser, with the signed text of its cookie if it has one."""

    def __init__(self, socket: Socket, services: Services, cookie: str | None) -> None:
        self.socket, self.services, self.cookie = socket, services, cookie
        self.guest: Guest | None = None
        self.blocked: set[str] = set()
        self.watching: dict[str, Watcher] = {}
        burst = services.settings.messages_per_second * BURST
        self._rate = Bucket(burst, asyncio.get_running_loop().time())
        self._burst = burst
        self._closing = False
        self._thinking: set[asyncio.Task[None]] = set()

    @property
    def guest_id(self) -> str | None:
        """Who sits at the browser."""
        return self.guest.id if self.guest else None

    # ------------------------------------------------------------ out

    def send(self, message: bytes) -> None:
        """Put a message in line; a browser that does not take them is let go."""
        if self._closing:
            return
        self.socket.send(message)
        self.services.metrics.sent.inc()
        if self.socket.waiting > MOST_WAITING:
            self.services.metrics.slow.inc()
            self.close(TOO_SLOW)

    def close(self, code: int) -> None:
        """End the connection after what is in line."""
        self._closing = True
        self.socket.close(code)

    # ------------------------------------------------------------ in

    async def read(self) -> None:
        """Answer what comes, until the browser goes."""
        await self._greet()
        while not self._closing:
            await self._answer(await self.socket.receive())

    async def _greet(self) -> None:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                first = await self.socket.receive()
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
        known = self.services.signer.read(self.cookie if hello.token is None else hello.token)
        if known and (found := await self.services.store.find(chat.who, known)):
            self.guest, self.blocked = found
        self._say("welcome", protocol=PROTOCOL, build=build, guest=self.guest, now=now_ms())

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
        wait = self._rate.take(rate, self._burst, asyncio.get_running_loop().time())
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
        except (HungUp, asyncio.CancelledError):
            raise
        except Exception:
            log.exception("a message broke", extra={"kind": type(message).__name__})
            self._refuse(message.id, Refused("broken"))

    async def _carry_out(self, message: Any) -> None:
        match message:
            case c.Hello():
                raise Refused("malformed", cause="there was a hello before")
            case c.Ping():
                self._say("pong", id=message.id, now=now_ms())
            case c.Watch():
                await self._watch(message)
            case c.Unwatch():
                self._unwatch(message.table)
                self._done(message.id, {})
            case _:
                self.services.require_rate(self.guest, message)
                if isinstance(message, c.Hint):
                    self._think(message)
                else:
                    self._done(message.id, await self.services.hippodrome.act(self.guest, message))

    def _think(self, message: c.Hint) -> None:
        """A hint takes a while: what comes meanwhile is answered before it."""
        task = asyncio.create_task(self._reply(message, self._hint(message)))
        self._thinking.add(task)
        task.add_done_callback(self._thinking.discard)

    async def _hint(self, message: c.Hint) -> None:
        self._done(message.id, await self.services.hippodrome.act(self.guest, message))

    async def _watch(self, message: c.Watch) -> None:
        if len(self.watching) >= MOST_WATCHED and message.table not in self.watching:
            raise Refused("too_many", most=MOST_WATCHED)
        self._unwatch(message.table)
        watcher = Watcher(self, message.table)
        try:
            await self.services.hippodrome.watch(watcher, message.since)
        except BaseException:
            self.services.hippodrome.showing.end(watcher)
            raise
        self.watching[message.table] = watcher
        self._done(message.id, {})

    def _unwatch(self, table: str) -> None:
        if watcher := self.watching.pop(table, None):
            self.services.hippodrome.showing.end(watcher)

    def leave(self) -> None:
        """The browser is gone."""
        for table in list(self.watching):
            self._unwatch(table)
        for task in self._thinking:
            task.cancel()

    def _say(self, kind: str, **fields: Any) -> None:
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


async def serve_socket(scope: Scope, headers: dict[str, str], services: Services) -> None:
    """One browser from hello to the end, unless its address has too many sockets already."""
    extensions: Any = scope["extensions"]
    socket: Socket = extensions[EXTENSION]
    client = scope.get("client")
    address = client[0] if client else ""
    if scope["path"] != PATH or services.addresses[address] >= services.settings.sockets_per_address:
        socket.close(TOO_FAST)
        return
    services.addresses[address] += 1
    try:
        socket.accept()
        await _play(Connection(socket, services, _cookie(headers.get("cookie", ""))))
    finally:
        services.addresses[address] -= 1
        if not services.addresses[address]:
            del services.addresses[address]


def _cookie(header: str) -> str | None:
    """Our cookie among all that came."""
    found = dict(one.strip().partition("=")[::2] for one in header.split(";"))
    return found.get(COOKIE)


async def _play(connection: Connection) -> None:
    services = connection.services
    services.connections.add(connection)
    services.metrics.sockets.inc()
    try:
        await connection.read()
    except HungUp:
        pass
    finally:
        services.connections.discard(connection)
        services.metrics.sockets.dec()
        connection.leave()
