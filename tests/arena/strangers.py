"""Bots as strangers might write them: a fair one, and all kinds of bad ones."""

import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from quadriga.core.game import Game
from quadriga.core.messages import Action
from quadriga.games.chariots.actions import Stay


class Fair:
    """The first choice of the list."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        return choices[0]


class Raises(Fair):
    """Forgets what it was about to do."""

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        raise KeyError("reins")


class Stalls(Fair):
    """Never makes up its mind."""

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        time.sleep(60)
        return choices[0]


class Cheats(Fair):
    """Does what is not allowed."""

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        return Stay()


class Babbles(Fair):
    """Returns what is no action at all."""

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Any:
        return "faster"


def never_made(game: Game, seed: int) -> Fair:
    """Cannot even be made."""
    raise OSError("no such horse")


class Dies(Fair):
    """Ends its process without a word."""

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        os._exit(3)


class Clings(Fair):
    """Does not let go even when it is interrupted."""

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        while True:
            with suppress(BaseException):
                time.sleep(60)


class Leaves(Fair):
    """Believes that it is the program."""

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        sys.exit(1)
