"""The list of choices against a list made another way, and random play without it."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from quadriga.core.messages import Action
from quadriga.core.streams import draw, new_stream
from quadriga.games.charioteer.actions import CROWD_PART, DO_MOVE, Move, Reset
from quadriga.games.charioteer.events import NotToAct
from quadriga.games.charioteer.sampling import sample
from tests.games.charioteer.table import KEY, SEATS, game, position, random_races, tables

NONE = -1


def carried(card: int) -> set[int]:
    """The symbols on a kind of card, by its name: R3R3G2."""
    name = game().names.domains["card"][card].split("-")[0]
    symbols = game().names.domains["symbol"]
    spelt = {f"{symbol[0].upper()}{symbol[-1]}": i for i, symbol in enumerate(symbols)}
    return {spelt[name[i : i + 2]] for i in range(0, len(name), 2)} if name[1:2].isdigit() else set()


def sets_of_cards(hand: list[int]) -> set[tuple[int, ...]]:
    return {cards for count in (1, 2, 3) for cards in combinations(sorted(hand), count)}


def is_move(cards: tuple[int, ...], crowd: int | None, symbol: int, changed: int) -> bool:
    """CH-3 and CH-14, word by word."""
    parts = [(i, card) for i, card in enumerate(cards)] + ([] if crowd is None else [(CROWD_PART, crowd)])
    matching = 0
    for part, card in parts:
        if part == changed or symbol in carried(card):
            matching += 1
        elif carried(card):
            return False
    return matching >= 2


def changes(cards: tuple[int, ...], crowd: int | None, crowd_wild: bool) -> Iterator[int]:
    yield from (i for i, card in enumerate(cards) if card not in cards[:i])
    if crowd is not None and crowd_wild:
        yield CROWD_PART


def moves(race: Any, seat: int) -> Iterator[Action]:
    tokens = [i for i, held in enumerate(race.tokens[seat]) if held]
    names = game().names.domains
    hand = [int(card) for card in race.hand[seat]]
    for symbol, cards, crowd in product(range(12), sets_of_cards(hand), (None, int(race.crowd[0]))):
        colour = names["symbol"][symbol].split("-")[0]
        if is_move(cards, crowd, symbol, NONE):
            yield Move(symbol, cards, crowd is not None)
        for token in tokens:
            what, _, of = names["token"][token].partition("-")
            if what == "discard" or of not in ("", colour):
                continue
            wild = changes(cards, crowd, bool(race.crowd_wild)) if what == "wild" else (NONE,)
            for changed in wild:
                if is_move(cards, crowd, symbol, changed):
                    yield Move(symbol, cards, crowd is not None, token, changed)


def all_choices(race: Any, seat: int) -> set[Action]:
    hand = [int(card) for card in race.hand[seat]]
    return set(moves(race, seat)) | {Reset(cards) for cards in sets_of_cards(hand)}


@pytest.mark.parametrize("seats", SEATS)
def test_the_list_has_every_choice_once(seats: int) -> None:
    for states in random_races(seats, 2, seed=10 * seats, laps=1, crowd_wild=seats % 2 == 0):
        for turn, race in enumerate(states[:-1]):
            seat = turn % seats
            listed = game().legal_actions(race, seat)
            assert len(set(listed)) == len(listed)
            assert set(listed) == all_choices(race, seat)


@pytest.mark.parametrize("crowd", ["whip", "R3R3G2", "G2G2-shield"])
@pytest.mark.parametrize("crowd_wild", [False, True])
def test_the_list_with_equal_cards_and_wilds(crowd: str, crowd_wild: bool) -> None:
    hands = [
        ["whip", "whip", "whip", "R3R3Y0", "R3R3Y2", "R3R3-shield", "G4G4R3", "Y0Y0B0"],
        ["whip", "G2G2R1", "G2G2R5", "R3R3B0", "B1B1R3", "whip", "whip", "whip"],
    ]
    wilds = {"wild-green": 1, "wild-red": 1, "wild-black": 1, "shield": 1, "+5-red": 1}
    race = position(options={"crowd_wild": crowd_wild}, hand=hands, crowd=[crowd], tokens=[wilds, wilds])
    for seat in (0, 1):
        assert set(game().legal_actions(race, seat)) == all_choices(race, seat)


def test_equal_cards_in_the_deck_are_one_choice() -> None:
    race = position(hand=[["whip"] * 8], crowd=["G2G2R1"])
    whip = int(race.hand[0, 0])
    assert game().legal_actions(race, 0) == [Reset((whip,)), Reset((whip,) * 2), Reset((whip,) * 3)]


@pytest.mark.parametrize("seats", SEATS)
def test_refusal_allows_what_is_listed_and_nothing_like_it(seats: int) -> None:
    rng = random.Random(seats)
    for states in random_races(seats, 1, seed=seats, laps=1):
        race = rng.choice(states[:-1])
        listed = set(game().legal_actions(race, 0))
        assert all(game().refusal(race, 0, action) is None for action in listed)
        for action in rng.sample(sorted(listed, key=lambda action: action.pack()), 20):
            if isinstance(action, Move):
                other = Move((action.symbol + 1) % 12, action.cards, action.crowd, action.token, action.changed)
                assert (game().refusal(race, 0, other) is None) == (other in listed)


def test_a_list_without_room_is_cut_short_and_nothing_else_is_written() -> None:
    charioteer, race = game(), position(tokens=[{"shield": 1, "wild-red": 1, "wild-green": 1}])
    full = charioteer.legal_codes(race, 0)
    scratch = np.empty(charioteer.definition.scratch, np.int64)
    for room in range(0, len(full), 7):
        out = np.full(len(full), -7, np.int64)
        count = charioteer.kernels.legal(race, charioteer.tables, 0, out[:room], scratch)
        assert count <= room
        assert set(out[:count]) <= set(full)
        assert set(out[room:]) <= {-7}


def test_nobody_chooses_after_the_end_nor_from_no_seat() -> None:
    states = random_races(2, 1, laps=1)[0]
    assert [len(game().legal_codes(states[-1], seat)) for seat in (0, 1)] == [0, 0]
    assert len(game().legal_codes(states[0], 2)) == 0


@pytest.mark.parametrize("seats", SEATS)
def test_a_sampled_move_is_a_listed_one_and_each_is_as_likely(seats: int) -> None:
    charioteer, race = game(), random_races(seats, 1, seed=seats, laps=1)[0][3]
    codes = [int(code) for code in charioteer.legal_codes(race, 0) if code & 15 == DO_MOVE]
    out, scratch = np.empty(4096, np.int64), np.empty(charioteer.definition.scratch, np.int64)
    stream, draws = new_stream(KEY, seats), 60 * len(codes)
    found = Counter(sample(race, tables(), 0, out, stream, scratch) for _ in range(draws))
    assert set(found) == set(codes)
    deviation = sum((count - 60) ** 2 / 60 for count in found.values())
    assert deviation < len(codes) + 6 * (2 * len(codes)) ** 0.5


def test_random_play_resets_only_without_a_move() -> None:
    charioteer, stream = game(), new_stream(KEY, 1)
    stuck = position(hand=[["whip"] * 7 + ["G2G2R1"]], crowd=["Y0Y0B0"])
    free = position(hand=[["G2G2R1", "G2G2R3"]], crowd=["Y0Y0B0"])
    out, scratch = np.empty(4096, np.int64), np.empty(charioteer.definition.scratch, np.int64)
    for race, kind in ((stuck, Reset), (free, Move)):
        codes = charioteer.legal_codes(race, 0)
        for _ in range(50):
            index = charioteer.kernels.pick_random(race, charioteer.tables, 0, codes, len(codes), stream)
            assert isinstance(charioteer.unpack(int(codes[index])), kind)
            sampled = int(sample(race, tables(), 0, out, stream, scratch))
            assert isinstance(charioteer.unpack(sampled), kind)
    assert draw(stream, 2) in (0, 1)


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (0, "not_a_code"),
        (7, "not_a_code"),
        (Move(13, (0,)).pack(), "not_a_code"),
        (Move(0, (200,)).pack(), "not_a_code"),
        (Move(0, (0, 1)).pack() & ~(255 << 8), "not_a_code"),
        (Move(0, (0,), token=25).pack(), "not_a_code"),
        (Move(0, (0,), changed=5).pack(), "not_a_code"),
        (Reset((0,), discard_token=4, discards=(9,)).pack(), "not_a_code"),
        (Reset((0,), discard_token=25).pack(), "not_a_code"),
        (Reset((0,), 4, (1, 2)).pack() & ~(15 << 33), "not_a_code"),
        (Move(NONE, (0,)).pack(), "no_symbol"),
        (Reset().pack(), "no_cards"),
    ],
)
def test_codes_that_stand_for_nothing(code: int, name: str) -> None:
    charioteer, race = game(), position(hand=[["G2G2R1", "G2G2R3"]])
    why, scratch = np.zeros(12, np.int64), np.empty(charioteer.definition.scratch, np.int64)
    number = charioteer.kernels.refusal(race, tables(), 0, code, why, scratch)
    assert {kind.code: kind.name for kind in charioteer.definition.refusals}[number] == name
    assert charioteer.kernels.refusal(race, tables(), 2, code, why, scratch) == NotToAct.code
