"""What is kept of a table besides its log, and what a host chooses for one."""

import secrets
from copy import copy
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from quadriga.core.bounds import MOST_TOML
from quadriga.core.match import Sitter
from quadriga.core.meta import OptionValue
from quadriga.core.record import Ending
from quadriga.core.streams import SEED_BYTES
from quadriga.server.tokens import new_id

OPEN, PERSON, ME = "open", "person", "me"
RACING, OVER, ABANDONED, STOPPED = "racing", "over", "abandoned", "stopped"
DAY_MS = 86_400_000
MOST_NAME = 40
NOBODY = "-"
"""Stands where a forgotten guest or their name stood."""

Milliseconds = Annotated[int, Meta(ge=0, le=14 * DAY_MS)]
Name = Annotated[str, Meta(min_length=1, max_length=MOST_NAME, pattern=r"^\S(.*\S)?$")]
Nonce = Annotated[str, Meta(min_length=1, max_length=64)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Colour = Literal["russata", "albata", "veneta", "prasina", "aurata", "purpurea"]
"""The factions of the circus."""


class Clock(Struct, frozen=True, forbid_unknown_fields=True):
    """How long seats may think: no limit, so long for each choice, or a bank with an increment."""

    kind: Literal["none", "move", "bank"] = "none"
    move_ms: Milliseconds = 60_000
    bank_ms: Milliseconds = 600_000
    increment_ms: Milliseconds = 5_000


class TableSettings(Struct, kw_only=True, forbid_unknown_fields=True):
    """What the host chooses besides the game."""

    listed: bool = False
    clock: Clock = Clock()
    on_timeout: str = ""
    take_back: Literal["ask", "never"] = "ask"
    pace_ms: Annotated[int, Meta(ge=0, le=60_000)] = 600
    confirm: bool = False
    chat: bool = True
    hints: Literal["alone", "all", "none"] = "alone"
    """Who may ask a bot: those who play against bots alone, everybody, nobody."""
    watchers: bool = True
    watch_delay_s: Annotated[int, Meta(ge=0, le=3600)] = 0


class WantedSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat of a new table: `me`, `open` or the level of a bot."""

    kind: Annotated[str, Meta(min_length=1, max_length=40)]
    name: Name | None = None
    colour: Colour | None = None


class NewTable(TableSettings, kw_only=True, forbid_unknown_fields=True):
    """A table as its host orders it."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[WantedSeat], Meta(min_length=1, max_length=16)]
    options: dict[str, OptionValue] = field(default_factory=dict)
    edition: Annotated[str, Meta(max_length=MOST_TOML)] | None = None


class Seat(Struct):
    """A seat: who sits there, and whose it is."""

    kind: str
    name: str = ""
    guest: str | None = None
    """The guest who holds it, also while a bot sits in."""
    token: str = ""
    """The hash of the token that takes the seat over."""
    nonce: str = ""
    was_left: bool = False
    """Its person left it in the race, and has no vote until they come back."""


class Participant(Struct):
    """A guest who sits or sat at a seat of the race, by the name that the log has there."""

    guest: str
    seat: int
    name: str
    kicked: bool = False


class Coached(Struct):
    """What came of the coach's warnings in a race."""

    looked: int = 0
    """Choices that the coach looked at before they were made."""
    warned: int = 0
    """Those of them that began with a costly one."""
    heeded: int = 0
    """Those in which a choice was made then that was not warned of."""
    saved: float = 0.0
    """What that was worth, in chances to win."""


class Proposal(Struct):
    """What somebody wants that others must agree to."""

    proposal: int
    what: Literal["take_back", "pause", "resume", "abandon", "replace", "kick"]
    by: int | None
    """A seat of whoever proposes; None for a host who plays no seat."""
    seq: int
    to: int | None = None
    """The entry that a take-back goes back to."""
    seat: int | None = None
    """Whom to replace or kick."""
    level: str | None = None
    """The bot that would sit there."""
    yes: list[int] = field(default_factory=list)


def draw_seed() -> str:
    """A new seed for the dice of a race, in hexadecimal digits."""
    return secrets.token_hex(SEED_BYTES)


KEPT_IN_A_REMATCH = (
    "game", "fingerprint", "standard", "host", "host_name", "options", "settings", "colours", "banned", "muted",
)  # fmt: skip


class TableDocument(Struct, kw_only=True):
    """A table without its log; secret: clients see only what `output/views.py` selects."""

    id: str = field(default_factory=new_id)
    game: str
    rules_version: int
    fingerprint: str
    standard: bool
    host: str
    host_name: str
    seed: str = field(default_factory=draw_seed)
    options: dict[str, OptionValue]
    settings: TableSettings
    seats: list[Seat]
    created: int
    changed: int = 0
    state: str = OPEN
    colours: list[str] = field(default_factory=list)
    """The colour of each seat; "" or missing for those that have none."""
    sitters: list[Sitter] = field(default_factory=list)
    """Who sat where when the race began."""
    nonces: list[str] = field(default_factory=list)
    pending: dict[int, str] = field(default_factory=dict)
    """Secret choices that wait for others, in notation."""
    proposals: list[Proposal] = field(default_factory=list)
    proposed: int = 0
    left_ms: dict[int, int] = field(default_factory=dict)
    """Clocks as they stood when they last stopped."""
    since: dict[int, int] = field(default_factory=dict)
    """When the clocks that run now began to."""
    seats_to_act: list[int] = field(default_factory=list, name="owing")
    """Seats that owe a choice, for lists of tables."""
    waiting_since: dict[int, int] = field(default_factory=dict, name="owed")
    """Persons who owe a choice, and since when."""
    notified: list[int] = field(default_factory=list, name="told")
    """Those of them who have been notified of it."""
    last_at: int = 0
    """When the last entry was made."""
    ending: Ending | None = None
    """How the race ended, for records of races whose rules are no longer played."""
    banned: list[str] = field(default_factory=list)
    participants: list[Participant] = field(default_factory=list, name="former")
    muted: list[str] = field(default_factory=list)
    """Guests whose chat nobody gets."""
    coached: Coached | None = None
    """What came of the coach's warnings; None where it was not asked."""
    next: str | None = None
    from_record: bool = False

    def __post_init__(self) -> None:
        self.changed = self.changed or self.created

    def for_rematch(self, seats: list[Seat], rules_version: int, now: int) -> "TableDocument":
        """A new table with the same game, host and settings, before its start."""
        kept = {name: copy(getattr(self, name)) for name in KEPT_IN_A_REMATCH}
        return TableDocument(**kept, seats=seats, rules_version=rules_version, created=now)

    def seats_of(self, guest: str | None) -> list[int]:
        """The seats that a guest plays."""
        return [i for i, seat in enumerate(self.seats) if guest and seat.guest == guest and seat.kind == PERSON]

    def owners(self) -> set[str]:
        """Guests whose table this is."""
        return {self.host} | {seat.guest for seat in self.seats if seat.guest}

    def known(self) -> set[str]:
        """Guests of whom something is kept here."""
        return (self.owners() | self.took_part()) - {NOBODY}

    def took_part(self) -> set[str]:
        """Guests who sat at a seat of the race, from its start or since; NOBODY for those who were forgotten."""
        return {seat.guest for seat in self.seats if seat.guest} | {one.guest for one in self.participants}

    def note_participant(self, guest: str, seat: int, name: str) -> None:
        """Keep that a guest sat at a seat of the race by a name."""
        one = Participant(guest, seat, name)
        if one not in self.participants:
            self.participants.append(one)
