"""Rows of chat messages, blocks and reports."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select

from quadriga.server.database import schema
from quadriga.server.database.guests import Guest
from quadriga.server.database.table_rows import NO_ENTRY, notify

LAST = 50
"""How many messages a new watcher gets."""
NO_MESSAGE = 2**53
"""An id that no message will have."""


def add(connection: Connection, table: str, at: int, guest: str, seat: int | None, name: str, text: str) -> None:
    """Keep a message."""
    connection.execute(insert(schema.chat).values(table_id=table, at=at, guest=guest, seat=seat, name=name, text=text))
    notify(connection, table, NO_ENTRY)


_LAST = (
    select(schema.chat)
    .where(
        schema.chat.c.table_id == bindparam("the_table"),
        schema.chat.c.id > bindparam("after"),
        schema.chat.c.id < bindparam("before"),
    )
    .order_by(schema.chat.c.id.desc())
    .limit(bindparam("most"))
)


def read(connection: Connection, table: str, after: int = 0, before: int = NO_MESSAGE, limit: int = LAST) -> list[Any]:
    """Messages between two ids, the last so many, oldest first."""
    rows = connection.execute(_LAST, {"the_table": table, "after": after, "before": before, "most": limit})
    return list(reversed(rows.all()))


_NEWEST = (
    select(schema.chat.c.table_id, func.max(schema.chat.c.id))
    .where(schema.chat.c.table_id.in_(bindparam("some", expanding=True)))
    .group_by(schema.chat.c.table_id)
)


def newest(connection: Connection, tables: list[str]) -> dict[str, int]:
    """The id of the last message of each table that has one."""
    return {row[0]: row[1] for row in connection.execute(_NEWEST, {"some": tables})}


def message(row: Any, guest: str | None) -> dict[str, Any]:
    """A message as a guest gets it."""
    mine = guest is not None and row.guest == guest
    return {"id": row.id, "at": row.at, "seat": row.seat, "name": row.name, "text": row.text, "mine": mine}


# ---------------------------------------------------------------- reactions

Reactions = dict[int, dict[str, str]]
"""What guests think of messages: kinds by guest, by the message's id."""


def react(connection: Connection, table: str, message: int, guest: str, kind: str | None) -> bool:
    """Keep a guest's reaction in place of an earlier one, or none; False if the table has no such message."""
    chat, r = schema.chat.c, schema.reactions.c
    if connection.execute(select(chat.id).where(chat.id == message, chat.table_id == table)).first() is None:
        return False
    connection.execute(delete(schema.reactions).where(r.message == message, r.guest == guest))
    if kind is not None:
        connection.execute(insert(schema.reactions).values(message=message, guest=guest, kind=kind))
    notify(connection, table, NO_ENTRY)
    return True


def last_reactions(connection: Connection, table: str, limit: int = LAST) -> Reactions:
    """The reactions to the last messages of a table."""
    chat, r = schema.chat.c, schema.reactions.c
    some = select(chat.id).where(chat.table_id == table).order_by(chat.id.desc()).limit(limit)
    return _by_message(connection.execute(select(schema.reactions).where(r.message.in_(some)).order_by(r.guest)))


def reactions_to(connection: Connection, messages: list[int]) -> Reactions:
    """The reactions to some messages."""
    r = schema.reactions.c
    return _by_message(connection.execute(select(schema.reactions).where(r.message.in_(messages)).order_by(r.guest)))


def _by_message(rows: Iterable[Any]) -> Reactions:
    found: Reactions = {}
    for row in rows:
        found.setdefault(row.message, {})[row.guest] = row.kind
    return found


# ---------------------------------------------------------------- blocks and reports


_BLOCKED = select(schema.blocks.c.blocked).where(schema.blocks.c.guest == bindparam("the_guest"))


def blocked_by(connection: Connection, guest: str) -> set[str]:
    """Guests whom a guest has blocked."""
    return set(connection.execute(_BLOCKED, {"the_guest": guest}).scalars())


_WHO = (
    select(schema.guests.c.id, schema.guests.c.name, schema.blocks.c.blocked)
    .join_from(schema.guests, schema.blocks, schema.blocks.c.guest == schema.guests.c.id, isouter=True)
    .where(schema.guests.c.id.in_(bindparam("some", expanding=True)))
)


def who(connection: Connection, guests: list[str]) -> dict[str, tuple[Guest, set[str]]]:
    """Guests, and whom they have blocked."""
    found: dict[str, tuple[Guest, set[str]]] = {}
    for row in connection.execute(_WHO, {"some": guests}):
        _, blocked = found.setdefault(row.id, (Guest(row.id, row.name), set()))
        if row.blocked is not None:
            blocked.add(row.blocked)
    return found


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
    """Remove a block."""
    b = schema.blocks.c
    connection.execute(delete(schema.blocks).where(b.guest == guest, b.blocked == blocked))


def report(
    connection: Connection, guest: str, at: int, table: str, seat: int | None, message: int | None, text: str
) -> None:
    """Store a report for the host of the server."""
    connection.execute(
        insert(schema.reports).values(at=at, guest=guest, table_id=table, seat=seat, message=message, text=text)
    )
