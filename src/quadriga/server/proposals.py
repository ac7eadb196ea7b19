"""Proposals: what somebody wants that others must agree to, and what is done once they have."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from quadriga.server import agreement
from quadriga.server import commands as c
from quadriga.server.documents import ABANDONED, PERSON, RACING, Proposal, TableDocument
from quadriga.server.guests import Guest
from quadriga.server.live import LiveTable
from quadriga.server.refused import Refused

Answer = dict[str, Any]


def propose(live: LiveTable, guest: Guest, wanted: Proposal) -> Answer:
    """Do it if nobody else need agree, else ask the others; asking the same twice is agreeing to it."""
    live.require_race()
    for known in live.doc.proposals:
        if _same(known, wanted):
            return _vote(live, guest, known)
    live.doc.proposed += 1
    proposal = replace(wanted, proposal=live.doc.proposed)
    live.doc.proposals.append(proposal)
    return _vote(live, guest, proposal)


def _same(one: Proposal, other: Proposal) -> bool:
    return (one.what, one.to, one.seat, one.level) == (other.what, other.to, other.seat, other.level)


def agree(live: LiveTable, guest: Guest | None, command: c.Agree, now: int) -> Answer:
    """Answer a proposal; only a no of somebody who is asked ends it."""
    who = live.require_owner(guest)
    live.require_race()
    for proposal in live.doc.proposals:
        if proposal.proposal == command.proposal:
            if command.yes:
                return _vote(live, who, proposal)
            if not _asked(live, who, proposal):
                raise Refused("not_asked")
            live.doc.proposals.remove(proposal)
            return {"agreed": False}
    raise Refused("no_proposal")


def _vote(live: LiveTable, guest: Guest, proposal: Proposal) -> Answer:
    proposal.yes = sorted({*proposal.yes, *_asked(live, guest, proposal)})
    if waiting(live, proposal):
        return {"proposal": proposal.proposal, "agreed": None}
    live.doc.proposals.remove(proposal)
    CARRIED[proposal.what](live, proposal)
    return {"proposal": proposal.proposal, "agreed": True}


def _asked(live: LiveTable, guest: Guest, proposal: Proposal) -> list[int]:
    """The seats for which a guest may answer."""
    asked = agreement.seats_asked(live.doc, live.out(), proposal)
    return [seat for seat in asked if live.doc.seats[seat].guest == guest.id]


def waiting(live: LiveTable, proposal: Proposal) -> list[int]:
    """The seats that have not agreed yet."""
    asked = agreement.seats_asked(live.doc, live.out(), proposal)
    return [seat for seat in asked if seat not in proposal.yes]


def drop_outdated(doc: TableDocument, seq: int) -> None:
    """Proposals end with the race, take-backs with the next entry, and removals when their seat has changed hands."""
    doc.proposals = [p for p in doc.proposals if doc.state == RACING and _is_current(doc, p, seq)]


def _is_current(doc: TableDocument, proposal: Proposal, seq: int) -> bool:
    if proposal.what == "take_back":
        return proposal.seq == seq
    if proposal.seat is None:
        return True
    seat = doc.seats[proposal.seat]
    return seat.kind == PERSON if proposal.what == "replace" else seat.guest is not None


def _take_back(live: LiveTable, proposal: Proposal) -> None:
    assert proposal.to is not None
    live.require_running().take_back(proposal.to)


def _abandon(live: LiveTable, proposal: Proposal) -> None:
    live.doc.state = ABANDONED


def _replace(live: LiveTable, proposal: Proposal) -> None:
    assert proposal.seat is not None
    assert proposal.level is not None
    live.let_bot_sit(proposal.seat, proposal.level)


def _kick(live: LiveTable, proposal: Proposal) -> None:
    assert proposal.seat is not None
    live.send_away(proposal.seat)


CARRIED: dict[str, Callable[[LiveTable, Proposal], None]] = {
    "take_back": _take_back,
    "pause": lambda live, proposal: live.require_running().pause(),
    "resume": lambda live, proposal: live.require_race().resume(),
    "abandon": _abandon,
    "replace": _replace,
    "kick": _kick,
}
