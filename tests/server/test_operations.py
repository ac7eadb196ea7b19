"""What hosts rely on: settings, documents, headers, limits, clocks, bots that fail, backups, shutdown."""

import asyncio
import http.server
import json
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from quadriga.bots import LEVELS
from quadriga.client import Client, ServerRefused
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Result
from quadriga.core.match import SeatChange
from quadriga.core.text import LANGUAGES, catalogue
from quadriga.server.bots.pool import BotFailed, BotPool
from quadriga.server.bots.worker import Question
from quadriga.server.database.guests import Guest
from quadriga.server.errors import STATUS
from quadriga.server.gc_schedule import GcSchedule
from quadriga.server.http.app import may_read_metrics
from quadriga.server.process.run import prepare
from quadriga.server.settings import Settings, load_settings
from quadriga.server.tables import commands, document
from quadriga.server.tables.document import NewTable, WantedSeat
from tests.server.serving import Server, serving, wait_for_end

DOCS = Path(__file__).parents[2] / "docs"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "quadriga", *arguments], capture_output=True, text=True, check=False)


# ---------------------------------------------------------------- documents


def test_every_setting_message_route_and_error_is_documented(server: Server) -> None:
    hosting, protocol = ((DOCS / name).read_text(encoding="utf-8") for name in ("hosting.md", "protocol.md"))
    assert [name for name in Settings.__struct_fields__ if f"| `{name}` |" not in hosting] == []
    kinds = [kind.__struct_config__.tag for kind in commands.AnyMessage.__args__]
    assert [kind for kind in kinds if f"`{kind}`" not in protocol] == []
    with urllib.request.urlopen(f"{server.url}/api/schema/openapi.json") as answer:
        paths = json.loads(answer.read())["paths"]
    shown = {re.sub(r"\{\w+\}", "<>", path) for path in paths}
    told = {
        re.sub(r"<\w+>", "<>", path.partition("?")[0]) for path in re.findall(r"(?:[A-Z]+ )?(/api/[^` ]+)`", protocol)
    }
    assert shown - told == set()
    for code, status in STATUS.items():
        assert f"| `{code}` | {status} |" in protocol


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_has_a_sentence(language: str) -> None:
    words = catalogue(language, "quadriga.server")
    assert [code for code in STATUS if not words.has(f"errors.{code}")] == []
    assert set(words.entries["errors"]) == set(STATUS)


# ---------------------------------------------------------------- settings


def test_settings_come_from_file_environment_and_command_line(tmp_path: Path) -> None:
    file = tmp_path / "s.toml"
    file.write_text('port = 1\nhost = "::1"\nretention_days = 5', encoding="utf-8")
    found = load_settings(file, {"QUADRIGA_PORT": "2", "QUADRIGA_ORIGINS": "https://a, https://b"}, port=3)
    assert (found.port, found.host, found.retention_days) == (3, "::1", 5)
    assert found.origins == ("https://a", "https://b")
    assert load_settings(file, {"QUADRIGA_PORT": "2"}).port == 2


@pytest.mark.parametrize(
    ("name", "value"), [("PORT", "x"), ("PORT", "-1"), ("NO_SUCH", "1"), ("BOT_WORKERS", "0"), ("LOG_LEVEL", "loud")]
)
def test_a_wrong_setting_is_refused_by_name(name: str, value: str) -> None:
    with pytest.raises(InvalidOption, match=name.lower()):
        load_settings(None, {f"QUADRIGA_{name}": value})


def test_check_says_what_it_found(tmp_path: Path) -> None:
    good = run("serve", "--check", "--database", str(tmp_path / "t.sqlite"))
    assert (good.returncode, "will be made at the start" in good.stdout) == (0, True)
    assert list(tmp_path.iterdir()) == [], "to check is not to make"
    deep = run("serve", "--check", "--database", str(tmp_path / "new" / "t.sqlite"))
    assert (deep.returncode, list(tmp_path.iterdir())) == (0, [])
    (tmp_path / "file").touch()
    below = run("serve", "--check", "--database", str(tmp_path / "file" / "t.sqlite"))
    assert (below.returncode, "Traceback" in below.stderr) == (2, False)
    bad = run("serve", "--check", "--database", "mysql://nowhere/x")
    assert (bad.returncode, "Traceback" in bad.stderr) == (2, False)
    gone = run("serve", "--check", "--database", "postgresql://q@127.0.0.1:1/x")
    assert (gone.returncode, gone.stderr.startswith("quadriga: the database cannot be used")) == (2, True)


# ---------------------------------------------------------------- security


def fetch(url: str, method: str = "GET", body: bytes | None = None, **headers: str) -> tuple[int, Any, bytes]:
    request = urllib.request.Request(url, body, {"content-type": "application/json", **headers}, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def is_too_large(url: str, body: bytes) -> bool:
    """Whether a body is refused: by an answer, or by hanging up while it still comes."""
    try:
        return fetch(url, "POST", body)[0] == 413
    except urllib.error.URLError as error:
        return isinstance(error.reason, BrokenPipeError | ConnectionResetError)


def test_headers_origins_and_sizes(server: Server) -> None:
    status, headers, page = fetch(f"{server.url}/t/some-table")
    assert status == 200
    assert b"Quadriga" in page
    assert "script-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-cache"
    for path, code in (("/api/about", 200), ("//api/about", 200), ("/api/me", 200), ("/api/me/tables", 401)):
        answer = fetch(server.url + path)
        assert (answer[0], answer[1].get_all("cache-control")) == (code, ["no-store"]), path
    guest = json.dumps({"name": "Ana"}).encode()
    assert fetch(f"{server.url}/api/guests", "POST", guest, origin="https://elsewhere.example")[0] == 403
    assert fetch(f"{server.url}/api/guests", "POST", guest, origin=server.url)[0] == 201
    assert is_too_large(f"{server.url}/api/guests", b"x" * 2_000_000)
    assert fetch(f"{server.url}/api/guests", "POST", b'{"name": ""}')[0] == 400
    assert fetch(f"{server.url}/api/nothing")[0] == 404
    assert fetch(f"{server.url}/api/me/tables")[0] == 401
    assert b"quadriga_sockets" in fetch(f"{server.url}/metrics")[2]

    async def foreign() -> None:
        with pytest.raises(InvalidStatus):
            async with connect(server.url.replace("http", "ws") + "/api/play", origin="https://elsewhere.example"):  # type: ignore[arg-type]
                pass

    asyncio.run(foreign())


def test_metrics_are_for_this_machine_or_for_the_token() -> None:
    forwarded, right, wrong = (
        {"x-forwarded-for": "203.0.113.9"},
        {"authorization": "Bearer k"},
        {"authorization": "x k"},
    )
    assert may_read_metrics("127.0.0.1", {}, "")
    assert may_read_metrics("::1", {}, "k")
    assert may_read_metrics("203.0.113.9", right, "k")
    assert not may_read_metrics("127.0.0.1", forwarded, "")
    assert not may_read_metrics("203.0.113.9", {}, "")
    assert not may_read_metrics("203.0.113.9", right, "")
    assert not may_read_metrics("203.0.113.9", wrong, "k")
    assert not may_read_metrics("127.0.0.1", {"authorization": "Bearer other"}, "k")
    assert not may_read_metrics("", {}, "")


def test_a_proxy_that_is_not_declared_is_noticed_and_reads_no_metrics(tmp_path: Path) -> None:
    with serving(str(tmp_path / "tables.sqlite"), tmp_path) as server:
        assert fetch(f"{server.url}/metrics", forwarded="for=203.0.113.9")[0] == 404
        fetch(f"{server.url}/api/games", forwarded="for=203.0.113.9")
        assert server.log.read_text().count("a proxy that the setting 'proxies' does not name") == 1


def test_a_declared_proxy_is_not_warned_of(tmp_path: Path) -> None:
    with serving(str(tmp_path / "tables.sqlite"), tmp_path, QUADRIGA_PROXIES="127.0.0.1") as server:
        assert fetch(f"{server.url}/metrics", forwarded="for=203.0.113.9")[0] == 404
        assert "proxies" not in server.log.read_text()


def test_hello_comes_first_and_an_old_page_is_told_to_reload(server: Server) -> None:
    async def say(*messages: str) -> tuple[list[Any], int]:
        async with connect(server.url.replace("http", "ws") + "/api/play") as socket:
            for message in messages:
                await socket.send(message)
            heard: list[Any] = []
            try:
                while True:
                    heard.append(json.loads(await asyncio.wait_for(socket.recv(), 60)))
            except ConnectionClosed as closed:
                return heard, closed.rcvd.code if closed.rcvd else 0

    heard, code = asyncio.run(say('{"type":"ping"}'))
    assert (heard[0]["error"]["code"], code) == ("hello_first", 4002)
    heard, code = asyncio.run(say("nonsense"))
    assert (heard[0]["error"]["code"], code) == ("malformed", 4002)
    heard, code = asyncio.run(say('{"type":"hello","protocol":0,"build":null}'))
    assert (heard[0]["type"], code) == ("reload", 4001)
    heard, code = asyncio.run(say('{"type":"hello","protocol":1,"build":"an older one"}'))
    build = json.loads(fetch(f"{server.url}/api/about")[2])["build"]
    assert (heard[0]["type"], heard[0]["build"], code) == ("reload", build, 4001)
    assert build, "make test builds the page"


def test_rates_are_limited(tmp_path: Path) -> None:
    limits = {"QUADRIGA_REQUESTS_PER_SECOND": "0.5", "QUADRIGA_MESSAGES_PER_SECOND": "0.5"}
    with serving(str(tmp_path / "t.sqlite"), tmp_path, **limits) as server:

        async def story() -> None:
            async with Client(server.url, "Ana") as ana:
                codes = set()
                for _ in range(10):
                    try:
                        await ana.send("unwatch", table="x")
                    except ServerRefused as error:
                        codes.add(error.code)
                assert codes == {"too_fast"}

        asyncio.run(story())
        assert 429 in [fetch(f"{server.url}/api/games")[0] for _ in range(10)]
        assert 429 in [fetch(f"{server.url}//api/games")[0] for _ in range(10)], "more slashes lead past no limit"
        assert {fetch(f"{server.url}/")[0] for _ in range(10)} == {200}, "the page itself always opens"


def test_logs_tell_no_secrets_and_a_stop_is_graceful(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "t.sqlite"), tmp_path, QUADRIGA_LOG_LEVEL="debug")
    server.wait_until_ready()

    async def story() -> tuple[str, ...]:
        async with Client(server.url, "Annabella") as ana:
            order = {"game": "chariots", "seats": [{"kind": "me"}, {"kind": "wanderer"}], "pace_ms": 0}
            made = await ana.request("POST", "/api/tables", order)
            table = made["table"]["id"]
            await ana.watch(table)
            await ana.start(table)
            await ana.until(lambda: bool(ana.watched[table].views))
            await ana.choose(ana.view(table), ana.view(table)["legal"][0])
            assert ana.guest is not None
            assert ana.token is not None
            return made["seats"][0]["token"], ana.token, ana.guest["id"], "Annabella"

    secrets = asyncio.run(story())
    assert server.stop() in (0, -15)  # uvicorn ends by the signal it was sent, after a clean stop
    log = server.log.read_text(encoding="utf-8")
    assert '"level": "debug"' in log
    assert [secret for secret in secrets if secret in log] == []


# ---------------------------------------------------------------- clocks, bots, notices


@pytest.mark.parametrize("on_timeout", ["wanderer", "forfeit"])
def test_who_is_out_of_time_is_replaced_or_forfeits(tmp_path: Path, on_timeout: str) -> None:
    """The clock is the test's own: an hour passes in no time."""
    now = 1_700_000_000_000
    services = prepare(Settings(database=str(tmp_path / "t.sqlite")))
    services.registry.now = lambda: now

    async def story() -> None:
        nonlocal now
        house, ana, ben = services, Guest("ana", "Ana"), Guest("ben", "Ben")
        clock = document.Clock(kind="move", move_ms=3_600_000)
        seats = [WantedSeat("me"), WantedSeat("open")]
        order = NewTable(game="chariots", seats=seats, clock=clock, on_timeout=on_timeout)
        table = (await house.registry.create(order, ana))[0].doc.id
        await house.execute(ben, commands.Claim(table=table))
        await house.execute(ana, commands.Start(table=table))
        live = await house.registry.open(table)
        assert live.match is not None
        first = live.game.describe(live.match.legal_actions(0)[0])
        await house.execute(ana, commands.Choose(table=table, seat=0, seq=0, action=first))
        now += 3_599_999
        await services.background._attend_due()
        assert [entry.__struct_config__.tag for entry in live.match.log] == ["setup"]
        now += 1
        await services.background._attend_due()
        kinds = [entry.__struct_config__.tag for entry in live.match.log]
        assert kinds == ["setup", "clock", "seat_change" if on_timeout == "wanderer" else "forfeit"]
        if on_timeout == "forfeit":
            assert live.match.result() == Result((1, 2), 0, "forfeited")
        else:
            assert (live.doc.seats[1].kind, live.bots_waiting()) == ("wanderer", [1])
        await services.driver.close()

    asyncio.run(asyncio.wait_for(story(), 60))
    services.store.close()


def test_a_bank_runs_and_gains(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            clock = {"kind": "bank", "bank_ms": 600_000, "increment_ms": 5_000}
            table = await ana.create("chariots", ["me", {"kind": "me", "name": "B"}], clock=clock)
            began = time.monotonic()
            await ana.start(table)
            await ana.until(lambda: set(ana.watched[table].views) == {0, 1})
            await asyncio.sleep(0.3)
            await ana.choose(ana.view(table, 0), ana.view(table, 0)["legal"][0])
            await ana.until(lambda: ana.view(table, 0)["clock"]["running"] == [1])
            left = ana.view(table, 0)["clock"]["left"]["0"]
            assert 600_000 - (time.monotonic() - began) * 1000 - 5 <= left <= 600_000 - 300 + 5
            began = time.monotonic()
            await ana.choose(ana.view(table, 1), ana.view(table, 1)["legal"][0])
            await ana.until(lambda: ana.view(table, 0)["seq"] == 1)
            gained = ana.view(table, 0)["clock"]["left"]["0"] - left
            assert 5_000 - (time.monotonic() - began) * 1000 - 5 <= gained <= 5_000

    asyncio.run(story())


def test_a_bot_that_stalls_or_dies_is_killed_and_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        pool = BotPool(1, 0.1, 0.4)
        pool.start()
        nonsense = Question("no such game", None, "wanderer", 0, 0, 0.0, b"", [1, 2])
        with pytest.raises(BotFailed):
            await pool.choose(nonsense)
        (first,) = [worker.process.pid for worker in pool.workers] or [0]
        while not pool.workers:
            await asyncio.sleep(0.05)
        (worker,) = pool.workers
        assert worker.process.pid != first
        worker.process.send_signal(19)  # stopped: it answers nothing
        with pytest.raises(BotFailed, match="Timeout"):
            await pool.choose(nonsense)
        assert pool.failures == 2
        await pool.close()

    asyncio.run(asyncio.wait_for(story(), 120))


def test_bots_do_not_outlive_a_killed_server(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "t.sqlite"), tmp_path)
    server.wait_until_ready()
    workers = server.workers()
    assert workers
    server.kill()
    for worker in workers:
        wait_for_end(worker)


def test_every_level_plays_at_a_table(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            for level in LEVELS:
                table = await ana.create("chariots", ["me", level], pace_ms=0)
                await ana.start(table)
                await ana.until(lambda table=table: bool(ana.watched[table].views))
                await ana.choose(ana.view(table), ana.view(table)["legal"][0])
                await ana.until(lambda table=table: ana.view(table)["seq"] >= 1, 60)
                entries = {step["entry"]["kind"] for step in ana.watched[table].steps[0]}
                assert entries == {"setup", "choices"}

    asyncio.run(story())


def test_the_log_says_that_a_bot_was_replaced_and_the_race_goes_on(tmp_path: Path) -> None:
    services = prepare(Settings(database=str(tmp_path / "t.sqlite")))

    async def fail(question: Question) -> int:
        raise BotFailed("died")

    services.pool.choose = fail  # type: ignore[method-assign]

    async def story() -> None:
        host = Guest("ana", "Ana")
        seats = [WantedSeat("veteran"), WantedSeat("wanderer")]
        order = NewTable(game="chariots", seats=seats, options={"laps": 1, "limit": 5}, pace_ms=0)
        table = (await services.registry.create(order, host))[0].doc.id
        await services.execute(host, commands.Start(table=table))
        live = await services.registry.open(table)
        while live.doc.state == "racing":
            await asyncio.sleep(0.01)
        assert live.match is not None
        changes = [entry for entry in live.match.log if isinstance(entry, SeatChange)]
        assert [(one.seat, one.who.kind) for one in changes] == [(0, "wanderer")]
        await services.driver.close()

    asyncio.run(asyncio.wait_for(story(), 120))
    services.store.close()


def test_a_webhook_is_told_whose_turn_it_is(tmp_path: Path) -> None:
    heard: list[Any] = []

    class Hook(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook) as hook:
        threading.Thread(target=hook.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{hook.server_address[1]}/"
        with serving(str(tmp_path / "t.sqlite"), tmp_path, QUADRIGA_WEBHOOK=url, QUADRIGA_NOTICE_SECONDS="0") as server:

            async def story() -> None:
                async with Client(server.url, "Ana") as ana:
                    table = await ana.create("chariots", ["me", "open"])
                    ben = Client(server.url)
                    ben.token = (await ben.request("POST", "/api/guests", {"name": "Ben"}))["token"]
                    await ben.request("POST", f"/api/tables/{table}/commands", {"type": "claim"})
                    await ana.start(table)
                    while not heard:
                        await asyncio.sleep(0.05)
                    assert [(one["table"], one["seat"], one["name"]) for one in heard] == [(table, 1, "Ben")]

            asyncio.run(asyncio.wait_for(story(), 30))
        hook.shutdown()


@pytest.mark.parametrize("delay", [3600, 1])
def test_spectators_lag_behind_by_the_delay(server: Server, delay: int) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Eve") as eve:
            seats: list[Any] = ["me", {"kind": "me", "name": "B"}]
            table = await ana.create("chariots", seats, watch_delay_s=delay)
            await ana.start(table)
            await ana.until(lambda: set(ana.watched[table].views) == {0, 1})
            await eve.watch(table)
            for seat in (0, 1):
                await ana.choose(ana.view(table, seat), ana.view(table, seat)["legal"][0])
            await ana.until(lambda: ana.view(table, 0)["seq"] == 1)
            if delay == 1:
                await eve.until(lambda: eve.view(table)["seq"] == 1)
                assert len((await eve.request("GET", f"/api/tables/{table}/steps"))["steps"]) == 2
                return
            now = await eve.request("GET", f"/api/tables/{table}/view")
            assert (eve.view(table)["seq"], now["seq"]) == (0, 0)
            for path in ("steps/1", "record"):
                with pytest.raises(ServerRefused):
                    await eve.request("GET", f"/api/tables/{table}/{path}")

    asyncio.run(story())


def test_full_collections_wait_until_nobody_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    now, collected = 100.0, 0

    def collect() -> int:
        nonlocal collected
        collected += 1
        return 0

    monkeypatch.setattr("quadriga.server.gc_schedule.time.monotonic", lambda: now)
    monkeypatch.setattr("quadriga.server.gc_schedule.gc.collect", collect)
    schedule = GcSchedule()
    now += 1
    schedule.note_activity()
    assert not schedule.collect_if_idle(), "somebody was served a moment ago"
    now += 3
    assert schedule.collect_if_idle()
    now += 100
    assert not schedule.collect_if_idle(), "nothing has happened since"
    for _ in range(601):
        now += 1
        schedule.note_activity()
        schedule.collect_if_idle()
    assert collected == 2, "put off, but not for ever"
