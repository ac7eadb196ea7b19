"""What a seat learns, and what it must not (CH-19)."""

import random
from typing import Any

import pytest

from quadriga.core.streams import new_stream
from quadriga.games.charioteer.actions import Reset
from tests.games.charioteer.table import KEY, SEATS, game, position, random_choice, random_races
from tests.games.charioteer.twins import deal_anew, deal_later

NONE = -1
DRAWN = ("drew", "fan_drawn", "crowd_slid")
"""Events that show what was drawn."""


def lookers(seats: int) -> list[int | None]:
    return [*range(seats), None]


def some_states(seats: int) -> list[Any]:
    """From the first turn to the end, with face-down discards and a reshuffle on the way."""
    states = [race for states in random_races(seats, 3, seed=100 + seats) for race in states[:: 4 if seats < 4 else 2]]
    return [*states, random_races(seats, 1, seed=seats, laps=1)[0][-1]]


@pytest.mark.parametrize("seats", SEATS)
def test_the_states_met_here_have_secrets_of_every_kind(seats: int) -> None:
    states = some_states(seats)
    assert any((race.discard_by != NONE).any() for race in states)
    assert any(race.bag.sum() < 60 for race in states)
    assert any(race.over for race in states)


@pytest.mark.parametrize("seats", SEATS)
def test_twins_look_the_same(seats: int) -> None:
    charioteer, rng = game(), random.Random(seats)
    for race in some_states(seats):
        for seat in lookers(seats):
            other = deal_anew(charioteer, race, seat, rng)
            assert charioteer.check(other) is None
            assert other.tobytes() != race.tobytes()
            assert charioteer.view(other, seat).tobytes() == charioteer.view(race, seat).tobytes()
            if seat is not None:
                assert (charioteer.legal_codes(other, seat) == charioteer.legal_codes(race, seat)).all()


@pytest.mark.parametrize("seats", SEATS)
def test_a_turn_tells_the_same_until_something_hidden_shows(seats: int) -> None:
    """Choices with discard tokens included, which random play does not make."""
    charioteer, rng = game(), random.Random(seats)
    for number, race in enumerate(random_races(seats, 1, seed=seats)[0][:-1:3]):
        choices = {seat: random_choice(race, seat, rng) for seat in range(seats)}
        for seat in lookers(seats):
            other = deal_later(charioteer, race, seat, rng, choices)
            here, there = (charioteer.apply(one, choices, new_stream(KEY, number)) for one in (race, other))
            if charioteer.view(here.state, seat).tobytes() == charioteer.view(there.state, seat).tobytes():
                assert here.seen_by(seat) == there.seen_by(seat)
            told = [[e for e in step.seen_by(seat) if e.name not in DRAWN] for step in (here, there)]
            assert told[0] == told[1]


@pytest.mark.parametrize("seats", SEATS)
def test_an_imagined_race_looks_the_same_and_holds_together(seats: int) -> None:
    charioteer, stream = game(), new_stream(KEY, 5)
    for race in some_states(seats):
        for seat in lookers(seats):
            view = charioteer.view(race, seat)
            imagined = charioteer.imagine(view, stream)
            assert charioteer.check(imagined) is None
            assert charioteer.view(imagined, seat).tobytes() == view.tobytes()


def test_imagined_races_differ_in_what_is_hidden() -> None:
    charioteer, stream = game(), new_stream(KEY, 5)
    view = charioteer.view(random_races(3, 1)[0][5], 0)
    hands = {charioteer.imagine(view, stream).hand[1].tobytes() for _ in range(20)}
    assert len(hands) == 20


def test_the_owner_alone_knows_a_face_down_discard() -> None:
    race = position(seats=3, hand=[["G2G2R1", "G2G2R3", "Y0Y0R1"]], tokens=[{"discard-2": 1}])
    charioteer, parse = game(), game().parse
    choices = {0: parse("reset G2G2R1 discard_token=discard-2 discards=2+3")}
    choices |= {seat: Reset((int(race.hand[seat, 0]),)) for seat in (1, 2)}
    after = charioteer.apply(race, choices, new_stream(KEY, 1)).state
    laid = [i for i in range(int(after.discard_count)) if after.discard_by[i] == 0]
    for seat, cards in enumerate((["G2G2R3", "Y0Y0R1"], [None, None], [None, None])):
        view = charioteer.view(after, seat)
        assert [charioteer.names.name("card", int(view.discard[i])) for i in laid] == cards


def test_why_not_needs_the_view_alone() -> None:
    charioteer, rng = game(), random.Random(3)
    for race in random_races(3, 1, seed=3)[0][:-1:4]:
        view = charioteer.view(race, 1)
        for action in rng.sample(charioteer.legal_actions(race, 1), 10):
            assert charioteer.why_not(view, 1, action) is None
    race = position(hand=[["R3R3G2", "G2G2Y0"]])
    refusal = charioteer.why_not(charioteer.view(race, 0), 0, charioteer.parse("move red-3 cards=R3R3G2+G2G2Y0"))
    assert refusal is not None
    said = [charioteer.words(language).message("refusals", refusal, charioteer.names) for language in ("en", "es")]
    assert said == [
        "the second card, G2G2Y0, has no red-3; all cards of a move need the same colour and number",
        "la segunda carta, G2G2Y0, no tiene rojo-3; "
        "todas las cartas de un movimiento necesitan el mismo color y número",
    ]
