"""Which server runs on a SQLite file, noted in a file beside it: a second one must not write to the same tables."""

import contextlib
import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from quadriga.server.database.health import sqlite_file
from quadriga.server.settings import Settings

ANSWER_SECONDS = 1.0
MOST_URL = 200


def find_running(settings: Settings) -> str | None:
    """The address of a server that runs on the database of these settings."""
    note = _note(settings)
    try:
        url = note.read_text(encoding="utf-8")[:MOST_URL] if note else ""
    except OSError:
        return None
    return url if url and _answers(url) else None


@contextlib.contextmanager
def noted(settings: Settings, url: str) -> Iterator[None]:
    """Note the address of this server while it runs."""
    note = _note(settings)
    if note is None:
        yield
        return
    with contextlib.suppress(OSError):
        note.write_text(url, encoding="utf-8")
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            note.unlink()


def _note(settings: Settings) -> Path | None:
    file = sqlite_file(settings.database_url)
    return file.with_name(f"{file.name}.running") if file else None


def _answers(url: str) -> bool:
    """Whether a Quadriga server answers at an address."""
    try:
        place = urlsplit(url)
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=ANSWER_SECONDS)
        with contextlib.closing(connection):
            connection.request("GET", "/api/about")
            return "protocol" in json.loads(connection.getresponse().read(10_000))
    except (OSError, ValueError, http.client.HTTPException):
        return False
