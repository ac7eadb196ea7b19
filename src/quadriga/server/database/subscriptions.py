"""Browsers that want push messages, and who is at a table on any node."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct
from sqlalchemy import Connection, delete, insert, select, tuple_, update

from quadriga.server.database import schema

Text = Annotated[str, Meta(min_length=1, max_length=200)]


class PushKeys(Struct, frozen=True, forbid_unknown_fields=True):
    """The browser's keys, in base64url."""

    p256dh: Text
    auth: Text


class Subscription(Struct, frozen=True, forbid_unknown_fields=True):
    """Where and how a browser is reached: `PushSubscription.toJSON()`."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
    keys: PushKeys
    expirationTime: float | None = None  # noqa: N815  the browser's own name for it


MOST = 10
"""Browsers of one guest; the oldest go."""


def add(connection: Connection, guest: str, subscription: Subscription, now: int) -> None:
    """Store a browser for a guest, and remove it from the guest who had it before."""
    remove(connection, subscription.endpoint)
    keys = subscription.keys
    row = {"guest": guest, "created": now, "endpoint": subscription.endpoint, "p256dh": keys.p256dh, "auth": keys.auth}
    connection.execute(insert(schema.pushes).values(row))
    p = schema.pushes.c
    newest = select(p.endpoint).where(p.guest == guest).order_by(p.created.desc(), p.endpoint)
    for endpoint in connection.execute(newest).scalars().all()[MOST:]:
        remove(connection, endpoint)


def remove(connection: Connection, endpoint: str, guest: str | None = None) -> None:
    """Forget a browser, of a guest if one is named."""
    p = schema.pushes.c
    query = delete(schema.pushes).where(p.endpoint == endpoint)
    connection.execute(query if guest is None else query.where(p.guest == guest))


def of(connection: Connection, guest: str) -> list[Subscription]:
    """The browsers of a guest."""
    rows = connection.execute(select(schema.pushes).where(schema.pushes.c.guest == guest))
    return [Subscription(row.endpoint, PushKeys(row.p256dh, row.auth)) for row in rows]


# ---------------------------------------------------------------- who is there


def mark_seen(connection: Connection, pairs: Sequence[tuple[str, str]], now: int) -> None:
    """Guests who have a table on a screen now."""
    m = schema.members.c
    connection.execute(update(schema.members).where(tuple_(m.guest, m.table_id).in_(pairs)).values(seen=now))


def mark_acted(connection: Connection, guest: str, table: str, now: int) -> None:
    """A guest has just sent a command to a table."""
    m = schema.members.c
    connection.execute(update(schema.members).where(m.guest == guest, m.table_id == table).values(acted=now))


def seen_at(connection: Connection, table: str) -> dict[str, int]:
    """When guests last had a table on a screen or did something there, as far as nodes have told."""
    m = schema.members.c
    found = connection.execute(select(m.guest, m.seen, m.acted).where(m.table_id == table))
    return {row.guest: max(int(row.seen), int(row.acted)) for row in found}


def seen_since(connection: Connection, tables: Sequence[str], since: int) -> dict[str, dict[str, int]]:
    """Guests who had one of the tables on a screen after a time, as far as nodes have told, and when they last had."""
    m = schema.members.c
    found: dict[str, dict[str, int]] = {}
    for row in connection.execute(select(m.table_id, m.guest, m.seen).where(m.table_id.in_(tables), m.seen > since)):
        found.setdefault(row.table_id, {})[row.guest] = int(row.seen)
    return found


def last_seen(connection: Connection, guest: str, table: str) -> int:
    """When a guest last had a table on a screen, as far as nodes have told."""
    m = schema.members.c
    found = connection.execute(select(m.seen).where(m.guest == guest, m.table_id == table)).scalar()
    return int(found or 0)
