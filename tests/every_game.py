"""All games there are, the toy of the tests included."""

from dash.game import load as load_toy
from quadriga import games
from quadriga.core.game import Game

GAMES: dict[str, Game] = {"dash": load_toy()} | {name: games.load(name) for name in games.NAMES}
