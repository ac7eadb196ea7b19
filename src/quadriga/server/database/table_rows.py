"""Rows of tables: the document, the log, and moments as a cache beside it. What the bytes mean is not known here."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Insert, Select, bindparam, delete, func, insert, select, text, tuple_, update

from quadriga.server.database import schema
from quadriga.server.database.store import Unchanged

Row = dict[str, Any]

CHANNEL = "quadriga"
NO_ENTRY = -1
"""The seq in a notice of chat, and of a table whose race has not begun."""
REWRITTEN = -2
"""The seq in a notice of a log in which old entries were changed."""


# ---------------------------------------------------------------- writing


@dataclass(frozen=True)
class Change:
    """What one command changes, ready to be written by another thread."""

    table: Row
    read: int
    """The revision that was changed."""
    entries: list[Row]
    moments: list[Row]
    created: list[Row] = field(default_factory=list)
    uploads: list[Row] = field(default_factory=list)
    """What the edition takes up in tables made from this one."""
    members: list[tuple[str, str]] | None = None


_UPDATE = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("the_id"), schema.tables.c.revision == bindparam("read"))
    .values(
        revision=schema.tables.c.revision + 1,
        **{n: bindparam(f"new_{n}") for n in ("seq", "state", "listed", "due", "changed", "document")},
    )
)
_INSERT_TABLE, _INSERT_ENTRY, _INSERT_MOMENT = insert(schema.tables), insert(schema.entries), insert(schema.moments)
_INSERT_UPLOAD = insert(schema.uploads)
_ADD_MEMBER = text("INSERT INTO members (guest, table_id) VALUES (:guest, :table_id) ON CONFLICT DO NOTHING")
_NOTIFY = text("SELECT pg_notify(:channel, :payload)")


def write_changes(connection: Connection, changes: list[Change]) -> list[Unchanged | None]:
    """Write the changes of tables that nobody else has changed meanwhile, a statement for all; Unchanged for others."""
    timely = changes if len(changes) == 1 else _timely(connection, changes)  # a single update reports it itself
    if timely and connection.execute(_UPDATE, [_updated(change) for change in timely]).rowcount != len(timely):
        raise Unchanged
    with _sent_together(connection):
        _insert(connection, _INSERT_TABLE, [row for change in timely for row in change.created])
        _insert(connection, _INSERT_UPLOAD, [row for change in timely for row in change.uploads])
        _insert(connection, _INSERT_ENTRY, [row for change in timely for row in change.entries])
        _insert(connection, _INSERT_MOMENT, [row for change in timely for row in change.moments])
        for change in timely:
            if change.members is not None:
                _write_members(connection, change.members)
            notify(connection, change.table["id"], change.table["seq"])
    written = {id(change) for change in timely}
    return [None if id(change) in written else Unchanged() for change in changes]


def _sent_together(connection: Connection) -> AbstractContextManager[object]:
    """Statements whose outcomes nobody looks at are sent to PostgreSQL without waiting for each."""
    driver: Any = connection.connection.driver_connection
    return driver.pipeline() if connection.dialect.name == "postgresql" else nullcontext()


def _updated(change: Change) -> Row:
    values = {f"new_{n}": change.table[n] for n in ("seq", "state", "listed", "due", "changed", "document")}
    return values | {"the_id": change.table["id"], "read": change.read}


def _insert(connection: Connection, statement: Insert, rows: list[Row]) -> None:
    if rows:
        connection.execute(statement, rows)


@dataclass(frozen=True)
class Rows:
    """Entries of a log with their moments, from the same one on."""

    entries: list[Row]
    moments: list[Row]


def write_new(connection: Connection, row: Row, edition: str | None, host: str, uploaded: int) -> None:
    """A table that did not exist before, with so many bytes that its host uploaded."""
    connection.execute(_INSERT_TABLE, [row | {"revision": 0, "edition": edition}])
    if uploaded:
        connection.execute(_INSERT_UPLOAD, [{"table_id": row["id"], "guest": host, "bytes": uploaded}])


def write_rows(connection: Connection, rows: Rows) -> None:
    """A part of the log of a new table."""
    _insert(connection, _INSERT_ENTRY, rows.entries)
    _insert(connection, _INSERT_MOMENT, rows.moments)


def write_owners(connection: Connection, table: str, guests: Iterable[str]) -> None:
    """Whose a new table is."""
    _write_members(connection, [(guest, table) for guest in sorted(guests)])


def _write_members(connection: Connection, owners: Iterable[tuple[str, str]]) -> None:
    """Whose these tables are now; who stays keeps the row with when they were seen."""
    m, wanted = schema.members.c, sorted(set(owners))
    is_gone = m.table_id.in_({table for _, table in wanted}) & tuple_(m.guest, m.table_id).not_in(wanted)
    connection.execute(delete(schema.members).where(is_gone))
    connection.execute(_ADD_MEMBER, [{"guest": guest, "table_id": table} for guest, table in wanted])


def notify(connection: Connection, table: str, seq: int) -> None:
    """Wake the other nodes when this is committed; only PostgreSQL has some."""
    if connection.dialect.name == "postgresql":
        connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": f"{table} {seq}"})


def rewrite_entries(connection: Connection, table: str, rewrite: Callable[[bytes], bytes | None]) -> None:
    """Change entries of a log that was written; `rewrite` gives the new body of an entry, or None to keep it."""
    e = schema.entries.c
    for seq, body in connection.execute(select(e.seq, e.body).where(e.table_id == table)).all():
        if (new := rewrite(body)) is not None:
            connection.execute(update(schema.entries).where(e.table_id == table, e.seq == seq).values(body=new))
    notify(connection, table, REWRITTEN)


def replace_moments(connection: Connection, table: str, moments: list[Row]) -> None:
    """Write the cached moments of a race anew."""
    connection.execute(delete(schema.moments).where(schema.moments.c.table_id == table))
    connection.execute(_INSERT_MOMENT, moments)


# ---------------------------------------------------------------- reading


@dataclass
class StoredTable:
    """A table as it lies in the database: its row, its last cached moment, and entries of its log."""

    document: bytes
    edition: str | None
    revision: int
    seq: int
    key: str
    moment: bytes
    entries: list[bytes] = field(default_factory=list)
    times: list[int] = field(default_factory=list)


_some: Any = bindparam("some", expanding=True)
_TABLES = (
    select(schema.tables, schema.moments.c.key, schema.moments.c.body)
    .join(
        schema.moments,
        (schema.moments.c.table_id == schema.tables.c.id) & (schema.moments.c.seq == schema.tables.c.seq),
        isouter=True,
    )
    .where(schema.tables.c.id.in_(_some))
)
_LOGS = (
    select(schema.entries)
    .where(schema.entries.c.table_id.in_(_some))
    .order_by(schema.entries.c.table_id, schema.entries.c.seq)
)


_ENTRIES = (
    select(schema.entries)
    .where(tuple_(schema.entries.c.table_id, schema.entries.c.seq).in_(_some))
    .order_by(schema.entries.c.table_id, schema.entries.c.seq)
)


def read_tables(connection: Connection, tables: list[str]) -> dict[str, StoredTable]:
    """Tables that exist, each with its log and its last moment."""
    found = _read_rows(connection, tables)
    _read_entries(connection, _LOGS, list(found), found)
    return found


def read_new_entries(connection: Connection, known: list[tuple[str, int]]) -> dict[tuple[str, int], StoredTable]:
    """Tables with what has been added to their logs, by their ids and the last entry that is known of each."""
    last = dict(known)
    found = _read_rows(connection, list(last))
    new = [(table, seq) for table, one in found.items() for seq in range(last[table] + 1, one.seq + 1)]
    if new:
        _read_entries(connection, _ENTRIES, new, found)
    return {(table, last[table]): one for table, one in found.items()}


def _read_rows(connection: Connection, tables: list[str]) -> dict[str, StoredTable]:
    return {
        row.id: StoredTable(row.document, row.edition, row.revision, row.seq, row.key or "", row.body or b"")
        for row in connection.execute(_TABLES, {"some": tables})
    }


def _read_entries(
    connection: Connection, statement: Select[Any], some: list[Any], found: dict[str, StoredTable]
) -> None:
    for table, seq, at, body in connection.execute(statement, {"some": some}):
        if seq <= found[table].seq:  # another node may have gone on since
            found[table].times.append(at)
            found[table].entries.append(body)


_REVISIONS = select(schema.tables.c.id, schema.tables.c.revision).where(schema.tables.c.id.in_(_some))
_LOCKED = _REVISIONS.order_by(schema.tables.c.id).with_for_update()


def _timely(connection: Connection, changes: list[Change]) -> list[Change]:
    """The changes of tables that are as they were read; from now on nobody else changes them."""
    some = [change.table["id"] for change in changes]
    now = {row.id: row.revision for row in connection.execute(_LOCKED, {"some": some})}
    return [change for change in changes if now.get(change.table["id"]) == change.read]


def read_revisions(connection: Connection, tables: list[str]) -> dict[str, int]:
    """The revisions of tables that still exist."""
    return {row.id: row.revision for row in connection.execute(_REVISIONS, {"some": tables})}


_the_id: Any = bindparam("the_id")
_last: Any = bindparam("last")
_STEPS = (
    select(schema.entries.c.seq, schema.entries.c.at, schema.entries.c.body, schema.moments.c.body.label("moment"))
    .join_from(
        schema.entries,
        schema.moments,
        (schema.entries.c.table_id == schema.moments.c.table_id) & (schema.entries.c.seq == schema.moments.c.seq),
    )
    .where(
        schema.entries.c.table_id == _the_id,
        schema.entries.c.seq >= bindparam("first"),
        schema.entries.c.seq <= _last,
        schema.moments.c.key == bindparam("the_key"),
    )
    .order_by(schema.entries.c.seq)
)


def read_steps(connection: Connection, table: str, first: int, last: int, key: str) -> list[Any]:
    """Entries from `first` to `last` as (seq, at, body, moment), as far as the cached moments have this key."""
    return list(connection.execute(_STEPS, {"the_id": table, "first": first, "last": last, "the_key": key}))


# ---------------------------------------------------------------- lists


def list_documents(connection: Connection, guest: str | None, states: Iterable[str], limit: int = 200) -> list[bytes]:
    """The documents of a guest's tables, or without one of listed tables in these states; newest first."""
    t = schema.tables.c
    query = select(t.document)
    if guest is None:
        query = query.where(t.listed, t.state.in_(list(states)))
    else:
        m = schema.members.c
        query = query.join(schema.members, m.table_id == t.id).where(m.guest == guest, ~m.hidden)
    return list(connection.execute(query.order_by(t.changed.desc()).limit(limit)).scalars())


def list_member_rows(
    connection: Connection,
    guest: str,
    states: Iterable[str],
    game: str | None,
    before: tuple[int, str] | None,
    limit: int,
) -> list[Any]:
    """Tables of a guest's list as (id, changed, document), newest first; `before` is the last one known."""
    t, m = schema.tables.c, schema.members.c
    query = select(t.id, t.changed, t.document).join(schema.members, m.table_id == t.id)
    query = query.where(m.guest == guest, ~m.hidden, t.state.in_(list(states)))
    if game is not None:
        query = query.where(t.game == game)
    if before is not None:
        query = query.where(tuple_(t.changed, t.id) < before)
    return list(connection.execute(query.order_by(t.changed.desc(), t.id.desc()).limit(limit)))


def hide(connection: Connection, guest: str, table: str) -> None:
    """Leave a table out of a guest's list."""
    m = schema.members.c
    connection.execute(update(schema.members).where(m.guest == guest, m.table_id == table).values(hidden=True))


def due_tables(connection: Connection, now: int) -> list[str]:
    """Tables where something should have happened by now."""
    t = schema.tables.c
    return list(connection.execute(select(t.id).where(t.due <= now).order_by(t.due).limit(1000)).scalars())


def postpone(connection: Connection, tables: list[str], now: int, later: int) -> None:
    """Look after tables later, unless they have changed meanwhile and say themselves when."""
    t = schema.tables.c
    connection.execute(update(schema.tables).where(t.id.in_(tables), t.due <= now).values(due=later))


def delete_tables(connection: Connection, tables: list[str]) -> None:
    """Tables with all that belongs to them."""
    connection.execute(delete(schema.tables).where(schema.tables.c.id.in_(tables)))


def old_tables(connection: Connection, before: int) -> list[str]:
    """Tables that nobody has changed for long."""
    t = schema.tables.c
    return list(connection.execute(select(t.id).where(t.changed < before).limit(500)).scalars())


def games_in_state(connection: Connection, state: str) -> list[str]:
    """The games of tables in a state, the most played first."""
    t = schema.tables.c
    query = select(t.game).where(t.state == state).group_by(t.game).order_by(func.count().desc(), t.game)
    return list(connection.execute(query).scalars())
