"""A match: one race as an append-only log, numbered by `seq`.

Entry 0 is the set-up. Step `seq` draws from the stream (key, seq), so that a step played again after a take-back,
which has a new number, is rolled anew. Choices of several seats are kept apart until the last one is in.
"""

import secrets
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from quadriga.core import streams
from quadriga.core.bounds import MOST_MILLISECONDS
from quadriga.core.errors import IllegalAction, InvalidAction, InvalidOption, NotYourTurn
from quadriga.core.fields import short_hash
from quadriga.core.game import Game, Result, Told
from quadriga.core.messages import Action, Event
from quadriga.core.streams import new_stream, stream_key

RESIGNED, FORFEITED = "resigned", "forfeited"
MOST_TEXT = 200
"""Letters of a name, a kind of sitter or a reason to forfeit."""


class Sitter(Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits at a seat: a name, and `person` or the level of a bot."""

    name: str
    kind: str = "person"


class Entry(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", kw_only=True):
    """A line of the log, with the short hash of the state after it."""

    hash: str = ""


class Setup(Entry, frozen=True, tag="setup"):
    """The race as it begins."""


class Choices(Entry, frozen=True, tag="choices"):
    """What the seats that owed a choice chose, in notation."""

    choices: dict[int, str]


class TakeBack(Entry, frozen=True, tag="take_back"):
    """The race goes on from where it was after entry `to`."""

    to: int


class SeatChange(Entry, frozen=True, tag="seat_change"):
    """Another person or bot takes a seat."""

    seat: int
    who: Sitter


class Resign(Entry, frozen=True, tag="resign"):
    """A seat gives up."""

    seat: int


class Forfeit(Entry, frozen=True, tag="forfeit"):
    """A seat is taken out of the places, for a reason in a word or a sentence."""

    seat: int
    reason: str


class Pause(Entry, frozen=True, tag="pause"):
    """Nobody can choose until play is resumed."""


class Resume(Entry, frozen=True, tag="resume"):
    """Play goes on."""


class Clock(Entry, frozen=True, tag="clock"):
    """Milliseconds that seats have left."""

    left: dict[int, int]


AnyEntry = Setup | Choices | TakeBack | SeatChange | Resign | Forfeit | Pause | Resume | Clock
HIDDEN = "?"
"""Stands for a choice in what is shown while the race runs."""


@dataclass(frozen=True)
class Left:
    """A seat that resigned or forfeited."""

    seat: int
    reason: str


@dataclass(frozen=True)
class Moment:
    """The race after one entry."""

    state: Any
    left: tuple[Left, ...]
    """Seats that resigned or forfeited, in that order."""
    events: tuple[Told, ...] = ()


@dataclass(frozen=True)
class Happened:
    """An entry as somebody may know it: other seats' choices and all hashes are hidden."""

    seq: int
    entry: AnyEntry
    events: tuple[Event, ...]


class Match:
    """One race. Every method that changes it appends one entry or raises; a refused one changes nothing."""

    def __init__(
        self,
        game: Game,
        sitters: Sequence[Sitter],
        options: Mapping[str, object] | None = None,
        seed: bytes | None = None,
        nonces: Sequence[str] = (),
        log: Sequence[AnyEntry] = (),
        moments: Mapping[int, Moment] | None = None,
    ) -> None:
        """Set up a race; without a seed a secret one is drawn.

        With a stored log the race goes on from there without a replay, given some of its moments, the last among them.
        """
        self.game = game
        self.options = game.meta.settle(len(sitters), options or {})
        self._seed = secrets.token_bytes(streams.SEED_BYTES) if seed is None else seed
        self.nonces = tuple(nonces)
        _check_randomness(self._seed, self.nonces, len(sitters))
        self.commitment = streams.commitment(self._seed)
        self._key = stream_key(self._seed, self.nonces)
        for sitter in sitters:
            _check_sitter(sitter)
        self.first_sitters = tuple(sitters)
        self.sitters = list(sitters)
        self.paused = False
        self.pending: dict[int, Action] = {}
        """Choices made in secret that wait for the others; never shown to anybody but their seat."""
        self.log: list[AnyEntry] = list(log)
        self._moments: dict[int, Moment] = dict(moments or {})
        self._line: list[int] = []
        self._result: Result | None = None
        self._owing: tuple[int, ...] = ()
        self._result_at = self._owing_at = -1
        if log:
            self._go_through(log)
        else:
            begun = game.setup(len(sitters), self.options, new_stream(self._key, 0))
            self._append(Setup(), Moment(begun.state, (), begun.events))

    # ------------------------------------------------------------ where the race stands

    @property
    def seq(self) -> int:
        """The number of the last entry."""
        return len(self.log) - 1

    @property
    def state(self) -> Any:
        """The whole state, secrets included; never changed in place."""
        return self._moments[self.seq].state

    @property
    def left(self) -> tuple[Left, ...]:
        """Seats that resigned or forfeited, in that order."""
        return self._moments[self.seq].left

    @property
    def over(self) -> bool:
        """Whether the race has ended."""
        return self.result() is not None

    @property
    def seed(self) -> bytes:
        """The seed, once the race is over."""
        if not self.over:
            raise IllegalAction("the seed stays secret until the race is over")
        return self._seed

    def secret_seed(self) -> bytes:
        """The seed at any time, for the private storage of whoever runs the race."""
        return self._seed

    def to_act(self) -> tuple[int, ...]:
        """The seats that owe a choice now, those included whose choice is pending; none: over or paused."""
        return () if self.over or self.paused else self._seats_owing()

    def _seats_owing(self) -> tuple[int, ...]:
        if self._owing_at != self.seq:  # asked many times a step
            self._owing, self._owing_at = self.game.to_act(self.state), self.seq
        return self._owing

    def waiting_for(self) -> tuple[int, ...]:
        """The seats whose choice is still missing."""
        return tuple(seat for seat in self.to_act() if seat not in self.pending)

    def legal_actions(self, seat: int) -> list[Action]:
        """The seat's choices now."""
        return self.game.legal_actions(self.state, seat) if seat in self.to_act() else []

    def view(self, seat: int | None, seq: int | None = None) -> Any:
        """What a seat (None: a spectator) can see, now or after an earlier entry."""
        return self.game.view(self.state_after(self.seq if seq is None else seq), seat)

    def state_after(self, seq: int) -> Any:
        """The state after an entry, a taken-back one included."""
        if not 0 <= seq <= self.seq:
            raise IllegalAction(f"there is no step {seq}; there are 0 to {self.seq}")
        return self.moment(seq).state

    def moment(self, seq: int) -> Moment:
        """The race after an entry, with the events that led there, whoever may know of them."""
        if seq not in self._moments:
            raise IllegalAction(f"step {seq} is not kept here")
        return self._moments[seq]

    def events(self, seat: int | None, since: int = -1) -> list[Happened]:
        """What happened after entry `since`, as a seat (None: a spectator) may know it."""
        return [
            Happened(seq, hidden(self.log[seq], seat), _seen(self.moment(seq).events, seat))
            for seq in range(max(since + 1, 0), len(self.log))
        ]

    def result(self) -> Result | None:
        """Places and the reason to end, resignations and forfeits counted; None while the race goes on."""
        if self._result_at != self.seq:  # asked many times a step
            self._result, self._result_at = self._find_result(), self.seq
        return self._result

    def _find_result(self) -> Result | None:
        result = self.game.result(self.state)
        if not self.left:
            return result
        if len(self.left) >= len(self.sitters) - 1:
            return _place(self.game.places(self.state), self.left, True, self.left[-1].reason)
        return result and _place(result.places, self.left, result.winner is not None, result.reason)

    # ------------------------------------------------------------ what can be done

    def choose(self, seat: int, action: Action | str) -> bool:
        """Keep a seat's choice, which it can change until the last one is in; True if that was the last.

        A choice that waits is judged here, the last one with all the others by `Game.apply`.
        """
        self._require_running()
        action = self._action(action)
        pending = self.pending | {seat: action}
        if set(self._seats_owing()) <= set(pending):
            self.step(pending)
            return True
        self.game.require_one(self.state, seat, action)
        self.pending = pending
        return False

    def withdraw(self, seat: int) -> None:
        """Take a choice back that nobody has seen yet."""
        if seat not in self.pending:
            raise IllegalAction(f"seat {seat} has no choice waiting")
        del self.pending[seat]

    def step(self, choices: Mapping[int, Action | str]) -> None:
        """Apply the choices of all seats that owe one, at once."""
        self._require_running()
        actions = {seat: self._action(action) for seat, action in sorted(choices.items())}
        step = self.game.apply(self.state, actions, new_stream(self._key, len(self.log)))
        notation = {seat: self.game.describe(action) for seat, action in actions.items()}
        self._append(Choices(choices=notation), Moment(step.state, self.left, step.events))
        self.pending = {}

    def take_back(self, to: int) -> None:
        """Go on from where the race was after entry `to`; resignations since then are taken back too."""
        self._require_not_over()
        if not 0 <= to < self.seq:
            raise IllegalAction(f"there is no step {to} to go back to; there are 0 to {self.seq - 1}")
        if self._line[self._place_in_line(to)] != to:
            raise IllegalAction(f"step {to} has been taken back itself")
        moment = self.moment(to)
        self._append(TakeBack(to=to), Moment(moment.state, moment.left))
        self.pending = {}

    def change_seat(self, seat: int, who: Sitter) -> None:
        """Let somebody else go on at a seat; a choice that waited there is dropped."""
        self._require_not_over()
        self._require_seat(seat)
        _check_sitter(who)
        self.pending.pop(seat, None)
        self._go_on(SeatChange(seat=seat, who=who))

    def resign(self, seat: int) -> None:
        """Give up: the seat is placed behind all that did not; somebody else goes on choosing for it."""
        self._require_in_race(seat)
        self._go_on(Resign(seat=seat), Left(seat, RESIGNED))

    def forfeit(self, seat: int, reason: str) -> None:
        """Take a seat out of the places as if it had resigned."""
        self._require_in_race(seat)
        if not _is_text(reason, MOST_TEXT):
            raise InvalidAction(f"a forfeit needs a reason of 1 to {MOST_TEXT} printable letters")
        self._go_on(Forfeit(seat=seat, reason=reason), Left(seat, FORFEITED))

    def pause(self) -> None:
        """Stop play; choices that wait are kept."""
        self._require_running()
        self._go_on(Pause())

    def resume(self) -> None:
        """Go on after a pause."""
        self._require_not_over()
        if not self.paused:
            raise IllegalAction("the race is not paused")
        self._go_on(Resume())

    def set_clock(self, left: Mapping[int, int]) -> None:
        """Note the milliseconds that seats have left."""
        self._require_not_over()
        for seat, milliseconds in left.items():
            self._require_seat(seat)
            if not 0 <= milliseconds <= MOST_MILLISECONDS:
                raise InvalidAction(f"seat {seat} cannot have {milliseconds} milliseconds left")
        self._go_on(Clock(left=dict(sorted(left.items()))))

    def add(self, entry: AnyEntry) -> None:
        """Do what an entry of a stored log says."""
        match entry:
            case Choices():
                self.step(entry.choices)
            case TakeBack():
                self.take_back(entry.to)
            case SeatChange():
                self.change_seat(entry.seat, entry.who)
            case Resign():
                self.resign(entry.seat)
            case Forfeit():
                self.forfeit(entry.seat, entry.reason)
            case Pause():
                self.pause()
            case Resume():
                self.resume()
            case Clock():
                self.set_clock(entry.left)
            case Setup():
                raise InvalidAction("a race is set up only once")

    # ------------------------------------------------------------ for whoever keeps many matches

    def remember(self, seq: int, moment: Moment) -> None:
        """Keep a moment that was forgotten."""
        self._moments[seq] = moment
        self._result_at = self._owing_at = -1

    def remembers(self, since: int) -> bool:
        """Whether all moments from an entry on are kept."""
        return all(seq in self._moments for seq in range(since, self.seq + 1))

    def forget(self, before: int) -> None:
        """Drop the moments before an entry, but never the last; `remember` gives them back."""
        self._moments = {s: m for s, m in self._moments.items() if s >= before or s == self.seq}

    @property
    def line(self) -> tuple[int, ...]:
        """The entries that led to where the race stands: those not taken back."""
        return tuple(self._line)

    # ------------------------------------------------------------ within

    def _go_through(self, log: Sequence[AnyEntry]) -> None:
        for seq, entry in enumerate(log):
            self._note(seq, entry)
        self.moment(self.seq)

    def _note(self, seq: int, entry: AnyEntry) -> None:
        """What an entry changes besides the moment."""
        match entry:
            case Choices():  # nearly all are
                pass
            case TakeBack():
                del self._line[self._place_in_line(entry.to) + 1 :]
            case SeatChange():
                self.sitters[entry.seat] = entry.who
            case Pause() | Resume():
                self.paused = isinstance(entry, Pause)
        self._line.append(seq)

    def _place_in_line(self, seq: int) -> int:
        """Where an entry stands in the line, which rises, or the next one in it; the last entry always stands there."""
        return bisect_left(self._line, seq)

    def _go_on(self, entry: AnyEntry, *left: Left) -> None:
        self._append(entry, Moment(self.state, (*self.left, *left)))

    def _append(self, entry: AnyEntry, moment: Moment) -> None:
        entry = replace(entry, hash=short_hash(moment.state, self.game.definition.race))
        self._note(len(self.log), entry)
        self.log.append(entry)
        self._moments[self.seq] = moment

    def _action(self, action: Action | str) -> Action:
        return self.game.parse(action) if isinstance(action, str) else action

    def _require_not_over(self) -> None:
        if self.over:
            raise IllegalAction("the race is over")

    def _require_running(self) -> None:
        self._require_not_over()
        if self.paused:
            raise NotYourTurn("the race is paused")

    def _require_seat(self, seat: int) -> None:
        if seat not in range(len(self.sitters)):
            raise InvalidAction(f"there is no seat {seat}; there are 0 to {len(self.sitters) - 1}")

    def _require_in_race(self, seat: int) -> None:
        self._require_not_over()
        self._require_seat(seat)
        for gone in self.left:
            if gone.seat == seat:
                raise IllegalAction(f"seat {seat} has {gone.reason} already")


def hidden(entry: AnyEntry, seat: int | None = None) -> AnyEntry:
    """An entry as a seat (None: a spectator) may know it while the race runs.

    The hash goes too: where few states are possible, it would tell which one it is.
    """
    if isinstance(entry, Choices):
        entry = replace(entry, choices={s: text if s == seat else HIDDEN for s, text in entry.choices.items()})
    return replace(entry, hash="")


def _seen(events: tuple[Told, ...], seat: int | None) -> tuple[Event, ...]:
    return tuple(told.event for told in events if told.audience is None or told.audience == seat)


def _place(places: tuple[int, ...], left: tuple[Left, ...], won: bool, reason: str) -> Result:
    """Those who stayed as they stand, then those who left, the later one ahead."""
    gone = [one.seat for one in left]
    stayed = sorted((place, seat) for seat, place in enumerate(places) if seat not in gone)
    placed = {seat: sum(other < place for other, _ in stayed) for place, seat in stayed}
    placed |= {seat: len(stayed) + i for i, seat in enumerate(reversed(gone))}
    first = 1 if won else 2
    return Result(
        tuple(first + placed[seat] for seat in range(len(places))),
        next((seat for seat, place in placed.items() if place == 0), None) if won else None,
        reason,
    )


def _check_sitter(sitter: Sitter) -> None:
    for what, text in (("name", sitter.name), ("kind", sitter.kind)):
        if not _is_text(text, MOST_TEXT):
            raise InvalidOption(f"the {what} of a sitter has 1 to {MOST_TEXT} printable letters")


def _is_text(text: str, most: int) -> bool:
    return 0 < len(text) <= most and text.isprintable()


def _check_randomness(seed: bytes, nonces: tuple[str, ...], seats: int) -> None:
    if len(seed) != streams.SEED_BYTES:
        raise InvalidOption(f"a seed has {streams.SEED_BYTES} bytes, not {len(seed)}")
    if len(nonces) > seats:
        raise InvalidOption(f"{len(nonces)} nonces, but one for each of {seats} seats is the most")
    for nonce in nonces:
        if not _is_text(nonce, streams.MOST_NONCE):
            raise InvalidOption(f"a nonce has 1 to {streams.MOST_NONCE} printable letters")
