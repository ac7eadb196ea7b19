"""The contract: what every game offers to matches, bots, environments and the server.

A game's folder exports a `Definition`; `Game` binds it to an edition and turns its kernels into the contract.
Checks that raise are made here; states that are handed in are never changed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core import codec
from quadriga.core.dispatch import RULES, Kernels
from quadriga.core.edition import Edition, TomlFile
from quadriga.core.errors import IllegalAction, InvalidAction, NotYourTurn
from quadriga.core.fields import Fields
from quadriga.core.messages import LOG_WIDTH, Action, Event, Refusal, new_log
from quadriga.core.meta import Meta
from quadriga.core.position import NO_RULES, PositionRules
from quadriga.core.streams import Stream, new_stream
from quadriga.core.text import Catalogue, catalogue
from quadriga.core.text_board import plain

SHOWN_CHOICES = 8


@dataclass(frozen=True)
class Definition:
    """Everything a game's folder provides."""

    meta: Meta
    package: str
    race: type[Fields]
    view: type[Fields]
    tables: type[Fields]
    actions: tuple[type[Action], ...]
    events: tuple[type[Event], ...]
    refusals: tuple[type[Refusal], ...]
    reasons: tuple[str, ...]
    """Ways to end, by the number `standings` returns; place 0 is "" for a race that goes on."""
    invariants: tuple[str, ...]
    """What `check` looks at, by the number it returns; place 0 is ""."""
    kernels: Kernels
    load_edition: Callable[[TomlFile], Edition]
    draw: Callable[[Fields, Edition, Catalogue], str]
    """The board as text, from a view; chariots are the signs of `text_board`."""
    most_choices: int
    most_events: int
    scratch: int
    die: str
    """The domain of the faces that `roll` gives, for scenarios."""
    letters: Callable[[Edition], Sequence[str]] = lambda edition: "ABCDEFGH"
    """The letter of each chariot on a text board."""
    times_peers: float = 10.0
    """How many times as fast as the fastest comparable library random play should be, for the benchmark."""
    preview: "Callable[[Game, Any, int], dict[str, Any]] | None" = None
    """What the listed choices of a seat would bring, from its view; None: the game has nothing to say."""

    position: PositionRules = NO_RULES
    """What holds for positions that scenarios write in part."""

    def __post_init__(self) -> None:
        assert "text_board" not in (self.view.dtype.names or ()), "text_board is kept for the board as text"
        codec.declare(self.race, self.view, self.tables)
        RULES.add(self.kernels, self.race.dtype, self.view.dtype)


@dataclass(frozen=True)
class Told:
    """An event and who may know of it: everyone (None) or one seat."""

    event: Event
    audience: int | None


@dataclass(frozen=True)
class Step:
    """What a choice leads to."""

    state: Any
    events: tuple[Told, ...]

    def seen_by(self, seat: int | None) -> tuple[Event, ...]:
        """The events that a seat (None: a spectator) may know of."""
        return tuple(told.event for told in self.events if told.audience is None or told.audience == seat)


@dataclass(frozen=True)
class Result:
    """How a race ended: each seat's place, the winner if there is one (else places begin at 2), and why."""

    places: tuple[int, ...]
    winner: int | None
    reason: str


class AgainstTheRules(IllegalAction):
    """A choice that the rules refuse, with their reason."""

    def __init__(self, sentence: str, refusal: Refusal) -> None:
        super().__init__(sentence)
        self.refusal = refusal


class Game:
    """A game with its components."""

    def __init__(self, definition: Definition, edition: Edition) -> None:
        self.definition, self.edition = definition, edition
        self.meta, self.kernels = definition.meta, definition.kernels
        self.names, self.tables = edition.names, edition.tables
        self.kinds = {kind.name: kind for kind in definition.actions}
        self._actions = {kind.code: kind for kind in definition.actions}
        self._events = {kind.code: kind for kind in definition.events}
        self._refusals = {kind.code: kind for kind in definition.refusals}

    # ------------------------------------------------------------ the contract

    def setup(self, seats: int, options: Mapping[str, object], stream: Stream) -> Step:
        """A new race, as far as the first choice."""
        race: Any = self.definition.race.blank()
        race.seats = seats
        for name, number in self.meta.numbers(self.meta.settle(seats, options)).items():
            setattr(race, name, number)
        log = new_log(self.definition.most_events)
        self.kernels.setup(race, self.tables, stream, log, self._scratch())
        return Step(race, self.events_of(log))

    def to_act(self, state: Any) -> tuple[int, ...]:
        """The seats that owe a choice now; several choose in secret; none: the race is over."""
        mask = self.kernels.owing(state)
        return tuple(seat for seat in range(int(state.seats)) if mask >> seat & 1)

    def legal_codes(self, state: Any, seat: int) -> NDArray[np.int64]:
        """The seat's choices as codes, for those who go on in kernels."""
        out = np.empty(self.definition.most_choices, np.int64)
        count = self.kernels.legal(state, self.tables, seat, out, self._scratch())
        return out[:count]

    def legal_actions(self, state: Any, seat: int) -> list[Action]:
        """The seat's choices; empty for a seat that owes none."""
        return [self.unpack(int(code)) for code in self.legal_codes(state, seat)]

    def refusal(self, state: Any, seat: int, action: Action) -> Refusal | None:
        """Why the seat may not choose this now; None if it may."""
        why = np.zeros(LOG_WIDTH, np.int64)
        reason = self.kernels.refusal(state, self.tables, seat, action.pack(), why, self._scratch())
        return self._refusals[reason].of(why) if reason else None

    def apply(self, state: Any, choices: Mapping[int, Action], stream: Stream) -> Step:
        """The state after the choices of all seats that owe one. The state given is left as it was."""
        self.require(state, choices)
        codes = np.zeros(int(state.seats), np.int64)
        for seat, action in choices.items():
            codes[seat] = action.pack()
        race, log = state.copy(), new_log(self.definition.most_events)
        self.kernels.apply(race, self.tables, codes, stream, log, self._scratch())
        return Step(race, self.events_of(log))

    def view(self, state: Any, seat: int | None) -> Any:
        """What a seat (None: a spectator) can see."""
        view = self.definition.view.blank()
        self.kernels.observe(state, self.tables, -1 if seat is None else seat, view)
        return view

    def imagine(self, view: Any, stream: Stream) -> Any:
        """A state that could lie behind a view."""
        race = self.definition.race.blank()
        self.kernels.imagine(view, self.tables, stream, race, self._scratch())
        return race

    def places(self, state: Any) -> tuple[int, ...]:
        """The place of each seat as the race stands."""
        return self._standings(state)[0]

    def result(self, state: Any) -> Result | None:
        """Places and the reason to end; None while the race goes on."""
        places, reason = self._standings(state)
        if not reason:
            return None
        return Result(places, places.index(1) if 1 in places else None, self.definition.reasons[reason])

    def describe(self, action: Action) -> str:
        """The notation of an action."""
        return codec.describe(action, self.names)

    def check(self, state: Any) -> str | None:
        """The invariant that does not hold, or None."""
        if field := self.out_of_range(state):
            return f"{field} is in its range"
        broken = self.kernels.check(state, self.tables, self._scratch())
        return self.definition.invariants[broken] if broken else None

    def why_not(self, view: Any, seat: int, action: Action) -> Refusal | None:
        """`refusal` for someone who has only a view."""
        return self.refusal(self.imagine(view, new_stream(np.zeros(8, np.uint32), 0)), seat, action)

    def preview(self, view: Any, seat: int) -> dict[str, Any]:
        """What the seat's listed choices would bring, as far as its view and the rules fix it; JSON for clients."""
        return self.definition.preview(self, view, seat) if self.definition.preview else {}

    # ------------------------------------------------------------ around it

    def out_of_range(self, state: Any) -> str | None:
        """A field of the state with a number that it never holds; no kernel may be given such a state."""
        return codec.out_of_range(state, self.names, int(state.seats))

    def parse(self, text: str) -> Action:
        """The action a notation stands for, or InvalidAction."""
        return codec.parse(text, self.kinds, self.names)

    def unpack(self, code: int) -> Action:
        """The action a code stands for, or InvalidAction."""
        kind = self._actions.get(code & 15)
        if kind is None:
            raise InvalidAction(f"{code} is no action's code")
        return kind.unpack(code)

    def event(self, code: int, numbers: Sequence[int]) -> Event:
        """The event of a number with its parameters, as `Event.values` gave them."""
        return self._events[code].of(numbers)

    def draw(self, view: Any, language: str = "en") -> str:
        """The board as text, with a letter for each chariot."""
        return plain(self.draw_signs(view, language), self.definition.letters(self.edition))

    def draw_signs(self, view: Any, language: str = "en") -> str:
        """The board as text, with a sign for each chariot: see `text_board`."""
        return self.definition.draw(view, self.edition, self.words(language))

    def words(self, language: str) -> Catalogue:
        """The game's text catalogue in a language."""
        return catalogue(language, self.definition.package)

    def require(self, state: Any, choices: Mapping[int, Action]) -> None:
        """Raise unless these are legal choices of exactly the seats that owe one."""
        owing = self.to_act(state)
        for seat, action in choices.items():
            self._require_allowed(state, owing, seat, action)
        if missing := set(owing) - set(choices):
            raise IllegalAction(f"seat {min(missing)} has not chosen yet")

    def require_one(self, state: Any, seat: int, action: Action) -> None:
        """Raise unless the seat may choose this now."""
        self._require_allowed(state, self.to_act(state), seat, action)

    def _require_allowed(self, state: Any, owing: tuple[int, ...], seat: int, action: Action) -> None:
        if not isinstance(action, self.definition.actions):
            raise InvalidAction(f"{action!r} is no action of {self.meta.title}")
        if seat not in owing:
            who = f"seat {', '.join(map(str, owing))} is to act" if owing else "the race is over"
            raise NotYourTurn(f"seat {seat} owes no choice now; {who}")
        if refusal := self.refusal(state, seat, action):
            because = self.words("en").message("refusals", refusal, self.names)
            raise AgainstTheRules(f"{self.describe(action)}: {because}; {self._allowed(state, seat)}", refusal)

    def _allowed(self, state: Any, seat: int) -> str:
        codes = self.legal_codes(state, seat)
        shown = [self.describe(self.unpack(int(code))) for code in codes[:SHOWN_CHOICES]]
        more = f" and {len(codes) - SHOWN_CHOICES} more" if len(codes) > SHOWN_CHOICES else ""
        return f"allowed: {' | '.join(shown)}{more}"

    def _standings(self, state: Any) -> tuple[tuple[int, ...], int]:
        places = np.zeros(int(state.seats), np.int64)
        reason = self.kernels.standings(state, self.tables, places)
        return tuple(places.tolist()), int(reason)

    def events_of(self, log: NDArray[np.int32]) -> tuple[Told, ...]:
        """The events that kernels wrote into a log."""
        count = int(log[0, 0])
        assert count < len(log), f"a step of {self.meta.name} told {count} events, more than the log holds"
        return tuple(
            Told(self._events[event].of(numbers), None if audience < 0 else audience)
            for event, audience, *numbers in log[1 : count + 1].tolist()
        )

    def _scratch(self) -> NDArray[np.int64]:
        return np.empty(self.definition.scratch, np.int64)


def open_game(definition: Definition, edition: str | Path | TomlFile | None = None) -> Game:
    """A game with an edition file of one's own, or the standard one."""
    if edition is None:
        folder = resources.files(definition.package)
        text = (folder / "edition.toml").read_text(encoding="utf-8")
        loaded = definition.load_edition(TomlFile(f"{definition.meta.name}/edition.toml", text))
        return Game(definition, Edition(loaded.tables, loaded.names, loaded.source, standard=True))
    source = edition if isinstance(edition, TomlFile) else TomlFile.read(edition)
    return Game(definition, definition.load_edition(source))
