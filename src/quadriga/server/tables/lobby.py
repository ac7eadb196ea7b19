"""What is done at a table around the race: seats, settings, start, kick, rematch.

Each function carries out one command on a table in memory or refuses it; whoever calls it stores the change.
"""

from typing import Any

from msgspec import UNSET, structs

from quadriga.bots import LEVELS
from quadriga.core.game import Game
from quadriga.core.match import Match, Sitter
from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.tables import agreement
from quadriga.server.tables import commands as c
from quadriga.server.tables.clocks import renew_if_out, start_clocks
from quadriga.server.tables.colours import settle_colours
from quadriga.server.tables.document import (
    ABANDONED,
    ME,
    MOST_NAME,
    OPEN,
    OVER,
    PERSON,
    RACING,
    NewTable,
    Proposal,
    Seat,
    TableDocument,
    TableSettings,
)
from quadriga.server.tables.proposals import propose
from quadriga.server.tables.table import LiveTable, bot_name, require_level
from quadriga.server.tokens import new_token, token_hash

Answer = dict[str, Any]
ANY_TIME = {"listed", "pace_ms", "chat", "watchers"}
"""Settings that may change while the race is on."""
FORFEIT = "forfeit"


def clean_name(name: str) -> str:
    """A name as it is kept, or a refusal."""
    name = name.strip()
    if not name or not name.isprintable() or len(name) > MOST_NAME:
        raise Refused("invalid_option", cause=f"a name has 1 to {MOST_NAME} printable letters")
    return name


# ---------------------------------------------------------------- new tables


def new_table(order: NewTable, game: Game, host: Guest, now: int) -> tuple[TableDocument, list[Answer]]:
    """A table as its host ordered it, and the tokens of the seats the host holds."""
    options = game.meta.settle(len(order.seats), order.options)
    settings = TableSettings(**{name: getattr(order, name) for name in TableSettings.__struct_fields__})
    _check_settings(settings)
    doc = TableDocument(
        game=order.game,
        rules_version=game.meta.rules_version,
        fingerprint=game.edition.fingerprint,
        standard=game.edition.standard,
        host=host.id,
        host_name=host.name,
        options=dict(options),
        settings=settings,
        seats=[Seat(OPEN) for _ in order.seats],
        colours=settle_colours([seat.colour for seat in order.seats]),
        created=now,
    )
    tokens = []
    for number, wanted in enumerate(order.seats):
        if wanted.kind == ME:
            tokens.append(seat_person(doc, number, host, wanted.name))
        elif wanted.kind != OPEN:
            seat_bot(doc, number, wanted.kind)
    return doc, tokens


def _check_settings(settings: TableSettings) -> None:
    if not settings.on_timeout:
        settings.on_timeout = next(iter(LEVELS))
    if settings.on_timeout != FORFEIT:
        require_level(settings.on_timeout)


def seat_person(doc: TableDocument, number: int, guest: Guest, name: str | None) -> Answer:
    """A guest sits down; the token of the seat is told once and kept as a hash."""
    token = new_token()
    doc.seats[number] = Seat(PERSON, clean_name(name or guest.name), guest.id, token_hash(token))
    return {"seat": number, "token": token}


def seat_bot(doc: TableDocument, number: int, level: str) -> None:
    """A bot sits down before the start."""
    doc.seats[number] = Seat(require_level(level), bot_name(level, number))


# ---------------------------------------------------------------- seats


def claim(live: LiveTable, guest: Guest | None, command: c.Claim, now: int) -> Answer:
    live.require_open()
    guest = _welcome(live, guest)
    number = _open_seat(live, command.seat)
    answer = seat_person(live.doc, number, guest, command.name)
    if command.nonce:
        live.doc.seats[number].nonce = _clean_nonce(command.nonce)
    return answer


def _welcome(live: LiveTable, guest: Guest | None) -> Guest:
    """Refuse those who may not sit here."""
    if guest is None:
        raise Refused("no_guest")
    if guest.id in live.doc.banned:
        raise Refused("kicked")
    return guest


def _open_seat(live: LiveTable, number: int | None) -> int:
    if number is not None:
        if live.seat(number).kind != OPEN:
            raise Refused("seat_taken", seat=number)
        return number
    free = [i for i, seat in enumerate(live.doc.seats) if seat.kind == OPEN]
    if not free:
        raise Refused("no_open_seat")
    return free[0]


def _clean_nonce(nonce: str) -> str:
    if not nonce.isprintable():
        raise Refused("invalid_option", cause="a nonce has 1 to 64 printable letters")
    return nonce


def sit(live: LiveTable, guest: Guest | None, command: c.Sit, now: int) -> Answer:
    live.require_not_stopped()
    guest, hashed = _welcome(live, guest), token_hash(command.token)
    for number, seat in enumerate(live.doc.seats):
        if seat.token and seat.token == hashed:
            if seat.guest and seat.guest != guest.id:
                _hand_over(live, number, guest)
            seat.guest = guest.id
            if seat.kind != PERSON:
                _sit_again(live, number, guest)
            return {"seat": number}
    raise Refused("not_yours", seat=-1)


def _hand_over(live: LiveTable, number: int, guest: Guest) -> None:
    """A seat gets another guest: what the one before agreed to no longer counts."""
    seat = live.doc.seats[number]
    assert seat.guest is not None
    if live.doc.state == OPEN:
        seat.name = clean_name(guest.name)
        return
    live.doc.note_participant(seat.guest, number, seat.name)
    live.doc.note_participant(guest.id, number, clean_name(guest.name))
    for proposal in live.doc.proposals:
        proposal.yes = [one for one in proposal.yes if one != number]


def set_nonce(live: LiveTable, guest: Guest | None, command: c.SetNonce, now: int) -> Answer:
    live.require_open()
    live.require_mine(guest, command.seat).nonce = _clean_nonce(command.nonce)
    return {}


def leave(live: LiveTable, guest: Guest | None, command: c.Leave, now: int) -> Answer:
    live.require_not_stopped()
    live.require_mine(guest, command.seat)
    if live.doc.state == OPEN:
        live.doc.seats[command.seat] = Seat(OPEN)
    else:
        live.require_race()
        live.let_bot_sit(command.seat, live.stand_in())
        live.doc.seats[command.seat].was_left = True
    return {}


def back(live: LiveTable, guest: Guest | None, command: c.Back, now: int) -> Answer:
    live.require_race()
    seat = live.seat(command.seat)
    if guest is None or seat.guest != guest.id:
        raise Refused("not_yours", seat=command.seat)
    if seat.kind == PERSON:
        raise Refused("not_away", seat=command.seat)
    _sit_again(live, command.seat, guest)
    return {}


def _sit_again(live: LiveTable, number: int, guest: Guest) -> None:
    match = live.require_race()
    if any(gone.seat == number for gone in match.left):
        raise Refused("not_away", seat=number)
    seat = live.doc.seats[number]
    seat.kind, seat.name, seat.was_left = PERSON, clean_name(guest.name), False
    match.change_seat(number, Sitter(seat.name))
    renew_if_out(live.doc, number)
    live.doc.note_participant(guest.id, number, seat.name)


def set_seat(live: LiveTable, guest: Guest | None, command: c.SetSeat, now: int) -> Answer:
    host = live.require_host(guest)
    seat = live.seat(command.seat)
    if live.doc.state != OPEN:
        return _replace(live, host, command, now)
    if seat.guest not in (None, host.id):
        raise Refused("seat_taken", seat=command.seat)
    if command.kind == ME:
        return seat_person(live.doc, command.seat, host, None)
    if command.kind == OPEN:
        live.doc.seats[command.seat] = Seat(OPEN)
    else:
        seat_bot(live.doc, command.seat, command.kind)
    return {}


def _replace(live: LiveTable, host: Guest, command: c.SetSeat, now: int) -> Answer:
    """A bot goes on for a bot, for the host, for a person who is away, or for one whom the others want replaced."""
    match, level, target = live.require_race(), require_level(command.kind), live.doc.seats[command.seat].guest
    is_person = live.doc.seats[command.seat].kind == PERSON
    if target is None or not is_person or _may_remove(live, host, target, now):
        live.let_bot_sit(command.seat, level)
        return {}
    agreement.require_others_to_ask(live.doc, live.out(), host.id, command.seat)
    return propose(live, host, Proposal(0, "replace", _seat_of(live, host), match.seq, None, command.seat, level))


def _may_remove(live: LiveTable, host: Guest, target: str, now: int) -> bool:
    return agreement.may_remove_alone(live.doc, host.id, target, live.last_seen(target), now)


def _seat_of(live: LiveTable, guest: Guest) -> int | None:
    return next((i for i, seat in enumerate(live.doc.seats) if seat.guest == guest.id), None)


def kick(live: LiveTable, guest: Guest | None, command: c.Kick, now: int) -> Answer:
    host = live.require_host(guest)
    live.require_not_stopped()
    seat = live.seat(command.seat)
    if seat.guest == host.id:
        raise Refused("host_stays")
    if seat.guest is None:
        raise Refused("no_seat", seat=command.seat)
    if live.doc.state != OPEN:
        match = live.require_race()
        if not _may_remove(live, host, seat.guest, now):
            agreement.require_others_to_ask(live.doc, live.out(), host.id, command.seat)
            return propose(live, host, Proposal(0, "kick", _seat_of(live, host), match.seq, None, command.seat))
    live.send_away(command.seat)
    return {}


def mute(live: LiveTable, guest: Guest | None, command: c.Mute, now: int) -> Answer:
    """Silence the guest who holds a seat, wherever they sit from then on."""
    live.require_host(guest)
    target = live.seat(command.seat).guest
    if target is None:
        raise Refused("no_seat", seat=command.seat)
    live.doc.muted = [one for one in live.doc.muted if one != target] + [target] * command.yes
    return {}


# ---------------------------------------------------------------- the table


def change_settings(live: LiveTable, guest: Guest | None, command: c.ChangeSettings, now: int) -> Answer:
    live.require_host(guest)
    live.require_not_stopped()
    given = {name: value for name, value in structs.asdict(command).items() if value is not UNSET}
    wanted = {name: value for name, value in given.items() if name not in ("id", "table")}
    if live.doc.state != OPEN and set(wanted) - ANY_TIME:
        raise Refused("not_open")
    if "options" in wanted:
        options = live.game.meta.settle(len(live.doc.seats), wanted.pop("options"))
        live.doc.options = dict(options)
    settings = structs.replace(live.doc.settings, **wanted)
    _check_settings(settings)
    live.doc.settings = settings
    return {}


def start(live: LiveTable, guest: Guest | None, command: c.Start, now: int) -> Answer:
    live.require_host(guest)
    live.require_open()
    for number, seat in enumerate(live.doc.seats):
        if seat.kind == OPEN:
            raise Refused("seats_open", seat=number)
    doc = live.doc
    doc.sitters = [Sitter(seat.name, seat.kind) for seat in doc.seats]
    doc.participants = []
    for number, seat in enumerate(doc.seats):
        if seat.guest:
            doc.note_participant(seat.guest, number, seat.name)
    doc.nonces = [seat.nonce for seat in doc.seats if seat.nonce]
    live.match = Match(live.game, doc.sitters, doc.options, bytes.fromhex(doc.seed), doc.nonces)
    doc.state = RACING
    start_clocks(doc)
    return {"seq": 0}


def rematch(live: LiveTable, guest: Guest | None, command: c.Rematch, now: int) -> Answer:
    doc = live.doc
    if guest is None or guest.id not in doc.owners():
        raise Refused("not_seated")
    if doc.state not in (OVER, ABANDONED) or doc.from_record:
        raise Refused("not_over")
    if doc.next is None:
        again = _again(live, now)
        doc.next = again.id
        live.created.append(again)
    return {"table": doc.next}


def _again(live: LiveTable, now: int) -> TableDocument:
    """The same table before the start: persons and bots where they sat when the race began."""
    doc = live.doc
    seats = []
    for number, sitter in enumerate(doc.sitters):
        guest = doc.seats[number].guest
        names = [one.name for one in doc.participants if (one.guest, one.seat) == (guest, number)]
        name = names[0] if names else sitter.name
        seats.append(Seat(sitter.kind, name, guest) if guest or sitter.kind != PERSON else Seat(OPEN))
    return doc.for_rematch(seats, live.game.meta.rules_version, now)
