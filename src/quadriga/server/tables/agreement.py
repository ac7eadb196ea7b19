"""Who must agree to what in a race: replacing or kicking somebody, taking back, pausing, abandoning.

What counts is who took part, not who sits there now: nobody becomes alone by removing others. A seat has a vote while
it belongs to a guest, was not left and has neither resigned nor forfeited. A bot that sits in takes no vote away.
"""

from quadriga.server.errors import Refused
from quadriga.server.tables.document import PERSON, Proposal, TableDocument

AWAY_MS = 120_000
"""Who has not been seen for so long is away."""


def is_alone(doc: TableDocument, guest: str) -> bool:
    """Whether no other person ever took part in the race."""
    return doc.took_part() <= {guest}


def voting_seats(doc: TableDocument, out: set[int]) -> list[int]:
    """Seats whose persons vote; `out` are the seats that resigned or forfeited."""
    return [i for i, seat in enumerate(doc.seats) if seat.guest and not seat.was_left and i not in out]


def seats_asked(doc: TableDocument, out: set[int], proposal: Proposal) -> list[int]:
    """The seats that must agree to a proposal. A pause needs no agreement where there is no clock."""
    if proposal.what in ("pause", "resume"):
        return [] if doc.settings.clock.kind == "none" else [i for i, s in enumerate(doc.seats) if s.kind == PERSON]
    if proposal.seat is None:
        return voting_seats(doc, out)
    target = doc.seats[proposal.seat].guest
    return [i for i in voting_seats(doc, out) if doc.seats[i].guest != target]


def is_away(doc: TableDocument, guest: str, seen: int, now: int) -> bool:
    """Whether bots sit at all seats of a guest, or the guest has not been seen for long."""
    return not doc.seats_of(guest) or now - seen >= AWAY_MS


def may_remove_alone(doc: TableDocument, host: str, target: str, seen: int, now: int) -> bool:
    """Whether the host may replace or kick a guest in a race without asking anybody."""
    return target == host or is_away(doc, target, seen, now)


def require_others_to_ask(doc: TableDocument, out: set[int], host: str, number: int) -> None:
    """Refuse to remove a present person where nobody but the host could agree to it."""
    others = {doc.seats[i].guest for i in voting_seats(doc, out)} - {host, doc.seats[number].guest}
    if not others:
        raise Refused("present", seat=number)


def require_take_back_allowed(doc: TableDocument, guest: str) -> None:
    """Refuse take-backs among people where the table has none."""
    if not is_alone(doc, guest) and doc.settings.take_back == "never":
        raise Refused("no_take_back")


def require_abandon_allowed(doc: TableDocument, out: set[int], guest: str) -> None:
    """Refuse one person alone to end a race without a result from which somebody was kicked."""
    voters = {doc.seats[i].guest for i in voting_seats(doc, out)}
    if voters <= {guest} and any(one.kicked for one in doc.participants):
        raise Refused("others_played")
