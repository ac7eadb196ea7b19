"""Chariot Race, as core knows it."""

from quadriga.core.dispatch import Kernels
from quadriga.core.game import Definition
from quadriga.games.chariot_race.actions import ACTIONS, MOST_CHOICES
from quadriga.games.chariot_race.board import chariot_letters, draw_board
from quadriga.games.chariot_race.choices import legal, owing, pick_random
from quadriga.games.chariot_race.components import Tables, load_edition
from quadriga.games.chariot_race.events import EVENTS, REFUSALS
from quadriga.games.chariot_race.invariants import INVARIANTS, check
from quadriga.games.chariot_race.meta import META
from quadriga.games.chariot_race.position import POSITION, settle
from quadriga.games.chariot_race.preview import preview
from quadriga.games.chariot_race.refusals import refusal
from quadriga.games.chariot_race.setup import setup
from quadriga.games.chariot_race.standings import standings
from quadriga.games.chariot_race.state import REASONS, Race
from quadriga.games.chariot_race.turn import apply
from quadriga.games.chariot_race.view import View, imagine, observe

DEFINITION = Definition(
    meta=META,
    package="quadriga.games.chariot_race",
    race=Race,
    view=View,
    tables=Tables,
    actions=ACTIONS,
    events=EVENTS,
    refusals=REFUSALS,
    reasons=REASONS,
    invariants=INVARIANTS,
    kernels=Kernels(
        setup=setup,
        owing=owing,
        legal=legal,
        refusal=refusal,
        apply=apply,
        observe=observe,
        imagine=imagine,
        standings=standings,
        check=check,
        pick_random=pick_random,
        settle=settle,
    ),
    load_edition=load_edition,
    draw=draw_board,
    most_choices=MOST_CHOICES,
    most_events=256,
    scratch=1,
    die="side",
    letters=chariot_letters,
    preview=preview,
    position=POSITION,
)
