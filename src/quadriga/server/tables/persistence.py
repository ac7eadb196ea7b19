"""Tables to rows and back: documents, entries and moments are bytes in the database."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection

from quadriga.core.errors import QuadrigaError, ReplayFailed
from quadriga.core.game import Game
from quadriga.core.match import AnyEntry, Match, Moment, SeatChange
from quadriga.server.database import table_rows
from quadriga.server.database.table_rows import Change, Row, StoredTable
from quadriga.server.errors import Refused
from quadriga.server.tables.document import OPEN, PERSON, RACING, STOPPED, TableDocument
from quadriga.server.tables.moments import layout_key, pack_moment, pack_small, unpack_moment
from quadriga.server.tables.table import LiveTable, LoggedStep

encode = msgspec.json.Encoder().encode
_document = msgspec.json.Decoder(TableDocument)
_entry, _log = msgspec.json.Decoder(AnyEntry), msgspec.json.Decoder(list[AnyEntry])


# ---------------------------------------------------------------- to rows


def change_of(live: LiveTable, due: int | None, members: bool) -> Change:
    """What is to be written of a table in memory."""
    entries, moments = [], []
    if live.match is not None:
        for seq in range(live.stored + 1, live.match.seq + 1):
            one = {"table_id": live.doc.id, "seq": seq}
            entries.append(one | {"at": live.times[seq], "body": encode(live.match.log[seq])})
            body = pack_moment(live.game, live.match.moment(seq))
            moments.append(one | {"key": layout_key(live.game), "body": body})
    row = table_row(live.doc, live.match.seq if live.match else -1, due)
    created = [table_row(doc, -1, None) | {"revision": 0, "edition": live.edition} for doc in live.created]
    owners = (
        [(guest, doc.id) for doc in [live.doc, *live.created] for guest in sorted(doc.known())] if members else None
    )
    return Change(row, live.revision, entries, moments, created, _editions_of(live), owners)


def _editions_of(live: LiveTable) -> list[Row]:
    size = len((live.edition or "").encode())
    return [{"table_id": doc.id, "guest": doc.host, "bytes": size} for doc in live.created] if size else []


def table_row(doc: TableDocument, seq: int, due: int | None) -> Row:
    """The columns of a table."""
    return {
        "id": doc.id,
        "seq": seq,
        "game": doc.game,
        "state": doc.state,
        "listed": doc.settings.listed,
        "due": due,
        "changed": doc.changed,
        "document": encode(doc),
    }


def rewritten_moments(live: LiveTable) -> list[Row]:
    """The moments of a race that was played again, for the cache."""
    assert live.match is not None
    table, key = live.doc.id, layout_key(live.game)
    pack = pack_small if live.doc.from_record else pack_moment
    return [
        {"table_id": table, "seq": seq, "key": key, "body": pack(live.game, live.match.moment(seq))}
        for seq in range(live.match.seq + 1)
    ]


def rename_in_log(connection: Connection, table: str, is_theirs: Callable[[int, str], bool], name: str) -> None:
    """Another name wherever the log has a person to whom seat and name belong."""

    def rewrite(body: bytes) -> bytes | None:
        entry = _entry.decode(body)
        if isinstance(entry, SeatChange) and entry.who.kind == PERSON and is_theirs(entry.seat, entry.who.name):
            return encode(replace(entry, who=replace(entry.who, name=name)))
        return None

    table_rows.rewrite_entries(connection, table, rewrite)


# ---------------------------------------------------------------- from rows


@dataclass
class Loaded:
    """A stored table, decoded when asked."""

    stored: StoredTable
    begin: list[AnyEntry] = field(default_factory=list)
    """The log before the stored entries, if that was known."""

    @cached_property
    def doc(self) -> TableDocument:
        """The document as it was written."""
        return _document.decode(self.stored.document)

    @cached_property
    def log(self) -> list[AnyEntry]:
        """The race from its set-up on."""
        return [*self.begin, *_log.decode(b"[" + b",".join(self.stored.entries) + b"]")]

    def follow(self, live: LiveTable) -> None:
        """Go on where the log of a table in memory ends."""
        assert live.match is not None
        self.begin = live.match.log[: live.stored + 1]
        self.stored.times = live.times[: live.stored + 1] + self.stored.times


def require_loaded(stored: StoredTable | None) -> Loaded:
    """A table that was found, or a refusal."""
    if stored is None:
        raise Refused("no_table")
    return Loaded(stored)


def read_loaded(connection: Connection, table: str) -> Loaded:
    """A table with its log and its last moment, or a refusal."""
    return require_loaded(table_rows.read_tables(connection, [table]).get(table))


def list_tables(connection: Connection, guest: str | None) -> list[TableDocument]:
    """A guest's tables, or without one the listed ones that are open or racing; newest first."""
    docs = [_document.decode(body) for body in table_rows.list_documents(connection, guest, (OPEN, RACING))]
    return [doc for doc in docs if guest is None or guest in doc.owners()]


def read_steps(
    connection: Connection, game: Game, table: str, first: int, last: int
) -> list[tuple[LoggedStep, Moment]]:
    """Entries from `first` to `last` with their moments, as far as the cache fits the rules."""
    found = []
    for row in table_rows.read_steps(connection, table, first, last, layout_key(game)):
        moment = unpack_moment(game, row.moment)
        found.append((LoggedStep(row.seq, row.at, _entry.decode(row.body), moment.events), moment))
    return found


def revive(loaded: Loaded, game: Game, live: LiveTable | None = None) -> LiveTable:
    """A table in memory from what is stored; into `live` if there is one already."""
    doc = loaded.doc
    live = live or LiveTable(doc, loaded.stored.edition, game)
    live.doc, live.edition, live.game, live.revision = doc, loaded.stored.edition, game, loaded.stored.revision
    live.times, live.stored, live.created, live.match = loaded.stored.times, len(loaded.log) - 1, [], None
    live.written = encode(doc)
    if doc.state == OPEN or not loaded.log:
        return live
    if doc.rules_version != game.meta.rules_version:
        if doc.state == RACING:
            doc.state = STOPPED
        return live
    live.match = _match_of(loaded, game)
    return live


def _match_of(loaded: Loaded, game: Game) -> Match:
    doc = loaded.doc
    race = (game, doc.sitters, doc.options, bytes.fromhex(doc.seed), doc.nonces)
    if loaded.stored.key == layout_key(game):
        match = Match(*race, loaded.log, {len(loaded.log) - 1: unpack_moment(game, loaded.stored.moment)})
    else:
        match = Match(*race)
        replay_log(match, loaded.log)
    match.pending = {seat: game.parse(text) for seat, text in doc.pending.items()}
    return match


def replay_log(match: Match, log: list[AnyEntry]) -> None:
    """Replay a log whose moments are not cached; raises ReplayFailed where it differs."""
    for seq, entry in enumerate(log[1:], 1):
        try:
            match.add(entry)
        except QuadrigaError as error:
            raise ReplayFailed(seq, str(error)) from None
        if match.log[seq].hash != entry.hash:
            raise ReplayFailed(seq, "the state differs from the one recorded")
