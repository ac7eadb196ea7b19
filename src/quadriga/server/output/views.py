"""Views: everything a client gets of a table or a race is built here, field by field, for one seat.

A seat gets what `Game.view` writes for it, the events it may know of, its own choices, and who has chosen.
The state, other seats' choices, tokens, seeds and guests' ids are never sent.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from quadriga import games
from quadriga.core import codec
from quadriga.core.exercise import Attempt
from quadriga.core.game import Game, Result
from quadriga.core.match import HIDDEN, Choices, hidden
from quadriga.core.messages import Action
from quadriga.core.scenario import Played
from quadriga.core.streams import commitment
from quadriga.core.text import LANGUAGES
from quadriga.server.output.game_description import describe_edition
from quadriga.server.tables.document import OPEN, OVER, PERSON, RACING, STOPPED, TableDocument
from quadriga.server.tables.proposals import waiting
from quadriga.server.tables.table import LiveTable, LoggedStep

Json = dict[str, Any]
MOST_GAMES = 8
"""Games whose writers are kept: the standard ones, and a few with an edition of their own."""
encode = msgspec.json.Encoder().encode


@dataclass(frozen=True)
class Position:
    """A race at some moment, as views need it."""

    game: Game
    seq: int
    state: Any
    result: Result | None
    to_act: tuple[int, ...]
    pending: dict[int, Action]
    paused: bool
    clock: Json | None

    @cached_property
    def shared(self) -> bytes:
        """What all views of this moment have in common, as JSON."""
        return encode(_shared(self))

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Each seat's place, the same for whoever looks."""
        return self.game.places(self.state) if self.result is None else self.result.places


def position(live: LiveTable, now: int) -> Position:
    """Where the race stands."""
    match = live.match
    assert match is not None
    to_act = match.to_act() if live.doc.state == RACING else ()
    result, shown = match.result(), clock(live.doc, now)
    return Position(live.game, match.seq, match.state, result, to_act, match.pending, match.paused, shown)


def past(live: LiveTable, seq: int, state: Any) -> Position:
    """Where the race stood after an entry."""
    game = live.game
    return Position(game, seq, state, game.result(state), game.to_act(state), {}, False, None)


# ---------------------------------------------------------------- a race


def view(live: LiveTable, at: Position, seat: int | None, steps: list[LoggedStep], after: int) -> Json:
    """The race as a seat (None: a spectator) may see it."""
    return _shared(at) | _own(live.doc.id, at, seat, steps, after) | {"legal": legal(live.game, at, seat)}


def view_message(
    live: LiveTable, at: Position, seat: int | None, steps: list[LoggedStep], after: int, as_codes: bool
) -> bytes:
    """The message `view`; its choices as codes or in full."""
    choices: Json = {"codes": codes(live.game, at, seat)} if as_codes else {"legal": legal(live.game, at, seat)}
    own = {"type": "view"} | _own(live.doc.id, at, seat, steps, after) | choices
    return encode(own)[:-1] + b"," + at.shared[1:]


def _shared(at: Position) -> Json:
    return {
        "seq": at.seq,
        "to_act": at.to_act,
        "chosen": sorted(at.pending),
        "places": at.places,
        "result": result(at.result),
        "paused": at.paused,
        "clock": at.clock,
    }


def _own(table: str, at: Position, seat: int | None, steps: list[LoggedStep], after: int) -> Json:
    game = at.game
    choice = at.pending.get(seat) if seat is not None else None
    return {
        "table": table,
        "seat": seat,
        "after": after,
        "steps": [step(game, one, seat) for one in steps],
        "view": msgspec.Raw(_write_view(game, game.view(at.state, seat))),
        "choice": choice and codec.message_to_json(choice, game.names),
    }


def _write_view(game: Game, view: Any) -> bytes:
    """A view as JSON; with the board as text in every language for a game of which the page has no drawings."""
    written = _view_writer(game).write(view)
    if game.meta.drawn:
        return written
    boards = {language: game.draw(view, language) for language in LANGUAGES}
    return written[:-1] + b',"text_board":' + encode(boards) + b"}"


@lru_cache(maxsize=MOST_GAMES)
def _view_writer(game: Game) -> codec.RecordWriter:
    return codec.RecordWriter(game.definition.view, game.names)


def step(game: Game, one: LoggedStep, seat: int | None) -> msgspec.Raw:
    """One entry of the log with its events, as a seat may know them; spectators and all the rest know the same."""
    knower = seat if seat in one.concerned else None
    if knower not in one.written:
        one.written[knower] = msgspec.Raw(encode(_step(game, one, knower)))
    return one.written[knower]


def _step(game: Game, one: LoggedStep, seat: int | None) -> Json:
    entry = msgspec.to_builtins(hidden(one.entry, seat), str_keys=True)
    del entry["hash"]
    if not one.told:
        one.told.extend(msgspec.Raw(encode(codec.message_to_json(told.event, game.names))) for told in one.events)
    events = zip(one.events, one.told, strict=True)
    return {
        "seq": one.seq,
        "at": one.at,
        "entry": entry,
        "events": [written for told, written in events if told.audience is None or told.audience == seat],
    }


def choices_known(game: Game, one: LoggedStep, seat: int | None, is_over: bool) -> Json:
    """Who chose what in an entry: a seat's own choice, or everybody's once the race is over."""
    entry = one.entry if is_over else hidden(one.entry, seat)
    if not isinstance(entry, Choices):
        return {}
    known = {number: text for number, text in entry.choices.items() if text != HIDDEN}
    return {str(number): codec.message_to_json(game.parse(text), game.names) for number, text in known.items()}


def legal(game: Game, at: Position, seat: int | None) -> msgspec.Raw:
    """The seat's choices."""
    written = _written_actions(game)
    return msgspec.Raw(b"[" + b",".join([written[code] for code in _codes(game, at, seat)]) + b"]")


def codes(game: Game, at: Position, seat: int | None) -> str:
    """The seat's choices as codes in hexadecimal digits, with spaces between them."""
    return " ".join([f"{code:x}" for code in _codes(game, at, seat)])


def _codes(game: Game, at: Position, seat: int | None) -> list[int]:
    return game.legal_codes(at.state, seat).tolist() if seat is not None and seat in at.to_act else []


MOST_WRITTEN = 50_000
"""Actions of a game whose JSON is kept."""


@lru_cache(maxsize=MOST_GAMES)
def _written_actions(game: Game) -> codec.Written[int]:
    """Actions by their codes."""
    return codec.Written(MOST_WRITTEN, codec.ActionWriter(game.definition.actions, game.names).write)


def chosen(live: LiveTable, at: Position, seat: int | None) -> Json:
    """Who has chosen, when nothing else changed."""
    choice = at.pending.get(seat) if seat is not None else None
    return {
        "table": live.doc.id,
        "seat": seat,
        "seq": at.seq,
        "chosen": sorted(at.pending),
        "choice": choice and codec.message_to_json(choice, live.game.names),
        "clock": at.clock,
    }


def result(ended: Result | None) -> Json | None:
    """Places, winner and reason."""
    return None if ended is None else {"places": ended.places, "winner": ended.winner, "reason": ended.reason}


def clock(doc: TableDocument, now: int) -> Json | None:
    """What everybody has left."""
    if doc.settings.clock.kind == "none":
        return None
    left = {str(seat): max(0, ms - (now - doc.since.get(seat, now))) for seat, ms in sorted(doc.left_ms.items())}
    return {"now": now, "left": left, "running": sorted(doc.since), "since": now}


# ---------------------------------------------------------------- an exercise


def practice_view(attempt: Attempt, table: str, after: int) -> Json:
    """An exercise as its learner may see it: what a table would send to that seat, with the steps since `after`."""
    game, seat, state = attempt.game, attempt.seat, attempt.state
    is_asked = not attempt.is_done and seat in game.to_act(state)
    to_act = (seat,) if is_asked else ()  # nobody waits for rivals: what they choose is written in the exercise
    at = Position(game, attempt.seq, state, game.result(state), to_act, {}, False, None)
    numbered = list(enumerate(attempt.played, 1))[max(after, 0) :]
    steps = [LoggedStep(seq, 0, _played_entry(game, one), one.events) for seq, one in numbered]
    view = _shared(at) | _own(table, at, seat, steps, after) | {"legal": legal(game, at, seat)}
    return view | {"preview": game.preview(game.view(state, seat), seat) if is_asked else {}}


def _played_entry(game: Game, one: Played) -> Choices:
    return Choices(choices={seat: game.describe(action) for seat, action in one.choices.items()})


def practice_table(attempt: Attempt, table: str, rival: str) -> Json:
    """The table of an exercise: the learner at one seat, bots of the level `rival` at the others."""
    seats = range(attempt.scenario.seats)
    kinds = [PERSON if seat == attempt.seat else rival for seat in seats]
    return {
        "id": table,
        "game": attempt.game.meta.name,
        "state": RACING,
        "my_seats": [attempt.seat],
        "seats": [_practice_seat(seat, kind) for seat, kind in enumerate(kinds)],
        "options": dict(attempt.scenario.options),
    }


def _practice_seat(seat: int, kind: str) -> Json:
    fixed = {"name": "", "colour": "", "muted": False, "left": None, "owner_away": False}
    return {"seat": seat, "kind": kind, "mine": kind == PERSON} | fixed


# ---------------------------------------------------------------- a table


def table(live: LiveTable, guest: str | None) -> Json:
    """A table as a guest may see it."""
    doc = live.doc
    shown = {
        "id": doc.id,
        "revision": live.revision,
        "game": doc.game,
        "rules_version": doc.rules_version,
        "state": doc.state,
        "stopped": stopped(live),
        "host": next((i for i, seat in enumerate(doc.seats) if seat.guest == doc.host), None),
        "host_name": doc.host_name,
        "i_am_host": guest == doc.host,
        "my_seats": doc.seats_of(guest),
        "commitment": commitment(bytes.fromhex(doc.seed)),
        "nonces": len(doc.nonces) if doc.state != OPEN else sum(bool(seat.nonce) for seat in doc.seats),
        "seats": seats(live, guest),
        "options": doc.options,
        "edition": describe_edition(live.game),
        "created": doc.created,
        "changed": doc.changed,
        "next": doc.next,
        "from_record": doc.from_record,
        "coached": doc.coached if guest and any(seat.guest == guest for seat in doc.seats) else None,
        "proposals": proposals(live),
    }
    return shown | {name: getattr(doc.settings, name) for name in SETTINGS}


SETTINGS = (
    "listed", "clock", "on_timeout", "take_back", "pace_ms", "confirm", "chat", "hints", "watchers", "watch_delay_s",
)  # fmt: skip
"""What a table shows of its settings: all of them, but by name, so that a secret one would not slip through."""


def seats(live: LiveTable, guest: str | None) -> list[Json]:
    """Who sits where."""
    left = {gone.seat: gone.reason for gone in live.match.left} if live.match else {}
    colours = live.doc.colours + [""] * len(live.doc.seats)
    return [
        {
            "seat": i,
            "kind": seat.kind,
            "name": seat.name,
            "colour": colours[i],
            "muted": seat.guest in live.doc.muted,
            "left": left.get(i),
            "owner_away": seat.guest is not None and seat.kind != PERSON and i not in left,
            "mine": guest is not None and seat.guest == guest,
        }
        for i, seat in enumerate(live.doc.seats)
    ]


def proposals(live: LiveTable) -> list[Json]:
    """What persons are asked to agree to."""
    return [
        {"proposal": p.proposal, "what": p.what, "by": p.by, "to": p.to, "seat": p.seat, "level": p.level}
        | {"yes": p.yes, "waiting": waiting(live, p)}
        for p in live.doc.proposals
    ]


def stopped(live: LiveTable) -> Json | None:
    """Why the race cannot go on."""
    if live.doc.state != STOPPED:
        return None
    return {
        "code": "rules_changed",
        "params": {"made": live.doc.rules_version, "now": live.game.meta.rules_version},
    }


def card(doc: TableDocument, guest: str | None) -> Json:
    """A table in a list."""
    mine, state = doc.seats_of(guest), current_state(doc)
    return {
        "id": doc.id,
        "game": doc.game,
        "state": state,
        "host": doc.host_name,
        "seats": [{"seat": i, "kind": seat.kind, "name": seat.name} for i, seat in enumerate(doc.seats)],
        "options": doc.options,
        "edition": {"standard": doc.standard, "fingerprint": doc.fingerprint},
        "clock": doc.settings.clock,
        "listed": doc.settings.listed,
        "created": doc.created,
        "changed": doc.changed,
        "my_seats": mine,
        "my_turn": state == RACING and any(seat in doc.seats_to_act and seat not in doc.pending for seat in mine),
    }


def race_card(doc: TableDocument, guest: str) -> Json:
    """A race in the list of a guest: the card of its table, and how it ended for them."""
    held = [i for i, seat in enumerate(doc.seats) if seat.guest == guest]
    ending = doc.ending if doc.state == OVER else None
    return card(doc, guest) | {
        "held_seats": held,
        "result": ending,
        "my_places": [ending.places[i] for i in held] if ending else [],
        "from_record": doc.from_record,
    }


def current_state(doc: TableDocument) -> str:
    """The state of a table that was not opened: a race of other rules than those of today does not go on."""
    if doc.state != RACING or doc.game not in games.NAMES:
        return doc.state
    return RACING if doc.rules_version == games.meta(doc.game).rules_version else STOPPED
