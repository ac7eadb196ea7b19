"""The resets that are listed: every one, two or three cards of the hand, equal ones once, ascending (CH-12)."""

from itertools import combinations

import pytest

from quadriga import games
from quadriga.core.streams import new_stream, stream_key
from quadriga.games.charioteer.actions import Reset

HANDS = {
    "no copies": [3, 60, 7, 22, 9, 41, 15, 80],
    "a pair": [3, 60, 7, 22, 9, 41, 15, 60],
    "three of a kind": [3, 60, 7, 60, 9, 41, 60, 3],
    "all equal": [5] * 8,
    "cards missing": [3, -1, 7, 22, -1, 41, 15, 80],
}


@pytest.mark.parametrize("cards", HANDS.values(), ids=HANDS)
def test_every_reset_is_listed_once(cards: list[int]) -> None:
    game = games.load("charioteer")
    state = game.setup(2, {}, new_stream(stream_key(bytes(32)), 0)).state
    state.hand[0] = cards
    hand = sorted(card for card in cards if card >= 0)
    wanted = sorted({some for count in (1, 2, 3) for some in combinations(hand, count)})
    listed = [action.cards for action in game.legal_actions(state, 0) if isinstance(action, Reset)]
    assert listed == wanted
