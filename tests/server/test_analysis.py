"""Analyses of finished races, hints with reasons, the coach, evaluations, and playing on from a position."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from quadriga.client import Client
from quadriga.core.record import from_json, replay
from quadriga.games import load
from quadriga.server.analysis.jobs import Analyses
from quadriga.server.errors import Refused
from quadriga.server.settings import Settings
from quadriga.server.tables import commands as c
from tests.server.house import House, run
from tests.server.serving import Server
from tests.server.test_tables import refused
from tests.server.test_tables import run as run_story

QUICK = {"laps": 1}


async def finished(ana: Client, seats: list[Any]) -> str:
    """A table whose race is over: bots play it at once."""
    table = await ana.create("chariots", seats, options=QUICK, pace_ms=0)
    await ana.start(table)
    while (await ana.request("GET", f"/api/tables/{table}"))["state"] != "over":
        await asyncio.sleep(0.2)
    return table


async def analysed(ana: Client, table: str) -> dict[str, Any]:
    asked = await ana.request("POST", f"/api/tables/{table}/analysis")
    assert asked["state"] in ("queued", "running", "done")
    for _ in range(1200):
        found = await ana.request("GET", f"/api/tables/{table}/analysis")
        if found["state"] == "done":
            analysis: dict[str, Any] = found["analysis"]
            return analysis
        assert found["state"] in ("queued", "running"), found
        assert 0 <= found["progress"] <= 1
        await asyncio.sleep(0.25)
    raise AssertionError("the analysis did not end")


def test_a_finished_race_is_analysed_in_the_background_and_the_result_kept(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            table = await finished(ana, ["greedy", "wanderer"])
            assert await ana.request("GET", f"/api/tables/{table}/analysis") == {"state": "none"}
            analysis = await analysed(ana, table)
            for account in analysis["accounts"]:
                parts = account["start"] + account["skill"] + account["luck"] + account["rivals"]
                assert parts == account["result"]
            assert analysis["players"] == ["", ""], "names belong to people and are not kept here"
            assert {account["name"] for account in analysis["accounts"]} == {""}
            assert set(analysis["decisions"][0]["why"]) == {"en", "es"}
            assert analysis["decisions"][0]["candidates"][0]["action"]["kind"]
            assert await ana.request("POST", f"/api/tables/{table}/analysis") == {"state": "done"}

    run_story(story)


def test_a_running_race_is_not_analysed_and_guests_ask(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            table = await ana.create("chariots", ["me", "wanderer"], pace_ms=60_000)
            await ana.start(table)
            for method in ("GET", "POST"):
                assert await refused(ana.request(method, f"/api/tables/{table}/analysis")) == "not_over"
            body = {"seq": 0, "seat": 0}
            assert await refused(ana.request("POST", f"/api/tables/{table}/play-on", body)) == "not_over"

    run_story(story)


async def with_reasons(ana: Client, table: str) -> dict[str, Any]:
    """A hint of the processes that give reasons; the first one starts them."""
    for _ in range(600):
        hint = await ana.command("hint", table, seat=0, seq=0)
        assert hint["action"]["kind"] == "plot"
        if hint["candidates"]:
            found: dict[str, Any] = hint
            return found
        await asyncio.sleep(0.5)
    raise AssertionError("no hint with reasons")


def test_a_hint_says_why_and_the_coach_what_a_choice_costs(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            table = await ana.create("chariots", ["me", "wanderer", "wanderer"], pace_ms=60_000)
            await ana.start(table)
            hint = await with_reasons(ana, table)
            best = hint["candidates"][0]
            assert hint["action"] == best["action"]
            assert best["playouts"] > 10
            assert sum(best["places"]) == pytest.approx(1, abs=0.01)
            assert set(hint["why"]) == {"en", "es"}
            coached = await ana.command("coach", table, seat=0, seq=0, action=best["choice"])
            assert coached["choice"] == best["choice"]
            worst = await ana.command("coach", table, seat=0, seq=0, action="plot 2+3+4")
            assert worst["cost"] >= coached["cost"]
            assert worst["grade"] in ("best", "good", "inaccuracy", "mistake", "blunder")
            assert await refused(ana.command("coach", table, seat=0, seq=0, action="plot 2+2+4")) in (
                "refused", "invalid_action",
            )  # fmt: skip
            assert await refused(ana.command("coach", table, seat=1, seq=0, action="plot 2+3+4")) == "not_yours"
            chances = await ana.request("GET", f"/api/tables/{table}/evaluation")
            assert chances["seq"] == 0
            assert sum(seat[0] for seat in chances["chances"]) == pytest.approx(1, abs=0.03)

    run_story(story)


def test_nobody_is_helped_against_people(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"], hints="all")
            await ben.claim(table)
            await ana.start(table)
            coach = ana.command("coach", table, seat=0, seq=0, action="plot 2+3+4")
            assert await refused(coach) == "no_hints"
            assert await refused(ana.request("GET", f"/api/tables/{table}/evaluation")) == "no_hints"

    run_story(story)


@pytest.mark.parametrize("deal", ["as_was", "anew"])
def test_a_finished_race_is_played_on_from_a_position(server: Server, deal: str) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            old = await finished(ana, ["greedy", "greedy"])
            body = {"seq": 1, "seat": 1, "deal": deal, "level": "wanderer"}
            made = await ana.request("POST", f"/api/tables/{old}/play-on", body)
            table = made["table"]
            assert [seat["seat"] for seat in made["seats"]] == [1]
            shown = await ana.request("GET", f"/api/tables/{table}/view?seat=1")
            before = await ana.request("GET", f"/api/tables/{old}/steps/1?seat=1")
            assert shown["view"] == before["view"]
            await ana.command("resign", table, seat=1)
            record = await ana.request("GET", f"/api/tables/{table}/record")
            replayed = replay(from_json(json.dumps(record)), load)
            kinds = [type(entry).__name__ for entry in replayed.log]
            assert ("Redeal" in kinds) == (deal == "anew")
            assert await refused(ana.request("POST", f"/api/tables/{old}/play-on", body | {"seq": 9999})) == "no_step"
            last = (await ana.request("GET", f"/api/tables/{old}/steps?since=0"))["last"]
            assert await refused(ana.request("POST", f"/api/tables/{old}/play-on", body | {"seq": last})) == "race_over"

    run_story(story)


def test_the_queue_is_bounded(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        jobs = Analyses(Settings(analyses_waiting=1), house.services.store, house.tables.now)
        try:
            jobs.add("a", "{}")
            jobs.add("a", "{}")
            jobs.add("b", "{}")
            with pytest.raises(Refused, match="Too many races"):
                jobs.add("c", "{}")
            assert jobs.status("b") == {"state": "queued", "progress": 0.0, "ahead": 1}
            assert jobs.status("c") == {"state": "none"}
        finally:
            await jobs.close()

    run(tmp_path, story)


def test_advice_counts_as_hints(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        services, ana = house.services, house.guest("Ana")
        services.hints.clock = lambda: 0.0
        coach = c.Coach(table="t", seat=0, seq=0, action="x")
        for _ in range(3):
            services.require_rate(ana, coach)
        with pytest.raises(Refused, match="Too fast"):
            services.require_rate(ana, c.Hint(table="t", seat=0, seq=0))

    run(tmp_path, story, hints_per_minute=6.0)
