"""What a seat of Chariots sees, and what could lie behind it."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import I8, At, I8s, In
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, part
from quadriga.core.streams import Stream, draw
from quadriga.games.chariots.actions import ANNOUNCE_ACE, ANNOUNCE_NULL, ANNOUNCE_TARGET, DO_QUIET
from quadriga.games.chariots.choices import has_announcement, list_announcements
from quadriga.games.chariots.components import CHARIOTS, Tables
from quadriga.games.chariots.movement import on_track, pair_of, seat_of
from quadriga.games.chariots.state import ANNOUNCE, PHASES, PLOT, SWAP, Public, Race

Codes = NDArray[np.int64]


class View(Public):
    """What a seat sees: all that is public, and its own coins and announcements."""

    seat: Annotated[I8, In("seat"), "whose view this is, none for a spectator"]
    plot: Annotated[I8s, (CHARIOTS, PHASES), At("chariot"), "coins that lie open or are one's own, 0 for others"]
    swapping: Annotated[I8, "bit c: one's own chariot c will swap its coin"]
    quiet_said: Annotated[I8, "bit c: one's own chariot c will announce nothing more in this phase"]
    null_said: Annotated[I8s, CHARIOTS, At("chariot"), In("null_action"), "announced with one's own null coins"]
    ace_said: Annotated[I8s, CHARIOTS, At("chariot"), In("ace_action"), "announced with one's own ace coins"]
    target_said: Annotated[I8s, CHARIOTS, At("chariot"), In("chariot"), "against whom"]


@kernel
def copy_public(source: Public, to: Public) -> None:  # long: a line for each public field, so that none slips through
    to.seats = source.seats
    to.laps = source.laps
    to.two_chariots = source.two_chariots
    to.special_actions = source.special_actions
    to.faster_recovery = source.faster_recovery
    to.race_on = source.race_on
    to.limit = source.limit
    to.chariots = source.chariots
    to.stage = source.stage
    to.pair = source.pair
    to.asking = source.asking
    to.rounds = source.rounds
    to.phase = source.phase
    to.impulse = source.impulse
    to.exposed = source.exposed
    to.due = source.due
    to.resting = source.resting
    to.extra = source.extra
    to.ahead = source.ahead
    to.driven = source.driven
    to.balked = source.balked
    to.movers = source.movers
    to.turn = source.turn
    to.finished = source.finished
    to.reason = source.reason
    for chariot in range(CHARIOTS):
        to.square[chariot] = source.square[chariot]
        to.lines[chariot] = source.lines[chariot]
        to.best[chariot] = source.best[chariot]
        to.speed[chariot] = source.speed[chariot]
        to.control[chariot] = source.control[chariot]
        to.null_coin[chariot] = source.null_coin[chariot]
        to.ace_coin[chariot] = source.ace_coin[chariot]
        to.crashed[chariot] = source.crashed[chariot]
        to.stunned[chariot] = source.stunned[chariot]
        to.sits[chariot] = source.sits[chariot]
        to.skips[chariot] = source.skips[chariot]
        to.side[chariot] = source.side[chariot]
        to.quiet[chariot] = source.quiet[chariot]
        to.order[chariot] = source.order[chariot]
        to.place[chariot] = source.place[chariot]


@kernel
def observe(race: Race, tables: Tables, seat: int, view: View) -> None:
    """The contract's view: CT-14 hides coins not exposed and what is not yet revealed."""
    copy_public(race, view)
    view.seat = seat
    view.swapping = 0
    view.quiet_said = 0
    for chariot in range(CHARIOTS):
        own = seat >= 0 and seat_of(race, chariot) == seat
        for phase in range(PHASES):
            view.plot[chariot, phase] = race.plot[chariot, phase] if own or phase < race.exposed else 0
        view.null_said[chariot] = race.null_said[chariot] if own else -1
        view.ace_said[chariot] = race.ace_said[chariot] if own else -1
        view.target_said[chariot] = race.target_said[chariot] if own else -1
        if own:
            view.swapping |= race.swapping & (1 << chariot)
            view.quiet_said |= race.quiet_said & (1 << chariot)


@kernel
def has_plotted(race: Race, chariot: int) -> bool:
    """Whether coins lie before a chariot, seen or not."""
    if not on_track(race, chariot) or race.stage < PLOT:
        return False
    return race.stage > PLOT or pair_of(race, chariot) < race.pair


@kernel
def imagine_plot(race: Race, chariot: int, stream: Stream) -> None:
    """Coins not exposed are any of those left, in any order."""
    for phase in range(race.exposed, PHASES):
        skip = draw(stream, 4 - phase)
        for coin in range(2, 6):
            laid = False
            for earlier in range(phase):
                laid = laid or race.plot[chariot, earlier] == coin
            if not laid:
                if skip == 0:
                    race.plot[chariot, phase] = coin
                skip -= 1


@kernel
def imagine_announcement(race: Race, tables: Tables, chariot: int, stream: Stream, scratch: Codes) -> None:
    if not has_announcement(race, tables, chariot):
        return
    n = list_announcements(race, tables, chariot, scratch)
    code = scratch[draw(stream, n)]
    if kind_of(code) == DO_QUIET:
        race.quiet_said |= 1 << chariot
        return
    race.null_said[chariot] = part(code, ANNOUNCE_NULL)
    race.ace_said[chariot] = part(code, ANNOUNCE_ACE)
    race.target_said[chariot] = part(code, ANNOUNCE_TARGET)


@kernel
def imagine(view: View, tables: Tables, stream: Stream, race: Race, scratch: Codes) -> None:
    """The contract's imagine: rivals' coins and announcements are dealt anew."""
    copy_public(view, race)
    race.swapping = view.swapping
    race.quiet_said = view.quiet_said
    for chariot in range(CHARIOTS):
        for phase in range(PHASES):
            race.plot[chariot, phase] = view.plot[chariot, phase]
        race.null_said[chariot] = view.null_said[chariot]
        race.ace_said[chariot] = view.ace_said[chariot]
        race.target_said[chariot] = view.target_said[chariot]
    for chariot in range(race.chariots):
        if seat_of(race, chariot) == view.seat or not has_plotted(race, chariot):
            continue
        imagine_plot(race, chariot, stream)
        if pair_of(race, chariot) < race.pair:
            if race.stage == SWAP and race.null_coin[chariot] and draw(stream, 2):
                race.swapping |= 1 << chariot
            if race.stage == ANNOUNCE:
                imagine_announcement(race, tables, chariot, stream, scratch)
