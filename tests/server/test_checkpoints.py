"""SQLite's write-ahead log: commits do not stop to shorten it, and it does not grow for ever."""

import asyncio
import time
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from quadriga.server.database import checkpoints
from quadriga.server.database.store import Store

PAGE = 4096


def write_much(store: Store, mb: int) -> None:
    async def whole() -> None:
        def job(connection: Connection) -> None:
            connection.execute(text("INSERT INTO big VALUES (randomblob(400000))"))

        for _ in range(mb * 10 // 4):
            await store.write(job)

    asyncio.run(whole())


def test_a_checkpoint_is_no_part_of_a_commit(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'x.sqlite'}")
    try:
        assert store._checkpoints is not None
        auto = store.write_now(lambda connection: connection.execute(text("PRAGMA wal_autocheckpoint")).scalar())
        assert auto == 0
    finally:
        store.close()


def test_the_log_begins_anew_when_it_is_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "SECONDS", 0.05)
    monkeypatch.setattr(checkpoints, "MOST_FRAMES", 500)
    store = Store(f"sqlite:///{tmp_path / 'x.sqlite'}")
    try:
        store.write_now(lambda connection: connection.execute(text("CREATE TABLE big (body BLOB)")))
        for _ in range(6):
            write_much(store, 2)
            time.sleep(0.2)
        assert (tmp_path / "x.sqlite-wal").stat().st_size < 8_000_000, "12 MB were written"
        assert store.write_now(lambda connection: connection.execute(text("SELECT count(*) FROM big")).scalar()) == 30
    finally:
        store.close()


def test_nothing_is_lost_when_the_log_was_not_shortened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "SECONDS", 60.0)
    url = f"sqlite:///{tmp_path / 'x.sqlite'}"
    store = Store(url)
    store.write_now(lambda connection: connection.execute(text("CREATE TABLE big (body BLOB)")))
    write_much(store, 2)
    store.close()
    again = Store(url)
    try:
        assert again.write_now(lambda connection: connection.execute(text("SELECT count(*) FROM big")).scalar()) == 5
    finally:
        again.close()
