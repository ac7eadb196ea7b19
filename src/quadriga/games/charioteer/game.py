"""Charioteer, put together."""

from quadriga.core.dispatch import Kernels
from quadriga.core.game import Definition
from quadriga.games.charioteer.actions import Move, Reset
from quadriga.games.charioteer.board import draw
from quadriga.games.charioteer.choices import legal, owing, pick_random
from quadriga.games.charioteer.components import Tables, load_edition
from quadriga.games.charioteer.events import EVENTS, REFUSALS
from quadriga.games.charioteer.invariants import INVARIANTS, check
from quadriga.games.charioteer.meta import META
from quadriga.games.charioteer.position import POSITION, settle
from quadriga.games.charioteer.preview import preview
from quadriga.games.charioteer.refusals import refusal
from quadriga.games.charioteer.sampling import SAMPLE_SCRATCH, sample
from quadriga.games.charioteer.setup import setup
from quadriga.games.charioteer.standings import standings
from quadriga.games.charioteer.state import DECK, Race
from quadriga.games.charioteer.turn import apply
from quadriga.games.charioteer.view import View, imagine, observe

DEFINITION = Definition(
    meta=META,
    package="quadriga.games.charioteer",
    race=Race,
    view=View,
    tables=Tables,
    actions=(Move, Reset),
    events=EVENTS,
    refusals=REFUSALS,
    reasons=("", "finish", "limit"),
    invariants=INVARIANTS,
    kernels=Kernels(
        setup, owing, legal, refusal, apply, observe, imagine, standings, check, pick_random, settle, sample
    ),
    load_edition=load_edition,
    draw=draw,
    most_choices=4096,
    most_events=1024,
    scratch=max(SAMPLE_SCRATCH, DECK),
    die="face",
    times_peers=3.0,
    preview=preview,
    position=POSITION,
)
