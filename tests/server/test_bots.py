"""Bots at tables: how long they think, what they do when there are too many of them, and the hints they give."""

import asyncio
import time
from typing import Any

import pytest

from quadriga.client import Client
from quadriga.core.codec import action_from_json
from quadriga.core.streams import new_stream
from quadriga.games import load
from quadriga.games.chariot_race.actions import Step
from quadriga.games.chariot_race.events import Stepped
from quadriga.games.chariot_race.state import MOVE
from quadriga.server.bots.driver import Turns
from quadriga.server.bots.pool import LEAST_SECONDS, BotPool
from quadriga.server.bots.requests import question_of
from quadriga.server.bots.worker import Question, answer
from quadriga.server.database.guests import Guest
from quadriga.server.tables.commands import Start
from quadriga.server.tables.document import NewTable, WantedSeat
from quadriga.server.tables.lobby import new_table, start
from quadriga.server.tables.table import LiveTable
from tests.games.chariot_race.table import KEY, random_states
from tests.server.serving import Server
from tests.server.test_tables import refused, run

HOST = Guest("ana", "Ana")


def question(seconds: float, level: str = "champion") -> Question:
    """What a bot is asked at the start of a race."""
    order = NewTable(game="chariots", seats=[WantedSeat("me"), WantedSeat(level)])
    game = load(order.game)
    doc, _ = new_table(order, game, HOST, 0)
    live = LiveTable(doc, None, game)
    start(live, HOST, Start(table=doc.id), 0)
    return question_of(live, 1, level, 7, seconds)


def test_champion_thinks_as_long_as_it_may_and_others_do_not() -> None:
    answer(question(0.01))  # loads what is compiled
    began = time.perf_counter()
    answer(question(0.3))
    assert time.perf_counter() - began > 0.27, "no playouts are begun that would end too late"
    began = time.perf_counter()
    answer(question(60.0, "veteran"))
    assert time.perf_counter() - began < 30


def test_a_turn_of_several_choices_takes_no_longer_than_a_turn() -> None:
    turns, given = Turns(1.0), 0.0
    for seq in range(3, 20):
        share = turns.share(1, seq, alone=True)
        turns.note(1, seq, share)
        given += share
    assert 0.9 < given <= 1.0
    assert turns.share(1, 25, alone=True) == 0.5, "somebody else chose between: a new turn"
    assert turns.share(1, 25, alone=False) == 1.0, "where all choose at once, nothing follows"


def test_budgets_shrink_when_all_workers_are_busy() -> None:
    """With one worker and many who wait, nobody gets the full time but the first, and the line is soon done."""
    count, wanted = 12, 0.4

    async def story() -> list[float]:
        pool = BotPool(1, wanted, 60.0)
        pool.start()
        await asyncio.wait_for(pool.warm.wait(), 300)
        asked = [question(wanted) for _ in range(count)]
        codes = await asyncio.gather(*map(pool.choose, asked))
        assert all(code in one.choices for code, one in zip(codes, asked, strict=True))
        last = question(wanted)
        await pool.choose(last)
        await pool.close()
        return [*(one.seconds for one in asked), last.seconds]

    *shared, alone = asyncio.run(story())
    assert shared[0] == alone == wanted
    assert shared[1] == pytest.approx(max(LEAST_SECONDS, wanted / (count - 1)))
    assert sum(shared) < 5 * wanted, "one after the other, and nobody waited long"


def test_a_hint_is_a_legal_choice_and_changes_nothing(server: Server) -> None:
    async def story() -> None:
        rules = load("chariots")
        async with Client(server.url, "Ana") as ana:
            table = await ana.create("chariots", ["me", "wanderer"], pace_ms=60_000)
            await ana.start(table)
            await ana.until(lambda: bool(ana.watched[table].views))
            before = await ana.request("GET", f"/api/tables/{table}/view")
            hint = await ana.command("hint", table, seat=0, seq=0)
            action_from_json(hint["action"], rules.kinds, rules.names)
            assert (hint["seq"], hint["level"], hint["then"]) == (0, "champion", [])
            allowed = await ana.command("try", table, seat=0, seq=0, action=hint["action"])
            assert allowed["allowed"] is True
            assert await ana.request("GET", f"/api/tables/{table}/view") == before
            assert await refused(ana.command("hint", table, seat=0, seq=5)) == "late"
            assert await refused(ana.command("hint", table, seat=1, seq=0)) == "not_yours"
            assert await refused(ana.command("hint", table, seat=9, seq=0)) == "no_seat"
            await ana.command("pause", table)
            assert await refused(ana.command("hint", table, seat=0, seq=1)) == "paused"

    run(story)


def test_a_hint_tells_the_whole_drive() -> None:
    """In Chariot Race a drive is a choice for every space; a hint names them all, those without a choice, too."""
    game, asked_for, driven_by_rule = load("chariot_race"), 0, 0
    for standing in [race for race in random_states(2, {}, 3) if race.phase == MOVE and race.left > 1]:
        race = standing
        (seat,) = game.to_act(race)
        view, codes = game.view(race, seat).tobytes(), game.legal_codes(race, seat).tolist()
        asked = Question("chariot_race", None, "veteran", 1, seat, 0.1, view, codes)
        assert answer(asked).then == [], "a bot at the table is asked again"
        asked.is_hint = True
        choice = answer(asked)
        way, driven = [game.unpack(code) for code in (choice.code, *choice.then)], list[int]()
        for number, action in enumerate(way):
            if number == len(driven):
                asked_for += 1
                assert race.phase == MOVE
                step = game.apply(race, {seat: action}, new_stream(KEY, 1))
                driven += [told.event.to for told in step.events if isinstance(told.event, Stepped)]
                race = step.state
        assert driven == [action.to for action in way if isinstance(action, Step)]
        assert race.phase != MOVE or seat not in game.to_act(race)
        driven_by_rule += len(driven)
    driven_by_rule -= asked_for
    assert (asked_for > 20, driven_by_rule > 3) == (True, True)


def test_hints_are_given_where_the_table_says_so(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana, Client(server.url, "Ben") as ben:
            for hints, code in (("alone", "no_hints"), ("none", "no_hints"), ("all", None)):
                table = await ana.create("chariots", ["me", "open"], hints=hints)
                assert await refused(ana.command("hint", table, seat=0, seq=0)) == "not_racing"
                await ben.claim(table)
                await ana.start(table)
                asking = ana.command("hint", table, seat=0, seq=0)
                if code:
                    assert await refused(asking) == code
                else:
                    assert (await asking)["action"]

    run(story)


def test_a_person_chooses_while_a_hint_is_thought_of(server: Server) -> None:
    async def story() -> None:
        async with Client(server.url, "Ana") as ana:
            seats: list[Any] = ["me", {"kind": "me", "name": "B"}]
            table = await ana.create("chariots", seats)
            await ana.start(table)
            await ana.until(lambda: set(ana.watched[table].views) == {0, 1})
            workers = server.processes()
            for worker in workers:
                worker.suspend()
            try:
                hint = asyncio.create_task(ana.command("hint", table, seat=0, seq=0))
                await asyncio.sleep(0)
                await ana.choose(ana.view(table, 0), ana.view(table, 0)["legal"][0])
                assert not hint.done()
            finally:
                for worker in workers:
                    worker.resume()
            assert (await hint)["seq"] == 0

    run(story)
