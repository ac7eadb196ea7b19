"""A table in memory: its document, its game and its match, and what every command must ask first."""

import asyncio
import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from quadriga.bots import LEVELS
from quadriga.core import codec
from quadriga.core.errors import InvalidAction
from quadriga.core.game import Game, Told
from quadriga.core.match import AnyEntry, Choices, Match, Sitter
from quadriga.core.messages import Action
from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.tables.document import OPEN, OVER, PERSON, RACING, STOPPED, Seat, TableDocument

SIMPLEST = next(iter(LEVELS))
CODE = "#"
"""Stands before the code of an action."""
HEX = re.compile("[0-9a-f]{1,16}")
MOST_ACTIONS = 10_000
"""Actions that are kept by their codes."""


@dataclass(frozen=True)
class LoggedStep:
    """An entry with its time and its events, whoever may know of them."""

    seq: int
    at: int
    entry: AnyEntry
    events: tuple[Told, ...]
    written: dict[int | None, msgspec.Raw] = field(default_factory=dict)
    """As seats may know it, None for all whom no part of it concerns alone."""
    told: list[msgspec.Raw] = field(default_factory=list)
    """The events as JSON."""

    @cached_property
    def concerned(self) -> set[int | None]:
        """The seats that chose, and those that were told something alone."""
        chose = self.entry.choices if isinstance(self.entry, Choices) else ()
        return {*chose, *(told.audience for told in self.events)}


@dataclass
class Advice:
    """What the coach said of the choices of one decision, in the order in which they were asked about."""

    seq: int
    costs: dict[str, float] = field(default_factory=dict)
    """The cost of each choice, in notation; 0 where none better was found."""
    warned: set[str] = field(default_factory=set)


@dataclass(eq=False)
class LiveTable:
    """A table that this process has in memory, as it was at `revision`."""

    doc: TableDocument
    edition: str | None
    game: Game
    match: Match | None = None
    revision: int = 0
    times: list[int] = field(default_factory=list)
    """When each entry was made."""
    created: list[TableDocument] = field(default_factory=list)
    """Tables to be made in the same transaction: a rematch."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    chat_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    stored: int = -1
    """The last entry in the database."""
    written: bytes = b""
    """The document as it lies there."""
    opened: int = 0
    """When it came into memory."""
    seen: dict[str, int] = field(default_factory=dict)
    """When guests last did something here or had the table on a screen."""
    told: dict[str, int] = field(default_factory=dict)
    """When other nodes were last told that guests did something here."""
    advice: dict[int, Advice] = field(default_factory=dict)
    """What the coach said of choices that seats have not made yet."""

    def note_seen(self, guest: Guest | None, now: int) -> None:
        """Somebody does something here."""
        if guest:
            self.seen[guest.id] = now

    def mark_written(self, document: bytes) -> None:
        """Note that everything in memory is now in the database."""
        self.revision += 1
        self.stored = self.match.seq if self.match else -1
        self.written, self.created = document, []

    # ------------------------------------------------------------ who may

    def seat(self, number: int) -> Seat:
        """A seat, or a refusal."""
        if number >= len(self.doc.seats):
            raise Refused("no_seat", seat=number)
        return self.doc.seats[number]

    def require_host(self, guest: Guest | None) -> Guest:
        """Refuse everybody but the host."""
        if guest is None or guest.id != self.doc.host:
            raise Refused("not_host")
        return guest

    def require_mine(self, guest: Guest | None, number: int) -> Seat:
        """Refuse everybody but the person who plays a seat."""
        seat = self.seat(number)
        if guest is None or seat.guest != guest.id or seat.kind != PERSON:
            raise Refused("not_yours", seat=number)
        return seat

    def require_seated(self, guest: Guest | None) -> int:
        """Refuse those who play no seat; the first seat of those who do."""
        seats = self.doc.seats_of(guest.id if guest else None)
        if not seats:
            raise Refused("not_seated")
        return seats[0]

    def require_owner(self, guest: Guest | None) -> Guest:
        """Refuse those who hold no seat; a bot may sit in for them."""
        if guest is None or all(seat.guest != guest.id for seat in self.doc.seats):
            raise Refused("not_seated")
        return guest

    def last_seen(self, guest: str) -> int:
        """When a guest was last here, as far as this process knows."""
        return max(self.opened, self.seen.get(guest, 0))

    # ------------------------------------------------------------ when

    def require_open(self) -> None:
        """Refuse what is only done before the start."""
        self.require_not_stopped()
        if self.doc.state != OPEN:
            raise Refused("not_open")

    def require_race(self) -> Match:
        """The race, if there is one that goes on."""
        self.require_not_stopped()
        if self.doc.state == OVER:
            raise Refused("race_over")
        if self.match is None or self.doc.state != RACING:
            raise Refused("not_racing")
        return self.match

    def require_running(self) -> Match:
        """The race, if it goes on and is not paused."""
        match = self.require_race()
        if match.paused:
            raise Refused("paused")
        return match

    def require_not_stopped(self) -> None:
        """Refuse everything at a table of other rules."""
        if self.doc.state == STOPPED:
            raise Refused("stopped", made=self.doc.rules_version, now=self.game.meta.rules_version)

    def out(self) -> set[int]:
        """Seats that resigned or forfeited."""
        return {gone.seat for gone in self.match.left} if self.match else set()

    # ------------------------------------------------------------ bots

    def bots_waiting(self) -> list[int]:
        """Bots that owe a choice."""
        if self.match is None or self.doc.state != RACING:
            return []
        return [seat for seat in self.match.waiting_for() if self.doc.seats[seat].kind != PERSON]

    def stand_in(self) -> str:
        """The level that sits in for a person."""
        return self.doc.settings.on_timeout if self.doc.settings.on_timeout in LEVELS else SIMPLEST

    def let_bot_sit(self, number: int, level: str) -> None:
        """A bot goes on at a seat of the race; its person, if any, may come back."""
        assert self.match is not None
        seat = self.doc.seats[number]
        seat.kind, seat.name = level, bot_name(level, number)
        self.match.change_seat(number, Sitter(seat.name, level))

    def send_away(self, number: int) -> None:
        """The guest of a seat loses all seats for good; in a race bots go on there."""
        guest = self.doc.seats[number].guest
        assert guest is not None
        self.doc.banned.append(guest)
        for i, seat in enumerate(self.doc.seats):
            if seat.guest != guest:
                continue
            if self.doc.state == OPEN:
                self.doc.seats[i] = Seat(OPEN)
                continue
            self.doc.note_participant(guest, i, seat.name)
            seat.guest, seat.token, seat.was_left = None, "", False
            if seat.kind == PERSON:
                self.let_bot_sit(i, self.stand_in())
        for one in self.doc.participants:
            one.kicked = one.kicked or one.guest == guest

    def bot_seed(self, seat: int) -> int:
        """A bot's randomness: the same when the step is played again, and unknown before the end."""
        assert self.match is not None
        text = f"bot {seat} {self.match.seq} ".encode() + self.match.secret_seed()
        return int.from_bytes(hashlib.sha256(text).digest()[:8], "little")

    # ------------------------------------------------------------ choices

    def action(self, given: dict[str, Any] | str) -> Action:
        """The action a client means, or a refusal."""
        return read_action(self.game, given)


def read_action(game: Game, given: dict[str, Any] | str) -> Action:
    """The action a client means by a JSON object, a code or notation; or a refusal."""
    try:
        if isinstance(given, str):
            return action_of_code(game, given[1:]) if given.startswith(CODE) else game.parse(given)
        return codec.action_from_json(given, game.kinds, game.names)
    except InvalidAction as error:
        raise Refused("invalid_action", cause=str(error)) from None


@lru_cache(maxsize=MOST_ACTIONS)
def action_of_code(game: Game, digits: str) -> Action:
    """The action of a code, checked as one that came by name; InvalidAction if it stands for none."""
    if not HEX.fullmatch(digits):
        raise InvalidAction(f"{CODE}{digits[:20]} is no code")
    code = int(digits, 16)
    try:
        named = codec.message_to_json(game.unpack(code), game.names)
    except IndexError:  # a number that stands for nothing in this edition
        raise InvalidAction(f"{CODE}{digits} is no action's code") from None
    action = codec.action_from_json(named, game.kinds, game.names)
    if action.pack() != code:
        raise InvalidAction(f"{CODE}{digits} is no action's code")
    return action


def bot_name(level: str, seat: int) -> str:
    """What a bot is called at the table."""
    return f"{level} {seat + 1}"


def require_level(kind: str) -> str:
    """A bot's level that exists."""
    if kind not in LEVELS:
        raise Refused("invalid_option", cause=f"there is no bot {kind!r}; there are {', '.join(LEVELS)}")
    return kind
