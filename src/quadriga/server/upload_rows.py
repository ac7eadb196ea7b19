"""New tables with something that was uploaded: whether there is room for it, and how it is written."""

from collections.abc import Iterator
from functools import partial

from sqlalchemy import Connection, func, select

from quadriga.server import archive, schema
from quadriga.server.documents import TableDocument
from quadriga.server.refused import Refused
from quadriga.server.settings import Settings
from quadriga.server.storage import Store

NO_ROWS = archive.Rows([], [])
CHUNK = 250
"""Entries written in one transaction: choices of others are written between two of them."""


def refusal(connection: Connection, guest: str, size: int, settings: Settings) -> Refused | None:
    """Why a guest cannot store so many bytes more; None if there is room.

    Returned, not raised: a job of the writer that raises makes others run again.
    """
    u = schema.uploads.c
    total = select(func.coalesce(func.sum(u.bytes), 0))
    if connection.execute(total.where(u.guest == guest)).scalar_one() + size > settings.guest_upload_bytes:
        return Refused("guest_full", most=settings.guest_upload_bytes)
    if connection.execute(total).scalar_one() + size > settings.server_upload_bytes:
        return Refused("server_full")
    return None


async def write_table(
    store: Store,
    settings: Settings,
    doc: TableDocument,
    edition: str | None,
    rows: archive.Rows = NO_ROWS,
    size: int = 0,
) -> None:
    """Write a new table with so many bytes that were uploaded, or refuse it for want of room.

    A table with a log belongs to somebody only when all of it is written: nobody knows its id before.
    """

    def begin(connection: Connection) -> Refused | None:
        full = refusal(connection, doc.host, size, settings) if size else None
        if full is None:
            archive.write_new(connection, doc, edition, len(rows.entries) - 1, size)
            if not rows.entries:
                archive.write_owners(connection, doc)
        return full

    if full := await store.write(begin):
        raise full
    try:
        for chunk in _chunks(rows):
            await store.write(partial(archive.write_rows, rows=chunk))
        if rows.entries:
            await store.write(partial(archive.write_owners, doc=doc))
    except Exception:
        await store.write(partial(archive.delete_tables, tables=[doc.id]))
        raise


def _chunks(rows: archive.Rows) -> Iterator[archive.Rows]:
    for first in range(0, len(rows.entries), CHUNK):
        yield archive.Rows(rows.entries[first : first + CHUNK], rows.moments[first : first + CHUNK])
