"""Scenarios: a position, what is done and what must follow; docs/scenarios.md describes the files.

for difference in run(read_scenario("crash.toml", load)):
    print(difference)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quadriga.core import codec
from quadriga.core.edition import TomlFile
from quadriga.core.errors import IllegalAction
from quadriga.core.fields import NONE
from quadriga.core.game import Told
from quadriga.core.messages import Action, Event
from quadriga.core.position import NO_RULES, Unwritable, show, unequal_fields, write_position
from quadriga.core.record import Load
from quadriga.core.scenario_file import (
    NOT_YOUR_TURN,
    SPECTATOR,
    Choice,
    Outcome,
    Pattern,
    Scenario,
    Seat,
    Step,
    read_document,
)
from quadriga.core.streams import new_stream, stream_key

__all__ = ["Difference", "Scenario", "Trial", "first_state", "parse_scenario", "read_scenario", "run"]


@dataclass(frozen=True)
class Difference:
    """Something that does not follow: at which step (0: the set-up), and what."""

    step: int
    what: str

    def __str__(self) -> str:
        return f"step {self.step}: {self.what}" if self.step else f"set-up: {self.what}"


def read_scenario(path: str | Path, load: Load) -> Scenario:
    """The scenario in a file, or InvalidFile."""
    return parse_scenario(TomlFile.read(path), load, Path(path).parent)


def parse_scenario(source: TomlFile, load: Load, folder: Path | None = None) -> Scenario:
    """The scenario a TOML text holds, or InvalidFile; an edition is looked for in `folder`."""
    scenario = read_document(source, load, folder or Path())
    Trial(scenario)
    return scenario


def first_state(scenario: Scenario) -> Any:
    """The state that a scenario begins with, before anything is done."""
    return Trial(scenario).state


def run(scenario: Scenario) -> list[Difference]:
    """Play a scenario; what does not follow as it says. Stops at a choice that is not allowed."""
    trial = Trial(scenario)
    for number, step in enumerate(scenario.steps, 1):
        trial.number = number
        if not trial.play(step):
            break
        trial.differences += [Difference(number, what) for what in trial.compare(step)]
    return trial.differences


@dataclass(frozen=True)
class Played:
    """Choices that were made at the same time, and what they led to."""

    choices: dict[int, Action]
    events: tuple[Told, ...]


class Trial:
    """A scenario being played, step by step."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, self.game = scenario, scenario.game
        self.names, self.definition = scenario.game.names, scenario.game.definition
        self.key = stream_key(scenario.seed, scenario.nonces)
        self.number = self.seq = 0
        self.differences: list[Difference] = []
        self.events: tuple[Told, ...] = ()
        self.played: tuple[Played, ...] = ()
        self.state = self._begin()

    # ------------------------------------------------------------ the beginning

    def _begin(self) -> Any:
        s = self.scenario
        stream = new_stream(self.key, 0, s.dice or ())
        if s.blank:
            state = self._blank()
        else:
            begun = self.game.setup(s.seats, s.options, stream)
            state, self.events = begun.state, begun.events
            self._require_dice(int(stream.rolled), s.dice)
        if s.blank or s.position:
            self.events = ()
        try:
            write_position(self.game, state, s.position, stream, s.blank)
        except Unwritable as error:
            s.source.refuse(("position", error.field) if error.field else ("position",), str(error))
        return state

    def _blank(self) -> Any:
        """A race with nothing in it: 0, and none where numbers have names."""
        state: Any = self.definition.race.blank()
        for field in self.definition.race.fields:
            if field.domain:
                state[field.name] = NONE
        state.seats = self.scenario.seats
        for name, number in self.game.meta.numbers(self.game.meta.settle(state.seats, self.scenario.options)).items():
            setattr(state, name, number)
        return state

    def _require_dice(self, rolled: int, dice: tuple[int, ...] | None) -> None:
        if dice is not None and rolled != len(dice):
            self._differs(f"{rolled} dice were rolled, {len(dice)} are written")

    # ------------------------------------------------------------ what is done

    def play(self, step: Step) -> bool:
        """Do what a step says; False if that is not allowed, or leads to a position that cannot be played on with."""
        dice, rolled = step.dice, 0
        if step.do:
            self.events = ()
        for choice in step.do:
            try:
                rolled += self._choose(choice, (dice or ())[rolled:])
            except IllegalAction as error:
                self._differs(str(error))
                return False
        self._require_dice(rolled, dice)
        return True

    def _choose(self, choice: Choice, dice: tuple[int, ...]) -> int:
        self.seq += 1
        stream = new_stream(self.key, self.seq, dice)
        choices = self.by_seat(choice)
        done = self.game.apply(self.state, choices, stream)
        self.state, self.events = done.state, self.events + done.events
        self.played += (Played(choices, done.events),)
        if broken := self.game.check(self.state):
            raise IllegalAction(f"after {self._said(choice)} this does not hold: {broken}")
        return int(stream.rolled)

    def by_seat(self, choice: Choice) -> dict[int, Action]:
        """Choices by seat; one without a seat is that of the only seat which owes one."""
        if isinstance(choice, dict):
            return choice
        owing = self.game.to_act(self.state)
        if len(owing) != 1:
            who = f"seats {', '.join(map(str, owing))} owe a choice: write whose it is" if owing else "the race is over"
            raise IllegalAction(f"{self.game.describe(choice)}: {who}")
        return {owing[0]: choice}

    def _said(self, choice: Choice) -> str:
        actions = choice.values() if isinstance(choice, dict) else (choice,)
        return ", ".join(self.game.describe(action) for action in actions)

    def _differs(self, what: str) -> None:
        self.differences.append(Difference(self.number, what))

    # ------------------------------------------------------------ what must follow

    def compare(self, step: Step) -> Iterator[str]:
        """Everything that is not as a step says."""
        yield from self._events(step)
        yield from self._fields(self.state, step.position, "")
        for seat, fields in step.view.items():
            yield from self._fields(self.game.view(self.state, seat), fields, f"{_who(seat)} sees: ")
        yield from self._choices(step)
        yield from self._result(step.result)

    def _fields(self, record: Any, fields: dict[str, Any], where: str) -> Iterator[str]:
        rules = self.definition.position if record is self.state else NO_RULES
        for place, is_, must in unequal_fields(record, fields, self.names, rules):
            yield f"{where}{place} is {show(is_)}, expected {show(must)}"

    def _events(self, step: Step) -> Iterator[str]:
        told = [told.event for told in self.events]
        yield from self._in_order(step.events, told, "")
        yield from self._none_of(step.no_events, told, "")
        if step.all_events is not None:
            yield from self._exactly(step.all_events, told)
        for seat, patterns in step.sees.items():
            yield from self._in_order(patterns, self._seen_by(seat), f"{_who(seat)}: ")
        for seat, patterns in step.sees_not.items():
            yield from self._none_of(patterns, self._seen_by(seat), f"{_who(seat)}: ")

    def _seen_by(self, seat: Seat) -> list[Event]:
        return [told.event for told in self.events if told.audience is None or told.audience == seat]

    def _in_order(self, patterns: Sequence[Pattern], events: list[Event], where: str) -> Iterator[str]:
        rest = events
        for pattern in patterns:
            at = next((i for i, event in enumerate(rest) if pattern.fits(event, self.names)), None)
            if at is None:
                yield f"{where}no event {pattern}; {self._instead(pattern, rest, events)}"
            else:
                rest = rest[at + 1 :]

    def _instead(self, pattern: Pattern, rest: list[Event], events: list[Event]) -> str:
        """What there is in place of an event that is missing: one like it, or all there are."""
        for event in rest:
            if event.name == pattern.kind:
                return self._unlike(pattern, event)
        if any(pattern.fits(event, self.names) for event in events):
            return "it came before the one expected earlier"
        return f"there were {', '.join(event.name for event in events) or 'none'}"

    def _unlike(self, pattern: Pattern, event: Event) -> str:
        return ", ".join(f"{name} is {show(is_)}" for name, is_, _ in pattern.differing(event, self.names))

    def _none_of(self, patterns: Sequence[Pattern], events: list[Event], where: str) -> Iterator[str]:
        for pattern in patterns:
            if any(pattern.fits(event, self.names) for event in events):
                yield f"{where}there was an event {pattern}"

    def _exactly(self, patterns: list[Pattern], events: list[Event]) -> Iterator[str]:
        for i, (pattern, event) in enumerate(zip(patterns, events, strict=False), 1):
            if pattern.kind != event.name:
                yield f"event {i} is {event.name}, expected {pattern}"
            elif pattern.differing(event, self.names):
                yield f"event {i}, {event.name}: {self._unlike(pattern, event)}, expected {pattern}"
        if len(patterns) != len(events):
            yield f"there were {len(events)} events, expected {len(patterns)}: {', '.join(e.name for e in events)}"

    def _choices(self, step: Step) -> Iterator[str]:
        owing = self.game.to_act(self.state)
        if step.to_act is not None and sorted(step.to_act) != list(owing):
            yield f"to act: {show(list(owing))}, expected {show(sorted(step.to_act))}"
        for seat, actions in step.legal.items():
            for action in actions:
                if why := self._refused(seat, action):
                    yield f"seat {seat}: {self.game.describe(action)} is refused: {why}"
        for seat, actions in step.only_legal.items():
            yield from self._only(seat, actions)
        for seat, refused in step.illegal.items():
            for action, pattern in refused:
                yield from self._illegal(seat, action, pattern)

    def _refused(self, seat: int, action: Action) -> str | None:
        """Why a choice is refused: the refusal's name and fields; None if it is allowed."""
        if seat not in self.game.to_act(self.state):
            return NOT_YOUR_TURN
        refusal = self.game.refusal(self.state, seat, action)
        return str(_as_pattern(codec.message_to_json(refusal, self.names))) if refusal else None

    def _only(self, seat: int, actions: list[Action]) -> Iterator[str]:
        legal = self.game.legal_actions(self.state, seat)
        for action in legal:
            if action not in actions:
                yield f"seat {seat}: {self.game.describe(action)} is allowed too"
        for action in actions:
            if action not in legal:
                yield f"seat {seat}: {self.game.describe(action)} is not allowed: {self._refused(seat, action)}"

    def _illegal(self, seat: int, action: Action, pattern: Pattern | None) -> Iterator[str]:
        why, text = self._refused(seat, action), self.game.describe(action)
        if why is None:
            yield f"seat {seat}: {text} is allowed"
        elif pattern and not self._is_why(seat, action, pattern):
            yield f"seat {seat}: {text} is refused by {why}, expected {pattern}"

    def _is_why(self, seat: int, action: Action, pattern: Pattern) -> bool:
        if seat not in self.game.to_act(self.state):
            return pattern.kind == NOT_YOUR_TURN
        refusal = self.game.refusal(self.state, seat, action)
        return refusal is not None and pattern.fits(refusal, self.names)

    def _result(self, expected: Outcome | bool) -> Iterator[str]:
        result = self.game.result(self.state)
        if isinstance(expected, bool):
            if not expected and result:
                yield f"the race is over ({result.reason}), expected to go on"
        elif result is None:
            yield "the race goes on, expected to be over"
        else:
            for name, is_ in (("places", list(result.places)), ("winner", result.winner), ("reason", result.reason)):
                must = getattr(expected, name)
                if must is not None and must != ("none" if is_ is None else is_):
                    yield f"result: {name} is {show(is_)}, expected {show(must)}"


def _as_pattern(message: dict[str, Any]) -> Pattern:
    return Pattern(message["kind"], {name: value for name, value in message.items() if name != "kind"})


def _who(seat: Seat) -> str:
    return SPECTATOR if seat is None else f"seat {seat}"
