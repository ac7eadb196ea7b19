"""Policy networks whose scores are known, and positions to ask them about."""

from typing import Any

import numpy as np

from quadriga.bots.evaluation import PART_COUNT
from quadriga.bots.evaluator import evaluation_of
from quadriga.bots.network import UNIT, Network, make_network, observation_of
from quadriga.core.game import Game
from quadriga.core.streams import new_stream, stream_key


def fixed_policy(game: Game, scores: dict[int, float]) -> Network:
    """A network that scores some parts so, whatever it observes."""
    evaluation_of(game)  # says what the parts are
    shapes = [(observation_of(game).inputs, 8), (8, 8), (8, PART_COUNT)]
    layers = [(np.zeros(s, np.int8), np.zeros(s[1], np.int32), np.full(s[1], 1 << 20, np.int32)) for s in shapes]
    for part, score in scores.items():
        layers[2][1][part] = round(score * UNIT)
    return make_network(layers)


def first_decision(game: Game) -> tuple[Any, int]:
    """The first position of a race in which a seat has more than three choices, and the seat."""
    state = game.setup(2, {}, new_stream(stream_key(b"policy"), 0)).state
    for step in range(1, 100):
        seat = game.to_act(state)[0]
        if len(game.legal_codes(state, seat)) > 3:
            return state, seat
        actions = {other: game.legal_actions(state, other)[0] for other in game.to_act(state)}
        state = game.apply(state, actions, new_stream(stream_key(b"policy"), step)).state
    raise AssertionError("no decision with several choices")
