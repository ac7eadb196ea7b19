"""Records of a server's finished races as files, for analyses and puzzles. Who drove is left out."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace
from sqlalchemy import Engine, select

from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.core.match import AnyEntry, SeatChange, Sitter
from quadriga.core.record import Record, record_of, to_json
from quadriga.server.database import schema
from quadriga.server.database.backup import require_schema
from quadriga.server.database.store import open_engine, require_database
from quadriga.server.tables import persistence
from quadriga.server.tables.document import NOBODY, OVER


def export_records(url: str, folder: Path, game: str | None = None) -> int:
    """Write a file for each finished race of a database that can be replayed by today's rules; how many there are."""
    require_database(url)
    engine = open_engine(url, writing=False)
    try:
        require_schema(engine)
        folder.mkdir(parents=True, exist_ok=True)
        count = 0
        for table, record in _finished(engine, game):
            (folder / f"{name_of(table)}.json").write_text(to_json(nameless(record)), encoding="utf-8")
            count += 1
        return count
    finally:
        engine.dispose()


def name_of(table: str) -> str:
    """The name of a race's file. It does not tell the table's id, which opens the table to whoever knows it."""
    return "race-" + hashlib.sha256(table.encode()).hexdigest()[:16]


def nameless(record: Record) -> Record:
    """The same race with nobody's name in it."""
    return replace(record, seats=tuple(map(_nobody, record.seats)), log=tuple(map(_unnamed, record.log)))


def _nobody(sitter: Sitter) -> Sitter:
    return replace(sitter, name=NOBODY)


def _unnamed(entry: AnyEntry) -> AnyEntry:
    return replace(entry, who=_nobody(entry.who)) if isinstance(entry, SeatChange) else entry


def _finished(engine: Engine, game: str | None) -> Iterator[tuple[str, Record]]:
    """Finished races, each read when it is asked for."""
    t = schema.tables.c
    query = select(t.id).where(t.state == OVER).order_by(t.changed, t.id)
    with engine.connect() as connection:
        tables = list(connection.execute(query if game is None else query.where(t.game == game)).scalars())
    for table in tables:
        with engine.connect() as connection:
            loaded = persistence.read_loaded(connection, table)
        edition = loaded.stored.edition
        rules = games.load(loaded.doc.game, None if edition is None else TomlFile("edition", edition))
        match = persistence.revive(loaded, rules).match
        if match is not None:
            yield table, record_of(match)
