"""Tables to rows and back: the document and the log, and moments as a cache beside it."""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, Insert, Select, bindparam, delete, func, insert, select, text, tuple_, update

from quadriga.core.errors import QuadrigaError, ReplayFailed
from quadriga.core.game import Game
from quadriga.core.match import AnyEntry, Match, Moment, SeatChange
from quadriga.server import schema
from quadriga.server.documents import OPEN, OVER, PERSON, RACING, STOPPED, TableDocument
from quadriga.server.gate import LoggedStep
from quadriga.server.live import LiveTable
from quadriga.server.moments import layout_key, pack_moment, pack_small, unpack_moment
from quadriga.server.refused import Refused
from quadriga.server.storage import Unchanged

CHANNEL = "quadriga"
NO_ENTRY = -1
"""The seq in a notice of chat, and of a table whose race has not begun."""
REWRITTEN = -2
"""The seq in a notice of a log in which old entries were changed."""

_encode = msgspec.json.Encoder().encode
_document = msgspec.json.Decoder(TableDocument)
_entry, _log = msgspec.json.Decoder(AnyEntry), msgspec.json.Decoder(list[AnyEntry])


# ---------------------------------------------------------------- writing


@dataclass(frozen=True)
class Change:
    """What one command changes, ready to be written by another thread."""

    table: dict[str, Any]
    read: int
    """The revision that was changed."""
    entries: list[dict[str, Any]]
    moments: list[dict[str, Any]]
    created: list[dict[str, Any]] = field(default_factory=list)
    uploads: list[dict[str, Any]] = field(default_factory=list)
    """What the edition takes up in tables made from this one."""
    members: list[tuple[str, str]] | None = None


def change_of(live: LiveTable, due: int | None, members: bool) -> Change:
    """What is to be written of a table in memory."""
    entries, moments = [], []
    if live.match is not None:
        for seq in range(live.stored + 1, live.match.seq + 1):
            one = {"table_id": live.doc.id, "seq": seq}
            entries.append(one | {"at": live.times[seq], "body": _encode(live.match.log[seq])})
            body = pack_moment(live.game, live.match.moment(seq))
            moments.append(one | {"key": layout_key(live.game), "body": body})
    row = table_row(live.doc, live.match.seq if live.match else -1, due)
    created = [table_row(doc, -1, None) | {"revision": 0, "edition": live.edition} for doc in live.created]
    owners = (
        [(guest, doc.id) for doc in [live.doc, *live.created] for guest in sorted(doc.known())] if members else None
    )
    return Change(row, live.revision, entries, moments, created, _editions_of(live), owners)


def _editions_of(live: LiveTable) -> list[dict[str, Any]]:
    size = len((live.edition or "").encode())
    return [{"table_id": doc.id, "guest": doc.host, "bytes": size} for doc in live.created] if size else []


def table_row(doc: TableDocument, seq: int, due: int | None) -> dict[str, Any]:
    """The columns of a table."""
    return {
        "id": doc.id,
        "seq": seq,
        "game": doc.game,
        "state": doc.state,
        "listed": doc.settings.listed,
        "due": due,
        "changed": doc.changed,
        "document": _encode(doc),
    }


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
_NOTIFY = text("SELECT pg_notify(:channel, :payload)")


def write_changes(connection: Connection, changes: list[Change]) -> list[Unchanged | None]:
    """Write the changes of tables that nobody else has changed meanwhile, a statement for all; Unchanged for others."""
    timely = changes if len(changes) == 1 else _timely(connection, changes)  # of one alone the update tells
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


def _updated(change: Change) -> dict[str, Any]:
    values = {f"new_{n}": change.table[n] for n in ("seq", "state", "listed", "due", "changed", "document")}
    return values | {"the_id": change.table["id"], "read": change.read}


def _insert(connection: Connection, statement: Insert, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(statement, rows)


@dataclass(frozen=True)
class Rows:
    """Entries of a log with their moments, from the same one on."""

    entries: list[dict[str, Any]]
    moments: list[dict[str, Any]]


def write_new(connection: Connection, doc: TableDocument, edition: str | None, seq: int, uploaded: int) -> None:
    """A table that did not exist before, whose log ends at `seq`, with so many bytes that were uploaded."""
    row = table_row(doc, seq, None) | {"revision": 0, "edition": edition}
    connection.execute(_INSERT_TABLE, [row])
    if uploaded:
        connection.execute(_INSERT_UPLOAD, [{"table_id": doc.id, "guest": doc.host, "bytes": uploaded}])


def write_rows(connection: Connection, rows: Rows) -> None:
    """A part of the log of a new table."""
    _insert(connection, _INSERT_ENTRY, rows.entries)
    _insert(connection, _INSERT_MOMENT, rows.moments)


def write_owners(connection: Connection, doc: TableDocument) -> None:
    """Whose a new table is."""
    _write_members(connection, [(guest, doc.id) for guest in sorted(doc.known())])


def _write_members(connection: Connection, owners: Iterable[tuple[str, str]]) -> None:
    for table in {table for _, table in owners}:
        connection.execute(delete(schema.members).where(schema.members.c.table_id == table))
    connection.execute(insert(schema.members), [{"guest": guest, "table_id": table} for guest, table in owners])


def notify(connection: Connection, table: str, seq: int) -> None:
    """Wake the other nodes when this is committed; only PostgreSQL has some."""
    if connection.dialect.name == "postgresql":
        connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": f"{table} {seq}"})


def unname(connection: Connection, table: str, whose: Callable[[int, str], bool], name: str) -> None:
    """Another name wherever the log has a person whose it is, by seat and name."""
    e = schema.entries.c
    for seq, body in connection.execute(select(e.seq, e.body).where(e.table_id == table)).all():
        entry = _entry.decode(body)
        if isinstance(entry, SeatChange) and entry.who.kind == PERSON and whose(entry.seat, entry.who.name):
            unnamed = _encode(replace(entry, who=replace(entry.who, name=name)))
            connection.execute(update(schema.entries).where(e.table_id == table, e.seq == seq).values(body=unnamed))
    notify(connection, table, REWRITTEN)


# ---------------------------------------------------------------- reading


@dataclass
class Stored:
    """A table as it lies in the database."""

    document: bytes
    edition: str | None
    revision: int
    seq: int
    key: str
    moment: bytes
    entries: list[bytes] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    begin: list[AnyEntry] = field(default_factory=list)
    """The log before the entries, if that was known."""

    @cached_property
    def doc(self) -> TableDocument:
        """The document as it was written."""
        return _document.decode(self.document)

    @cached_property
    def log(self) -> list[AnyEntry]:
        """The race from its set-up on."""
        return [*self.begin, *_log.decode(b"[" + b",".join(self.entries) + b"]")]

    def follow(self, live: LiveTable) -> None:
        """Go on where the log of a table in memory ends."""
        assert live.match is not None
        self.begin, self.times = live.match.log[: live.stored + 1], live.times[: live.stored + 1] + self.times


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


def read_tables(connection: Connection, tables: list[str]) -> dict[str, Stored]:
    """Tables that exist, each with its log and its last moment."""
    found = _read_rows(connection, tables)
    _read_entries(connection, _LOGS, list(found), found)
    return found


def read_news(connection: Connection, known: list[str]) -> dict[str, Stored]:
    """Tables with what has been added to their logs, by their ids and the last entry that is known of each."""
    last = dict(one.split(" ") for one in known)
    found = _read_rows(connection, list(last))
    new = [(table, seq) for table, one in found.items() for seq in range(int(last[table]) + 1, one.seq + 1)]
    if new:
        _read_entries(connection, _ENTRIES, new, found)
    return {f"{table} {last[table]}": one for table, one in found.items()}


def _read_rows(connection: Connection, tables: list[str]) -> dict[str, Stored]:
    return {
        row.id: Stored(row.document, row.edition, row.revision, row.seq, row.key or "", row.body or b"")
        for row in connection.execute(_TABLES, {"some": tables})
    }


def _read_entries(connection: Connection, statement: Select[Any], some: list[Any], found: dict[str, Stored]) -> None:
    for table, seq, at, body in connection.execute(statement, {"some": some}):
        if seq <= found[table].seq:  # another node may have gone on since
            found[table].times.append(at)
            found[table].entries.append(body)


def read_table(connection: Connection, table: str) -> Stored:
    """A table with its log and its last moment, or a refusal."""
    return require_table(read_tables(connection, [table]).get(table))


def require_table(stored: Stored | None) -> Stored:
    """A table that was found, or a refusal."""
    if stored is None:
        raise Refused("no_table")
    return stored


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


def read_steps(
    connection: Connection, game: Game, table: str, first: int, last: int
) -> list[tuple[LoggedStep, Moment]]:
    """Entries from `first` to `last` with their moments, as far as the cache fits the rules."""
    asked = {"the_id": table, "first": first, "last": last, "the_key": layout_key(game)}
    found = []
    for row in connection.execute(_STEPS, asked):
        moment = unpack_moment(game, row.moment)
        found.append((LoggedStep(row.seq, row.at, _entry.decode(row.body), moment.events), moment))
    return found


def revive(stored: Stored, game: Game, live: LiveTable | None = None) -> LiveTable:
    """A table in memory from what is stored; into `live` if there is one already."""
    doc = stored.doc
    live = live or LiveTable(doc, stored.edition, game)
    live.doc, live.edition, live.game, live.revision = doc, stored.edition, game, stored.revision
    live.times, live.stored, live.created, live.match = stored.times, len(stored.log) - 1, [], None
    live.written = _encode(doc)
    if doc.state == OPEN or not stored.log:
        return live
    if doc.rules_version != game.meta.rules_version:
        if doc.state == RACING:
            doc.state = STOPPED
        return live
    live.match = _match_of(stored, game)
    return live


def _match_of(stored: Stored, game: Game) -> Match:
    doc = stored.doc
    race = (game, doc.sitters, doc.options, bytes.fromhex(doc.seed), doc.nonces)
    if stored.key == layout_key(game):
        match = Match(*race, stored.log, {len(stored.log) - 1: unpack_moment(game, stored.moment)})
    else:
        match = Match(*race)
        replay_log(match, stored.log)
    match.pending = {seat: game.parse(text) for seat, text in doc.pending.items()}
    return match


def replay_log(match: Match, log: list[AnyEntry]) -> None:
    """Play a log again, for want of moments; raises ReplayFailed where it differs."""
    for seq, entry in enumerate(log[1:], 1):
        try:
            match.add(entry)
        except QuadrigaError as error:
            raise ReplayFailed(seq, str(error)) from None
        if match.log[seq].hash != entry.hash:
            raise ReplayFailed(seq, "the state differs from the one recorded")


def rewrite_moments(connection: Connection, live: LiveTable) -> None:
    """Fill the cache of a race that was played again."""
    assert live.match is not None
    table, key = live.doc.id, layout_key(live.game)
    pack = pack_small if live.doc.from_record else pack_moment
    connection.execute(delete(schema.moments).where(schema.moments.c.table_id == table))
    rows = [
        {"table_id": table, "seq": seq, "key": key, "body": pack(live.game, live.match.moment(seq))}
        for seq in range(live.match.seq + 1)
    ]
    connection.execute(_INSERT_MOMENT, rows)


# ---------------------------------------------------------------- lists


def list_tables(connection: Connection, guest: str | None, limit: int = 200) -> list[TableDocument]:
    """A guest's tables, or without one the listed ones that are open or racing; newest first."""
    t = schema.tables.c
    query = select(t.document)
    if guest is None:
        query = query.where(t.listed, t.state.in_([OPEN, RACING]))
    else:
        query = query.join(schema.members, schema.members.c.table_id == t.id).where(schema.members.c.guest == guest)
    docs = [_document.decode(row.document) for row in connection.execute(query.order_by(t.changed.desc()).limit(limit))]
    return [doc for doc in docs if guest is None or guest in doc.owners()]


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


def games_on(connection: Connection) -> list[str]:
    """The games of races that are on, the most played first."""
    t = schema.tables.c
    query = select(t.game).where(t.state == RACING).group_by(t.game).order_by(func.count().desc(), t.game)
    return list(connection.execute(query).scalars())


def is_finished(doc: TableDocument) -> bool:
    """Whether the race is over, so that everything may be seen."""
    return doc.state == OVER
