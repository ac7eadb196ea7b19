"""Chat, blocks and reports."""

from typing import Any

from sqlalchemy import Connection, delete, insert, select

from quadriga.server import schema
from quadriga.server.archive import notify
from quadriga.server.guests import Guest
from quadriga.server.live import LiveTable
from quadriga.server.refused import Refused

LAST = 50
"""Messages that somebody gets who begins to watch."""


def clean(text: str) -> str:
    """A text as it is kept: printable, on one line."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    if not text:
        raise Refused("malformed", cause="the text is empty")
    return text


def require_voice(live: LiveTable, guest: Guest | None) -> int | None:
    """The seat somebody speaks from; None for a watcher; refused if it may not speak."""
    if guest is None:
        raise Refused("no_guest")
    settings, doc = live.doc.settings, live.doc
    if not settings.chat:
        raise Refused("chat_off")
    seats = [i for i, seat in enumerate(doc.seats) if seat.guest == guest.id]
    if any(doc.seats[seat].muted for seat in seats):
        raise Refused("muted")
    if guest.id in doc.banned:
        raise Refused("kicked")
    if not seats and guest.id != doc.host and not settings.watchers:
        raise Refused("not_seated")
    return seats[0] if seats else None


def add(connection: Connection, table: str, at: int, guest: str, seat: int | None, name: str, text: str) -> None:
    """Keep a message."""
    connection.execute(insert(schema.chat).values(table_id=table, at=at, guest=guest, seat=seat, name=name, text=text))
    notify(connection, table, -1)


def read(connection: Connection, table: str, after: int = 0, before: int | None = None, limit: int = LAST) -> list[Any]:
    """Messages after an id, the last so many, oldest first."""
    m = schema.chat.c
    query = select(schema.chat).where(m.table_id == table, m.id > after)
    if before is not None:
        query = query.where(m.id < before)
    return list(reversed(connection.execute(query.order_by(m.id.desc()).limit(limit)).all()))


def message(row: Any) -> dict[str, Any]:
    """A message as pages get it."""
    return {"id": row.id, "at": row.at, "seat": row.seat, "name": row.name, "text": row.text}


# ---------------------------------------------------------------- blocks and reports


def blocked_by(connection: Connection, guest: str) -> set[str]:
    """The guests somebody has blocked."""
    b = schema.blocks.c
    return set(connection.execute(select(b.blocked).where(b.guest == guest)).scalars())


def list_blocks(connection: Connection, guest: str) -> list[dict[str, Any]]:
    """The same with the names they had."""
    b = schema.blocks.c
    return [
        {"guest": row.blocked, "name": row.name}
        for row in connection.execute(select(schema.blocks).where(b.guest == guest))
    ]


def block(connection: Connection, guest: str, blocked: str, name: str) -> None:
    """Block somebody."""
    unblock(connection, guest, blocked)
    connection.execute(insert(schema.blocks).values(guest=guest, blocked=blocked, name=name))


def unblock(connection: Connection, guest: str, blocked: str) -> None:
    """Take that back."""
    b = schema.blocks.c
    connection.execute(delete(schema.blocks).where(b.guest == guest, b.blocked == blocked))


def report(
    connection: Connection, guest: str, at: int, table: str, seat: int | None, message: int | None, text: str
) -> None:
    """Tell whoever runs the server."""
    connection.execute(
        insert(schema.reports).values(at=at, guest=guest, table_id=table, seat=seat, message=message, text=text)
    )
