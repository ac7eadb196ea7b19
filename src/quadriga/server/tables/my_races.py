"""The races of one guest: lists in pages, figures, and taking a race off the list."""

from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection

from quadriga.core.record import Ending
from quadriga.server.database import table_rows
from quadriga.server.errors import Refused
from quadriga.server.tables.document import (
    ABANDONED,
    OPEN,
    OVER,
    PERSON,
    RACING,
    STOPPED,
    Coached,
    Seat,
    TableDocument,
)
from quadriga.server.tables.execution import CommandExecutor

Show = Literal["current", "finished", "watched"]
ENDED = (OVER, ABANDONED, STOPPED)
STATES: dict[Show, tuple[str, ...]] = {
    "current": (OPEN, RACING),
    "finished": ENDED,
    "watched": (RACING, *ENDED),
}
BATCH = 200
MOST_READ = 2_000
"""Tables that one question looks at: a page may be shorter than asked for, and figures leave older races out."""
MOST_RIVALS = 30
RECENT_RACES = 10
"""Races with the coach that count as the newest."""
Cursor = tuple[int, str]
_document = msgspec.json.Decoder(TableDocument)


@dataclass(frozen=True)
class Page:
    """Some races, newest first, and the last one that was looked at if there may be more."""

    docs: list[TableDocument]
    last: Cursor | None


def read_page(
    connection: Connection, guest: str, show: Show, game: str | None, before: Cursor | None, limit: int
) -> Page:
    """Races of a guest after those of the pages before."""
    docs: list[TableDocument] = []
    for _ in range(MOST_READ // BATCH):
        rows = table_rows.list_member_rows(connection, guest, STATES[show], game, before, BATCH)
        for row in rows:
            doc = _document.decode(row.document)
            if not _belongs(doc, guest, show):
                continue
            if len(docs) == limit:
                return Page(docs, (docs[-1].changed, docs[-1].id))
            docs.append(doc)
        if len(rows) < BATCH:
            return Page(docs, None)
        before = (rows[-1].changed, rows[-1].id)
    return Page(docs, before)


def _belongs(doc: TableDocument, guest: str, show: Show) -> bool:
    """Whether a table goes on this list: those where the guest only hosts are watched."""
    if guest not in doc.owners():
        return False
    is_seated = any(seat.guest == guest for seat in doc.seats)
    return is_seated is (show != "watched") or (show == "current" and doc.state == OPEN)


# ---------------------------------------------------------------- figures


class FinishedRace(Struct):
    """What figures need of a table's document."""

    game: str
    state: str
    seats: list[Seat]
    ending: Ending | None = None
    from_record: bool = False
    coached: Coached | None = None


_finished = msgspec.json.Decoder(FinishedRace)


@dataclass
class Rival:
    """Somebody, or bots of a level, whom a guest raced."""

    name: str
    kind: str
    races: int = 0
    ahead: int = 0
    """Races in which the guest came in before them."""


@dataclass
class CoachFigures:
    """What came of the coach's warnings, over all races and the newest ones of them."""

    races: int = 0
    total: Coached = field(default_factory=Coached)
    recent: Coached = field(default_factory=Coached)

    def add(self, one: Coached) -> None:
        """Count a race; the newest come first."""
        for sums in (self.total, self.recent) if self.races < RECENT_RACES else (self.total,):
            sums.looked, sums.warned = sums.looked + one.looked, sums.warned + one.warned
            sums.heeded, sums.saved = sums.heeded + one.heeded, round(sums.saved + one.saved, 6)
        self.races += 1

    def as_json(self) -> dict[str, Any] | None:
        """The sums, and of the newest races how many choices were costly; None if the coach was never asked."""
        if not self.races:
            return None
        recent = {"races": min(self.races, RECENT_RACES), "looked": self.recent.looked, "warned": self.recent.warned}
        return {"races": self.races} | msgspec.structs.asdict(self.total) | {"recent": recent}


@dataclass
class Figures:
    """Races, places and rivals of a guest."""

    shared: int = 0
    """Races at one screen with others, of which nobody knows whose place was whose."""
    places: dict[str, Counter[int]] = field(default_factory=dict)
    rivals: dict[tuple[str, str], Rival] = field(default_factory=dict)
    coach: CoachFigures = field(default_factory=CoachFigures)

    def add(self, race: FinishedRace, guest: str) -> None:
        """Count a race that has ended, if the guest held a seat; the newest come first."""
        held = [i for i, seat in enumerate(race.seats) if seat.guest == guest]
        if race.ending is None or race.from_record or not held:
            return
        if race.coached is not None:
            self.coach.add(race.coached)
        if len(held) > 1:
            self.shared += 1
            return
        place = race.ending.places[held[0]]
        self.places.setdefault(race.game, Counter())[place] += 1
        for key, rival in _rivals(race, held[0]).items():
            known = self.rivals.setdefault(key, Rival(rival.name, rival.kind))
            known.races += 1
            known.ahead += rival.ahead

    def as_json(self) -> dict[str, Any]:
        """Games by name, and the rivals met most often."""
        games = [
            {"game": game, "races": places.total(), "won": places[1], "places": _row(places)}
            for game, places in sorted(self.places.items())
        ]
        rivals = sorted(self.rivals.values(), key=lambda rival: (-rival.races, rival.name))[:MOST_RIVALS]
        return {
            "races": sum(game["races"] for game in games),
            "won": sum(game["won"] for game in games),
            "shared": self.shared,
            "games": games,
            "coach": self.coach.as_json(),
            "rivals": [{"name": r.name, "kind": r.kind, "races": r.races, "ahead": r.ahead} for r in rivals],
        }


def _row(places: Counter[int]) -> list[int]:
    """How often each place was reached, the first place first."""
    return [places[place] for place in range(1, max(places) + 1)]


def _rivals(race: FinishedRace, mine: int) -> dict[tuple[str, str], Rival]:
    """Each person, and each level of bots once: the guest was ahead of a level if ahead of all its bots."""
    assert race.ending is not None
    found: dict[tuple[str, str], Rival] = {}
    for i, seat in enumerate(race.seats):
        is_person = seat.kind == PERSON
        if i == mine or (is_person and not seat.guest):
            continue
        key = (PERSON, str(seat.guest)) if is_person else ("bot", seat.kind)
        is_ahead = int(race.ending.places[mine] < race.ending.places[i])
        known = found.setdefault(key, Rival(seat.name if is_person else seat.kind, seat.kind, 1, 1))
        known.ahead = min(known.ahead, is_ahead)
    return found


def read_figures(connection: Connection, guest: str) -> dict[str, Any]:
    """Figures of the newest races that have ended."""
    figures, before = Figures(), None
    for _ in range(MOST_READ // BATCH):
        rows = table_rows.list_member_rows(connection, guest, (OVER,), None, before, BATCH)
        for row in rows:
            figures.add(_finished.decode(row.document), guest)
        if len(rows) < BATCH:
            break
        before = (rows[-1].changed, rows[-1].id)
    return figures.as_json()


# ---------------------------------------------------------------- taking off the list


async def remove_race(executor: CommandExecutor, guest: str, table: str) -> bool:
    """Delete a race where nobody else took part, else take it off the guest's list; whether it was deleted."""
    live = await executor.registry.open(table)
    if guest not in live.doc.owners():
        raise Refused("no_table")
    if live.doc.known() <= {guest}:
        await executor.store.write(partial(table_rows.delete_tables, tables=[table]))
        executor.registry.drop(table)
        return True
    if live.doc.state not in ENDED:
        raise Refused("not_over")
    await executor.store.write(lambda connection: table_rows.hide(connection, guest, table))
    return False
