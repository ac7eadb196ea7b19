"""The tables of a server without a process: its real database and parts, and a clock that the test moves."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from quadriga.server.database.guests import Guest, add_guest
from quadriga.server.errors import Refused
from quadriga.server.output.watchers import Watcher
from quadriga.server.process.run import prepare
from quadriga.server.settings import Settings
from quadriga.server.tables import commands as c
from quadriga.server.tables.document import NewTable, WantedSeat
from quadriga.server.tables.table import LiveTable

Json = dict[str, Any]
START = 1_700_000_000_000


class Screen:
    """A browser that notes what it gets."""

    def __init__(self, guest: Guest | None) -> None:
        self.guest, self.is_looking, self.blocked = guest, True, set[str]()
        self.watching: dict[str, Watcher] = {}
        self.got: list[Json] = []

    def send(self, message: bytes) -> None:
        self.got.append(json.loads(message))

    def kinds(self) -> list[str]:
        return [message["type"] for message in self.got]


class House:
    """Guests by name, tables, and commands on them."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.services = prepare(Settings(database=str(folder / "tables.sqlite"), **settings))
        self.tables = self.services.registry
        self.time = START
        self.tables.now = lambda: self.time
        self._guests: dict[str, Guest] = {}

    def guest(self, name: str) -> Guest:
        """The guest of a name, made when first needed."""
        if name not in self._guests:
            self._guests[name] = self.services.store.write_now(lambda db: add_guest(db, name, START))
        return self._guests[name]

    async def create(self, host: str, seats: list[str], **order: Any) -> str:
        """A table; seats are `me`, bots' levels, or the names of guests who sit down there."""
        open_to = {"me": "me", "wanderer": "wanderer"}
        wanted = [WantedSeat(open_to.get(seat, "open")) for seat in seats]
        live, _ = await self.tables.create(NewTable(game="chariots", seats=wanted, **order), self.guest(host))
        table = live.doc.id
        for number, name in enumerate(seats):
            if name not in (*open_to, "open"):
                await self.act(name, c.Claim(table=table, seat=number))
        return table

    async def race(self, host: str, seats: list[str], **order: Any) -> str:
        """The same, with the race begun."""
        table = await self.create(host, seats, **order)
        await self.act(host, c.Start(table=table))
        return table

    async def act(self, name: str, command: c.Command) -> Json:
        return await self.services.execute(self.guest(name), command)

    async def refusal(self, name: str, command: c.Command) -> str | None:
        """The code with which a command is refused; None if it is not."""
        return await refusal(self.act(name, command))

    async def live(self, table: str) -> LiveTable:
        return await self.tables.open(table)

    async def watch(self, name: str | None, table: str) -> Screen:
        """A browser of a guest, or of a stranger, that watches a table."""
        screen = Screen(self.guest(name) if name else None)
        screen.watching[table] = Watcher(screen, table)
        await self.services.broadcaster.watch(screen.watching[table], None)
        return screen

    def look_away(self, screen: Screen, table: str) -> None:
        self.services.broadcaster.unwatch(screen.watching.pop(table))

    async def choose(self, name: str, table: str, seat: int, which: int = 0) -> Json:
        live = await self.live(table)
        assert live.match is not None
        action = live.game.describe(live.match.legal_actions(seat)[which])
        return await self.act(name, c.Choose(table=table, seat=seat, seq=live.match.seq, action=action))


async def refusal(doing: Awaitable[Any]) -> str | None:
    try:
        await doing
    except Refused as error:
        return error.code
    return None


@contextlib.asynccontextmanager
async def opened(folder: Path, **settings: Any) -> AsyncIterator[House]:
    house = House(folder, **settings)
    try:
        yield house
    finally:
        await house.services.driver.close()
        await house.services.executor.close()
        house.services.store.close()


def run(folder: Path, story: Callable[[House], Awaitable[None]], **settings: Any) -> None:
    """A story in a house of its own, without bots that think."""

    async def whole() -> None:
        async with opened(folder, **settings) as house:
            await story(house)

    asyncio.run(asyncio.wait_for(whole(), 120))
