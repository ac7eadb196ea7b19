"""The plan that a seat's observation tells: plans known by hand, and what a plan leads to."""

from typing import Any

import numpy as np
import pytest

from quadriga.core.observation import column
from quadriga.games.charioteer.observation import OBSERVATION
from tests.games.charioteer.table import game, position, tables

HAND = ["G6G6R1", "G6G6R3", "G6G6R5", "R5R5Y0", "R5R5Y2", "R5R5B0", "Y4Y4B1", "whip"]
PARTS = {"spaces": 24, "way": 64, "best": 3000, "reset": 1, "great": 1, "attack": 4}
"""Parts of a turn and what they are shares of."""
ROW = ["Y0Y0R1", "Y2Y2B0", "B2B2R1"]


def observed(race: Any, seat: int = 0) -> Any:
    numbers = np.empty(OBSERVATION.inputs - OBSERVATION.count, np.float32)
    assert OBSERVATION.encode_outlook(game().view(race, seat), tables(), numbers, 0) == len(numbers)
    return numbers


def planned(race: Any, turn: int) -> dict[str, int]:
    """A turn of the plan of the first seat."""
    numbers = observed(race)
    return {
        part: round(float(numbers[column(OBSERVATION.outlook, "plan", turn, part)]) * most)
        for part, most in PARTS.items()
    }


def near_the_line(turns: int, **fields: Any) -> Any:
    """The first seat leads, so many turns of nine spaces before the end of one lap; the die shows disrupt."""
    here = 72 - 9 * turns
    wanted: dict[str, Any] = {
        "hand": [HAND, ["whip"]],
        "crowd": ROW,
        "die": "disrupt",
        "progress": [here, here - 9],
        "turn": 5,
    }
    return position(options={"laps": 1}, **(wanted | fields))


def test_the_last_turn_is_the_longest_move() -> None:
    """Six green-6 lead 12 spaces; three cards are 60 more."""
    assert planned(near_the_line(1), 0) == {
        "spaces": 12, "way": 12, "best": 12 * 100 + 60, "reset": 0, "great": 1, "attack": 0
    }  # fmt: skip


def test_the_cards_of_a_turn_are_gone_in_the_next() -> None:
    """After six green-6 the six red-5: a move of 11 that attacks with three cards, then one without a match."""
    race = near_the_line(1)
    first, second, third = (planned(race, turn) for turn in range(3))
    assert (first["spaces"], second["spaces"]) == (12, 11)
    assert (second["way"], second["attack"], second["great"]) == (23, 3, 1)
    assert (third["reset"], third["spaces"], third["way"], third["best"]) == (1, 0, 23, 60)


def test_a_token_is_played_once() -> None:
    """+5 green is worth 500 less a quarter of 425, and is gone when red is played."""
    race = near_the_line(1, tokens=[{"+5-green": 1}])
    first, second = planned(race, 0), planned(race, 1)
    assert (first["spaces"], first["best"]) == (17, 17 * 100 - 106 + 60)
    assert (second["spaces"], second["way"]) == (11, 28)


def test_a_wild_counts_two_symbols_and_changes_a_card_that_carries_one() -> None:
    cards = ["G6G6R1", "G6G6R3", "R5R5G6", "Y0Y0B0", "Y0Y0B1", "Y2Y2B1", "B2B2Y4", "whip"]
    race = near_the_line(1, hand=[cards, ["whip"]], tokens=[{"wild-green": 1}])
    assert planned(race, 0) == {
        "spaces": 12, "way": 12, "best": 12 * 100 - 62 + 60, "reset": 0, "great": 1, "attack": 0
    }  # fmt: skip


def test_a_whip_leads_up_to_the_chariot_ahead() -> None:
    """CH-13: two red-5 on a card and the crowd card's one: 8 spaces, and of the whip's five the two that are free."""
    cards = ["R5R5Y0", "whip", *(f"{symbol * 2}-shield" for symbol in ("B0", "B1", "Y0", "Y2", "R1", "R3"))]
    fields: dict[str, Any] = {"hand": [cards, ["whip"]], "crowd": ["G2G2R5", *ROW[1:]], "progress": [53, 63]}
    race = near_the_line(1, **fields)
    assert planned(race, 0)["spaces"] == 10
    assert planned(near_the_line(1, **fields, turn=1), 0)["spaces"] == 8


def test_cubes_are_worth_a_reset() -> None:
    """CH-12: nine cubes for three turns are 2,760, more than any move; the turn after starts with none."""
    race = near_the_line(5, damage=[9, 0])
    first, second = planned(race, 0), planned(race, 1)
    assert (first["reset"], first["spaces"], first["best"]) == (1, 0, 2760)
    assert (second["reset"], second["spaces"]) == (0, 11)


def test_a_colour_without_a_move_is_marked() -> None:
    numbers, at = observed(near_the_line(1)), column(OBSERVATION.outlook, "plan", 0, "worth")
    assert numbers[at + 3] == -1
    assert numbers[at : at + 2] == pytest.approx([1260 / 3000, 1160 / 3000])


def test_rivals_are_told_as_the_plan_leaves_them() -> None:
    numbers, race = observed(near_the_line(1)), near_the_line(1)
    way = sum(planned(race, turn)["spaces"] for turn in range(4))
    assert numbers[column(OBSERVATION.outlook, "field", 0, "lead")] == pytest.approx(-9 / 16)
    assert numbers[column(OBSERVATION.outlook, "field", 0, "after")] == pytest.approx(max(-1, (-9 - way) / 24))
    assert not numbers[column(OBSERVATION.outlook, "field", 1, "there")]
