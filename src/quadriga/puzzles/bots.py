"""How often bots of each level find the answer."""

from collections.abc import Collection
from typing import Any

from quadriga.analysis.chances import Codes
from quadriga.bots import make_bot, set_budget
from quadriga.bots.evaluator import Choices
from quadriga.core.game import Game
from quadriga.puzzles.listing import listed_code

TRIES = {
    "wanderer": 24, "novice": 24, "greedy": 6, "saver": 6, "brawler": 6, "daredevil": 6, "veteran": 6,
    "searcher": 6, "champion": 6,
}  # fmt: skip
"""How often each level is asked."""
PLAYOUTS = 200
"""Of those that search: little, as beginners among them would."""


def find_shares(game: Game, view: Any, seat: int, codes: Codes, right: Collection[int], seed: int) -> dict[str, float]:
    """The share of right choices of each level. right: codes as they are listed."""
    return {
        level: sum(_asks(game, level, view, seat, codes, right, seed * 1000 + n) for n in range(tries)) / tries
        for level, tries in TRIES.items()
    }


def _asks(game: Game, level: str, view: Any, seat: int, codes: Codes, right: Collection[int], seed: int) -> bool:
    bot = make_bot(level, game, seed)
    set_budget(bot, PLAYOUTS)
    code = bot.choose(view, seat, Choices(game, codes)).pack()
    return listed_code(game, codes, code) in right
