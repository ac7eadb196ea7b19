"""Playing on from a position of a finished race, against bots: a new table with the log up to there.

The new race has the seed of the old one, which is known, so that its record replays; steps from here on have other
numbers, or other choices, and so other dice. Names of others are left out: they belong to the people of the old race.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from quadriga.core.match import AnyEntry, Match, Moment, SeatChange, Sitter
from quadriga.server.database import table_rows
from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.tables.document import PERSON, RACING, Seat, SeatNumber, TableDocument, TableSettings
from quadriga.server.tables.lobby import Answer, seat_person
from quadriga.server.tables.moments import layout_key, pack_moment
from quadriga.server.tables.persistence import encode
from quadriga.server.tables.table import LiveTable, bot_name, require_level


class PlayOn(Struct, forbid_unknown_fields=True):
    """From where, at which seat, and against whom."""

    seq: Annotated[int, Meta(ge=0, le=2**31 - 1)]
    seat: SeatNumber
    deal: Literal["as_was", "anew"] = "as_was"
    """Whether what the seat cannot see stays as it was, or is dealt anew."""
    level: Annotated[str, Meta(max_length=40)] = "veteran"


def branch(live: LiveTable, order: PlayOn, moments: Sequence[Moment], guest: Guest, level: str) -> Match:
    """The race up to an entry, with the guest at a seat and bots at all others; refused where nobody can play on."""
    old = live.match
    assert old is not None
    sitters = [Sitter(bot_name(level, seat), level) for seat in range(len(old.sitters))]
    log = [_nameless(entry, level) for entry in old.log[: order.seq + 1]]
    kept = dict(enumerate(moments))
    match = Match(live.game, sitters, old.options, old.secret_seed(), old.nonces, log, kept)
    if match.over:
        raise Refused("race_over")
    if order.seat in {gone.seat for gone in match.left}:
        raise Refused("not_away", seat=order.seat)
    if match.paused:
        match.resume()
    if order.deal == "anew":
        match.redeal(order.seat)
    for seat, sitter in enumerate(sitters):
        match.change_seat(seat, Sitter(guest.name) if seat == order.seat else sitter)
    return match


def _nameless(entry: AnyEntry, level: str) -> AnyEntry:
    if isinstance(entry, SeatChange):
        return replace(entry, who=Sitter(bot_name(level, entry.seat), level))
    return entry


def new_document(live: LiveTable, order: PlayOn, match: Match, guest: Guest, now: int) -> tuple[TableDocument, Answer]:
    """The table of such a race, and the token of the guest's seat."""
    level = require_level(order.level)
    doc = TableDocument(
        game=live.doc.game,
        rules_version=live.doc.rules_version,
        fingerprint=live.doc.fingerprint,
        standard=live.doc.standard,
        host=guest.id,
        host_name=guest.name,
        seed=live.doc.seed,
        options=dict(match.options),
        settings=TableSettings(on_timeout=level, watchers=False),
        seats=[Seat(level, bot_name(level, seat)) for seat in range(len(match.sitters))],
        created=now,
        state=RACING,
        sitters=list(match.first_sitters),
        nonces=list(match.nonces),
        last_at=now,
    )
    token = seat_person(doc, order.seat, guest, None)
    doc.note_participant(guest.id, order.seat, doc.seats[order.seat].name)
    assert doc.seats[order.seat].kind == PERSON
    return doc, token


def rows_of(doc: TableDocument, match: Match) -> table_rows.Rows:
    """The log of the new table as rows."""
    key, entries, moments = layout_key(match.game), [], []
    for seq in range(match.seq + 1):
        one: table_rows.Row = {"table_id": doc.id, "seq": seq}
        entries.append(one | {"at": doc.created, "body": encode(match.log[seq])})
        moments.append(one | {"key": key, "body": pack_moment(match.game, match.moment(seq))})
    return table_rows.Rows(entries, moments)


def size_of(rows: table_rows.Rows) -> int:
    """Bytes that the rows take up, about."""
    return sum(len(row["body"]) for row in [*rows.entries, *rows.moments])
