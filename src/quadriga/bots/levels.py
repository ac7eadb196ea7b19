"""Levels that score their choices and take the best they see, from `novice` to `veteran`."""

from collections.abc import Sequence
from typing import Any

from quadriga.bots.evaluation import BRAWLER, DAREDEVIL, GREEDY, SAVER, VETERAN
from quadriga.bots.evaluator import Evaluator, packed
from quadriga.core.game import Game
from quadriga.core.messages import Action

TIES = 4
"""Noise enough to part equals at random."""


class Novice:
    """Looks at a few of its choices and takes the one that brings most at once."""

    def __init__(self, game: Game, seed: int) -> None:
        self.evaluator = Evaluator(game, seed)

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        """The best of a few choices come upon at random."""
        codes = packed(choices)
        seen = self.evaluator.sample_choices(view, seat, codes)
        return choices[seen[self.evaluator.pick(view, seat, codes[seen], GREEDY, TIES)]]


class Greedy:
    """Takes what brings most at once."""

    level = GREEDY

    def __init__(self, game: Game, seed: int) -> None:
        self.evaluator = Evaluator(game, seed)

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        """The choice worth most."""
        return choices[self.evaluator.pick(view, seat, packed(choices), self.level, TIES)]


class Daredevil(Greedy):
    """Overrates speed, and forgets what rivals may do."""

    level = DAREDEVIL


class Brawler(Greedy):
    """Overrates damage, and looks one turn ahead."""

    level = BRAWLER


class Saver(Greedy):
    """Hoards cards, tokens, coins and fate, and overlooks rare rules."""

    level = SAVER


class Veteran(Greedy):
    """Weighs what a choice leaves for later, too."""

    level = VETERAN

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        """The choice worth most, with all that goes with it."""
        return self.evaluator.complete_choice(view, seat, super().choose(view, seat, choices))
