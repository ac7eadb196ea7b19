"""Rules of the server that depend on time, with a clock that the test moves and no process."""

from pathlib import Path
from typing import Any

import pytest

from quadriga.server.errors import Refused
from quadriga.server.output import views
from quadriga.server.rate_limits import Limit
from quadriga.server.tables import commands as c
from quadriga.server.tables.document import Clock
from quadriga.server.tables.erasure import forget_guest
from quadriga.server.tables.persistence import list_tables
from tests.server.house import House, refusal, run

MOVE = Clock(kind="move", move_ms=60_000)
BANK = Clock(kind="bank", bank_ms=100_000, increment_ms=5_000)


async def left(house: House, table: str) -> dict[str, int]:
    """What the clocks show."""
    live = await house.live(table)
    shown = views.clock(live.doc, house.time)
    assert shown is not None
    return dict(shown["left"])


# ---------------------------------------------------------------- clocks


def test_the_time_for_a_move_is_new_after_every_step(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"], clock=MOVE)
        house.time += 50_000
        assert await left(house, table) == {"0": 10_000, "1": 10_000}
        await house.choose("Ana", table, 0)
        house.time += 5_000
        assert await left(house, table) == {"0": 10_000, "1": 5_000}, "who has chosen needs no more time"
        await house.choose("Ben", table, 1)
        live = await house.live(table)
        assert live.match is not None
        waiting = {str(seat): 60_000 for seat in live.match.waiting_for()}
        assert await left(house, table) == waiting
        house.time += 59_999
        await house.services.background._attend_due()
        assert live.match.seq == 1
        house.time += 1
        await house.services.background._attend_due()
        assert live.match.seq > 1, "time is out"

    run(tmp_path, story)


def test_a_choice_taken_back_in_time_goes_on_with_what_was_left(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"], clock=MOVE)
        house.time += 40_000
        await house.choose("Ana", table, 0)
        house.time += 10_000
        await house.act("Ana", c.Withdraw(table=table, seat=0, seq=0))
        assert (await left(house, table))["0"] == 20_000
        house.time += 1_000
        assert (await left(house, table))["0"] == 19_000

    run(tmp_path, story)


@pytest.mark.parametrize("clock", [MOVE, BANK])
def test_clocks_stand_in_a_pause(tmp_path: Path, clock: Clock) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"], clock=clock)
        house.time += 10_000
        assert (await house.act("Ana", c.AskPause(table=table)))["agreed"] is None, "the clock runs until all agree"
        house.time += 5_000
        await house.act("Ben", c.AskPause(table=table))
        before = await left(house, table)
        assert set(before.values()) == {(clock.move_ms if clock.kind == "move" else clock.bank_ms) - 15_000}
        house.time += 10 * 60_000
        assert await left(house, table) == before
        await house.services.background._attend_due()
        live = await house.live(table)
        assert live.match is not None
        assert (live.match.paused, live.doc.seats[0].kind) == (True, "person"), "nobody runs out of time in a pause"
        for name in ("Ana", "Ben"):
            await house.act(name, c.AskResume(table=table))
        house.time += 1_000
        assert await left(house, table) == {seat: ms - 1_000 for seat, ms in before.items()}

    run(tmp_path, story)


def test_a_bank_gains_when_the_choice_is_made_for_good(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"], clock=BANK)
        house.time += 20_000
        await house.choose("Ana", table, 0)
        assert (await left(house, table))["0"] == 80_000
        house.time += 10_000
        await house.choose("Ben", table, 1)
        assert await left(house, table) == {"0": 85_000, "1": 75_000}

    run(tmp_path, story)


@pytest.mark.parametrize(("clock", "again"), [(MOVE, 60_000), (BANK, 5_000)])
def test_who_comes_back_has_time_again_only_after_running_out(tmp_path: Path, clock: Clock, again: int) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"], clock=clock, on_timeout="wanderer", pace_ms=60_000)
        house.time += 30_000
        await house.act("Ben", c.Leave(table=table, seat=1))
        await house.act("Ben", c.Back(table=table, seat=1))
        assert (await left(house, table))["1"] == max(clock.move_ms, clock.bank_ms * (clock.kind == "bank")) - 30_000
        await house.choose("Ana", table, 0)
        house.time += 70_000
        await house.services.background._attend_due()
        assert (await house.live(table)).doc.seats[1].kind == "wanderer"
        await house.act("Ben", c.Back(table=table, seat=1))
        assert (await left(house, table))["1"] == again

    run(tmp_path, story)


# ---------------------------------------------------------------- limits


def test_a_burst_is_no_larger_after_a_long_rest() -> None:
    now, limit = 0.0, Limit(2.0, 3.0)
    limit.clock = lambda: now
    assert [limit.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]
    now += 1_000_000
    assert [limit.wait("a") > 0 for _ in range(4)] == [False, False, False, True]
    now += 0.5
    assert (limit.wait("a"), limit.wait("a") > 0) == (0, True), "then as many as the rate allows"
    assert limit.wait("b") == 0, "others are not counted with it"


@pytest.mark.parametrize(
    ("setting", "part", "seconds"),
    [
        ("chats_per_minute", "chats", 60),
        ("hints_per_minute", "hints", 60),
        ("evaluations_per_minute", "evaluations", 60),
        ("puzzles_per_minute", "puzzles", 60),
        ("analyses_per_hour", "analysis_limit", 3600),
        ("tables_per_hour", "tables", 3600),
        ("guests_per_hour", "new_guests", 3600),
        ("requests_per_second", "requests", 1),
    ],
)
def test_every_limit_follows_the_setting_of_its_name(tmp_path: Path, setting: str, part: str, seconds: int) -> None:
    async def story(house: House) -> None:
        names = ("chats", "hints", "evaluations", "puzzles", "analysis_limit", "tables", "new_guests", "requests")
        limits = {name: getattr(house.services, name) for name in names}
        assert {name for name, limit in limits.items() if limit.rate == pytest.approx(7 / seconds)} == {part}
        now = 0.0
        limits[part].clock = lambda: now
        burst = 0
        while limits[part].wait("somebody") == 0:
            burst += 1
            assert burst < 100
        with pytest.raises(Refused, match="Too fast"):
            limits[part].require("somebody")
        now += seconds / 7
        limits[part].require("somebody")

    run(tmp_path, story, **{setting: 7.0})


def test_hints_and_chat_are_counted_each_by_its_own_limit(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        services, ana = house.services, house.guest("Ana")
        services.hints.clock = services.chats.clock = lambda: 0.0

        async def ask(command: c.Command) -> None:
            services.require_rate(ana, command)

        hint, say = c.Hint(table="t", seat=0, seq=0), c.Say(table="t", text="x")
        assert [await refusal(ask(hint)) for _ in range(4)] == [None, None, None, "too_fast"]
        assert [await refusal(ask(say)) for _ in range(4)] == [None, None, None, "too_fast"]
        assert await refusal(ask(c.Start(table="t"))) is None
        services.require_rate(house.guest("Ben"), hint)

    run(tmp_path, story, hints_per_minute=6.0, chats_per_minute=6.0)


# ---------------------------------------------------------------- whose turn, whose seat, whose table


async def cards(house: House, name: str) -> dict[str, Any]:
    guest = house.guest(name).id
    docs = await house.services.store.read(lambda connection: list_tables(connection, guest))
    return {doc.id: views.card(doc, guest) for doc in docs}


def test_it_is_my_turn_until_i_have_chosen(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"])
        assert [(await cards(house, name))[table]["my_turn"] for name in ("Ana", "Ben")] == [True, True]
        await house.choose("Ana", table, 0)
        assert [(await cards(house, name))[table]["my_turn"] for name in ("Ana", "Ben")] == [False, True]
        await house.act("Ana", c.Withdraw(table=table, seat=0, seq=0))
        assert (await cards(house, "Ana"))[table]["my_turn"] is True
        await house.act("Ana", c.Resign(table=table, seat=0))
        assert [(await cards(house, name))[table]["my_turn"] for name in ("Ana", "Ben")] == [False, False]

    run(tmp_path, story)


def test_the_owner_of_a_seat_is_away_while_a_bot_sits_in(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["me", "Ben"], clock=MOVE, on_timeout="wanderer", pace_ms=60_000)
        await house.choose("Ana", table, 0)
        house.time += 60_000
        await house.services.background._attend_due()
        live, ben = await house.live(table), house.guest("Ben").id
        shown = views.seats(live, ben)[1]
        assert (shown["kind"], shown["owner_away"], shown["mine"], shown["left"]) == ("wanderer", True, True, None)
        assert views.seats(live, house.guest("Ana").id)[1]["mine"] is False
        assert views.table(live, ben)["my_seats"] == []
        card = (await cards(house, "Ben"))[table]
        assert (card["my_seats"], card["my_turn"]) == ([], False)
        assert live.doc.waiting_since == {}, "nobody is told of a choice that a bot makes"
        await house.act("Ben", c.Back(table=table, seat=1))
        shown = views.seats(live, ben)[1]
        assert (shown["kind"], shown["owner_away"]) == ("person", False)
        assert (await left(house, table))["1"] == 60_000, "who comes back has the whole time for the move"

    run(tmp_path, story)


@pytest.mark.parametrize("racing", [False, True])
def test_the_host_is_another_after_the_first_was_forgotten(tmp_path: Path, racing: bool) -> None:
    async def story(house: House) -> None:
        make = house.race if racing else house.create
        table = await make("Ana", ["me", "Ben", "Cyn"])
        await forget_guest(house.services.executor, house.guest("Ana").id)
        live = await house.live(table)
        assert (live.doc.host, live.doc.host_name) == (house.guest("Ben").id, "Ben")
        await house.act("Ben", c.ChangeSettings(table=table, listed=True))
        assert await house.refusal("Cyn", c.ChangeSettings(table=table, listed=False)) == "not_host"
        await forget_guest(house.services.executor, house.guest("Ben").id)
        await forget_guest(house.services.executor, house.guest("Cyn").id)
        assert await refusal(house.tables.open(table)) == "no_table", "nobody is left who could use it"

    run(tmp_path, story)


def test_a_host_who_plays_no_seat_is_followed_by_one_who_does(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        table = await house.race("Ana", ["Ben", "Cyn"])
        await forget_guest(house.services.executor, house.guest("Ana").id)
        live = await house.live(table)
        assert live.doc.host == house.guest("Ben").id

    run(tmp_path, story)
