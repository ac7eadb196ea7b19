"""Guests: a name, no account. Also links that move a guest to another device, and secrets that all nodes share."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, bindparam, delete, insert, select

from quadriga.server.database import schema
from quadriga.server.tokens import new_id, new_token, token_hash

CARRY_MS = 15 * 60_000


class Guest(Struct, frozen=True):
    """Somebody with a name."""

    id: str
    name: str


def kept_secret(connection: Connection, name: str, draw: Callable[[], str]) -> str:
    """A secret all nodes share: drawn once, kept in the database."""
    table = schema.secrets
    if connection.dialect.name == "postgresql":  # two nodes may start at once
        connection.exec_driver_sql("LOCK TABLE secrets IN EXCLUSIVE MODE")
    found = connection.execute(select(table.c.value).where(table.c.name == name)).scalar()
    if found is None:
        found = draw()
        connection.execute(insert(table).values(name=name, value=found))
    return str(found)


def add_guest(connection: Connection, name: str, now: int) -> Guest:
    """A new guest."""
    guest = Guest(new_id(), name)
    connection.execute(insert(schema.guests).values(id=guest.id, name=name, created=now))
    return guest


_GUEST = select(schema.guests).where(schema.guests.c.id == bindparam("the_id"))


def find_guest(connection: Connection, guest: str | None) -> Guest | None:
    """The guest of an id."""
    row = connection.execute(_GUEST, {"the_id": guest}).first() if guest else None
    return Guest(row.id, row.name) if row else None


def rename_guest(connection: Connection, guest: str, name: str) -> None:
    """Another name, from now on."""
    connection.execute(schema.guests.update().where(schema.guests.c.id == guest).values(name=name))


def add_carry(connection: Connection, guest: str, now: int) -> tuple[str, int]:
    """A code that makes another device this guest, once; and until when."""
    code = new_token()
    connection.execute(delete(schema.carries).where(schema.carries.c.until < now))
    connection.execute(insert(schema.carries).values(code=token_hash(code), guest=guest, until=now + CARRY_MS))
    return code, now + CARRY_MS


def whose_carry(connection: Connection, code: str, now: int) -> Guest | None:
    """The guest of a code that can still be used."""
    table = schema.carries
    row = connection.execute(select(table).where(table.c.code == token_hash(code), table.c.until >= now)).first()
    return find_guest(connection, row.guest) if row else None


def use_carry(connection: Connection, code: str, now: int) -> Guest | None:
    """The guest of a code. The code cannot be used again."""
    table = schema.carries
    row = connection.execute(select(table).where(table.c.code == token_hash(code))).first()
    used = connection.execute(delete(table).where(table.c.code == token_hash(code)))
    return find_guest(connection, row.guest) if row and used.rowcount and row.until >= now else None


def data_of(connection: Connection, guest: str) -> dict[str, Any]:
    """Everything kept about a guest, for the guest."""
    found: dict[str, Any] = {}
    for name, table, column in (
        ("guest", schema.guests, schema.guests.c.id),
        ("chat", schema.chat, schema.chat.c.guest),
        ("reactions", schema.reactions, schema.reactions.c.guest),
        ("blocks", schema.blocks, schema.blocks.c.guest),
        ("pushes", schema.pushes, schema.pushes.c.guest),
        ("reports", schema.reports, schema.reports.c.guest),
        ("tables", schema.members, schema.members.c.guest),
        ("exercises", schema.exercises_done, schema.exercises_done.c.guest),
        ("puzzles", schema.puzzle_answers, schema.puzzle_answers.c.guest),
        ("puzzle_days", schema.puzzle_days, schema.puzzle_days.c.guest),
        ("puzzle_ratings", schema.puzzle_solvers, schema.puzzle_solvers.c.guest),
    ):
        found[name] = [dict(row) for row in connection.execute(select(table).where(column == guest)).mappings()]
    return found
