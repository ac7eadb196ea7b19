"""The rules of tables, each on a table in memory: no process, no database, and times that the test sets."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from quadriga import games
from quadriga.core.match import Choices, Match, Setup, Sitter
from quadriga.core.streams import commitment
from quadriga.server import rate_limits
from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.guest_tokens import GuestSigner
from quadriga.server.output import views
from quadriga.server.tables import chat, clocks, commands, lobby, race, take_backs
from quadriga.server.tables.document import Clock, NewTable, WantedSeat
from quadriga.server.tables.table import LiveTable, LoggedStep
from quadriga.server.tokens import token_hash

ANA, BEN, EVE = Guest("ana", "Ana"), Guest("ben", "Ben"), Guest("eve", "Eve")
SECOND = 1000


def new_table(seats: str = "me open", host: Guest = ANA, **order: Any) -> LiveTable:
    """A table before the start; `me`, `open` or levels of bots."""
    wanted = [WantedSeat(kind) for kind in seats.split()]
    game = games.load("chariots")
    doc, _ = lobby.new_table(NewTable(game="chariots", seats=wanted, **order), game, host, 0)
    return LiveTable(doc, None, game)


def begun(seats: str = "me open", now: int = 0, **order: Any) -> LiveTable:
    """A race that has just begun; open seats are Ben's."""
    live = new_table(seats, **order)
    for number, seat in enumerate(live.doc.seats):
        if seat.kind == "open":
            lobby.claim(live, BEN, commands.Claim(table="t", seat=number), 0)
    lobby.start(live, ANA, commands.Start(table="t"), 0)
    race.settle(live, now)
    live.stored = 0
    return live


def match_of(live: LiveTable) -> Match:
    assert live.match is not None
    return live.match


def choose(live: LiveTable, seat: int, now: int, action: str | None = None, seq: int | None = None) -> None:
    """A choice of the person at a seat, the first of the list if none is named, and what follows from it."""
    match = match_of(live)
    text = action or live.game.describe(match.legal_actions(seat)[0])
    guest = next(one for one in (ANA, BEN) if one.id == live.doc.seats[seat].guest)
    command = commands.Choose(table="t", seat=seat, seq=match.seq if seq is None else seq, action=text)
    race.choose(live, guest, command, now)
    race.settle(live, now)
    live.stored = match.seq


def refused(code: str, do: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as error:
        do()
    assert error.value.code == code
    return error.value


# ---------------------------------------------------------------- clocks


BANK = Clock("bank", bank_ms=60 * SECOND, increment_ms=5 * SECOND)
MOVE = Clock("move", move_ms=30 * SECOND)


def test_everybody_begins_with_the_bank() -> None:
    live = begun(clock=BANK)
    assert live.doc.left_ms == {0: 60 * SECOND, 1: 60 * SECOND}
    assert begun(clock=MOVE).doc.left_ms == {0: 30 * SECOND, 1: 30 * SECOND}


def test_the_clock_of_who_owes_a_choice_runs_and_stops_with_the_choice() -> None:
    live = begun(clock=BANK)
    assert sorted(live.doc.since) == [0, 1]
    choose(live, 0, now=10 * SECOND)
    assert live.doc.left_ms[0] == 50 * SECOND
    assert sorted(live.doc.since) == [1]


def test_a_bank_gains_its_increment_when_the_choice_is_made_for_good() -> None:
    live = begun(clock=BANK)
    choose(live, 0, now=10 * SECOND)
    assert live.doc.left_ms[0] == 50 * SECOND
    choose(live, 1, now=20 * SECOND)
    assert live.doc.left_ms == {0: 55 * SECOND, 1: 45 * SECOND}


def test_the_time_for_a_move_is_whole_again_after_each_step() -> None:
    live = begun(clock=MOVE)
    choose(live, 0, now=10 * SECOND)
    choose(live, 1, now=20 * SECOND)
    owing = match_of(live).waiting_for()
    assert {seat: live.doc.left_ms[seat] for seat in owing} == dict.fromkeys(owing, 30 * SECOND)
    assert all(live.doc.since[seat] == 20 * SECOND for seat in owing)


def test_a_pause_stops_every_clock_and_going_on_starts_them_where_they_stood() -> None:
    live = begun(clock=BANK)
    match_of(live).pause()
    race.settle(live, 15 * SECOND)
    assert live.doc.since == {}
    assert live.doc.left_ms == {0: 45 * SECOND, 1: 45 * SECOND}
    match_of(live).resume()
    race.settle(live, 500 * SECOND)
    assert live.doc.left_ms == {0: 45 * SECOND, 1: 45 * SECOND}
    assert clocks.deadline(live.doc) == 545 * SECOND


def test_bots_have_no_clock() -> None:
    live = begun("me wanderer", clock=BANK)
    assert sorted(live.doc.since) == [0]


def test_without_a_clock_nothing_runs() -> None:
    live = begun()
    assert live.doc.since == live.doc.left_ms == {}
    assert clocks.deadline(live.doc) is None


def test_who_is_out_of_time_is_so_at_the_very_millisecond() -> None:
    live = begun(clock=BANK)
    assert clocks.deadline(live.doc) == 60 * SECOND
    assert clocks.out_of_time(live.doc, 60 * SECOND - 1) == []
    assert clocks.out_of_time(live.doc, 60 * SECOND) == [0, 1]
    live.doc.left_ms[1] = 20 * SECOND
    assert clocks.deadline(live.doc) == 20 * SECOND
    assert clocks.out_of_time(live.doc, 20 * SECOND) == [1]


def test_a_clock_never_shows_less_than_nothing() -> None:
    live = begun(clock=BANK)
    clocks.stop_clock(live.doc, 0, 99 * SECOND)
    assert live.doc.left_ms[0] == 0
    shown = views.clock(live.doc, 99 * SECOND)
    assert shown is not None
    assert shown["left"]["1"] == 0


def test_a_shown_clock_counts_what_has_run_since() -> None:
    live = begun(clock=BANK)
    choose(live, 0, now=10 * SECOND)
    assert views.clock(live.doc, 15 * SECOND) == {
        "now": 15 * SECOND, "left": {"0": 50 * SECOND, "1": 45 * SECOND}, "running": [1], "since": 15 * SECOND,
    }  # fmt: skip
    assert views.clock(begun().doc, 0) is None


# ---------------------------------------------------------------- rates


def test_so_many_are_let_through_at_once_and_then_so_many_a_second() -> None:
    bucket = rate_limits.Bucket(3, 0.0)
    assert [bucket.take(2, 3, 0.0) for _ in range(4)] == [0, 0, 0, 0.5]
    assert bucket.take(2, 3, 0.5) == 0
    assert bucket.take(2, 3, 0.5) > 0


def test_idle_time_fills_no_more_than_the_burst() -> None:
    bucket = rate_limits.Bucket(3, 0.0)
    assert [bucket.take(2, 3, 3600.0) == 0 for _ in range(5)] == [True, True, True, False, False]


def test_each_key_has_its_own_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 5.0)
    limit = rate_limits.Limit(1, 2)
    assert [limit.wait("a"), limit.wait("a"), limit.wait("b"), limit.wait("a")] == [0, 0, 0, 1]
    assert refused("too_fast", lambda: limit.require("a")).params == {"seconds": 1}


def test_the_keys_not_seen_for_longest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.monotonic", lambda: 5.0)
    monkeypatch.setattr(rate_limits, "MOST_KEYS", 2)
    limit = rate_limits.Limit(1, 1)
    for key in ("a", "b", "a", "c"):
        limit.wait(key)
    assert limit.wait("a") > 0
    assert limit.wait("b") == 0


# ---------------------------------------------------------------- what lists and tables show


def test_my_turn_ends_with_my_choice() -> None:
    live = begun()
    assert views.card(live.doc, ANA.id)["my_turn"]
    choose(live, 0, now=1)
    assert not views.card(live.doc, ANA.id)["my_turn"]
    assert views.card(live.doc, BEN.id)["my_turn"]
    assert not views.card(live.doc, EVE.id)["my_turn"]


def test_an_open_seat_in_a_list_has_no_name_and_is_nobodys() -> None:
    card = views.card(new_table("me open wanderer").doc, BEN.id)
    assert card["seats"] == [
        {"seat": 0, "kind": "person", "name": "Ana"},
        {"seat": 1, "kind": "open", "name": ""},
        {"seat": 2, "kind": "wanderer", "name": "wanderer 3"},
    ]
    assert card["my_seats"] == []
    assert views.card(new_table("me open wanderer").doc, None)["my_seats"] == []


def test_a_table_shows_no_seed_token_nonce_or_guest() -> None:
    live = begun()
    live.doc.seats[0].nonce = "my own salt"
    for guest in (ANA.id, EVE.id, None):
        shown = msgspec.json.encode(views.table(live, guest)).decode()
        secrets = [live.doc.seed, live.doc.seats[0].token, "my own salt", '"ana"', '"ben"']
        assert [secret for secret in secrets if secret in shown] == []
        assert commitment(bytes.fromhex(live.doc.seed)) in shown


def test_seats_say_whose_they_are_and_whose_owner_is_away() -> None:
    live = begun()
    lobby.leave(live, BEN, commands.Leave(table="t", seat=1), 1)
    shown = views.seats(live, BEN.id)
    assert [seat["mine"] for seat in shown] == [False, True]
    assert [seat["owner_away"] for seat in shown] == [False, True]
    assert views.table(live, BEN.id)["my_seats"] == []
    assert [seat["mine"] for seat in views.seats(new_table(), None)] == [False, False]


def test_the_host_is_told_so_and_nobody_else() -> None:
    live = begun()
    assert [views.table(live, guest)["i_am_host"] for guest in (ANA.id, BEN.id, None)] == [True, False, False]
    assert views.table(live, None)["host"] == 0


def test_a_view_has_the_choices_of_its_seat_alone() -> None:
    live = begun()
    at = views.position(live, 0)
    assert msgspec.json.decode(views.legal(live.game, at, 0))
    assert msgspec.json.decode(views.legal(live.game, at, None)) == []
    match_of(live).pause()
    assert msgspec.json.decode(views.legal(live.game, views.position(live, 0), 0)) == []
    match_of(live).resume()
    choose(live, 0, now=1)
    at = views.position(live, 1)
    mine, theirs, nobodys = (views.view(live, at, seat, [], 0) for seat in (0, 1, None))
    assert (mine["choice"]["kind"], theirs["choice"], nobodys["choice"]) == ("plot", None, None)
    assert mine["chosen"] == theirs["chosen"] == [0]
    assert views.chosen(live, at, 1)["choice"] is None
    assert views.chosen(live, at, 0)["choice"]["kind"] == "plot"


def test_a_step_tells_each_seat_its_own_choice_and_its_own_events() -> None:
    live = begun()
    choose(live, 0, now=1, action="plot 2+3+4")
    choose(live, 1, now=2, action="plot 3+4+5")
    moment = match_of(live).moment(1)
    step = LoggedStep(1, 2, match_of(live).log[1], moment.events)
    told = {seat: msgspec.json.decode(views.step(live.game, step, seat)) for seat in (0, 1, None)}
    assert told[0]["entry"]["choices"] == {"0": "plot 2+3+4", "1": "?"}
    assert told[None]["entry"]["choices"] == {"0": "?", "1": "?"}
    plotted = {seat: [e["first"] for e in one["events"] if e["kind"] == "plotted"] for seat, one in told.items()}
    assert plotted == {0: [2], 1: [3], None: []}
    assert all("hash" not in one["entry"] for one in told.values())


# ---------------------------------------------------------------- whose table it is


def test_a_seat_belongs_to_the_person_who_plays_it() -> None:
    live = begun("me open wanderer")
    assert live.doc.seats_of(BEN.id) == [1]
    assert live.doc.seats_of(None) == live.doc.seats_of(EVE.id) == []
    lobby.leave(live, BEN, commands.Leave(table="t", seat=1), 1)
    assert live.doc.seats_of(BEN.id) == []
    assert live.doc.owners() == {ANA.id, BEN.id}
    live.doc.note_participant(EVE.id, 2, "Eve")
    assert live.doc.took_part() == {ANA.id, BEN.id, EVE.id}
    live.doc.seats[1].guest = None
    assert live.doc.owners() == {ANA.id}
    assert live.doc.known() == {ANA.id, BEN.id, EVE.id}


def test_only_the_host_starts_and_only_with_all_seats_taken() -> None:
    live = new_table()
    start = commands.Start(table="t")
    refused("not_host", lambda: lobby.start(live, BEN, start, 0))
    assert refused("seats_open", lambda: lobby.start(live, ANA, start, 0)).params == {"seat": 1}
    lobby.claim(live, BEN, commands.Claim(table="t"), 0)
    lobby.start(live, ANA, start, 0)
    refused("not_open", lambda: lobby.start(live, ANA, start, 0))


def test_a_seat_is_claimed_once_and_only_before_the_start() -> None:
    live = new_table("me open open")
    refused("no_guest", lambda: lobby.claim(live, None, commands.Claim(table="t"), 0))
    assert lobby.claim(live, BEN, commands.Claim(table="t"), 0)["seat"] == 1
    refused("seat_taken", lambda: lobby.claim(live, EVE, commands.Claim(table="t", seat=1), 0))
    refused("no_seat", lambda: lobby.claim(live, EVE, commands.Claim(table="t", seat=7), 0))
    assert lobby.claim(live, EVE, commands.Claim(table="t"), 0)["seat"] == 2
    refused("no_open_seat", lambda: lobby.claim(live, EVE, commands.Claim(table="t"), 0))


def test_of_a_token_only_the_hash_is_kept() -> None:
    live = new_table()
    answer = lobby.claim(live, BEN, commands.Claim(table="t"), 0)
    assert live.doc.seats[1].token == token_hash(answer["token"])
    assert answer["token"] not in msgspec.json.encode(live.doc).decode()


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "x" * 41, "\u202eevil"])
def test_a_name_is_short_and_printable(name: str) -> None:
    refused("invalid_option", lambda: lobby.clean_name(name))
    assert lobby.clean_name("  Ana ") == "Ana"


def test_rules_of_the_race_change_before_the_start_alone() -> None:
    live = begun()
    refused("not_open", lambda: lobby.change_settings(live, ANA, commands.ChangeSettings(table="t", clock=BANK), 0))
    lobby.change_settings(live, ANA, commands.ChangeSettings(table="t", pace_ms=0), 0)
    assert live.doc.settings.pace_ms == 0
    refused("not_host", lambda: lobby.change_settings(live, BEN, commands.ChangeSettings(table="t", pace_ms=1), 0))


def test_a_signed_guest_is_read_and_a_forged_one_is_nobody() -> None:
    signer = GuestSigner("key")
    assert signer.read(signer.sign("ana")) == "ana"
    forged = "ben." + signer.sign("ana").rpartition(".")[2]
    assert [signer.read(text) for text in (forged, "ana.", "ana", "", None, GuestSigner("other").sign("ana"))] == [
        None
    ] * 6


def test_chat_is_one_printable_line() -> None:
    assert chat.clean("  hello\n\tthere\u202e ") == "hello there"
    refused("malformed", lambda: chat.clean(" \n "))


# ---------------------------------------------------------------- choices


def test_a_choice_is_made_by_its_person_for_this_step_once() -> None:
    live = begun()
    refused("not_yours", lambda: race.choose(live, BEN, commands.Choose(table="t", seat=0, seq=0, action="x"), 1))
    choose(live, 0, now=1, action="plot 2+3+4")
    refused("duplicate", lambda: choose(live, 0, 1, "plot 2+3+4"))
    assert refused("late", lambda: choose(live, 1, 1, "plot 2+3+4", seq=5)).params == {"seq": 0}
    choose(live, 1, now=2, action="plot 3+4+5")
    refused("duplicate", lambda: choose(live, 0, 3, "plot 2+3+4", seq=0))
    refused("late", lambda: choose(live, 0, 3, "plot 2+4+3", seq=0))


def test_nobody_chooses_in_a_pause_or_after_the_end() -> None:
    live = begun()
    match_of(live).pause()
    refused("paused", lambda: choose(live, 0, 1, "plot 2+3+4"))
    match_of(live).resume()
    race.resign(live, ANA, commands.Resign(table="t", seat=0), 2)
    race.settle(live, 2)
    assert live.doc.state == "over"
    refused("race_over", lambda: choose(live, 1, 3, "plot 2+3+4"))


def test_who_owes_a_choice_is_told_once() -> None:
    live = begun(now=100)
    assert live.doc.waiting_since == {0: 100, 1: 100}
    assert race.mark_notified(live.doc, 99) == []
    assert race.mark_notified(live.doc, 100) == [0, 1]
    assert race.mark_notified(live.doc, 200) == []
    choose(live, 0, now=300)
    choose(live, 1, now=400)
    owing = list(match_of(live).waiting_for())
    assert live.doc.waiting_since == dict.fromkeys(owing, 400)
    assert race.mark_notified(live.doc, 400) == owing


# ---------------------------------------------------------------- what a step revealed


def played(*steps: dict[int, str], **options: Any) -> Match:
    """A race of Chariots with these steps; positions on the grid are those of the seed."""
    game = new_table().game
    match = Match(game, [Sitter("Ana"), Sitter("Ben")], {"two_chariots": False} | options, bytes(32))
    for step in steps:
        match.step(step)
    return match


def test_secret_choices_laid_open_reveal_something() -> None:
    match = played({0: "plot 2+5+4", 1: "plot 5+2+4"})
    assert take_backs.reveals(match, 0)
    assert not take_backs.reveals(match, 1)


def test_a_step_that_everybody_could_foresee_reveals_nothing() -> None:
    match = played({0: "plot 2+5+4", 1: "plot 5+2+4"})
    before = match.seq
    (seat,) = match.to_act()
    match.choose(seat, match.legal_actions(seat)[0])
    assert isinstance(match.log[match.seq], Choices)
    assert not take_backs.reveals(match, before)


def test_a_phase_that_ends_lays_coins_open_and_reveals_something() -> None:
    match = played({0: "plot 2+5+4", 1: "plot 5+2+4"})
    while int(match.state.phase) == 1:
        before = match.seq
        (seat,) = match.to_act()
        match.choose(seat, match.legal_actions(seat)[0])
    assert take_backs.reveals(match, before)


def test_what_was_taken_back_does_not_count() -> None:
    match = played({0: "plot 2+5+4", 1: "plot 5+2+4"})
    match.take_back(0)
    assert isinstance(match.log[0], Setup)
    assert not take_backs.reveals(match, 0)
