"""Chariots, put together."""

from quadriga.core.dispatch import Kernels
from quadriga.core.game import Definition
from quadriga.games.chariots.actions import ACTIONS
from quadriga.games.chariots.board import draw, letters
from quadriga.games.chariots.choices import legal, owing, pick_random
from quadriga.games.chariots.components import Tables, load_edition
from quadriga.games.chariots.events import EVENTS, REFUSALS
from quadriga.games.chariots.invariants import INVARIANTS, check
from quadriga.games.chariots.meta import META
from quadriga.games.chariots.position import POSITION, settle
from quadriga.games.chariots.preview import preview
from quadriga.games.chariots.refusals import refusal
from quadriga.games.chariots.setup import setup
from quadriga.games.chariots.standings import standings
from quadriga.games.chariots.state import Race
from quadriga.games.chariots.turn import apply
from quadriga.games.chariots.view import View, imagine, observe

DEFINITION = Definition(
    meta=META,
    package="quadriga.games.chariots",
    race=Race,
    view=View,
    tables=Tables,
    actions=ACTIONS,
    events=EVENTS,
    refusals=REFUSALS,
    reasons=("", "won", "limit"),
    invariants=INVARIANTS,
    kernels=Kernels(setup, owing, legal, refusal, apply, observe, imagine, standings, check, pick_random, settle),
    load_edition=load_edition,
    draw=draw,
    most_choices=128,
    most_events=512,
    scratch=128,
    die="face",
    letters=letters,
    preview=preview,
    position=POSITION,
)
