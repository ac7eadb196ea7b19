"""Dash, put together."""

from dash.actions import ACTIONS
from dash.board import draw_board
from dash.choices import legal, owing, pick_random
from dash.components import Tables, load_edition
from dash.events import EVENTS, REFUSALS
from dash.invariants import INVARIANTS, check
from dash.meta import META
from dash.position import settle
from dash.refusals import refusal
from dash.setup import setup
from dash.standings import standings
from dash.state import REASONS, Race
from dash.turn import apply
from dash.view import View, imagine, observe
from quadriga.core.dispatch import Kernels
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Definition, Game, open_game

DEFINITION = Definition(
    meta=META,
    package="dash",
    race=Race,
    view=View,
    tables=Tables,
    actions=ACTIONS,
    events=EVENTS,
    refusals=REFUSALS,
    reasons=REASONS,
    invariants=INVARIANTS,
    kernels=Kernels(setup, owing, legal, refusal, apply, observe, imagine, standings, check, pick_random, settle),
    load_edition=load_edition,
    draw=draw_board,
    most_choices=3,
    most_events=16,
    scratch=0,
    die="face",
)


def load(name: str = "dash", edition: TomlFile | None = None) -> Game:
    """Dash, as a loader for records and scenarios."""
    if name != "dash":
        raise InvalidOption(f"there is no game {name!r}; there is dash")
    return open_game(DEFINITION, edition)
