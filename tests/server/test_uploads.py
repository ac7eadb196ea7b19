"""What strangers upload is checked in processes of its own, with limits; a server goes on meanwhile."""

import asyncio
import json
import os
import signal
import sqlite3
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import msgspec
import psutil
import pytest

from quadriga import games
from quadriga.core.match import Match, Sitter
from quadriga.core.record import record_of, to_json
from quadriga.server.errors import Refused
from quadriga.server.settings import Settings
from quadriga.server.tables.editions import KEPT, Editions
from quadriga.server.tables.moments import pack_moment, pack_small, unpack_moment
from quadriga.server.uploads.queue import Uploads
from quadriga.server.uploads.worker import (
    AcceptEdition,
    Answer,
    DescribeEdition,
    Replayed,
    ReplayRecord,
    VerifyRecord,
    answer,
)
from tests.server.serving import Server, serving

EDITION = games.load("chariots").edition.source.text
HUGE_LAP = '[edition]\ngame = "chariot_race"\n[track]\nlap = "1e1000000000"'
TAKEN_BACK = 3_700
HERE = "127.0.0.1"


def finished(taken_back: int = 0) -> Match:
    """A race that all but one gave up, after so many turns that were taken back."""
    match = Match(games.load("charioteer"), [Sitter(name) for name in "abcdef"], seed=bytes(32))
    choices = {seat: match.legal_actions(seat)[-1] for seat in match.to_act()}
    for _ in range(taken_back):
        match.step(choices)
        match.take_back(0)
    for seat in range(5):
        match.resign(seat)
    return match


def record(taken_back: int = 0, **changes: object) -> bytes:
    data = msgspec.json.decode(to_json(record_of(finished(taken_back))))
    return msgspec.json.encode(data | changes)


@pytest.fixture(scope="module")
def long_record() -> bytes:
    """A valid record that takes seconds to replay."""
    return record(TAKEN_BACK)


# ---------------------------------------------------------------- what a worker does


def test_an_edition_is_described_as_json() -> None:
    found = json.loads(answer(DescribeEdition("chariots", EDITION.replace('"suns"', '"eagles"'))).body)
    assert (found["names"]["chariot"][0], found["edition"]["standard"]) == ("eagles", False)


@pytest.mark.parametrize(
    ("job", "code"),
    [
        (DescribeEdition("chess", EDITION), "no_game"),
        (DescribeEdition("chariots", "name ="), "invalid_file"),
        (AcceptEdition("chariots", "a." * 400 + "a = 1"), "invalid_file"),
        (AcceptEdition("chariot_race", HUGE_LAP), "invalid_file"),
        (VerifyRecord(b"\xff"), "invalid_file"),
        (VerifyRecord(b"[" * 100_000), "invalid_file"),
        (ReplayRecord(record(commitment="0" * 64), 1 << 20), "no_replay"),
        (ReplayRecord(record(), 1000), "too_large"),
    ],
)  # fmt: skip
def test_a_worker_refuses_in_words(job: Any, code: str) -> None:
    found = answer(job)
    assert (found.body, found.code) == (b"", code)
    assert len(Refused(found.code, **found.params).sentence) < 700


def test_an_edition_that_takes_long_to_load_is_not_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer(AcceptEdition("chariots", EDITION)).code == ""
    monkeypatch.setattr("quadriga.server.uploads.worker.EDITION_SECONDS", 0.0)
    assert answer(AcceptEdition("chariots", EDITION)) == Answer(b"", "too_costly")


def test_what_is_stored_of_a_record_is_small(long_record: bytes) -> None:
    found = msgspec.msgpack.decode(answer(ReplayRecord(long_record, 1 << 30)).body, type=Replayed)
    assert len(found.entries) == len(found.moments) == 2 * TAKEN_BACK + 6
    assert found.size < 10 * len(long_record)
    game, match = games.load("charioteer"), finished()
    moment = match.moment(0)
    assert unpack_moment(game, found.moments[0]).state.tobytes() == moment.state.tobytes()
    assert 3 * len(pack_small(game, moment)) < len(pack_moment(game, moment))
    assert unpack_moment(game, pack_small(game, moment)).events == unpack_moment(game, pack_moment(game, moment)).events


# ---------------------------------------------------------------- limits and the queue


def story(settings: Settings, tell: Any) -> None:
    async def run() -> None:
        uploads = Uploads(settings)
        try:
            await tell(uploads)
        finally:
            await uploads.close()

    asyncio.run(run())


def upload_worker() -> psutil.Process:
    """The one child of this process that checks uploads. Children of earlier tests may not be reaped yet."""
    alive = [child for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE]
    (worker,) = [child for child in alive if "quadriga.server.uploads.process" in child.cmdline()]
    return worker


async def refusal(uploads: Uploads, job: Any, address: str = HERE) -> str:
    with pytest.raises(Refused) as error:
        await uploads.do(address, job)
    return error.value.code


def test_what_takes_too_long_is_given_up_and_the_next_one_is_checked(long_record: bytes) -> None:
    async def tell(uploads: Uploads) -> None:
        assert json.loads(await uploads.do(HERE, VerifyRecord(record())))["replays"] is True
        began = time.monotonic()
        assert await refusal(uploads, VerifyRecord(long_record)) == "too_costly"
        assert time.monotonic() - began < 3.0
        assert json.loads(await uploads.do(HERE, VerifyRecord(record())))["replays"] is True

    story(Settings(upload_seconds=0.4), tell)


def test_what_takes_too_much_memory_is_given_up(long_record: bytes) -> None:
    async def tell(uploads: Uploads) -> None:
        assert await refusal(uploads, VerifyRecord(long_record)) == "too_costly"
        assert json.loads(await uploads.do(HERE, VerifyRecord(record())))["replays"] is True

    story(Settings(upload_seconds=60.0, upload_megabytes=8), tell)


def test_a_worker_that_is_killed_is_replaced(long_record: bytes) -> None:
    async def tell(uploads: Uploads) -> None:
        await uploads.do(HERE, VerifyRecord(record()))
        asyncio.get_running_loop().call_later(0.2, os.kill, upload_worker().pid, signal.SIGKILL)
        assert await refusal(uploads, VerifyRecord(long_record)) == "too_costly"
        assert json.loads(await uploads.do(HERE, VerifyRecord(record())))["replays"] is True

    story(Settings(upload_seconds=60.0), tell)


def test_there_is_one_place_for_each_address_and_so_many_in_all(long_record: bytes) -> None:
    async def tell(uploads: Uploads) -> None:
        waiting = [asyncio.create_task(uploads.do(a, VerifyRecord(record()))) for a in ("a", "b", "c")]
        await asyncio.sleep(0)
        assert await refusal(uploads, VerifyRecord(record()), "a") == "one_upload"
        assert await refusal(uploads, VerifyRecord(record()), "d") == "busy"
        assert all(json.loads(body)["replays"] for body in await asyncio.gather(*waiting))
        assert json.loads(await uploads.do("a", VerifyRecord(record())))["replays"] is True

    story(Settings(uploads_waiting=2), tell)


def test_who_waits_too_long_is_told_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def tell(uploads: Uploads) -> None:
        await uploads.do(HERE, VerifyRecord(record()))
        worker = await uploads._pool.take()
        monkeypatch.setattr("quadriga.server.uploads.queue.WAIT_SECONDS", 0.1)
        assert await refusal(uploads, VerifyRecord(record())) == "busy"
        uploads._pool.give_back(worker)
        await uploads.do(HERE, VerifyRecord(record()))

    story(Settings(upload_seconds=0.4), tell)


def test_so_many_editions_are_kept_and_no_more() -> None:
    async def run() -> None:
        editions = Editions()
        first = await editions.load("chariots", EDITION + "# 0")
        assert await editions.load("chariots", EDITION + "# 0") is first
        for number in range(1, KEPT + 1):
            await editions.load("chariots", EDITION + f"# {number}")
        assert len(editions._kept) == KEPT
        assert await editions.load("chariots", EDITION + "# 0") is not first
        editions.close()

    asyncio.run(run())


# ---------------------------------------------------------------- over HTTP

STRICT = {
    "QUADRIGA_UPLOAD_SECONDS": "0.4",
    "QUADRIGA_UPLOAD_BYTES": "200000",
    "QUADRIGA_GUEST_UPLOAD_BYTES": "20000",
    "QUADRIGA_SERVER_UPLOAD_BYTES": "30000",
}


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with little patience and little room."""
    folder = tmp_path_factory.mktemp("strict")
    with serving(str(folder / "tables.sqlite"), folder, **STRICT) as one:
        yield one


def ask(server: Server, method: str, path: str, body: bytes | None = None, token: str = "") -> tuple[int, Any]:
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(server.url + path, body, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as found:
            return found.status, json.loads(found.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())["error"]


def new_guest(server: Server) -> str:
    return str(ask(server, "POST", "/api/guests", b'{"name": "Ana"}')[1]["token"])


def table_with(edition: str) -> bytes:
    return msgspec.json.encode({"game": "chariots", "seats": [{"kind": "me"}, {"kind": "open"}], "edition": edition})


@pytest.mark.parametrize(
    "edition",
    [
        HUGE_LAP, "a." * 12_000 + "a = 1", '"' * 100_000, "a = " + "[" * 90_000, "a = " + "9" * 5000,
        "x\n" * 40_000, "[a]\n" * 20_000, "\x00", "a = 1\n" + "# " * 49_000,
    ],
)  # fmt: skip
def test_hostile_editions_are_refused_in_words(server: Server, edition: str) -> None:
    token = new_guest(server)
    for path, body in (
        ("/api/tables", table_with(edition)),
        ("/api/editions", msgspec.json.encode({"game": "chariots", "edition": edition})),
        ("/api/verify", record(edition=edition)),
        ("/api/records", record(edition=edition)),
    ):
        status, found = ask(server, "POST", path, body, token)
        if path == "/api/verify":
            assert (status, found["replays"]) == (200, False)
        else:
            assert (status, found["code"]) in ((422, "invalid_file"), (422, "no_replay")), found
            assert len(found["sentence"]) < 700


@pytest.mark.parametrize("body", [b"[" * 200_000, b'{"a":' * 100_000, b'{"game": "\\ud800"}', b"1" * 6000, b"\xff\xfe"])
@pytest.mark.parametrize(
    "path",
    ["tables", "editions", "records", "verify", "guests", "reports", "tables/x/commands"],
)
def test_odd_json_gets_a_sentence(server: Server, path: str, body: bytes) -> None:
    status, found = ask(server, "POST", f"/api/{path}", body, new_guest(server))
    assert status in (400, 422), found
    assert found["sentence"]


@pytest.mark.parametrize("number", ["%C2%B2", "%D9%A3", "9" * 30, "9" * 5000, "-1", "1e9", "%F0%9D%9F%99"])
def test_odd_digits_in_an_address_get_a_sentence(server: Server, number: str) -> None:
    token = new_guest(server)
    table = ask(server, "POST", "/api/tables", table_with(EDITION), token)[1]["table"]["id"]
    for path in (f"steps/{number}", f"steps?since={number}", f"view?seat={number}", f"chat?before={number}"):
        status, found = ask(server, "GET", f"/api/tables/{table}/{path}", token=token)
        assert status == 200 or 400 <= status < 500, (path, found)


def test_odd_digits_in_a_choice_get_a_sentence(server: Server) -> None:
    token = new_guest(server)
    body = {"game": "chariots", "seats": [{"kind": "me"}, {"kind": "me"}], "options": {"two_chariots": False}}
    table = ask(server, "POST", "/api/tables", msgspec.json.encode(body), token)[1]["table"]["id"]

    def command(**fields: object) -> tuple[int, Any]:
        return ask(server, "POST", f"/api/tables/{table}/commands", msgspec.json.encode(fields), token)

    assert command(type="start")[0] == 200
    for action in (
        "plot ²+3+4",
        "plot " + "9" * 5000,
        {"kind": "plot", "coins": [10**30]},
        {"kind": "plot", "coins": [[]] * 9},
    ):
        status, found = command(type="choose", seat=0, seq=0, action=action)
        assert (status, found["code"]) in ((422, "invalid_action"), (400, "malformed")), found


def test_a_server_answers_while_uploads_are_checked(strict: Server, long_record: bytes) -> None:
    slowest, stop = 0.0, threading.Event()

    def knock() -> None:
        nonlocal slowest
        while not stop.is_set():
            began = time.monotonic()
            ask(strict, "GET", "/api/health")
            slowest = max(slowest, time.monotonic() - began)
            time.sleep(0.01)

    thread = threading.Thread(target=knock)
    thread.start()
    try:
        status, found = ask(strict, "POST", "/api/verify", long_record)
    finally:
        stop.set()
        thread.join()
    assert (status, found["code"]) == (422, "too_costly")
    assert slowest < 0.5


def test_a_second_upload_from_one_address_is_refused(strict: Server, long_record: bytes) -> None:
    first = threading.Thread(target=ask, args=(strict, "POST", "/api/verify", long_record))
    first.start()
    time.sleep(0.1)
    answers = []
    while first.is_alive():
        answers.append(ask(strict, "POST", "/api/verify", record()))
    assert (429, "one_upload") in [(status, found.get("code")) for status, found in answers]


def test_uploads_take_up_no_more_room_than_there_is(strict: Server) -> None:
    ana, ben = new_guest(strict), new_guest(strict)
    status, found = ask(strict, "POST", "/api/records", record(300), ana)
    assert (status, found["code"], found["params"]) == (413, "too_large", {"most": 200000})
    kept = fill(strict, ana)
    assert kept[-1][1]["code"] == "guest_full"
    assert len(kept) > 2
    others = fill(strict, ben)
    assert (others[-1][0], others[-1][1]["code"]) == (507, "server_full")
    with sqlite3.connect(strict.database) as database:
        (noted,) = database.execute("SELECT sum(bytes) FROM uploads").fetchone()
        (real,) = database.execute("SELECT sum(length(body)) FROM moments").fetchone()
    assert real < noted <= 30_000
    shown = ask(strict, "GET", f"/api/tables/{kept[0][1]['table']}/steps/1?seat=0", token=ana)
    assert (shown[0], shown[1]["seq"]) == (200, 1)
    assert ask(strict, "GET", f"/api/tables/{kept[0][1]['table']}/verify", token=ana)[1]["replays"] is True
    assert ask(strict, "DELETE", "/api/me", token=ana)[0] in (200, 204)
    assert fill(strict, ben)[0][0] == 201


def fill(server: Server, token: str) -> list[tuple[int, Any]]:
    """Upload a record until that is refused."""
    answers = []
    for _ in range(50):
        answers.append(ask(server, "POST", "/api/records", record(), token))
        if answers[-1][0] != 201:
            break
    return answers
