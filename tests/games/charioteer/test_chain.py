"""The chain of small choices says the same as the list of whole ones."""

import random
from typing import Any

import numpy as np
import pytest

from quadriga.games.charioteer.chain import DONE_ID, IDS, PLACE_ID, RESET_ID, is_finished, link, links
from tests.games.charioteer.table import SEATS, game, position, random_races, tables


def following(race: Any, seat: int, chain: int) -> list[int]:
    out, scratch = np.empty(4096, np.int64), np.empty(game().definition.scratch, np.int64)
    return [int(i) for i in out[: links(race, tables(), seat, chain, out, scratch)]]


def linked(race: Any, seat: int, chain: int, choice: int) -> int:
    return int(link(race, tables(), seat, chain, choice, np.empty(game().definition.scratch, np.int64)))


def whole_choices(race: Any, seat: int, chain: int = 0) -> list[int]:
    """Every code that some chain leads to."""
    if is_finished(chain):
        return [chain]
    found = following(race, seat, chain)
    assert found, "a chain that leads nowhere"
    return [code for choice in found for code in whole_choices(race, seat, linked(race, seat, chain, choice))]


@pytest.mark.parametrize("seats", SEATS)
def test_chains_lead_to_the_listed_choices_each_once(seats: int) -> None:
    for race in random_races(seats, 1, seed=40 + seats, laps=1, crowd_wild=seats == 3)[0][:-1:3]:
        race.tokens[0, tables().token_discard > 0] = 0
        assert sorted(whole_choices(race, 0)) == sorted(int(code) for code in game().legal_codes(race, 0))


def test_discards_are_the_last_links() -> None:
    race = position(hand=[["whip"] * 7 + ["G2G2R1"]], tokens=[{"discard-2": 1}])
    race.crowd[0] = race.hand[0, 7]
    actions = [game().unpack(code) for code in whole_choices(race, 0)]
    assert all(game().refusal(race, 0, action) is None for action in actions)
    described = {game().describe(action) for action in actions}
    assert len(described) == len(actions)
    assert "reset whip+whip+whip" in described
    assert "reset whip+whip+whip discard_token=discard-2 discards=1+8" in described
    assert "reset G2G2R1 discard_token=discard-2 discards=6+7" in described
    assert not any("discards=8" in text for text in described if "G2G2R1" in text)


@pytest.mark.parametrize("seats", SEATS)
def test_any_chain_of_offered_ids_ends_in_a_choice_that_is_allowed(seats: int) -> None:
    rng = random.Random(seats)
    for race in random_races(seats, 2, seed=60 + seats, laps=1)[1][:-1]:
        for seat in range(seats):
            chain, length = 0, 0
            while not is_finished(chain):
                offered = following(race, seat, chain)
                assert offered == sorted(set(offered))
                assert offered[-1] < IDS <= 64
                chain, length = linked(race, seat, chain, rng.choice(offered)), length + 1
            assert length <= 13
            assert game().refusal(race, seat, game().unpack(chain)) is None
            assert following(race, seat, chain) == []


def test_a_reset_is_always_offered_and_cards_are_places_of_the_hand() -> None:
    race = position(hand=[["G2G2R1", "whip", "G2G2R3"]], crowd=["Y0Y0B0"])
    assert RESET_ID in following(race, 0, 0)
    green_2 = linked(race, 0, 0, 0)
    assert PLACE_ID in following(race, 0, green_2)
    assert PLACE_ID + 1 not in following(race, 0, linked(race, 0, green_2, PLACE_ID + 2))
    first = linked(race, 0, green_2, PLACE_ID)
    assert DONE_ID not in following(race, 0, first)
    assert PLACE_ID + 2 in following(race, 0, first)
