"""Which short races are compared between the CPU and the CUDA simulator."""

from quadriga.core.fuzz import Setting, settings
from quadriga.core.game import Game

STEPS = 400
"""The simulator takes about ten milliseconds a step."""


def short_settings(game: Game) -> list[Setting]:
    """The fewest and the most seats, with all options switched, numbers to their lowest."""
    low = {setting.seats: setting for setting in settings(game.meta)[:-1] if len(setting.options) > 1}
    return [low[game.meta.seats[0]], low[game.meta.seats[-1]]]
