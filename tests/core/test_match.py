"""One race as an append-only log."""

import random
from collections.abc import Callable

import pytest

from dash.actions import Go, Rise
from dash.events import Drew
from dash.game import load
from quadriga.core.errors import IllegalAction, InvalidAction, InvalidOption, NotYourTurn, QuadrigaError
from quadriga.core.game import Result
from quadriga.core.match import Choices, Match, Sitter
from quadriga.core.record import record_of, to_json
from quadriga.core.streams import new_stream, stream_key

SEED = bytes(range(32))
DASH = load()


def race(seats: int = 2, seed: bytes = SEED, **options: object) -> Match:
    return Match(DASH, [Sitter(name) for name in ("Ana", "Berta", "Carla")[:seats]], options, seed)


def play_on(match: Match, steps: int | None = None, seed: int = 0) -> Match:
    """Random play, to the end or for some steps."""
    chooser = random.Random(seed)
    target = None if steps is None else match.seq + steps
    while not match.over and match.seq != target:
        for seat in match.waiting_for():
            match.choose(seat, chooser.choice(match.legal_actions(seat)))
    return match


def test_the_log_begins_with_the_set_up() -> None:
    match = race()
    assert match.seq == 0
    assert len(match.log) == 1
    assert match.state == DASH.setup(2, {}, new_stream(stream_key(SEED), 0)).state
    assert match.options == {"laps": 2, "wind": "calm"}


def test_choices_wait_in_secret_for_the_last() -> None:
    match = race()
    before, log = match.state.copy(), list(match.log)
    views = [match.view(seat).tobytes() for seat in (None, 0, 1)]
    assert match.choose(1, "go 1") is False
    assert match.pending == {1: Go(1)}
    assert match.waiting_for() == (0,)
    assert match.to_act() == (0, 1)
    assert match.state == before
    assert [match.view(seat).tobytes() for seat in (None, 0, 1)] == views
    assert match.log == log
    assert all(not isinstance(happened.entry, Choices) for happened in match.events(0))
    assert match.choose(0, Go(2)) is True
    assert match.seq == 1
    assert match.pending == {}
    assert isinstance(match.log[1], Choices)
    assert match.log[1].choices == {0: "go 2", 1: "go 1"}


def test_a_choice_can_be_changed_until_the_last_is_in() -> None:
    match = race()
    match.choose(1, "go 1")
    match.choose(1, "go 2")
    match.choose(0, "go 1")
    assert match.log[1] == race_after({0: "go 1", 1: "go 2"}).log[1]


def race_after(*steps: dict[int, str]) -> Match:
    match = race()
    for step in steps:
        match.step(step)
    return match


def test_the_order_in_which_seats_choose_changes_nothing() -> None:
    one, two = race(), race()
    one.choose(0, "go 1"), one.choose(1, "go 2")
    two.choose(1, "go 2"), two.choose(0, "go 1")
    assert one.log == two.log
    assert to_json(record_of(one, secrets=True)) == to_json(record_of(two, secrets=True))


def test_a_waiting_choice_can_be_withdrawn() -> None:
    match = race()
    match.choose(0, "go 1")
    match.withdraw(0)
    assert match.waiting_for() == (0, 1)
    with pytest.raises(IllegalAction, match="seat 0 has no choice waiting"):
        match.withdraw(0)


def test_a_step_draws_from_the_stream_of_its_number() -> None:
    match = race_after({0: "go 1", 1: "go 1"})
    state = DASH.setup(2, {}, new_stream(stream_key(SEED), 0)).state
    assert match.state == DASH.apply(state, {0: Go(1), 1: Go(1)}, new_stream(stream_key(SEED), 1)).state


def test_nonces_change_the_dice() -> None:
    plain = play_on(race())
    salted = play_on(Match(DASH, plain.sitters, {}, SEED, ["salt"]))
    assert plain.log != salted.log
    assert plain.commitment == salted.commitment


def test_a_step_after_a_take_back_is_rolled_anew() -> None:
    choices = {0: "go 1", 1: "go 1"}
    actions, fresh = {0: Go(1), 1: Go(1)}, []
    match = race()
    for _ in range(8):
        match.step(choices)
        rolled = DASH.apply(match.state_after(0), actions, new_stream(stream_key(SEED), match.seq))
        assert match.state == rolled.state
        fresh.append(match.log[-1].hash)
        match.take_back(0)
    assert len(set(fresh)) > 1
    assert match.seq == 16
    assert match.log[-1].hash == match.log[0].hash
    assert match.state == match.state_after(0)


def test_a_take_back_clears_what_waits_and_brings_back_who_left() -> None:
    match = race(3)
    match.step({0: "go 1", 1: "go 1", 2: "go 1"})
    match.resign(2)
    assert [left.seat for left in match.left] == [2]
    match.choose(match.waiting_for()[0], match.legal_actions(match.waiting_for()[0])[0])
    match.take_back(0)
    assert match.left == ()
    assert match.pending == {}
    match.resign(2)


def test_a_choice_that_waits_is_dropped_by_a_take_back() -> None:
    match = race_after({0: "go 1", 1: "go 1"})
    while len(match.to_act()) < 2:
        play_on(match, 1)
    match.choose(0, match.legal_actions(0)[0])
    match.take_back(match.seq - 1)
    assert match.pending == {}


def test_what_was_taken_back_is_gone_for_good() -> None:
    match = play_on(race(), 3)
    match.take_back(1)
    match.take_back(0)
    for to, cause in ((1, "step 1 has been taken back itself"), (3, "step 3 has been"), (99, "there is no step 99"),
                      (-1, "there is no step -1"), (match.seq, "there is no step 5 to go back to")):  # fmt: skip
        with pytest.raises(IllegalAction, match=cause):
            match.take_back(to)
    play_on(match, 1)
    match.take_back(5)
    assert match.state == match.state_after(0)


def test_nobody_takes_back_after_the_end() -> None:
    match = play_on(race())
    with pytest.raises(IllegalAction, match="the race is over"):
        match.take_back(0)


# ---------------------------------------------------------------- leaving


def test_who_resigns_is_placed_behind_all_others() -> None:
    match = race(3, laps=1)
    match.resign(1)
    assert match.result() is None
    match.change_seat(1, Sitter("Bot", "random"))
    result = play_on(match).result()
    assert result is not None
    assert result.places[1] == 3
    assert sorted(result.places) in ([1, 1, 3], [1, 2, 3])
    assert result.winner in (0, 2)
    assert result.reason == "won"


def test_the_later_to_leave_is_ahead() -> None:
    match = race(3)
    match.forfeit(0, "out of time")
    match.resign(2)
    assert match.result() == Result((3, 1, 2), 1, "resigned")
    assert match.over


def test_the_last_one_left_wins_by_the_way_the_last_one_left() -> None:
    match = race(2)
    match.forfeit(0, "did not come back")
    assert match.result() == Result((2, 1), 1, "forfeited")
    assert match.to_act() == ()
    assert match.legal_actions(1) == []


def test_a_winner_who_resigned_before_leaves_the_win_to_the_next() -> None:
    for seed in range(40):
        match = race(3, bytes([seed]) * 32, laps=1)
        play_on(match, 1, seed)
        match.resign(0)
        ended = play_on(match, None, seed).result()
        would = DASH.result(match.state)
        assert ended is not None
        assert would is not None
        if would.winner == 0:
            assert ended.places[0] == 3
            assert ended.winner in (1, 2)
            return
    raise AssertionError("seat 0 never won in 40 races")


def test_where_nobody_wins_places_begin_at_two() -> None:
    match = race(3)
    state = match.state.copy()
    state.rounds = 60
    state.square[:] = [3, 5, 4]
    match.resign(1)
    match.remember(match.seq, type(match.moment(match.seq))(state, match.left))
    assert match.result() == Result((3, 4, 2), None, "limit")


# ---------------------------------------------------------------- refused


def ended() -> Match:
    return play_on(race())


REFUSED: list[tuple[Callable[[], Match], Callable[[Match], object], type[QuadrigaError], str]] = [
    (ended, lambda m: m.choose(0, "go 1"), IllegalAction, "the race is over"),
    (ended, lambda m: m.step({0: "go 1", 1: "go 1"}), IllegalAction, "the race is over"),
    (ended, lambda m: m.resign(0), IllegalAction, "the race is over"),
    (ended, lambda m: m.forfeit(0, "late"), IllegalAction, "the race is over"),
    (ended, lambda m: m.pause(), IllegalAction, "the race is over"),
    (ended, lambda m: m.resume(), IllegalAction, "the race is over"),
    (ended, lambda m: m.set_clock({0: 1}), IllegalAction, "the race is over"),
    (ended, lambda m: m.change_seat(0, Sitter("Eva")), IllegalAction, "the race is over"),
    (race, lambda m: m.choose(0, "fly"), InvalidAction, "'fly' is no action"),
    (race, lambda m: m.choose(0, "rise"), IllegalAction, "rise: only those who are down get up; allowed: go 1"),
    (race, lambda m: m.choose(2, "go 1"), NotYourTurn, "seat 2 owes no choice now"),
    (race, lambda m: m.choose(-1, "go 1"), NotYourTurn, "seat -1 owes no choice now"),
    (race, lambda m: m.step({0: "go 1"}), IllegalAction, "seat 1 has not chosen yet"),
    (race, lambda m: m.step({0: "go 1", 1: "rise"}), IllegalAction, "only those who are down"),
    (race, lambda m: m.step({0: "go 1", 1: "go 1", 2: "go 1"}), NotYourTurn, "seat 2 owes no choice"),
    (race, lambda m: m.resign(2), InvalidAction, "there is no seat 2; there are 0 to 1"),
    (race, lambda m: m.forfeit(0, ""), InvalidAction, "a forfeit needs a reason"),
    (race, lambda m: m.forfeit(0, "x\n"), InvalidAction, "a forfeit needs a reason"),
    (race, lambda m: m.change_seat(-1, Sitter("Eva")), InvalidAction, "there is no seat -1"),
    (race, lambda m: m.change_seat(0, Sitter("")), InvalidOption, "the name of a sitter"),
    (race, lambda m: m.change_seat(0, Sitter("Eva", "x" * 201)), InvalidOption, "the kind of a sitter"),
    (race, lambda m: m.set_clock({3: 1}), InvalidAction, "there is no seat 3"),
    (race, lambda m: m.set_clock({0: -1}), InvalidAction, "cannot have -1 milliseconds"),
    (race, lambda m: m.resume(), IllegalAction, "the race is not paused"),
    (race, lambda m: m.state_after(1), IllegalAction, "there is no step 1; there are 0 to 0"),
    (race, lambda m: m.take_back(0), IllegalAction, "there is no step 0 to go back to"),
    (race, lambda m: m.seed, IllegalAction, "the seed stays secret"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "do", "kind", "cause"), REFUSED)
def test_what_is_refused_changes_nothing(
    make: Callable[[], Match], do: Callable[[Match], object], kind: type[QuadrigaError], cause: str
) -> None:
    match = make()
    before = (
        list(match.log),
        match.state.tobytes(),
        dict(match.pending),
        list(match.sitters),
        match.paused,
        match.left,
    )
    with pytest.raises(kind) as error:
        do(match)
    assert cause in str(error.value)
    after = (list(match.log), match.state.tobytes(), dict(match.pending), list(match.sitters), match.paused, match.left)
    assert after == before


def test_nobody_leaves_twice() -> None:
    match = race(3)
    match.resign(1)
    leaving: list[Callable[[], None]] = [lambda: match.resign(1), lambda: match.forfeit(1, "late")]
    for leave in leaving:
        with pytest.raises(IllegalAction, match="seat 1 has resigned already"):
            leave()


def test_nobody_chooses_while_the_race_is_paused() -> None:
    match = race()
    match.choose(0, "go 1")
    match.pause()
    assert match.to_act() == ()
    refusals: list[Callable[[], object]] = [lambda: match.choose(1, "go 1"), match.pause]
    for refused in refusals:
        with pytest.raises(NotYourTurn, match="the race is paused"):
            refused()
    match.resume()
    assert match.waiting_for() == (1,)
    assert match.choose(1, "go 1")
    assert match.seq == 3


def test_who_sits_down_chooses_anew() -> None:
    match = race()
    match.choose(0, "go 1")
    match.change_seat(0, Sitter("Eva", "greedy"))
    assert match.waiting_for() == (0, 1)
    assert match.sitters[0] == Sitter("Eva", "greedy")
    assert match.first_sitters[0] == Sitter("Ana")


@pytest.mark.parametrize(
    ("seats", "options", "seed", "nonces", "cause"),
    [
        (1, {}, SEED, (), "Dash is for 2 to 3 players, not 1"),
        (2, {"laps": 9}, SEED, (), "option laps is a number from 1 to 5"),
        (2, {"muddy": True}, SEED, (), "option muddy is for 3 players"),
        (2, {"speed": 1}, SEED, (), "Dash has no option 'speed'"),
        (2, {}, b"short", (), "a seed has 32 bytes, not 5"),
        (2, {}, SEED, ("a", "b", "c"), "3 nonces, but one for each of 2 seats"),
        (2, {}, SEED, ("",), "a nonce has 1 to 64"),
        (2, {}, SEED, ("x" * 65,), "a nonce has 1 to 64"),
        (2, {}, SEED, ("\ud800",), "a nonce has 1 to 64 printable"),
    ],
)
def test_a_race_that_cannot_be_is_refused(
    seats: int, options: dict[str, object], seed: bytes, nonces: tuple[str, ...], cause: str
) -> None:
    with pytest.raises(InvalidOption) as error:
        Match(DASH, [Sitter("A")] * seats, options, seed, nonces)
    assert cause in str(error.value)


# ---------------------------------------------------------------- what can be seen


def test_events_are_for_whom_they_are_told() -> None:
    match = race_after({0: "go 1", 1: "go 2"})
    for seat in (0, 1):
        cards = [e for happened in match.events(seat) for e in happened.events if isinstance(e, Drew)]
        assert len(cards) == 2
    assert not [e for happened in match.events(None) for e in happened.events if isinstance(e, Drew)]
    kinds = [event.name for event in match.events(None)[1].events if event.name != "slipped"]
    assert kinds == ["moved", "moved"]


def test_events_begin_after_the_step_one_has() -> None:
    match = play_on(race(), 3)
    assert [happened.seq for happened in match.events(0)] == [0, 1, 2, 3]
    assert [happened.seq for happened in match.events(0, since=1)] == [2, 3]
    assert match.events(0, since=3) == []


def test_a_seat_sees_its_own_choices_alone_and_no_hash() -> None:
    match = race_after({0: "go 1", 1: "go 2"})
    for seat, choices in ((0, {0: "go 1", 1: "?"}), (1, {0: "?", 1: "go 2"}), (None, {0: "?", 1: "?"})):
        entry = match.events(seat)[1].entry
        assert isinstance(entry, Choices)
        assert entry.choices == choices
        assert [happened.entry.hash for happened in match.events(seat)] == ["", ""]


def test_the_seed_is_shown_at_the_end_alone() -> None:
    match = race(laps=5)
    secret = SEED.hex()
    while not match.over:
        play_on(match, 1)
        shown = to_json(record_of(match)) + str([match.events(seat) for seat in (None, 0, 1)])
        assert (secret in shown) == match.over
    assert match.seed == SEED


def test_without_a_seed_a_secret_one_is_drawn() -> None:
    sitters = [Sitter("A"), Sitter("B")]
    assert Match(DASH, sitters).commitment != Match(DASH, sitters).commitment


def test_a_view_of_an_earlier_step_can_be_seen() -> None:
    match = play_on(race(), 3)
    assert match.view(0, 0) == DASH.view(match.state_after(0), 0)
    assert match.view(0) == match.view(0, 3)
    assert match.view(0) != match.view(0, 0)


def test_rising_is_a_step_of_the_fallen_alone() -> None:
    for seed in range(60):
        match = race(seed=bytes([seed]) * 32)
        match.step({0: "go 1", 1: "go 1"})
        if match.to_act() == (1,):
            assert match.choose(1, Rise())
            assert match.log[2] == Choices(choices={1: "rise"}, hash=match.log[2].hash)
            return
    raise AssertionError("seat 1 never slipped alone")


# ---------------------------------------------------------------- kept elsewhere


def restored(match: Match, *kept: int) -> Match:
    """The same match from its log and some of its moments."""
    moments = {seq: match.moment(seq) for seq in kept}
    return Match(DASH, match.first_sitters, match.options, match.secret_seed(), match.nonces, match.log, moments)


def test_a_match_goes_on_from_its_log_and_its_last_moment() -> None:
    match = play_on(race(3), 4)
    match.take_back(2)
    match.change_seat(1, Sitter("Berta's bot", "wanderer"))
    match.pause()
    again = restored(match, match.seq)
    assert (again.state, again.line, again.sitters, again.paused) == (match.state, match.line, match.sitters, True)
    for one in (match, again):
        one.resume()
        play_on(one, 2)
    assert again.log == match.log
    with pytest.raises(IllegalAction, match="not kept"):
        restored(match, 0)


def test_a_forgotten_moment_must_be_remembered_before_it_is_gone_back_to() -> None:
    match = play_on(race(), 3)
    moment = match.moment(1)
    match.forget(3)
    with pytest.raises(IllegalAction, match="not kept"):
        match.take_back(1)
    assert match.seq == 3
    match.remember(1, moment)
    match.take_back(1)
    assert match.state == moment.state
    match.forget(99)
    assert match.state == moment.state


def test_the_result_is_that_of_the_last_entry() -> None:
    match = race(3)
    assert match.result() is None
    match.resign(0)
    assert match.result() is None
    match.resign(1)
    assert match.result() == Result((3, 2, 1), 2, "resigned")
