"""A seat at a server's table, over the public client."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from quadriga import games
from quadriga.api.boards import with_names
from quadriga.cli.terminal.scene import Scene, Turn, placed
from quadriga.client import Client
from quadriga.core import codec
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidOption
from quadriga.core.messages import Event

Json = dict[str, Any]
PAUSE_SECONDS = 0.2


def read_link(link: str) -> tuple[str, str]:
    """The server's address and the table's id, from a link like http://host/t/ID."""
    address, found, table = link.partition("/t/")
    table = table.partition("#")[0].partition("?")[0].strip("/")
    if not found or not address.startswith(("http://", "https://")) or not table:
        raise InvalidOption(f"{link!r} is no link to a table: it looks like https://HOST/t/TABLE")
    return address, table


class RemoteTable:
    """A table that a client watches, with the game's rules loaded here for the drawing."""

    def __init__(self, client: Client, table: str, language: str, about: Json) -> None:
        """`about` is the server's description of the table, as GET /api/tables/ID answers."""
        self.client, self.table, self.language = client, table, language
        self.game = games.load(about["game"], None)
        self.words = self.game.words(language)
        self._kinds: dict[str, type[Event]] = {kind.name: kind for kind in self.game.definition.events}
        self._told: dict[int | None, int] = {}
        self._shown: Any = None

    @classmethod
    async def join(cls, client: Client, table: str, language: str) -> "RemoteTable":
        """Sit down if a seat is open and none is ours, then watch."""
        about = await client.request("GET", f"/api/tables/{table}")
        if about["state"] == "open" and not about["my_seats"] and any(s["kind"] == "open" for s in about["seats"]):
            await client.claim(table)
        await client.watch(table)
        found = cls(client, table, language, about)
        if not about["edition"]["standard"]:
            own = await client.request("GET", f"/api/tables/{table}/game")
            found.game = games.load(about["game"], TomlFile("edition", own["edition"]["source"]))
        return found

    async def scenes(self) -> AsyncIterator[Scene]:
        """Every change, until the race is over."""
        while True:
            state = self._state()
            if state != self._shown:
                self._shown = state
                yield self._scene()
            if self._is_finished():
                return
            await asyncio.sleep(PAUSE_SECONDS)

    async def choose(self, seat: int, choice: str) -> None:
        """Make a choice in notation."""
        view = self.client.view(self.table, seat)
        await self.client.choose(view, choice)
        self._shown = None

    def _state(self) -> Any:
        """What tells one scene from another."""
        known = self.client.watched[self.table]
        chosen = [(seat, view["seq"], view["chosen"], view["paused"]) for seat, view in known.views.items()]
        return known.table.get("state"), known.table.get("revision"), chosen

    def _is_finished(self) -> bool:
        known = self.client.watched[self.table]
        return known.table.get("state") in ("over", "abandoned", "stopped") and not any(
            view["result"] is None for view in known.views.values() if known.table["state"] == "over"
        )

    def _names(self) -> list[str]:
        return [
            seat["name"] or self.words.say("terminal.open_seat")
            for seat in self.client.watched[self.table].table["seats"]
        ]

    def _scene(self) -> Scene:
        known = self.client.watched[self.table]
        if not known.views:
            names = self._names() if known.table else []
            return Scene(self.words.say("terminal.waiting_room"), (), tuple(names))
        mine = [seat for seat in known.views if seat is not None]
        turns = [seat for seat in mine if seat in _waiting(known.views[seat])]
        seat = turns[0] if turns else next(iter(known.views))
        view, names = known.views[seat], self._names()
        board = self.game.draw_signs(self._record(view["view"]), self.language)
        return Scene(
            board=with_names(board, self.words, names),
            news=self._news(seat, names),
            standings=placed(view["places"], names),
            turn=self._turn(view, names) if turns else None,
            waiting_for=tuple(names[number] for number in _waiting(view)),
            over=self._is_finished(),
        )

    def _record(self, data: Json) -> Any:
        record = self.game.definition.view.blank()
        codec.fill_record(record, data, self.game.names)
        return record

    def _turn(self, view: Json, names: list[str]) -> Turn:
        choices = [codec.action_from_json(one, self.game.kinds, self.game.names) for one in view["legal"]]
        return Turn(view["seat"], names[view["seat"]], tuple(self.game.describe(action) for action in choices))

    def _news(self, seat: int | None, names: list[str]) -> tuple[str, ...]:
        steps = [step for step in self.client.watched[self.table].steps[seat] if step["seq"] > self._told.get(seat, -1)]
        if steps:
            self._told[seat] = steps[-1]["seq"]
        return tuple(self._sentence(event, names) for step in steps for event in step["events"])

    def _sentence(self, data: Json, names: list[str]) -> str:
        event = codec.event_from_json(data, self._kinds, self.game.names)
        return self.words.message("events", event, self.game.names, names)


def _waiting(view: Json) -> list[int]:
    """The seats that owe a choice."""
    return [seat for seat in view["to_act"] if seat not in view["chosen"]]
