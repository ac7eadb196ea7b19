"""A seat at a table over the network, for bot authors.

    async with Client("http://127.0.0.1:8000", "My bot") as client:
        table = await client.create("chariots", ["me", "wanderer"], options={"laps": 1})
        await client.start(table)
        async for turn in client.turns(table):
            await client.choose(turn, turn["legal"][0])
        print(client.view(table)["result"])

The connection is made again when it is lost, and goes on from the last entry seen. docs/protocol.md has the messages.
"""

import asyncio
import contextlib
import itertools
import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Sequence
from typing import Any, Self

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from quadriga.core.errors import QuadrigaError

PROTOCOL = 1
Json = dict[str, Any]
RETRY_SECONDS = 0.2
ANSWER_SECONDS = 30.0
FINISHED = ("over", "abandoned", "stopped")


class ServerRefused(QuadrigaError):
    """The server did not do it; `code` says why, as in docs/protocol.md."""

    def __init__(self, body: Json) -> None:
        error = body["error"]
        super().__init__(error["sentence"])
        self.code, self.params, self.refusal = error["code"], error["params"], body.get("refusal")


class Reload(QuadrigaError):
    """The server speaks another protocol: a newer Quadriga is needed here."""


class OutOfStep(QuadrigaError):
    """Entries are missing between what was seen and what came: this never happens."""


def _cause(reason: str | BaseException) -> str:
    """Why a connection failed, without numbers of the system."""
    return getattr(reason, "strerror", None) or str(reason)


class Watched:
    """What is known of one table: the last messages, and every step seen."""

    def __init__(self, since: int | None) -> None:
        self.table: Json = {}
        self.views: dict[int | None, Json] = {}
        self.steps: dict[int | None, list[Json]] = {}
        self.seq = since
        self.chat: list[Json] = []
        self.presence: Json = {}
        """Who is there, as the message `presence` says."""
        self.fresh = False
        """Whether a view has come since the connection was made."""

    def take_view(self, message: Json) -> None:
        """A view, which must go on where the last one ended."""
        seat = message["seat"]
        if self.views and self.seq is not None and message["after"] > self.seq:
            raise OutOfStep(f"steps {self.seq + 1} to {message['after']} are missing")
        steps = self.steps.setdefault(seat, [])
        known = steps[-1]["seq"] if steps else -1
        steps.extend(step for step in message["steps"] if step["seq"] > known)
        self.views[seat] = message
        self.seq = message["seq"]
        self.fresh = True

    def take_chosen(self, message: Json) -> None:
        """Who has chosen, as part of the view it belongs to."""
        view = self.views.get(message["seat"])
        if view is not None and view["seq"] == message["seq"]:
            view.update({name: message[name] for name in ("chosen", "choice", "clock")})

    def take_reaction(self, message: Json) -> None:
        """What people think of a chat message, as part of it."""
        for said in self.chat:
            if said["id"] == message["message"]:
                said.update({name: message[name] for name in ("reactions", "my_reaction")})


class Client:
    """One guest with one websocket."""

    def __init__(self, url: str | Sequence[str], name: str = "guest", token: str | None = None) -> None:
        """At an address, or at one of several that serve the same tables."""
        self.urls = [one.rstrip("/") for one in ([url] if isinstance(url, str) else url)]
        self.name, self.token = name, token
        self.current = self.urls[0]
        self.connections = 0
        self.guest: Json | None = None
        self.watched: dict[str, Watched] = {}
        self._socket: ClientConnection | None = None
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Json]] = {}
        self._changed = asyncio.Condition()
        self._failure: Exception | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        if self.token is None:
            self.token = (await self.request("POST", "/api/guests", {"name": self.name}))["token"]
        self._task = asyncio.create_task(self._run())
        async with self._changed:
            await self._wait(lambda: self._socket is not None)
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    # ------------------------------------------------------------ tables

    async def create(self, game: str, seats: Sequence[str | Json], **settings: Any) -> str:
        """A new table, watched from the start; its id."""
        wanted = [{"kind": seat} if isinstance(seat, str) else seat for seat in seats]
        made = await self.request("POST", "/api/tables", {"game": game, "seats": wanted, **settings})
        table = str(made["table"]["id"])
        await self.watch(table)
        return table

    async def claim(self, table: str, seat: int | None = None) -> int:
        """Sit down at an open seat."""
        await self.watch(table)
        return int((await self.command("claim", table, **({} if seat is None else {"seat": seat})))["seat"])

    async def start(self, table: str) -> None:
        """Begin the race, as its host."""
        await self.command("start", table)

    async def watch(self, table: str, since: int | None = -1) -> None:
        """Follow a table from an entry on; -1: from the set-up, None: from now."""
        if table not in self.watched:
            self.watched[table] = Watched(since)
        known = self.watched[table].seq
        await self.send("watch", table=table, **({} if known is None else {"since": known}))

    def view(self, table: str, seat: int | None = None) -> Json:
        """The last view of a seat; without one, that of the first seat held, or the spectator's."""
        views = self.watched[table].views
        return views[seat] if seat in views else next(iter(views.values()))

    def shown(self, table: str) -> bool:
        """Whether the race has been shown since the connection was last made."""
        return self._socket is not None and self.watched[table].fresh

    async def turns(self, table: str) -> AsyncIterator[Json]:
        """The views in which a seat of ours owes a choice, until the race ends."""
        done: dict[int | None, int] = {}
        while True:
            async with self._changed:
                await self._wait(lambda: self._turn(table, done) is not None or self._is_finished(table))
            turn = self._turn(table, done)
            if turn is None:
                return
            done[turn["seat"]] = turn["seq"]
            yield turn

    def _turn(self, table: str, done: dict[int | None, int]) -> Json | None:
        for seat, view in self.watched[table].views.items():
            if seat in view["to_act"] and seat not in view["chosen"] and done.get(seat) != view["seq"]:
                return view
        return None

    def _is_finished(self, table: str) -> bool:
        known = self.watched[table]
        state = known.table.get("state")
        return state in FINISHED and (state != "over" or all(view["result"] for view in known.views.values()))

    async def until(self, check: Any, seconds: float = ANSWER_SECONDS) -> None:
        """Wait until something holds of what is known."""
        async with self._changed:
            await asyncio.wait_for(self._wait(check), seconds)

    # ------------------------------------------------------------ messages

    async def choose(self, turn: Json, action: Json | str) -> Json:
        """Choose for the seat of a view. A choice that arrived before the connection broke counts as made."""
        try:
            return await self.command("choose", turn["table"], seat=turn["seat"], seq=turn["seq"], action=action)
        except ServerRefused as error:
            if error.code == "duplicate":
                return {}
            raise

    async def command(self, kind: str, table: str, /, **fields: Any) -> Json:
        """Any command of the protocol; its answer, or ServerRefused."""
        return await self.send(kind, table=table, **fields)

    async def send(self, kind: str, /, **fields: Any) -> Json:
        """Any message with an answer; sent again after the connection broke."""
        while True:
            async with self._changed:
                await self._wait(lambda: self._socket is not None)
            try:
                return await self._ask(kind, fields)
            except (WebSocketException, ConnectionError):
                await asyncio.sleep(RETRY_SECONDS)

    async def _ask(self, kind: str, fields: Json) -> Json:
        assert self._socket is not None
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            await self._socket.send(json.dumps({"type": kind, "id": number, **fields}))
            found = await asyncio.wait_for(answer, ANSWER_SECONDS)
        finally:
            self._answers.pop(number, None)
        if found["type"] == "error":
            raise ServerRefused(found)
        return found

    async def request(self, method: str, path: str, body: object = None) -> Any:
        """Any HTTP request of the API; what it answers, or ServerRefused."""
        return await asyncio.to_thread(self._request, method, path, body)

    def _request(self, method: str, path: str, body: object) -> Any:
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.current + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            raise ServerRefused(json.loads(error.read())) from None
        except urllib.error.URLError as error:
            raise ConnectionError(f"{self.current} cannot be reached: {_cause(error.reason)}") from error

    # ------------------------------------------------------------ the connection

    async def _run(self) -> None:
        for address in itertools.cycle(self.urls):
            self.current = address
            url = address.replace("http", "ws", 1) + "/api/play"
            try:
                async with connect(url, compression=None, max_size=None) as socket:
                    await self._greet(socket)
                    async for message in socket:
                        await self._take(msgspec.json.decode(message))
            except (Reload, OutOfStep) as error:
                await self._fail(error)
                return
            except (WebSocketException, OSError):
                pass
            await self._lost()
            await asyncio.sleep(RETRY_SECONDS)

    async def _greet(self, socket: ClientConnection) -> None:
        await socket.send(json.dumps({"type": "hello", "protocol": PROTOCOL, "build": None, "token": self.token}))
        welcome = msgspec.json.decode(await socket.recv())
        if welcome["type"] != "welcome":
            raise Reload("the server speaks another protocol: install a newer Quadriga")
        self.guest = welcome["guest"]
        for table, known in self.watched.items():
            known.fresh = False
            again = {"type": "watch", "table": table} | ({} if known.seq is None else {"since": known.seq})
            await socket.send(json.dumps(again))
        async with self._changed:
            self._socket = socket
            self.connections += 1
            self._changed.notify_all()

    async def _take(self, message: Json) -> None:
        async with self._changed:
            known = self.watched.get(message["id"] if message["type"] == "table" else message.get("table", ""))
            match message["type"]:
                case "done" | "error":
                    waiting = self._answers.get(message["id"])
                    if waiting and not waiting.done():
                        waiting.set_result(message)
                case "table" if known:
                    known.table = message
                case "view" if known:
                    known.take_view(message)
                case "chosen" if known:
                    known.take_chosen(message)
                case "chat" if known:
                    known.chat.append(message["message"])
                case "reaction" if known:
                    known.take_reaction(message)
                case "presence" if known:
                    known.presence = message
            self._changed.notify_all()

    async def _lost(self) -> None:
        self._socket = None
        self._give_up(ConnectionError("the connection broke"))
        with contextlib.suppress(RuntimeError):
            async with self._changed:
                self._changed.notify_all()

    def _give_up(self, error: Exception) -> None:
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(error)

    async def _fail(self, error: Exception) -> None:
        self._give_up(error)
        async with self._changed:
            self._failure = error
            self._changed.notify_all()

    async def _wait(self, check: Any) -> None:
        await self._changed.wait_for(lambda: self._failure is not None or check())
        if self._failure is not None:
            raise self._failure
