"""Records and backups over a real server: what leaves it can be opened again."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from quadriga.client import Client, ServerRefused
from quadriga.core.errors import QuadrigaError
from tests.server.postgres import Postgres
from tests.server.serving import Server, serving


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "quadriga", *arguments], capture_output=True, text=True, check=False)


def test_a_record_is_downloaded_opened_again_and_verified(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            table = await ana.create("chariots", ["me", "wanderer"], options={"laps": 1, "limit": 5}, pace_ms=0)
            await ana.start(table)
            unfinished = await ana.request("GET", f"/api/tables/{table}/record")
            assert (unfinished["seed"], unfinished["log"][0]["hash"]) == (None, "")
            async for turn in ana.turns(table):
                await ana.choose(turn, turn["legal"][-1])
            record = await ana.request("GET", f"/api/tables/{table}/record")
            assert (await ana.request("POST", "/api/verify", record))["replays"] is True
            opened = (await ana.request("POST", "/api/records", record))["table"]
            shown = await ana.request("GET", f"/api/tables/{opened}/steps/3?seat=1")
            assert shown["view"] == (await ana.request("GET", f"/api/tables/{table}/steps/3?seat=1"))["view"]
            forged = record | {"seed": "0" * 64}
            check = await ana.request("POST", "/api/verify", forged)
            assert (check["commitment_holds"], check["replays"]) == (False, False)
            with pytest.raises(ServerRefused) as error:
                await ana.request("POST", "/api/records", forged)
            assert error.value.code == "no_replay"

    asyncio.run(story())


def test_a_table_with_an_edition_of_its_own(server: Server) -> None:
    async def story() -> None:
        from quadriga import games

        text = games.load("chariots").edition.source.text.replace('"suns"', '"eagles"')
        async with Client(server.url, "Ana") as ana:
            table = await ana.create("chariots", ["me", "wanderer"], edition=text, pace_ms=0)
            await ana.start(table)
            await ana.until(lambda: bool(ana.watched[table].views))
            assert "eagles" in ana.view(table)["view"]["square"]
            game = await ana.request("GET", f"/api/tables/{table}/game")
            assert (game["edition"]["standard"], game["names"]["chariot"][0]) == (False, "eagles")
            await ana.choose(ana.view(table), ana.view(table)["legal"][0])
            await ana.until(lambda: ana.view(table)["seq"] == 1)
            with pytest.raises(ServerRefused) as error:
                await ana.create("chariots", ["me", "wanderer"], edition="name = ")
            assert error.value.code == "invalid_file"
            assert "last line" in str(error.value)

    asyncio.run(story())


def test_finished_races_are_written_without_names_and_replay(tmp_path: Path) -> None:
    async def story(server: Server) -> list[str]:
        async with Client(server.url, "Ana Maria") as ana:
            tables = []
            for rival in ("wanderer", {"kind": "me", "name": "Benedetto"}):
                table = await ana.create("chariots", ["me", rival], options={"laps": 1, "limit": 5}, pace_ms=0)
                await ana.start(table)
                tables.append(table)
            async for turn in ana.turns(tables[0]):
                await ana.choose(turn, turn["legal"][-1])
            return tables

    with serving(str(tmp_path / "t.sqlite"), tmp_path) as server:
        finished, running = asyncio.run(story(server))
        written = run("records", str(tmp_path / "races"), "--database", server.database)
    assert (written.returncode, written.stdout) == (0, f"{tmp_path / 'races'}: 1 records written\n"), written.stderr
    (file,) = (tmp_path / "races").iterdir()
    text = file.read_text(encoding="utf-8")
    for secret in ("Ana Maria", "Benedetto", finished, running):
        assert secret not in file.name + text
    assert run("replay", str(file)).returncode == 0
    other = run("records", str(tmp_path / "none"), "--database", server.database, "--game", "charioteer")
    assert "0 records written" in other.stdout


def test_a_backup_moves_tables_from_sqlite_to_postgres(server: Server, cluster: Postgres, tmp_path: Path) -> None:
    async def make() -> tuple[str, str | None]:
        async with Client(server.url, "Ana") as ana:
            table = await ana.create("chariots", ["me", "wanderer"], pace_ms=0)
            await ana.start(table)
            await ana.until(lambda: bool(ana.watched[table].views))
            await ana.choose(ana.view(table), ana.view(table)["legal"][0])
            await ana.until(lambda: ana.view(table)["seq"] >= 1)
            return table, ana.token

    table, token = asyncio.run(make())
    saved = run("backup", str(tmp_path / "b"), "--database", server.database)
    assert saved.returncode == 0, saved.stderr
    database = cluster.new_database()
    restored = run("restore", str(tmp_path / "b"), "--database", database)
    assert restored.returncode == 0, restored.stderr
    assert run("restore", str(tmp_path / "b"), "--database", database).returncode == 2
    with serving(database, tmp_path) as other:

        async def go_on() -> None:
            async with Client(other.url, token=token) as ana:
                await ana.watch(table)
                await ana.until(lambda: bool(ana.watched[table].views))
                assert ana.view(table)["seat"] == 0
                await ana.command("say", table, text="moved")

        asyncio.run(go_on())


def test_reports_are_read_by_whoever_runs_the_server(server: Server) -> None:
    async def make() -> str:
        async with Client(server.url, "Ana") as ana:
            table = await ana.create("chariots", ["me", "open"])
            await ana.command("say", table, text="rude words")
            await ana.until(lambda: bool(ana.watched[table].chat))
            said = ana.watched[table].chat[0]["id"]
            await ana.request("POST", "/api/reports", {"table": table, "message": said, "text": "look at this"})
            return table

    table = asyncio.run(make())
    printed = run("reports", "--database", server.database)
    assert printed.returncode == 0, printed.stderr
    told = [json.loads(line) for line in printed.stdout.splitlines()]
    assert [(one["text"], one["said"]) for one in told if one["table_id"] == table] == [("look at this", "rude words")]


def test_a_damaged_backup_is_refused(tmp_path: Path) -> None:
    from quadriga.server.database.backup import read_backup

    (tmp_path / "b").write_bytes(b"nonsense")
    with pytest.raises(QuadrigaError):
        read_backup(tmp_path / "b", f"sqlite:///{tmp_path / 't.sqlite'}")
