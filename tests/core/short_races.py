"""Which short races are compared between the CPU and the CUDA simulator."""

from quadriga.core.fuzz import Setting, settings
from quadriga.core.game import Game

STEPS = 400
"""The simulator takes about ten milliseconds a step."""


def short_settings(game: Game) -> list[Setting]:
    """The fewest seats with all options switched high, the most with all low; but for the limit of a race."""
    low = {setting.seats: setting for setting in settings(game.meta)[:-1] if len(setting.options) > 1}
    chosen = [low[game.meta.seats[0]], low[game.meta.seats[-1]]]
    return [Setting(s.seats, {name: v for name, v in s.options.items() if name != "limit"}) for s in chosen]
