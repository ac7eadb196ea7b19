"""How a scenario is written. docs/scenarios.md describes the format.

Reading finds every mistake a file can have, so that running it finds only what the rules do differently.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, overload

import msgspec
from msgspec import Struct

from quadriga.core import codec
from quadriga.core.bounds import whole_number
from quadriga.core.edition import Path_, TomlFile
from quadriga.core.errors import InvalidFile, QuadrigaError
from quadriga.core.exercise_file import FOLLOWS, Exercise, Text, WrittenAsk, WrittenExercise, require_languages
from quadriga.core.fields import Fields
from quadriga.core.game import Game
from quadriga.core.messages import Action, Message, Slot
from quadriga.core.position import NO_RULES, check_written, show
from quadriga.core.record import Load
from quadriga.core.streams import DICE, SEED_BYTES
from quadriga.core.typed import complaint

SPECTATOR = "spectator"
NOT_YOUR_TURN = "not_your_turn"
"""What a seat that owes no choice is told; not a refusal of any game."""

Table = dict[str, Any]
Written = str | Table
"""An event or a refusal: its name, or a table with its `kind` and some of its fields."""


class Then(Struct, forbid_unknown_fields=True):
    """One `[[then]]` as it is written."""

    about: str = ""
    do: str | dict[str, str] | list[str | dict[str, str]] = []
    dice: list[str | int] | None = None
    to_act: list[int] | None = None
    legal: dict[str, list[str]] = {}
    only_legal: dict[str, list[str]] = {}
    illegal: dict[str, list[str] | dict[str, Written]] = {}
    events: list[Written] = []
    all_events: list[Written] | None = None
    no_events: list[Written] = []
    sees: dict[str, list[Written]] = {}
    sees_not: dict[str, list[Written]] = {}
    position: Table = {}
    view: dict[str, Table] = {}
    result: bool | Table | None = None
    ask: WrittenAsk | None = None


class Document(Struct, forbid_unknown_fields=True):
    """The whole file as it is written."""

    game: str
    about: str
    rules: list[str] = []
    seats: int | None = None
    options: Table = {}
    edition: str | None = None
    seed: int | str = 0
    nonces: list[str] = []
    dice: list[str | int] | None = None
    blank: bool = False
    position: Table = {}
    exercise: WrittenExercise | None = None
    then: list[Then] = []


class Outcome(Struct, forbid_unknown_fields=True):
    """Parts of a result."""

    places: list[int] | None = None
    winner: int | str | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Pattern:
    """An event or a refusal to look for: its kind, and the values of some of its fields."""

    kind: str
    fields: Table

    def differing(self, message: Message, names: codec.Names) -> list[tuple[str, Any, Any]]:
        """The fields of a message of this kind with other values: name, found, expected."""
        found = codec.message_to_json(message, names)
        return [(name, found[name], value) for name, value in self.fields.items() if found[name] != value]

    def fits(self, message: Message, names: codec.Names) -> bool:
        """Whether a message is of this kind and has these values."""
        return self.kind == message.name and not self.differing(message, names)

    def __str__(self) -> str:
        return " ".join([self.kind, *(f"{name}={show(value)}" for name, value in self.fields.items())])


Choice = dict[int, Action] | Action
"""Choices by seat, or that of the only seat which owes one."""
Seat = int | None
"""A seat, or None for a spectator."""


@dataclass(frozen=True)
class Ask:
    """What a step asks of the learner, what is accepted, and what is said to every answer."""

    say: Text
    right: Text
    not_yet: Text
    accepted: tuple[Action | Pattern, ...] | None
    """None: whatever leads to what the step says must follow."""
    wrong: tuple[tuple[tuple[Action | Pattern, ...], Text], ...]


@dataclass(frozen=True)
class Step:
    """One `[[then]]`, with names understood."""

    do: list[Choice]
    dice: tuple[int, ...] | None
    to_act: list[int] | None
    legal: dict[int, list[Action]]
    only_legal: dict[int, list[Action]]
    illegal: dict[int, list[tuple[Action, Pattern | None]]]
    events: list[Pattern]
    all_events: list[Pattern] | None
    no_events: list[Pattern]
    sees: dict[Seat, list[Pattern]]
    sees_not: dict[Seat, list[Pattern]]
    position: Table
    view: dict[Seat, Table]
    result: Outcome | bool
    """False: the race goes on; True: nothing is expected."""
    ask: Ask | None


@dataclass(frozen=True)
class Scenario:
    """A scenario ready to run."""

    source: TomlFile
    game: Game
    about: str
    rules: tuple[str, ...]
    seats: int
    options: Mapping[str, object]
    seed: bytes
    nonces: tuple[str, ...]
    dice: tuple[int, ...] | None
    blank: bool
    position: Table
    steps: tuple[Step, ...]
    exercise: Exercise | None


def read_document(source: TomlFile, load: Load, folder: Path) -> Scenario:
    """The scenario a TOML text holds, or InvalidFile; an edition is looked for in `folder`."""
    try:
        document = msgspec.convert(source.data, Document)
    except msgspec.ValidationError as error:
        place, cause = complaint(error)
        source.refuse(place, _with_step(place, cause))
    if not document.then:
        source.refuse((), "there is no [[then]]: nothing is done and nothing expected")
    return _Reader(source, _load(source, document, load, folder), document).scenario()


def _load(source: TomlFile, document: Document, load: Load, folder: Path) -> Game:
    edition = None if document.edition is None else TomlFile.read(folder / document.edition)
    with _Mistakes(source, ("game",)):
        return load(document.game, edition)


class _Mistakes:
    """Says of a mistake where in the file it is."""

    def __init__(self, source: TomlFile, path: Path_) -> None:
        self.source, self.path = source, path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, QuadrigaError | ValueError) and not isinstance(error, InvalidFile):
            self.source.refuse(self.path, _with_step(self.path, str(error)))


def _with_step(path: Path_, cause: str) -> str:
    step = path[1] if path[:1] == ("then",) and len(path) > 1 else None
    return f"step {step + 1}: {cause}" if isinstance(step, int) else cause


class _Reader:
    """Turns the names of a document into numbers."""

    def __init__(self, source: TomlFile, game: Game, document: Document) -> None:
        self.source, self.game, self.document = source, game, document
        self.seats = game.meta.seats[0] if document.seats is None else document.seats
        self.events = {kind.name: kind for kind in game.definition.events}
        self.refusals = {kind.name: kind for kind in game.definition.refusals}

    def scenario(self) -> Scenario:
        d = self.document
        with _Mistakes(self.source, ("seats",)):
            self.game.meta.check_seats(self.seats)
        with _Mistakes(self.source, ("options",)):
            options = self.game.meta.settle(self.seats, d.options)
        self._begin()
        exercise = self._exercise(d.exercise)
        return Scenario(
            source=self.source,
            game=self.game,
            about=d.about,
            rules=tuple(d.rules),
            seats=self.seats,
            options=options,
            seed=self._seed(),
            nonces=tuple(d.nonces),
            dice=self._dice(("dice",), d.dice),
            blank=d.blank,
            position=d.position,
            steps=tuple(self._step(("then", i), then) for i, then in enumerate(d.then)),
            exercise=exercise,
        )

    def _begin(self) -> None:
        d = self.document
        if d.blank and d.dice is not None:
            self.source.refuse(("dice",), "a blank race is not set up: no dice are rolled")
        for name in ("seats", *(option.name for option in self.game.meta.options)):
            if name in d.position:
                self.source.refuse(
                    ("position", name), f"{name} belongs to the race, not to the position: write it above"
                )
        self._fields(("position",), d.position, self.game.definition.race)

    def _seed(self) -> bytes:
        seed = self.document.seed
        digits = seed if isinstance(seed, str) else f"{seed:0{2 * SEED_BYTES}x}"
        if not re.fullmatch(f"[0-9a-f]{{{2 * SEED_BYTES}}}", digits):
            cause = f"a seed is a number from 0 up or {2 * SEED_BYTES} hexadecimal digits, not {seed!r}"
            self.source.refuse(("seed",), cause)
        return bytes.fromhex(digits)

    # ------------------------------------------------------------ a step

    def _step(self, at: Path_, then: Then) -> Step:
        return Step(
            do=self._do((*at, "do"), then.do),
            dice=self._dice((*at, "dice"), then.dice),
            to_act=then.to_act,
            legal=self._by_seat((*at, "legal"), then.legal),
            only_legal=self._by_seat((*at, "only_legal"), then.only_legal),
            illegal=self._illegal((*at, "illegal"), then.illegal),
            events=self._patterns((*at, "events"), then.events),
            all_events=None if then.all_events is None else self._patterns((*at, "all_events"), then.all_events),
            no_events=self._patterns((*at, "no_events"), then.no_events),
            sees=self._seen((*at, "sees"), then.sees),
            sees_not=self._seen((*at, "sees_not"), then.sees_not),
            position=self._fields((*at, "position"), then.position, self.game.definition.race),
            view=self._views((*at, "view"), then.view),
            result=self._result((*at, "result"), then.result),
            ask=self._ask((*at, "ask"), then),
        )

    def _do(self, at: Path_, do: str | dict[str, str] | list[str | dict[str, str]]) -> list[Choice]:
        return [
            self._action(at, one)
            if isinstance(one, str)
            else {self._seat(at, seat): self._action(at, text) for seat, text in one.items()}
            for one in (do if isinstance(do, list) else [do])
        ]

    def _action(self, at: Path_, text: str) -> Action:
        with _Mistakes(self.source, at):
            return self.game.parse(text)

    def _seat(self, at: Path_, seat: str) -> int:
        number = whole_number(seat)
        if number is None or number >= self.seats:
            self.source.refuse(
                (*at, seat), _with_step(at, f"there is no seat {seat!r}; there are 0 to {self.seats - 1}")
            )
        return number

    def _viewer(self, at: Path_, seat: str) -> Seat:
        return None if seat == SPECTATOR else self._seat(at, seat)

    def _dice(self, at: Path_, faces: list[str | int] | None) -> tuple[int, ...] | None:
        if faces is None:
            return None
        with _Mistakes(self.source, at):
            if len(faces) > DICE:
                raise ValueError(f"{len(faces)} dice; at most {DICE} can be written")
            return tuple(self.game.names.number(self.game.definition.die, str(face)) for face in faces)

    def _by_seat(self, at: Path_, choices: Mapping[str, list[str]]) -> dict[int, list[Action]]:
        return {self._seat(at, seat): [self._action(at, text) for text in texts] for seat, texts in choices.items()}

    def _illegal(
        self, at: Path_, choices: Mapping[str, list[str] | dict[str, Written]]
    ) -> dict[int, list[tuple[Action, Pattern | None]]]:
        refused: dict[int, list[tuple[Action, Pattern | None]]] = {}
        for seat, texts in choices.items():
            reasons = dict.fromkeys(texts, "") if isinstance(texts, list) else texts
            refused[self._seat(at, seat)] = [
                (self._action((*at, seat, text), text), self._refusal((*at, seat, text), why))
                for text, why in reasons.items()
            ]
        return refused

    def _refusal(self, at: Path_, why: Written) -> Pattern | None:
        if why == "":
            return None
        return Pattern(NOT_YOUR_TURN, {}) if why == NOT_YOUR_TURN else self._pattern(at, why, self.refusals, "refusal")

    def _patterns(self, at: Path_, events: Iterable[Written]) -> list[Pattern]:
        return [self._pattern((*at, i), event, self.events, "event") for i, event in enumerate(events)]

    def _pattern(self, at: Path_, written: Written, kinds: Mapping[str, type[Message]], what: str) -> Pattern:
        given = {"kind": written} if isinstance(written, str) else dict(written)
        with _Mistakes(self.source, at):
            name = str(given.pop("kind", ""))
            if name not in kinds:
                raise ValueError(f"{name!r} is no {what}; there are {', '.join(kinds)}")
            slots = {slot.name: slot for slot in kinds[name].slots}
            for field in given:
                if field not in slots:
                    raise ValueError(f"{name} has no {field!r}; it has {', '.join(slots) or 'no fields'}")
            return Pattern(name, {f: self._value(name, slots[f], value) for f, value in given.items()})

    def _value(self, kind: str, slot: Slot, value: Any) -> Any:
        if slot.flag:
            if not isinstance(value, bool):
                raise ValueError(f"{kind}: {slot.name} is true or false, not {value!r}")
            return value
        if slot.most:
            return [self._named(kind, slot, one) for one in (value if isinstance(value, list) else [value])]
        return self._named(kind, slot, value)

    def _named(self, kind: str, slot: Slot, value: Any) -> Any:
        try:
            return self.game.names.name(slot.domain, self.game.names.number(slot.domain, value))
        except ValueError as error:
            raise ValueError(f"{kind}: {slot.name}: {error}") from None

    def _seen(self, at: Path_, seen: Mapping[str, list[Written]]) -> dict[Seat, list[Pattern]]:
        return {self._viewer(at, seat): self._patterns((*at, seat), events) for seat, events in seen.items()}

    def _views(self, at: Path_, views: Mapping[str, Table]) -> dict[Seat, Table]:
        kind = self.game.definition.view
        return {self._viewer(at, seat): self._fields((*at, seat), fields, kind) for seat, fields in views.items()}

    def _fields(self, at: Path_, fields: Table, kind: type[Fields]) -> Table:
        definition = self.game.definition
        rules = definition.position if kind is definition.race else NO_RULES
        for name, value in fields.items():
            with _Mistakes(self.source, (*at, name)):
                check_written(kind, name, value, self.game.names, self.seats, rules)
        return fields

    def _result(self, at: Path_, result: bool | Table | None) -> Outcome | bool:
        if not isinstance(result, dict):
            return self._no_outcome(at, result)
        try:
            outcome = msgspec.convert(result, Outcome)
        except msgspec.ValidationError as error:
            place, cause = complaint(error)
            self.source.refuse((*at, *place), _with_step(at, cause))
        reasons = self.game.definition.reasons[1:]
        if outcome.reason is not None and outcome.reason not in reasons:
            known = ", ".join(reasons)
            self.source.refuse(
                (*at, "reason"), _with_step(at, f"{outcome.reason!r} is no way to end; there are {known}")
            )
        return outcome

    def _no_outcome(self, at: Path_, result: bool | None) -> bool:
        if result is True:
            self.source.refuse(at, _with_step(at, "result is a table of places, winner and reason, or false"))
        return result is None

    # ------------------------------------------------------------ for a learner

    def _exercise(self, written: WrittenExercise | None) -> Exercise | None:
        if written is None:
            return None
        at: Path_ = ("exercise",)
        seat = self._seat(at, str(written.seat))
        if all(then.ask is None for then in self.document.then):
            self.source.refuse(at, "no [[then]] has an `ask`: the exercise asks nothing")
        with _Mistakes(self.source, at):
            title = require_languages(written.title, "title")
            intro = require_languages(written.intro, "intro", may_be_empty=True)
            end = require_languages(written.end, "end", may_be_empty=True)
        return Exercise(seat, title, intro, end, written.facts)

    def _ask(self, at: Path_, then: Then) -> Ask | None:
        written, exercise = then.ask, self.document.exercise
        if written is None:
            return None
        with _Mistakes(self.source, at):
            if exercise is None:
                raise ValueError("`ask` belongs to an exercise: write a table [exercise]")
            own = self._own_choice(at, then, exercise.seat)
            texts = {name: require_languages(getattr(written, name), name) for name in ("say", "right", "not_yet")}
            wrong = tuple(
                (self._answers((*at, "wrong", i), one.choices), require_languages(one.say, "wrong"))
                for i, one in enumerate(written.wrong)
            )
            accepted = (own,) if written.accept is None else self._answers((*at, "accept"), written.accept)
        return Ask(accepted=accepted, wrong=wrong, **texts)

    def _own_choice(self, at: Path_, then: Then, seat: int) -> Action:
        """The learner's choice in `do`: the answer that the file itself gives."""
        done = self._do(at, then.do)
        own = (done[0].get(seat) if isinstance(done[0], dict) else done[0]) if len(done) == 1 else None
        if own is None:
            raise ValueError(f"a step that asks has one choice in `do`, with that of seat {seat} in it")
        return own

    @overload
    def _answers(self, at: Path_, answers: list[str | Table]) -> tuple[Action | Pattern, ...]: ...

    @overload
    def _answers(
        self, at: Path_, answers: list[str | Table] | Literal["follows"]
    ) -> tuple[Action | Pattern, ...] | None: ...

    def _answers(
        self, at: Path_, answers: list[str | Table] | Literal["follows"]
    ) -> tuple[Action | Pattern, ...] | None:
        """Choices in notation, or tables with a kind and the fields that matter."""
        if answers == FOLLOWS:
            return None
        kinds = self.game.kinds
        return tuple(
            self._action(at, one) if isinstance(one, str) else self._pattern((*at, i), one, kinds, "choice")
            for i, one in enumerate(answers)
        )
