"""Analyses of finished races, hints with reasons, the coach, evaluations, and playing on from a position."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from quadriga.client import Client, ServerRefused
from quadriga.core.record import from_json, replay
from quadriga.games import load
from quadriga.server.analysis.jobs import Analyses
from quadriga.server.errors import Refused
from quadriga.server.output import views
from quadriga.server.settings import Settings
from quadriga.server.tables import commands as c
from quadriga.server.tables.coaching import note_advice
from quadriga.server.tables.document import Coached
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
            assert not coached["warns"]
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


def test_the_coach_warns_from_a_share_on_and_counts_what_came_of_it(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            table = await ana.create("chariots", ["me", "wanderer", "wanderer"], pace_ms=60_000)
            await ana.start(table)
            await with_reasons(ana, table)
            slow = await ana.command("coach", table, seat=0, seq=0, action="plot 2+3+4")
            assert slow["grade"] in ("mistake", "blunder")
            assert slow["warns"]
            better = slow["candidates"][0]
            assert better["chance"] > 0.02
            costlier = await ana.command("coach", table, seat=0, seq=0, action="plot 2+3+4", share=0.5)
            assert not costlier["warns"]
            await ana.command("choose", table, seat=0, seq=0, action=better["choice"])
            shown = await ana.request("GET", f"/api/tables/{table}")
            assert (shown["coached"]["looked"], shown["coached"]["warned"], shown["coached"]["heeded"]) == (1, 1, 1)
            assert shown["coached"]["saved"] == pytest.approx(slow["cost"], abs=0.001)
            async with Client(server.url, "Ben") as ben:
                assert (await ben.request("GET", f"/api/tables/{table}"))["coached"] is None
            malformed = ana.command("coach", table, seat=0, seq=0, action="plot 2+3+4", share=0.0)
            assert await refused(malformed) == "malformed"

    run_story(story)


def test_choices_after_a_warning_are_counted(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"])
        live = await house.live(table)
        assert live.match is not None
        game, first = live.game, live.match.legal_actions(0)
        slow, other = game.describe(first[0]), game.describe(first[1])
        note_advice(live, 0, 0, slow, 0.08, True)
        note_advice(live, 0, 0, other, 0.01, False)
        await house.choose("Ana", table, 0, which=1)
        assert live.doc.coached == Coached(1, 1, 1, 0.07)
        note_advice(live, 1, 0, slow, 0.08, True)
        await house.choose("Ben", table, 1, which=0)
        assert live.doc.coached == Coached(2, 2, 1, 0.07)
        assert live.match.seq == 1
        note_advice(live, 0, 0, slow, 0.08, True)
        seat = live.match.to_act()[0]
        await house.choose("Ana" if seat == 0 else "Ben", table, seat)
        assert live.doc.coached == Coached(2, 2, 1, 0.07), "of an older step"
        again = await house.live(table)
        assert views.table(again, house.guest("Ana").id)["coached"] == Coached(2, 2, 1, 0.07)

    run(tmp_path, story)


async def evaluated(one: Client, table: str) -> dict[str, Any]:
    """An evaluation; the first one starts the processes that give it."""
    for _ in range(600):
        try:
            found: dict[str, Any] = await one.request("GET", f"/api/tables/{table}/evaluation")
        except ServerRefused as error:
            if error.code != "no_hint":
                raise
            await asyncio.sleep(0.5)
        else:
            return found
    raise AssertionError("no evaluation")


def test_nobody_is_helped_against_people(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"], hints="all")
            await ben.claim(table)
            await ana.start(table)
            coach = ana.command("coach", table, seat=0, seq=0, action="plot 2+3+4")
            assert await refused(coach) == "no_hints"
            async with Client(server.url, "Wim") as watcher:
                for one in (ana, ben, watcher):
                    for path in ("evaluation", "evaluation?seq=0"):
                        assert await refused(one.request("GET", f"/api/tables/{table}/{path}")) == "no_hints"
                    assert await refused(one.request("GET", f"/api/tables/{table}/analysis")) == "not_over"
            await ben.command("leave", table, seat=1)
            coach = ana.command("coach", table, seat=0, seq=0, action="plot 2+3+4")
            assert await refused(coach) == "no_hints", "nobody becomes alone because another left"


def test_of_a_person_against_bots_others_are_told_nothing(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Wim") as watcher:
            table = await ana.create("chariots", ["me", "wanderer"], pace_ms=60_000)
            await ana.start(table)
            assert await refused(watcher.request("GET", f"/api/tables/{table}/evaluation")) == "no_hints"

    run_story(story)


def test_watchers_of_bots_see_the_chances_of_what_they_are_shown(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Wim") as watcher:
            table = await ana.create("chariots", ["wanderer", "greedy"], pace_ms=1000, watch_delay_s=3600)
            await ana.start(table)
            for one in (ana, watcher):
                assert await refused(one.request("GET", f"/api/tables/{table}/evaluation?seq=1")) == "no_step"
                assert (await evaluated(one, table))["seq"] == 0

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


def test_questions_to_the_coach_are_limited_as_evaluations_are(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        services, ana = house.services, house.guest("Ana")
        services.evaluations.clock = lambda: 0.0
        coach = c.Coach(table="t", seat=0, seq=0, action="x")
        for _ in range(5):
            services.require_rate(ana, coach)
        with pytest.raises(Refused, match="Too fast"):
            services.require_rate(ana, coach)
        services.require_rate(ana, c.Hint(table="t", seat=0, seq=0))

    run(tmp_path, story, evaluations_per_minute=6.0)
