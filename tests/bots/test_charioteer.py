"""Charioteer's bots beyond the list of moves: what they throw away."""

from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.bots.levels import Veteran
from quadriga.core.game import Game
from quadriga.core.streams import new_stream, stream_key
from quadriga.games.charioteer.actions import Move, Reset


@pytest.fixture(scope="module")
def game() -> Game:
    return games.load("charioteer")


def turns(game: Game, race: int) -> list[tuple[Any, int, Move | Reset]]:
    """Every state and choice of a race between two veterans."""
    key = stream_key(str(race).encode())
    state, step, seen = game.setup(2, {}, new_stream(key, 0)).state, 0, []
    veterans = [Veteran(game, seat) for seat in range(2)]
    while owing := game.to_act(state):
        actions: dict[int, Any] = {}
        for seat in owing:
            actions[seat] = veterans[seat].choose(game.view(state, seat), seat, game.legal_actions(state, seat))
            seen.append((state, seat, actions[seat]))
        step += 1
        state = game.apply(state, actions, new_stream(key, step)).state
    return seen


def fits(game: Game, state: Any, seat: int, action: Move | Reset) -> dict[int, int]:
    """For each place of the hand that the choice leaves: the points of the best move next turn with its card."""
    tables: Any = game.tables
    left = {place: int(card) for place, card in enumerate(state.hand[seat]) if card >= 0}
    for card in action.cards:
        del left[next(place for place in left if left[place] == card)]
    cards = [*left.values(), int(state.crowd[1])]
    skill = tables.marker_bonus[state.marker[seat, tables.symbol_colour]]
    points = np.minimum(tables.card_matches[cards].sum(axis=0), 6) + tables.symbol_number + skill
    return {place: int(points[tables.card_matches[card] > 0].max(initial=0)) for place, card in left.items()}


def test_veteran_throws_away_the_cards_that_fit_the_others_least(game: Game) -> None:
    thrown = [turn for race in range(6) for turn in turns(game, race) if turn[2].discards]
    assert len(thrown) >= 6
    for state, seat, action in thrown:
        game.require_one(state, seat, action)  # CH-15
        points = fits(game, state, seat, action)
        went = [points.pop(place) for place in action.discards]
        assert len(went) >= 2
        assert max(went) <= min(points.values(), default=max(went))
