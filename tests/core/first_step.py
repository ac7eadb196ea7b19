"""Loads a game and takes one step through every function of the contract; run by test_targets.py to be timed."""

import sys

import numpy as np

from quadriga import games
from quadriga.core.play import Player
from quadriga.core.streams import new_stream, stream_key


def main(name: str) -> None:
    game, key = games.load(name), stream_key(b"first")
    state = game.setup(game.meta.seats[0], {}, new_stream(key, 0)).state
    choices = {seat: game.legal_actions(state, seat)[0] for seat in game.to_act(state)}
    state = game.apply(state, choices, new_stream(key, 1)).state
    game.imagine(game.view(state, 0), new_stream(key, 2))
    assert game.check(state) is None
    assert game.result(state) is None
    Player(game, game.meta.seats[0], {}).play_keys(np.array([key]), checking=True)


if __name__ == "__main__":
    main(sys.argv[1])
