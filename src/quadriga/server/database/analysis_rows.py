"""Analyses of finished races, kept as compressed JSON."""

import zlib

from sqlalchemy import Connection, delete, insert, select

from quadriga.server.database import schema

a = schema.analyses.c


def read(connection: Connection, table: str) -> bytes | None:
    """The analysis of a table as JSON, if there is one."""
    body = connection.execute(select(a.body).where(a.table_id == table)).scalar_one_or_none()
    return None if body is None else zlib.decompress(body)


def write(connection: Connection, table: str, made: int, body: bytes) -> None:
    """Keep an analysis in place of an older one; of a table that is gone nothing is kept."""
    connection.execute(delete(schema.analyses).where(a.table_id == table))
    if connection.execute(select(schema.tables.c.id).where(schema.tables.c.id == table)).first() is not None:
        row = {"table_id": table, "made": made, "body": zlib.compress(body)}
        connection.execute(insert(schema.analyses).values(row))
