"""Writing a new table, with the log of a race that was uploaded if there is one."""

from collections.abc import Iterator
from functools import partial

from sqlalchemy import Connection

from quadriga.server.database import table_rows
from quadriga.server.database.store import Store
from quadriga.server.database.upload_rows import refusal
from quadriga.server.errors import Refused
from quadriga.server.settings import Settings
from quadriga.server.tables.document import TableDocument
from quadriga.server.tables.persistence import table_row

NO_ROWS = table_rows.Rows([], [])
CHUNK = 250
"""Entries written in one transaction: choices of others are written between two of them."""


async def write_table(
    store: Store,
    settings: Settings,
    doc: TableDocument,
    edition: str | None,
    rows: table_rows.Rows = NO_ROWS,
    size: int = 0,
) -> None:
    """Write a new table with so many bytes that were uploaded, or refuse it for want of room.

    A table with a log belongs to somebody only when all of it is written: nobody knows its id before.
    """

    def begin(connection: Connection) -> Refused | None:
        full = refusal(connection, doc.host, size, settings) if size else None
        if full is None:
            row = table_row(doc, len(rows.entries) - 1, None)
            table_rows.write_new(connection, row, edition, doc.host, size)
            if not rows.entries:
                write_owners(connection)
        return full

    def write_owners(connection: Connection) -> None:
        table_rows.write_owners(connection, doc.id, doc.known())

    if full := await store.write(begin):
        raise full
    try:
        for chunk in _chunks(rows):
            await store.write(partial(table_rows.write_rows, rows=chunk))
        if rows.entries:
            await store.write(write_owners)
    except Exception:
        await store.write(partial(table_rows.delete_tables, tables=[doc.id]))
        raise


def _chunks(rows: table_rows.Rows) -> Iterator[table_rows.Rows]:
    for first in range(0, len(rows.entries), CHUNK):
        yield table_rows.Rows(rows.entries[first : first + CHUNK], rows.moments[first : first + CHUNK])
