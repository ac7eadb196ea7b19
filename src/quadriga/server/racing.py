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
from quadriga.server import commands as c
from quadriga.server import lobby
from quadriga.server.clocks import add_increment, new_turn, out_of_time, run_clocks, stop_clock
from quadriga.server.documents import ABANDONED, OVER, PERSON, RACING, Proposal, TableDocument
from quadriga.server.guests import Guest
from quadriga.server.live import LiveTable
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
    live.require_mine(guest, command.seat)
    match = live.require_running()
    others = len(live.doc.people()) > 1
    if others and live.doc.settings.take_back == "never":
        raise Refused("no_take_back")
    if not 0 <= command.to < match.seq or command.to not in match.line:
        raise Refused("no_step", seq=command.to)
    if others and reveals(match, command.to):
        raise Refused("revealed")
    return propose(live, guest, "take_back", now, command.to)


def ask_pause(live: LiveTable, guest: Guest | None, command: c.AskPause, now: int) -> Answer:
    live.require_seated(guest)
    live.require_running()
    return propose(live, guest, "pause", now)


def ask_resume(live: LiveTable, guest: Guest | None, command: c.AskResume, now: int) -> Answer:
    live.require_seated(guest)
    if not live.require_race().paused:
        raise Refused("not_paused")
    return propose(live, guest, "resume", now)


def abandon(live: LiveTable, guest: Guest | None, command: c.Abandon, now: int) -> Answer:
    live.require_seated(guest)
    live.require_race()
    return propose(live, guest, "abandon", now)


def propose(live: LiveTable, guest: Guest | None, what: Any, now: int, to: int | None = None) -> Answer:
    """Do it if nobody else need agree, else ask the others; asking the same twice is agreeing to it."""
    by, match = live.require_seated(guest), live.require_race()
    same = [p for p in live.doc.proposals if (p.what, p.to) == (what, to)]
    if same:
        return _vote(live, guest, same[0], now)
    live.doc.proposed += 1
    proposal = Proposal(live.doc.proposed, what, by, match.seq, to)
    live.doc.proposals.append(proposal)
    return _vote(live, guest, proposal, now)


def agree(live: LiveTable, guest: Guest | None, command: c.Agree, now: int) -> Answer:
    live.require_seated(guest)
    live.require_race()
    for proposal in live.doc.proposals:
        if proposal.proposal == command.proposal:
            if command.yes:
                return _vote(live, guest, proposal, now)
            live.doc.proposals.remove(proposal)
            return {"agreed": False}
    raise Refused("no_proposal")


def _vote(live: LiveTable, guest: Guest | None, proposal: Proposal, now: int) -> Answer:
    mine = live.doc.seats_of(guest.id if guest else None)
    proposal.yes = sorted({*proposal.yes, *mine})
    if waiting(live, proposal):
        return {"proposal": proposal.proposal, "agreed": None}
    live.doc.proposals.remove(proposal)
    CARRIED[proposal.what](live, proposal)
    return {"proposal": proposal.proposal, "agreed": True}


def waiting(live: LiveTable, proposal: Proposal) -> list[int]:
    """The seats of persons who have not agreed yet. A pause without a clock needs nobody's word."""
    if proposal.what in ("pause", "resume") and live.doc.settings.clock.kind == "none":
        return []
    return [i for i, seat in enumerate(live.doc.seats) if seat.kind == PERSON and i not in proposal.yes]


def _take_back(live: LiveTable, proposal: Proposal) -> None:
    assert proposal.to is not None
    live.require_running().take_back(proposal.to)


def _abandon(live: LiveTable, proposal: Proposal) -> None:
    live.doc.state = ABANDONED


CARRIED: dict[str, Callable[[LiveTable, Proposal], None]] = {
    "take_back": _take_back,
    "pause": lambda live, proposal: live.require_running().pause(),
    "resume": lambda live, proposal: live.require_race().resume(),
    "abandon": _abandon,
}


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
    if doc.state != RACING:
        doc.proposals = []
    doc.proposals = [p for p in doc.proposals if p.what != "take_back" or p.seq == match.seq]
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
