"""How every game runs: steps that change nothing they were given, races that replay, hold together and end."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from quadriga import games
from quadriga.core import codec
from quadriga.core.fuzz import misplaced, settings
from quadriga.core.game import Game, Result, Step, Told
from quadriga.core.match import Match, Sitter
from quadriga.core.play import Player
from quadriga.core.record import record_of, replay
from quadriga.core.streams import new_stream, stream_key
from quadriga.core.text import LANGUAGES
from tests.contract.cases import Case, every_case, every_game, lookers, random_player, walk

SHORT, LONG = 200, 10_000
"""Random races of each setting, in the usual run and in the long one."""


@every_case
def test_a_step_leaves_the_state_it_was_given_and_is_the_same_each_time(case: Case) -> None:
    game, race = case.game, walk(case)
    for moment in race.sample():
        before = moment.state.tobytes()
        again = game.apply(moment.state, moment.choices, new_stream(race.key, moment.seq))
        assert moment.state.tobytes() == before
        assert again.state.tobytes() == moment.step.state.tobytes()
        assert again.events == moment.step.events


@every_case
def test_another_stream_leads_elsewhere_somewhere(case: Case) -> None:
    """Chance comes from the stream alone: of some others one is felt in every race."""
    assert any(is_felt(case, stream_key(other)) for other in (b"one", b"two", b"three", b"four", b"five", b"six"))


def is_felt(case: Case, other: NDArray[np.uint32]) -> bool:
    """Whether a step of the race, or its set-up, ends otherwise with another key."""
    game = case.game
    begun = game.setup(case.setting.seats, case.setting.options, new_stream(other, 0)).state
    if begun.tobytes() != walk(case).begun.state.tobytes():
        return True
    steps = (
        (moment, game.apply(moment.state, moment.choices, new_stream(other, moment.seq)))
        for moment in walk(case).moments
    )
    return any(step.state.tobytes() != moment.step.state.tobytes() for moment, step in steps)


@every_case
def test_reading_a_state_changes_nothing(case: Case) -> None:
    game = case.game
    for moment in walk(case).sample():
        before = moment.state.tobytes()
        for seat in lookers(moment.state):
            game.draw(game.view(moment.state, seat))
        game.result(moment.state)
        game.places(moment.state)
        game.check(moment.state)
        for seat in range(case.setting.seats):
            game.legal_codes(moment.state, seat)
        assert moment.state.tobytes() == before


@every_case
def test_check_holds_after_every_step_and_nobody_has_won_before_the_end(case: Case) -> None:
    game, race = case.game, walk(case)
    assert game.check(race.begun.state) is None
    for moment in race.moments:
        assert game.result(moment.state) is None
        assert game.check(moment.step.state) is None


@every_case
def test_the_race_ends_with_places_that_fit(case: Case) -> None:
    game = case.game
    result = game.result(walk(case).end)
    assert result is not None
    assert misplaced(result) is None
    assert result.reason in game.definition.reasons[1:]
    for moment in walk(case).sample():
        assert len(game.places(moment.state)) == case.setting.seats


@pytest.mark.parametrize(
    "result",
    [
        None,
        Result((1, 1), None, "won"),
        Result((1, 3), 0, "won"),
        Result((2, 1), 0, "won"),
        Result((1, 2), None, "limit"),
        Result((1, 2, 2, 3), 0, "won"),
        Result((0, 1), 1, "won"),
    ],
)
def test_places_that_do_not_fit_are_found(result: Result | None) -> None:
    assert misplaced(result)


@pytest.mark.parametrize("result", [Result((2, 1, 2, 4), 1, "won"), Result((2, 2, 4), None, "limit")])
def test_ties_and_races_without_a_winner_fit(result: Result) -> None:
    assert misplaced(result) is None


@every_case
def test_the_contract_plays_a_race_as_kernels_do(case: Case) -> None:
    """Each stretch begins where kernels stood after as many steps, so the race walked is the race played."""
    begun, last = walk(case).begun, walk(case).moments[-1]
    assert walk(case).moments[0].state.tobytes() == begun.state.tobytes()
    assert last.step.state.tobytes() == walk(case).end.tobytes()
    reached = {moment.seq: moment.step.state.tobytes() for moment in walk(case).moments}
    for moment in walk(case).moments:
        assert reached.get(moment.seq - 1, moment.state.tobytes()) == moment.state.tobytes()


@every_case
def test_a_match_replays_a_race_to_the_same_state(case: Case) -> None:
    match = Match(case.game, [Sitter("one")] * case.setting.seats, case.setting.options, b"replayed".ljust(32))
    choose = random_player(case.game, stream_key(b"replayed"))
    for _ in range(30):
        if not match.over:
            match.step({seat: choose(match.state, seat) for seat in match.to_act()})
    again = replay(record_of(match, secrets=True), games.load)
    assert again.state.tobytes() == match.state.tobytes()
    assert [again.events(seat) for seat in lookers(match.state)] == [match.events(s) for s in lookers(match.state)]


@every_case
def test_events_decode_are_named_and_have_a_sentence(case: Case) -> None:
    game = case.game
    for step in (walk(case).begun, *(moment.step for moment in walk(case).sample())):
        for told in step.events:
            data = codec.message_to_json(told.event, game.names)
            assert data["kind"] == told.event.name
            for language in LANGUAGES:
                assert "{" not in game.words(language).message("events", told.event, game.names)


@every_case
def test_an_event_for_one_seat_is_seen_by_no_other(case: Case) -> None:
    for step in (walk(case).begun, *(moment.step for moment in walk(case).moments)):
        private = [told for told in step.events if told.audience is not None]
        for told in private:
            assert told.audience in range(case.setting.seats)
        for seat in lookers(walk(case).end):
            assert step.seen_by(seat) == tuple(told.event for told in step.events if told.audience in (None, seat))


@every_case
def test_pending_choices_change_nothing_that_others_see(case: Case) -> None:
    game, seats = case.game, range(case.setting.seats)
    match = Match(game, [Sitter(f"seat {seat}") for seat in seats], case.setting.options, b"pending".ljust(32))
    choose = random_player(game, stream_key(b"pending"))
    for _ in range(8):
        if match.over:
            break
        before = seen(match)
        owing = match.to_act()
        for seat in owing[:-1]:
            match.choose(seat, choose(match.state, seat))
        assert seen(match) == before
        assert match.waiting_for() == owing[-1:]
        match.choose(owing[-1], choose(match.state, owing[-1]))


def seen(match: Match) -> list[Any]:
    """What everybody can know of a match."""
    views = [match.view(seat).tobytes() for seat in lookers(match.state)]
    lists = [match.game.legal_codes(match.state, seat).tobytes() for seat in range(len(match.sitters))]
    return [match.seq, views, lists, [match.events(seat, match.seq - 1) for seat in lookers(match.state)]]


def play_many(game: Game, count: int) -> int:
    """Random races of every setting, checked after every step; how many decisions that took."""
    decisions = 0
    for setting in settings(game.meta):
        player = Player(game, setting.seats, setting.options)
        _, tally = player.play(count, stream_key(f"{setting}".encode()), checking=True)
        assert (tally[3], tally[4], tally[2], tally[1]) == (-1, 0, 0, count), f"{setting}: {tally}"
        decisions += int(tally[0])
    return decisions


@every_game
def test_random_races_of_every_setting_end_with_check_holding(name: str) -> None:
    assert play_many(games.load(name), SHORT) > SHORT * len(settings(games.meta(name)))


@pytest.mark.long
@every_game
def test_ten_thousand_races_of_every_setting_end_with_check_holding(name: str) -> None:
    assert play_many(games.load(name), LONG) > LONG * len(settings(games.meta(name)))


def test_told_is_for_everyone_or_one_seat() -> None:
    event = walk_events(games.load(games.NAMES[0]))[0]
    step = Step(None, (Told(event, None), Told(event, 1)))
    assert (len(step.seen_by(0)), len(step.seen_by(1)), len(step.seen_by(None))) == (1, 2, 1)


def walk_events(game: Game) -> list[Any]:
    begun = game.setup(game.meta.seats[0], {}, new_stream(stream_key(b"told"), 0))
    return [told.event for told in begun.events]
