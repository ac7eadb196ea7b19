"""What is done in a race: choices, take-backs, pauses, resignations, and what follows from them.

Each function carries out one command on a table in memory or refuses it; whoever calls it stores the change.
"""

from typing import Any

from quadriga.bots import LEVELS
from quadriga.core import codec
from quadriga.core.game import AgainstTheRules
from quadriga.core.match import Choices, Match
from quadriga.core.messages import Action, Refusal
from quadriga.core.record import record_of
from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.tables import agreement
from quadriga.server.tables import commands as c
from quadriga.server.tables.clocks import add_increment, new_turn, out_of_time, run_clocks, stop_clock
from quadriga.server.tables.coaching import count_choice
from quadriga.server.tables.document import OVER, PERSON, RACING, Proposal, TableDocument
from quadriga.server.tables.proposals import drop_outdated, propose
from quadriga.server.tables.table import LiveTable
from quadriga.server.tables.take_backs import reveals

Answer = dict[str, Any]


# ---------------------------------------------------------------- choices


def choose(live: LiveTable, guest: Guest | None, command: c.Choose, now: int) -> Answer:
    live.require_mine(guest, command.seat)
    match = live.require_running()
    action = live.action(command.action)
    if command.seq != match.seq:
        raise _late(live, match, command.seat, command.seq, action)
    if command.seat not in match.to_act():
        raise Refused("not_your_turn")
    if match.pending.get(command.seat) == action:
        raise Refused("duplicate")
    make_choice(live, command.seat, action, now)
    count_choice(live, command.seat, command.seq, live.game.describe(action))
    return {"seq": match.seq, "waiting": list(match.waiting_for())}


def make_choice(live: LiveTable, seat: int, action: Action, now: int) -> None:
    """A person's or a bot's choice, judged by the match."""
    assert live.match is not None
    try:
        live.match.choose(seat, action)
    except AgainstTheRules as error:
        raise Refused("refused", refusal_json(live, error.refusal), cause=sentence(live, error.refusal)) from None
    stop_clock(live.doc, seat, now)


def _late(live: LiveTable, match: Match, seat: int, seq: int, action: Action) -> Refused:
    """A choice for another step: one that was made already, or one that comes too late."""
    if 0 <= seq < match.seq:
        entry = match.log[seq + 1]
        if isinstance(entry, Choices) and entry.choices.get(seat) == live.game.describe(action):
            return Refused("duplicate")
    return Refused("late", seq=match.seq)


def try_choice(live: LiveTable, guest: Guest | None, command: c.Try, now: int) -> Answer:
    """Whether a choice would be allowed, judged by what the seat can see."""
    live.require_mine(guest, command.seat)
    match = live.require_running()
    if command.seq != match.seq:
        raise Refused("late", seq=match.seq)
    if command.seat not in match.to_act():
        raise Refused("not_your_turn")
    refusal = live.game.why_not(match.view(command.seat), command.seat, live.action(command.action))
    if refusal is None:
        return {"allowed": True}
    return {"allowed": False, "refusal": refusal_json(live, refusal), "sentence": sentence(live, refusal)}


def refusal_json(live: LiveTable, refusal: Refusal) -> dict[str, Any]:
    """A refusal of the rules as pages get it."""
    return codec.message_to_json(refusal, live.game.names)


def sentence(live: LiveTable, refusal: Refusal) -> str:
    """A refusal of the rules in English."""
    return live.game.words("en").message("refusals", refusal, live.game.names)


def withdraw(live: LiveTable, guest: Guest | None, command: c.Withdraw, now: int) -> Answer:
    live.require_mine(guest, command.seat)
    match = live.require_running()
    if command.seq != match.seq:
        raise Refused("late", seq=match.seq)
    if command.seat not in match.pending:
        raise Refused("nothing_waits")
    match.withdraw(command.seat)
    return {}


# ---------------------------------------------------------------- what others must agree to


def ask_take_back(live: LiveTable, guest: Guest | None, command: c.AskTakeBack, now: int) -> Answer:
    """Go back to an entry; among people only where nothing was revealed since."""
    live.require_mine(guest, command.seat)
    who, match = live.require_owner(guest), live.require_running()
    agreement.require_take_back_allowed(live.doc, who.id)
    if not 0 <= command.to < match.seq or command.to not in match.line:
        raise Refused("no_step", seq=command.to)
    if not agreement.is_alone(live.doc, who.id) and reveals(match, command.to):
        raise Refused("revealed")
    return propose(live, who, Proposal(0, "take_back", command.seat, match.seq, command.to))


def ask_pause(live: LiveTable, guest: Guest | None, command: c.AskPause, now: int) -> Answer:
    by, match = live.require_seated(guest), live.require_running()
    return propose(live, live.require_owner(guest), Proposal(0, "pause", by, match.seq))


def ask_resume(live: LiveTable, guest: Guest | None, command: c.AskResume, now: int) -> Answer:
    by, match = live.require_seated(guest), live.require_race()
    if not match.paused:
        raise Refused("not_paused")
    return propose(live, live.require_owner(guest), Proposal(0, "resume", by, match.seq))


def abandon(live: LiveTable, guest: Guest | None, command: c.Abandon, now: int) -> Answer:
    by, match, who = live.require_seated(guest), live.require_race(), live.require_owner(guest)
    agreement.require_abandon_allowed(live.doc, live.out(), who.id)
    return propose(live, who, Proposal(0, "abandon", by, match.seq))


# ---------------------------------------------------------------- giving up


def resign(live: LiveTable, guest: Guest | None, command: c.Resign, now: int) -> Answer:
    live.require_mine(guest, command.seat)
    live.require_race().resign(command.seat)
    _go_on_without(live, command.seat)
    return {}


def _go_on_without(live: LiveTable, seat: int) -> None:
    """The race goes on, so somebody must choose for the seat."""
    assert live.match is not None
    if not live.match.over:
        live.let_bot_sit(seat, live.stand_in())


def is_late(live: LiveTable, now: int) -> bool:
    """Whether somebody is out of time."""
    return live.doc.state == RACING and bool(out_of_time(live.doc, now))


def time_out(live: LiveTable, now: int) -> None:
    """What happens to those who are out of time."""
    late = out_of_time(live.doc, now) if live.doc.state == RACING else []
    for seat in late:
        assert live.match is not None
        if live.match.over:
            break
        live.match.set_clock({seat: 0})
        stop_clock(live.doc, seat, now)
        if live.doc.settings.on_timeout in LEVELS:
            live.let_bot_sit(seat, live.doc.settings.on_timeout)
        else:
            live.match.forfeit(seat, "time")
            _go_on_without(live, seat)


# ---------------------------------------------------------------- after every command


def settle(live: LiveTable, now: int) -> None:
    """What follows from new entries: clocks, proposals that are out of date, the end."""
    doc, match = live.doc, live.match
    if match is None:
        return
    for seq in range(live.stored + 1, match.seq + 1):
        entry = match.log[seq]
        live.times.append(now)
        doc.last_at = now
        if isinstance(entry, Choices):
            add_increment(doc, list(entry.choices))
            new_turn(doc)
            doc.waiting_since = {seat: at for seat, at in doc.waiting_since.items() if seat not in entry.choices}
    if match.over and doc.state == RACING:
        doc.state, doc.ending = OVER, record_of(match).result
    drop_outdated(doc, match.seq)
    doc.pending = {seat: live.game.describe(action) for seat, action in sorted(match.pending.items())}
    doc.seats_to_act = list(match.to_act()) if doc.state == RACING else []
    _note_waiting(doc, match, now)
    run_clocks(doc, match, now)


def _note_waiting(doc: TableDocument, match: Match, now: int) -> None:
    """Since when persons owe a choice; who owes none, or a new one, is notified anew."""
    waiting = match.waiting_for() if doc.state == RACING else ()
    before = doc.waiting_since
    doc.waiting_since = {seat: before.get(seat, now) for seat in waiting if doc.seats[seat].kind == PERSON}
    doc.notified = [seat for seat in doc.notified if seat in before and seat in doc.waiting_since]


def unnotified(doc: TableDocument, before: int) -> list[int]:
    """Persons who have owed a choice since before a time and were not notified yet."""
    return [seat for seat, since in doc.waiting_since.items() if since <= before and seat not in doc.notified]


def mark_notified(doc: TableDocument, before: int) -> list[int]:
    """Note that these persons are notified now."""
    seats = unnotified(doc, before)
    doc.notified = sorted({*doc.notified, *seats})
    return seats
