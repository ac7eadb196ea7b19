"""What others must not get at: files, logs, addresses inside the network, and names that are no markup."""

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from quadriga import games
from quadriga.core.match import Match, Sitter
from quadriga.core.record import record_of, to_json
from quadriga.server.database import schema
from quadriga.server.database.backup import write_backup
from quadriga.server.logs import Formatter, JsonLines
from quadriga.server.notifications.push_services import connect, find_endpoint, is_public
from quadriga.server.process.run import prepare
from quadriga.server.settings import Settings

ROOT = Path(__file__).parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "quadriga", *arguments], capture_output=True, text=True, check=False)


# ---------------------------------------------------------------- files


def test_database_and_backup_are_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        services = prepare(Settings(database=str(tmp_path / "t.sqlite")))
        write_backup(services.settings.database_url, tmp_path / "t.backup")
        modes = {file.name: oct(file.stat().st_mode & 0o777) for file in tmp_path.iterdir()}
        services.store.close()
    finally:
        os.umask(before)
    assert set(modes) >= {"t.sqlite", "t.sqlite-wal", "t.sqlite-shm", "t.backup"}
    assert set(modes.values()) == {"0o600"}


@pytest.mark.parametrize("command", ["backup", "reports"])
def test_a_mistyped_database_makes_nothing(tmp_path: Path, command: str) -> None:
    missing, file = tmp_path / "no" / "such.sqlite", tmp_path / "t.backup"
    done = run(command, *([str(file)] if command == "backup" else []), "--database", str(missing))
    assert (done.returncode, "there is no database" in done.stderr) == (2, True)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "empty.sqlite").touch()
    done = run(command, *([str(file)] if command == "backup" else []), "--database", str(tmp_path / "empty.sqlite"))
    assert (done.returncode, "Traceback" in done.stderr, file.exists()) == (2, False, False)


# ---------------------------------------------------------------- logs


@pytest.mark.parametrize("formatter", [JsonLines(), Formatter("%(message)s")])
def test_an_error_of_the_database_tells_the_log_no_name(tmp_path: Path, formatter: logging.Formatter) -> None:
    services = prepare(Settings(database=str(tmp_path / "t.sqlite")))
    row = {"id": "secret-id", "name": "Benedicta", "created": 1}
    services.store.write_now(lambda db: db.execute(schema.guests.insert().values(row)))
    with pytest.raises(IntegrityError) as caught:
        services.store.write_now(lambda db: db.execute(schema.guests.insert().values(row)))
    services.store.close()
    assert "Benedicta" not in str(caught.value), "parameters are hidden"
    try:
        raise KeyError("Benedicta") from caught.value
    except KeyError:
        record = logging.LogRecord("quadriga", logging.ERROR, "", 0, "it broke", None, sys.exc_info())
    text = formatter.format(record)
    assert ("Benedicta" in text, "secret-id" in text) == (False, False)
    assert ("KeyError" in text, "IntegrityError" in text, "test_privacy.py" in text) == (True, True, True)


# ---------------------------------------------------------------- push endpoints

SERVICES = ("https://push.example", "https://*.notify.example", "http://127.0.0.1:81")


@pytest.mark.parametrize(
    ("url", "good"),
    [
        ("https://push.example/a?b=c", True),
        ("https://push.example:443/a", True),
        ("https://a.b.notify.example/x", True),
        ("http://127.0.0.1:81/x", True),
        ("http://push.example/a", False),
        ("https://push.example:8443/a", False),
        ("https://push.example:0/a", False),
        ("https://push.example.evil/a", False),
        ("https://evilpush.example/a", False),
        ("https://notify.example/x", False),
        ("https://evilnotify.example/x", False),
        ("https://user@push.example/a", False),
        ("https://push.example@evil/a", False),
        ("https://push.example\\@evil/a", False),
        ("https://push.example#@evil/a", False),
        ("https://evil/a#.notify.example", False),
        ("https://evil?.notify.example", False),
        ("https://evil/.notify.example", False),
        ("https://evil%2f.notify.example/x", False),
        ("https://ev il.notify.example/x", False),
        ("https://..notify.example/x", False),
        ("https://ｐush.example/a", False),
        ("https://[::1]/a", False),
        ("https://push.example:x/a", False),
        ("file:///etc/passwd", False),
        ("", False),
    ],
)
def test_an_endpoint_is_judged_by_its_host_after_parsing(url: str, good: bool) -> None:
    assert (find_endpoint(SERVICES, url) is not None) is good


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2001:4860:4860::8888", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
    ],
)
def test_private_addresses_are_known_in_every_wrapping(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_a_name_that_leads_home_is_refused_when_it_is_connected_to() -> None:
    endpoint = find_endpoint(("https://localhost",), "https://localhost/a")
    assert endpoint is not None
    with pytest.raises(OSError, match="private address"):
        connect(endpoint, 1.0)


# ---------------------------------------------------------------- the terminal


def test_a_name_is_no_markup(tmp_path: Path) -> None:
    match = Match(games.load("chariots"), [Sitter("[/x]"), Sitter("[bold]Ben")], {"laps": 1})
    while match.seq < 3:
        match.step({seat: match.legal_actions(seat)[0] for seat in match.to_act()})
    match.resign(0)
    file = tmp_path / "race.json"
    file.write_text(to_json(record_of(match)), encoding="utf-8")
    done = run("replay", str(file), "--log")
    assert (done.returncode, done.stderr) == (0, "")
    assert "[/x]" in done.stdout
    assert "[bold]Ben" in done.stdout


def test_all_commands_print_through_the_console_without_markup() -> None:
    files = (ROOT / "src" / "quadriga" / "cli").glob("*.py")
    assert [file.name for file in files if "Console(" in file.read_text(encoding="utf-8")] == ["console.py"]
