"""`wanderer`: random play, with the bias that the game's own rules give it so that races end."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from quadriga.core.game import Game
from quadriga.core.messages import Action
from quadriga.core.streams import new_stream, stream_key


class RandomBot:
    """Goes forward, more or less."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.stream = new_stream(stream_key(seed.to_bytes(32, "little")), 0)

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        """What random play would choose here."""
        state = self.game.imagine(view, self.stream)
        codes = np.array([action.pack() for action in choices], np.int64)
        pick_random = self.game.kernels.pick_random
        return choices[pick_random(state, self.game.tables, seat, codes, len(choices), self.stream)]
