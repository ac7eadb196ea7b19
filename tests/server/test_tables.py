"""Tables over real sockets: seats, settings, races, and everything that is refused."""

import asyncio
import re
from collections.abc import Callable, Coroutine
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from quadriga import games
from quadriga.client import Client, ServerRefused
from tests.server.serving import Server

Json = dict[str, Any]


def run(story: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(story(), 90))


async def refused(doing: Coroutine[Any, Any, Any]) -> str:
    """The code with which something is refused."""
    with pytest.raises(ServerRefused) as error:
        await doing
    return str(error.value.code)


async def play_out(client: Client, table: str) -> None:
    """Always the last choice on the list: it moves on in every game."""
    async for turn in client.turns(table):
        await client.choose(turn, turn["legal"][-1])


@pytest.mark.parametrize("game", games.NAMES)
def test_a_race_of_two_persons_and_a_bot_from_start_to_places(server: Server, game: str) -> None:
    async def story() -> None:
        limit = {"laps": 1, "limit": 5} if game == "chariots" else {"limit": 3}
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create(game, ["me", "open", "wanderer"], options=limit, pace_ms=0)
            assert await ben.claim(table) == 1
            await ana.start(table)
            await asyncio.gather(play_out(ana, table), play_out(ben, table))
            seen = [step["seq"] for step in ana.watched[table].steps[0]]
            assert seen == list(range(ana.view(table)["seq"] + 1))
            result = ana.view(table)["result"]
            assert result == ben.view(table)["result"]
            assert len(result["places"]) == 3
            check = await ana.request("GET", f"/api/tables/{table}/verify")
            assert check["commitment_holds"] is check["replays"] is True
            assert check["commitment"] == ana.watched[table].table["commitment"]

    run(story)


def test_hot_seat_gets_a_view_for_each_seat(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            seats: list[Any] = ["me", {"kind": "me", "name": "Ben"}]
            table = await ana.create("chariots", seats, options={"laps": 1, "limit": 5})
            await ana.start(table)
            await ana.until(lambda: set(ana.watched[table].views) == {0, 1})
            names = [seat["name"] for seat in ana.watched[table].table["seats"]]
            assert names == ["Ana", "Ben"]
            await play_out(ana, table)
            assert ana.view(table)["result"] is not None

    run(story)


def test_seats_are_claimed_left_and_kicked(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"])
            assert await refused(ben.command("start", table)) == "not_host"
            assert await refused(ana.start(table)) == "seats_open"
            assert await refused(ben.claim(table, 0)) == "seat_taken"
            assert await refused(ben.claim(table, 7)) == "no_seat"
            await ben.claim(table, 1)
            assert await refused(ben.claim(table)) == "no_open_seat"
            await ben.command("leave", table, seat=1)
            await ben.claim(table, 1)
            assert await refused(ben.command("kick", table, seat=0)) == "not_host"
            assert await refused(ana.command("kick", table, seat=0)) == "host_stays"
            await ana.command("kick", table, seat=1)
            assert await refused(ben.claim(table, 1)) == "kicked"
            await ana.command("set_seat", table, seat=1, kind="wanderer")
            assert await refused(ana.command("set_seat", table, seat=1, kind="no such bot")) == "invalid_option"
            await ana.start(table)
            assert await refused(ana.start(table)) == "not_open"

    run(story)


def test_a_seat_is_taken_over_by_its_token_alone(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            wanted = [{"kind": "me"}, {"kind": "wanderer"}]
            made = await ana.request("POST", "/api/tables", {"game": "chariots", "seats": wanted})
            table, token = made["table"]["id"], made["seats"][0]["token"]
            await ana.watch(table)
            await ana.start(table)
            await ana.until(lambda: 0 in ana.watched[table].views)
            turn = ana.view(table, 0)
            assert await refused(ben.command("sit", table, token=token[:-1] + "?")) == "not_yours"
            await ben.watch(table)
            await ben.command("sit", table, token=token)
            await ben.until(lambda: 0 in ben.watched[table].views)
            assert await refused(ana.choose(turn, turn["legal"][0])) == "not_yours"
            await ben.choose(ben.view(table, 0), ben.view(table, 0)["legal"][0])

    run(story)


def test_a_bot_sits_in_for_somebody_who_leaves_and_comes_back(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"], pace_ms=0)
            await ben.claim(table)
            await ana.start(table)
            assert await refused(ben.command("back", table, seat=1)) == "not_away"
            await ben.command("leave", table, seat=1)
            await ana.until(lambda: ana.watched[table].table["seats"][1]["owner_away"])
            await ana.until(lambda: 1 in ana.view(table)["chosen"])
            assert await refused(ana.command("back", table, seat=1)) == "not_yours"
            await ben.command("back", table, seat=1)
            await ana.until(lambda: 1 not in ana.view(table)["chosen"])
            kinds = [step["entry"]["kind"] for step in ana.watched[table].steps[0]]
            assert kinds == ["setup", "seat_change", "seat_change"]

    run(story)


def test_choices_that_are_foreign_late_double_or_nonsense_change_nothing(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"])
            await ben.claim(table)
            await ana.start(table)
            await ana.until(lambda: bool(ana.watched[table].views))
            turn = ana.view(table)
            good = {"seat": 0, "seq": 0, "action": turn["legal"][0]}
            before = await ana.request("GET", f"/api/tables/{table}")
            for wrong, code in (
                (good | {"seat": 1}, "not_yours"),
                (good | {"seat": 5}, "no_seat"),
                (good | {"seq": 3}, "late"),
                (good | {"seq": -1}, "late"),
                (good | {"action": {"kind": "fly"}}, "invalid_action"),
                (good | {"action": {"kind": "step", "to": "5,4"}}, "refused"),
                (good | {"action": {"kind": "plot", "coins": ["2", "2", "2"]}}, "refused"),
                (good | {"action": "plot 9"}, "invalid_action"),
                (good | {"action": 7}, "malformed"),
                (good | {"extra": 1}, "malformed"),
                (good | {"seat": "0"}, "malformed"),
            ):
                assert await refused(ana.command("choose", table, **wrong)) == code, wrong
            assert await refused(ana.command("withdraw", table, seat=0, seq=0)) == "nothing_waits"
            assert await refused(ana.send("dance", table=table)) == "malformed"
            assert await refused(ana.command("choose", "nowhere", **good)) == "no_table"
            after = await ana.request("GET", f"/api/tables/{table}")
            assert after == before

    run(story)


def test_a_secret_choice_is_changed_withdrawn_and_made_once(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"])
            await ben.claim(table)
            await ana.start(table)
            await ana.until(lambda: bool(ana.watched[table].views))
            first, second = ana.view(table)["legal"][:2]
            good = {"seat": 0, "seq": 0, "action": first}
            await ana.command("choose", table, **good)
            assert await refused(ana.command("choose", table, **good)) == "duplicate"
            await ana.command("choose", table, **good | {"action": second})
            await ana.until(lambda: ana.view(table)["choice"] == second)
            await ben.until(lambda: ben.view(table)["chosen"] == [0])
            assert ben.view(table)["choice"] is None
            await ana.command("withdraw", table, seat=0, seq=0)
            await ben.until(lambda: ben.view(table)["chosen"] == [])
            await ana.command("choose", table, **good)
            await ben.choose(ben.view(table), ben.view(table)["legal"][0])
            assert await refused(ana.command("choose", table, **good)) == "duplicate"
            assert await refused(ana.command("choose", table, **good | {"action": second})) == "late"

    run(story)


def test_try_says_why_not_and_chooses_nothing(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            table = await ana.create("chariots", ["me", "wanderer"], pace_ms=60_000)
            await ana.start(table)
            await ana.until(lambda: bool(ana.watched[table].views))
            legal = ana.view(table)["legal"][0]
            assert (await ana.command("try", table, seat=0, seq=0, action=legal))["allowed"] is True
            wrong = {"kind": "plot", "coins": ["2", "2", "2"]}
            answer = await ana.command("try", table, seat=0, seq=0, action=wrong)
            assert answer["allowed"] is False
            assert answer["refusal"]["kind"]
            assert answer["sentence"]
            assert 0 not in (await ana.request("GET", f"/api/tables/{table}/view"))["chosen"]

    run(story)


def test_take_back_is_free_against_bots(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            table = await ana.create("chariots", ["me", "wanderer"], pace_ms=0)
            await ana.start(table)
            await ana.until(lambda: bool(ana.watched[table].views))
            await ana.choose(ana.view(table), ana.view(table)["legal"][0])
            await ana.until(lambda: ana.view(table)["seq"] >= 1)
            assert await refused(ana.command("take_back", table, seat=0, to=99)) == "no_step"
            await ana.command("take_back", table, seat=0, to=0)
            await ana.until(lambda: any(s["entry"]["kind"] == "take_back" for s in ana.watched[table].steps[0]))
            assert ana.view(table)["view"]["stage"] == "plot"

    run(story)


def test_take_back_among_people_needs_consent_and_nothing_revealed(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"], options={"two_chariots": False})
            await ben.claim(table)
            await ana.start(table)
            clients = {0: ana, 1: ben}
            for seat, client in clients.items():
                await client.until(lambda seat=seat, client=client: seat in client.watched[table].views)
                await client.choose(client.view(table), {"kind": "plot", "coins": ["2", "3", "4"]})
            await ana.until(lambda: ana.view(table)["seq"] == 1)
            assert await refused(ana.command("take_back", table, seat=0, to=0)) == "revealed"
            while True:
                turn = ana.view(table)
                await ben.until(lambda turn=turn: ben.view(table)["seq"] == turn["seq"])
                (mover,) = turn["to_act"]
                client = clients[mover]
                before, now = turn["seq"], client.view(table)
                await client.choose(now, now["legal"][0])
                await ana.until(lambda before=before: ana.view(table)["seq"] == before + 1)
                events = {event["kind"] for event in ana.watched[table].steps[0][-1]["events"]}
                if events <= {"stepped"}:
                    break
            asking, asked = clients[mover], clients[1 - mover]
            answer = await asking.command("take_back", table, seat=mover, to=before)
            assert answer["agreed"] is None
            await asked.until(lambda: bool(asked.watched[table].table["proposals"]))
            proposal = asked.watched[table].table["proposals"][0]
            assert proposal["waiting"] == [1 - mover]
            await asked.command("agree", table, proposal=proposal["proposal"], yes=True)
            await asking.until(lambda: asking.view(table)["seq"] == before + 2)
            assert asking.view(table)["to_act"] == [mover]
            assert (
                await refused(asked.command("agree", table, proposal=proposal["proposal"], yes=True)) == "no_proposal"
            )

    run(story)


def test_pause_resign_abandon_and_rematch(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"], pace_ms=0)
            await ben.claim(table)
            await ana.start(table)
            await ben.command("pause", table)
            await ana.until(lambda: ana.view(table)["paused"])
            legal = {"kind": "plot", "coins": ["2", "3", "4"]}
            assert await refused(ana.command("choose", table, seat=0, seq=1, action=legal)) == "paused"
            await ana.command("resume", table)
            assert await refused(ana.command("resume", table)) == "not_paused"
            assert (await ana.command("abandon", table))["agreed"] is None
            await ben.until(lambda: bool(ben.watched[table].table["proposals"]))
            await ben.command("agree", table, proposal=1 + 2, yes=False)
            assert await refused(ana.command("rematch", table)) == "not_over"
            await ben.command("resign", table, seat=1)
            await ana.until(lambda: ana.watched[table].table["state"] == "over")
            assert ana.view(table)["result"] == {"places": [1, 2], "winner": 0, "reason": "resigned"}
            again = (await ben.command("rematch", table))["table"]
            assert (await ana.command("rematch", table))["table"] == again
            fresh = await ben.request("GET", f"/api/tables/{again}")
            assert (fresh["state"], fresh["my_seats"], fresh["i_am_host"]) == ("open", [1], False)
            assert fresh["commitment"] != ana.watched[table].table["commitment"]

    run(story)


def test_all_agree_to_abandon(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"])
            await ben.claim(table)
            await ana.start(table)
            await ana.command("abandon", table)
            assert (await ben.command("abandon", table))["agreed"] is True
            await ana.until(lambda: ana.watched[table].table["state"] == "abandoned")
            check = await ana.request("GET", f"/api/tables/{table}/verify")
            assert check["seed"] is None
            record = await ana.request("GET", f"/api/tables/{table}/record")
            assert record["seed"] is None

    run(story)


def test_listed_tables_are_listed_and_mine_are_mine(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            private = await ana.create("chariots", ["me", "open"])
            listed = await ana.create("chariots", ["me", "open"], listed=True)
            found = {card["id"] for card in await ben.request("GET", "/api/tables")}
            assert listed in found
            assert private not in found
            await ana.command("settings", private, listed=True)
            assert private in {card["id"] for card in await ben.request("GET", "/api/tables")}
            await ben.claim(private)
            await ana.start(private)
            mine = await ben.request("GET", "/api/me/tables")
            assert [(card["id"], card["my_seats"], card["my_turn"]) for card in mine] == [(private, [1], True)]
            assert await refused(ana.command("settings", private, options={"laps": 2})) == "not_open"
            assert await refused(ben.command("settings", private, listed=False)) == "not_host"

    run(story)


def test_a_guest_is_carried_to_another_device_once(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            table = await ana.create("chariots", ["me", "open"])
            code = (await ana.request("POST", "/api/me/link"))["code"]
            other = Client(server.url)
            for _ in range(2):
                whose = await other.request("GET", f"/api/me/carry?code={code}")
                assert whose == {"name": "Ana", "is_me": False}, "asking tells the name alone and uses nothing up"
            assert (await ana.request("GET", f"/api/me/carry?code={code}"))["is_me"] is True
            carried = await other.request("POST", "/api/me/carry", {"code": code})
            assert carried["guest"]["name"] == "Ana"
            assert await refused(other.request("POST", "/api/me/carry", {"code": code})) == "no_code"
            assert await refused(other.request("GET", f"/api/me/carry?code={code}")) == "no_code"
            async with Client(server.url, token=carried["token"]) as there:
                assert [card["id"] for card in await there.request("GET", "/api/me/tables")] == [table]
            forged = carried["guest"]["id"] + "." + "A" * 32
            async with Client(server.url, token=forged) as nobody:
                assert nobody.guest is None

    run(story)


def test_forgetting_a_guest_leaves_no_trace_and_others_their_race(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Benedicta") as ben:
            alone = await ben.create("chariots", ["me", "open"])
            table = await ana.create("chariots", ["me", "open"], pace_ms=0)
            await ben.claim(table)
            await ana.start(table)
            await ben.command("say", table, text="hello there")
            await ana.until(lambda: bool(ana.watched[table].chat))
            await ben.command("leave", table, seat=1)
            await ben.command("back", table, seat=1)
            assert (await ben.request("GET", "/api/me/data"))["guest"][0]["name"] == "Benedicta"
            await ben.request("DELETE", "/api/me")
            assert (await ben.request("GET", "/api/me"))["guest"] is None
            assert await refused(ana.request("GET", f"/api/tables/{alone}")) == "no_table"
            assert await ana.request("GET", f"/api/tables/{table}/chat") == []
            await ana.until(lambda: ana.watched[table].table["seats"][1]["kind"] == "wanderer")
            assert "Benedicta" not in str(await ana.request("GET", f"/api/tables/{table}"))
            await ana.command("resign", table, seat=0)
            record = await ana.request("GET", f"/api/tables/{table}/record")
            assert record["seed"], "the race is over, and everything is told"
            assert "Benedicta" not in str(record)
            assert (await ana.request("GET", f"/api/tables/{table}/verify"))["replays"] is True

    run(story)


def test_forgetting_reaches_races_from_which_a_guest_was_kicked(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Benedicta") as ben:
            table = await ana.create("chariots", ["me", "open"], pace_ms=0)
            await ben.claim(table)
            await ana.start(table)
            await ben.command("leave", table, seat=1)
            await ben.command("back", table, seat=1)
            assert await refused(ana.command("kick", table, seat=1)) == "present"
            await ben.command("leave", table, seat=1)
            await ana.command("kick", table, seat=1)
            assert await ben.request("GET", "/api/me/tables") == [], "it is no longer their table"
            await ben.request("DELETE", "/api/me")
            await ana.command("resign", table, seat=0)
            record = await ana.request("GET", f"/api/tables/{table}/record")
            assert "Benedicta" not in str(record)
            assert "Ana" in str(record)
            assert (await ana.request("GET", f"/api/tables/{table}/verify"))["replays"] is True

    run(story)


def test_chat_can_be_muted_blocked_and_turned_off(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("chariots", ["me", "open"])
            await ben.claim(table)
            await ben.command("say", table, text=" good \n luck \u0000 ")
            await ana.until(lambda: len(ana.watched[table].chat) == 1)
            said = ana.watched[table].chat[0]
            assert (said["seat"], said["name"], said["text"]) == (1, "Ben", "good luck")
            await ana.command("mute", table, seat=1, yes=True)
            assert await refused(ben.command("say", table, text="hm")) == "muted"
            await ana.command("mute", table, seat=1, yes=False)
            (blocked,) = await ana.request("POST", "/api/blocks", {"table": table, "seat": 1})
            await ben.command("say", table, text="unheard")
            other = await ana.create("chariots", ["me", "open"])
            assert await refused(ben.claim(other)) == "blocked"
            assert await ana.request("DELETE", f"/api/blocks/{blocked['guest']}") == []
            await ben.command("say", table, text="heard")
            await ana.until(lambda: len(ana.watched[table].chat) == 2)
            assert ana.watched[table].chat[1]["text"] == "heard"
            await ana.command("settings", table, chat=False)
            assert await refused(ben.command("say", table, text="hm")) == "chat_off"
            report = {"table": table, "seat": 1, "text": "rude"}
            assert await ana.request("POST", "/api/reports", report) == {"reported": True}

    run(story)


def test_bots_alone_are_watched_at_a_chosen_pace(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            table = await ana.create("chariots", ["veteran", "wanderer"], pace_ms=200, options={"laps": 1})
            await ana.start(table)
            await ana.until(lambda: bool(ana.watched[table].views) and ana.view(table)["seq"] >= 4)
            times = [step["at"] for step in ana.watched[table].steps[None]]
            assert all(later - earlier >= 200 for earlier, later in pairwise(times))
            await ana.command("settings", table, pace_ms=0)
            await ana.until(lambda: ana.watched[table].table["state"] == "over", 60)
            assert ana.view(table)["result"]["places"]

    run(story)


def test_the_example_for_bot_authors_runs(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots-over-the-network.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    exec(example.replace("http://127.0.0.1:8000", server.url), {})
    assert "'places'" in capsys.readouterr().out


def test_a_preview_tells_what_listed_choices_bring(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            table = await ana.create("charioteer", ["me", "wanderer"], pace_ms=60_000)
            await ana.start(table)
            await ana.until(lambda: bool(ana.watched[table].views))
            answer = await ana.command("preview", table, seat=0, seq=0)
            assert answer["seq"] == 0
            legal = ana.view(table)["legal"]
            assert [move is None for move in answer["preview"]["moves"]] == [a["kind"] == "reset" for a in legal]
            assert 0 not in (await ana.request("GET", f"/api/tables/{table}/view"))["chosen"]
            assert await refused(ana.command("preview", table, seat=0, seq=5)) == "late"
            assert await refused(ana.command("preview", table, seat=1, seq=0)) == "not_yours"
            assert await refused(ben.command("preview", table, seat=0, seq=0)) == "not_yours"
            plots = await ana.create("chariots", ["me", "wanderer"], pace_ms=60_000)
            await ana.start(plots)
            assert (await ana.command("preview", plots, seat=0, seq=0))["preview"] == {}

    run(story)
