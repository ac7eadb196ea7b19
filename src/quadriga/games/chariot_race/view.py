"""What a seat sees: everything, copied field by field (CR-15)."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import I8, Fields, In
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.state import CHARIOTS, DICE, SPACES, STEPS, Public, Race


class Looker(Fields):
    """Who looks. Stands first in the view, or Numba would take the view for a kind of race."""

    seat: Annotated[I8, In("seat"), "whose view, none for a spectator"]


class View(Public, Looker):
    """What a seat sees."""


@kernel
def observe(race: Race, tables: Tables, seat: int, view: View) -> None:
    """The view of a seat."""
    view.seat = seat
    copy_race(race, view)
    copy_chariots(race, view)
    copy_turn(race, view)


@kernel
def imagine(view: View, tables: Tables, stream: Stream, race: Race, scratch: NDArray[np.int64]) -> None:
    """The state behind a view: there is only one."""
    copy_race(view, race)
    copy_chariots(view, race)
    copy_turn(view, race)


@kernel
def copy_race(source: Public, target: Public) -> None:
    """Seats, options, the course of the race and the caltrops."""
    target.seats = source.seats
    target.track = source.track
    target.alternate = source.alternate
    target.sheltered = source.sheltered
    target.pairs = source.pairs
    target.limit = source.limit
    target.phase = source.phase
    target.rounds = source.rounds
    target.reason = source.reason
    target.supply = source.supply
    target.opener = source.opener
    target.picks = source.picks
    for space in range(SPACES):
        target.caltrop[space] = source.caltrop[space]


@kernel
def copy_chariots(source: Public, target: Public) -> None:
    """Everything known of each chariot."""
    target.wrecks = source.wrecks
    for chariot in range(CHARIOTS):
        target.drafted[chariot] = source.drafted[chariot]
        target.owner[chariot] = source.owner[chariot]
        target.board[chariot] = source.board[chariot]
        target.place[chariot] = source.place[chariot]
        target.space[chariot] = source.space[chariot]
        target.lines[chariot] = source.lines[chariot]
        target.damage[chariot] = source.damage[chariot]
        target.speed[chariot] = source.speed[chariot]
        target.fate[chariot] = source.fate[chariot]
        target.wreck[chariot] = source.wreck[chariot]
        target.order[chariot] = source.order[chariot]


@kernel
def copy_turn(source: Public, target: Public) -> None:
    """The turn in progress."""
    target.turn = source.turn
    target.mover = source.mover
    target.steers = source.steers
    target.attacks = source.attacks
    target.left = source.left
    target.driven = source.driven
    target.behind = source.behind
    for die in range(DICE):
        target.dice[die] = source.dice[die]
    for i in range(STEPS):
        target.path[i] = source.path[i]
