"""Clocks: what each seat has left, whose clock runs, and who is out of time. All of it lies in the document."""

import time

from quadriga.core.match import Match
from quadriga.server.tables.document import PERSON, RACING, TableDocument


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def start_clocks(doc: TableDocument) -> None:
    """Everybody's bank at the start of a race."""
    if doc.settings.clock.kind == "bank":
        doc.left_ms = dict.fromkeys(range(len(doc.seats)), doc.settings.clock.bank_ms)


def run_clocks(doc: TableDocument, match: Match | None, now: int) -> None:
    """Start the clocks of persons who owe a choice, stop all others."""
    clock = doc.settings.clock
    if clock.kind == "none" or match is None:
        doc.since = {}
        return
    waiting = match.waiting_for() if doc.state == RACING else ()
    owing = [seat for seat in waiting if doc.seats[seat].kind == PERSON]
    for seat in [seat for seat in doc.since if seat not in owing]:
        stop_clock(doc, seat, now)
    for seat in owing:
        if seat not in doc.since:
            doc.since[seat] = now
            if clock.kind == "move":
                doc.left_ms.setdefault(seat, clock.move_ms)


def stop_clock(doc: TableDocument, seat: int, now: int) -> None:
    """Stop a clock and subtract the time it ran."""
    if seat in doc.since:
        doc.left_ms[seat] = max(0, doc.left_ms.get(seat, 0) - (now - doc.since.pop(seat)))


def new_turn(doc: TableDocument) -> None:
    """After a step everybody has the full time for the next choice."""
    if doc.settings.clock.kind == "move":
        doc.left_ms, doc.since = {}, {}


def renew_if_out(doc: TableDocument, seat: int) -> None:
    """Who comes back after running out of time has the time for one choice; else the clock goes on where it stood."""
    clock = doc.settings.clock
    if clock.kind != "none" and doc.left_ms.get(seat) == 0:
        doc.left_ms[seat] = clock.move_ms if clock.kind == "move" else clock.increment_ms


def add_increment(doc: TableDocument, seats: list[int]) -> None:
    """What the bank gains when a choice is made for good."""
    if doc.settings.clock.kind == "bank":
        for seat in seats:
            doc.left_ms[seat] = doc.left_ms.get(seat, 0) + doc.settings.clock.increment_ms


def deadline(doc: TableDocument) -> int | None:
    """When the first of the running clocks is out."""
    return min((began + doc.left_ms.get(seat, 0) for seat, began in doc.since.items()), default=None)


def out_of_time(doc: TableDocument, now: int) -> list[int]:
    """The seats whose clock has run out."""
    return [seat for seat, began in doc.since.items() if began + doc.left_ms.get(seat, 0) <= now]
