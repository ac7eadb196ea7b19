"""Backups: every row of every table as a line of JSON, compressed; the same from SQLite and from PostgreSQL."""

import base64
import contextlib
import gzip
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from sqlalchemy import Engine, LargeBinary, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from quadriga.core.errors import InvalidFile, InvalidOption
from quadriga.server.database import schema
from quadriga.server.database.migrations import is_current, migrate
from quadriga.server.database.store import PRIVATE, open_engine, require_database

FORMAT = 1
CHUNK = 500


def write_backup(url: str, file: Path) -> int:
    """Write all rows, as of one moment, to a file; how many there were."""
    if file.exists():
        raise InvalidOption(f"{file} exists already; choose another file")
    require_database(url)
    engine, count = open_engine(url, writing=False), 0
    try:
        require_schema(engine)
        with engine.connect() as connection, _private_text(file) as out:
            if connection.dialect.name == "postgresql":
                connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"))
            out.write(json.dumps({"quadriga": FORMAT}) + "\n")
            for table in schema.metadata.sorted_tables:
                for row in connection.execute(select(table)).mappings():
                    out.write(json.dumps({table.name: _plain(dict(row))}) + "\n")
                    count += 1
    finally:
        engine.dispose()
    return count


@contextlib.contextmanager
def _private_text(file: Path) -> Iterator[IO[str]]:
    """A new compressed text file that its owner alone may read; an unfinished file is removed."""
    with os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE), "wb") as raw:
        try:
            with gzip.open(raw, "wt", encoding="utf-8") as out:
                yield out
        except BaseException:
            file.unlink()
            raise


def require_schema(engine: Engine) -> None:
    """Refuse a database without our schema, or with that of another release."""
    try:
        current = is_current(engine)
    except SQLAlchemyError as error:
        raise InvalidOption(f"the database cannot be used: {type(error).__name__}") from None
    if not current:
        raise InvalidOption("this is no database of this release of Quadriga: serve it once to bring it up to date")


def read_reports(url: str) -> list[str]:
    """What guests reported, as lines of JSON, with the message it was about."""
    require_database(url)
    engine = open_engine(url, writing=False)
    try:
        require_schema(engine)
        with engine.connect() as connection:
            query = select(schema.reports, schema.chat.c.name, schema.chat.c.text.label("said")).outerjoin(
                schema.chat, schema.chat.c.id == schema.reports.c.message
            )
            rows = connection.execute(query.order_by(schema.reports.c.id)).mappings()
            return [json.dumps(dict(row)) for row in rows]
    finally:
        engine.dispose()


def _plain(row: dict[str, Any]) -> dict[str, Any]:
    return {key: base64.b64encode(v).decode() if isinstance(v, bytes) else v for key, v in row.items()}


def read_backup(file: Path, url: str) -> int:
    """Put all rows of a file into an empty database; how many there were."""
    _require_backup(file)
    engine = open_engine(url, writing=True)
    try:
        migrate(engine)
        with engine.connect() as connection:
            for table in schema.metadata.sorted_tables:
                if connection.execute(select(table).limit(1)).first():
                    raise InvalidOption("the database is not empty: restore into a new one")
            count = _insert_all(connection, file)
            if connection.dialect.name == "postgresql":
                for name in ("chat", "reports"):
                    connection.execute(
                        text(f"SELECT setval('{name}_id_seq', coalesce((SELECT max(id) FROM {name}), 1))")
                    )
            connection.commit()
            return count
    finally:
        engine.dispose()


def _require_backup(file: Path) -> None:
    """InvalidFile if that is no backup; the database is not touched before."""
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            first = json.loads(next(lines, "{}"))
    except (OSError, EOFError, zlib.error, UnicodeError, ValueError) as error:
        cause = getattr(error, "strerror", None) or "that is no backup"
        raise InvalidFile(str(file), "", f"cannot be read: {cause}") from None
    if not isinstance(first, dict) or first.get("quadriga") != FORMAT:
        raise InvalidFile(str(file), "line 1", f"is not a backup of format {FORMAT}")


def _insert_all(connection: Any, file: Path) -> int:
    count, waiting = 0, list[dict[str, Any]]()
    current = ""
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            next(lines)
            for line in lines:
                ((name, row),) = json.loads(line).items()
                if name != current or len(waiting) >= CHUNK:
                    _insert(connection, current, waiting)
                    current, waiting = name, []
                waiting.append(_bytes(name, row))
                count += 1
    except (OSError, EOFError, zlib.error, UnicodeError, ValueError, KeyError, AttributeError) as error:
        raise InvalidFile(str(file), "", f"cannot be read: {type(error).__name__}") from None
    _insert(connection, current, waiting)
    return count


def _insert(connection: Any, name: str, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(insert(schema.metadata.tables[name]), rows)


def _bytes(name: str, row: dict[str, Any]) -> dict[str, Any]:
    binary = {column.name for column in schema.metadata.tables[name].columns if isinstance(column.type, LargeBinary)}
    return {key: base64.b64decode(v) if key in binary else v for key, v in row.items()}
