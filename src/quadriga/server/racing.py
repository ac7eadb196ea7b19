"""What is done in a race: choices, take-backs, pauses, resignations, and what follows from them.

Each function carries out one command on a table in memory or refuses it; whoever calls it stores the change.
"""

from collections.abc import Callable
from typing import Any

from quadriga.bots import LEVELS
from quadriga.core import codec
from quadriga.core.game import AgainstTheRules
from quadriga.core.match import Choices, Match
from quadriga.core.messages import Action, Refusal
from quadriga.core.record import record_of
from quadriga.server import agreement, lobby
from quadriga.server import commands as c
from quadriga.server.clocks import add_increment, new_turn, out_of_time, run_clocks, stop_clock
from quadriga.server.documents import OVER, PERSON, RACING, Proposal, TableDocument
from quadriga.server.guests import Guest
from quadriga.server.live import LiveTable
from quadriga.server.proposals import agree, drop_outdated, propose
from quadriga.server.refused import Refused
from quadriga.server.revealing import reveals

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
    return {"seq": match.seq, "waiting": list(match.waiting_for())}


def make_choice(live: LiveTable, seat: int, action: Action, now: int) -> None:
    """A person's or a bot's choice, judged by the match."""
    try:
        live.require_running().choose(seat, action)
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


def time_out(live: LiveTable, now: int) -> bool:
    """What happens to those who are out of time; False if nobody is."""
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
    return bool(late)


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
            doc.owed = {seat: at for seat, at in doc.owed.items() if seat not in entry.choices}
    if match.over and doc.state == RACING:
        doc.state, doc.ending = OVER, record_of(match).result
    drop_outdated(doc, match.seq)
    doc.pending = {seat: live.game.describe(action) for seat, action in sorted(match.pending.items())}
    doc.owing = list(match.to_act()) if doc.state == RACING else []
    _note_owed(doc, match, now)
    run_clocks(doc, match, now)


def _note_owed(doc: TableDocument, match: Match, now: int) -> None:
    """Since when persons owe a choice; who owes none, or a new one, is to be told anew."""
    waiting = match.waiting_for() if doc.state == RACING else ()
    before = doc.owed
    doc.owed = {seat: before.get(seat, now) for seat in waiting if doc.seats[seat].kind == PERSON}
    doc.told = [seat for seat in doc.told if seat in before and seat in doc.owed]


def tell(doc: TableDocument, before: int) -> list[int]:
    """Persons who have owed a choice since before a time and were not told yet; from now on they were."""
    seats = [seat for seat, since in doc.owed.items() if since <= before and seat not in doc.told]
    doc.told = sorted({*doc.told, *seats})
    return seats


HANDLERS: dict[type[c.Command], Callable[..., Answer]] = {
    c.Claim: lobby.claim,
    c.Sit: lobby.sit,
    c.SetNonce: lobby.set_nonce,
    c.Leave: lobby.leave,
    c.Back: lobby.back,
    c.SetSeat: lobby.set_seat,
    c.ChangeSettings: lobby.change_settings,
    c.Start: lobby.start,
    c.Rematch: lobby.rematch,
    c.Kick: lobby.kick,
    c.Mute: lobby.mute,
    c.Choose: choose,
    c.Try: try_choice,
    c.Withdraw: withdraw,
    c.AskTakeBack: ask_take_back,
    c.AskPause: ask_pause,
    c.AskResume: ask_resume,
    c.Abandon: abandon,
    c.Agree: agree,
    c.Resign: resign,
}
