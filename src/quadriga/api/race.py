"""A race: made, asked, played, copied, undone, watched, ended, saved and opened."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from quadriga import games
from quadriga.api.boards import with_names
from quadriga.api.bots import Seating, seat_bots
from quadriga.api.choices import Choice, action_of, choice_of, shown
from quadriga.api.events import Event, event_of
from quadriga.api.games import Game, as_game, core_game, usual_players
from quadriga.api.standings import Standing
from quadriga.api.views import View
from quadriga.core import streams
from quadriga.core.errors import IllegalAction, InvalidAction, InvalidOption, NotYourTurn
from quadriga.core.match import Choices, Match, Sitter
from quadriga.core.meta import OptionValue
from quadriga.core.record import from_json, read_record, record_of, replay, to_json

Seed = bytes | str | int


class Race:
    """One race of a game.

    >>> race = Race("chariots", players=["Ana", "Ben"], seed=7)
    >>> race.to_act
    (0, 1)
    >>> race.choices(0)[:2]
    ['plot 2+3+4', 'plot 2+3+5']
    >>> race.run("greedy").is_over
    True
    """

    def __init__(
        self,
        game: str | Game,
        players: int | Sequence[str] | None = None,
        options: Mapping[str, object] | None = None,
        seed: Seed | None = None,
    ) -> None:
        """Set up a race for a number of players or for their names; without a seed its dice are secret and new.

        A seed is a number, 32 bytes, or 64 hexadecimal digits.
        """
        game = as_game(game)
        if isinstance(players, str):
            raise InvalidOption(f"players are a number or a list of names, not the text {players!r}")
        count = usual_players(game) if players is None else players
        names = [f"Player {n + 1}" for n in range(count)] if isinstance(count, int) else list(count)
        self._hold(Match(core_game(game), [Sitter(name) for name in names], options, _seed_bytes(seed)), game)

    def _hold(self, match: Match, game: Game | None = None, has_record: bool = True) -> None:
        self._match, self._has_record = match, has_record
        edition = match.game.edition
        self._game = game or Game(match.game.meta.name, None if edition.standard else edition.source.text)

    @classmethod
    def _of(cls, match: Match, game: Game | None = None, has_record: bool = True) -> Self:
        race = cls.__new__(cls)
        race._hold(match, game, has_record)
        return race

    # ------------------------------------------------------------ files

    @classmethod
    def open(cls, path: str | Path) -> Self:
        """The race in a record file, played again and checked step by step."""
        return cls._of(replay(read_record(path), games.load))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """The race in a record's text, played again and checked step by step."""
        return cls._of(replay(from_json(text), games.load))

    @classmethod
    def from_scenario(cls, scenario: str | Path) -> Self:
        """The race as a scenario begins, from a file or from TOML text; it has no record."""
        from quadriga.api.scenarios import match_of_scenario

        return cls._of(match_of_scenario(scenario), has_record=False)

    def to_json(self) -> str:
        """The record of the race. Before the end it contains the seed: keep it from the players."""
        if not self._has_record:
            raise IllegalAction("a race that did not begin with a set-up has no record")
        return to_json(record_of(self._match, secrets=True))

    def save(self, path: str | Path) -> None:
        """Write the record to a file. Before the end it contains the seed: keep it from the players."""
        Path(path).write_text(self.to_json(), encoding="utf-8")

    # ------------------------------------------------------------ facts

    @property
    def game(self) -> Game:
        """The game that is raced."""
        return self._game

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, by seat."""
        return tuple(sitter.name for sitter in self._match.sitters)

    @property
    def options(self) -> dict[str, OptionValue]:
        """The options of the race."""
        return dict(self._match.options)

    @property
    def seed(self) -> bytes:
        """The seed from which all dice and shuffles follow."""
        return self._match.secret_seed()

    @property
    def step(self) -> int:
        """The number of the last step; 0 after the set-up."""
        return self._match.seq

    @property
    def is_over(self) -> bool:
        """Whether the race has ended."""
        return self._match.over

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats whose choice is missing; several choose in secret; none: the race is over."""
        return self._match.waiting_for()

    @property
    def standings(self) -> list[Standing]:
        """The standings, best place first: final ones after the end, until then as the race stands."""
        result = self._match.result()
        places = result.places if result else self._match.game.places(self._match.state)
        order = sorted((place, seat) for seat, place in enumerate(places))
        return [Standing(place, seat, self.players[seat]) for place, seat in order]

    @property
    def winner(self) -> int | None:
        """The seat that won; None while the race runs, and where nobody wins."""
        result = self._match.result()
        return result.winner if result else None

    @property
    def reason(self) -> str | None:
        """Why the race ended, in a word; None while it runs."""
        result = self._match.result()
        return result.reason if result else None

    @property
    def last_choices(self) -> dict[int, Choice]:
        """What was chosen in the last step, by seat; empty after the set-up and where nobody chose."""
        entry = self._match.log[-1]
        chosen = entry.choices if isinstance(entry, Choices) else {}
        game = self._match.game
        return {seat: choice_of(game.parse(text), game) for seat, text in chosen.items()}

    # ------------------------------------------------------------ choices

    def choices(self, seat: int | None = None) -> list[Choice]:
        """The choices of a seat; it can be left out where only one seat is to act. Empty if it has none to make."""
        if seat is None and self.is_over:
            return []
        actions = self._match.legal_actions(self._acting(seat))
        return [choice_of(action, self._match.game) for action in actions]

    def why_not(self, choice: str, seat: int | None = None, language: str = "en") -> str | None:
        """Why a seat may not choose this now, in a sentence; None if it may."""
        game, match = self._match.game, self._match
        try:
            seat = self._acting(seat)
            action = action_of(choice, game)
            game.require_one(match.state, seat, action)
        except (InvalidAction, NotYourTurn) as error:
            return str(error)
        except IllegalAction as error:
            refusal = getattr(error, "refusal", None)
            return game.words(language).message("refusals", refusal, game.names) if refusal else str(error)
        return None

    def play(self, choice: str | Mapping[int, str], seat: int | None = None) -> list[Event]:
        """Play one choice, or those of all seats to act as `{seat: choice}`; returns what everybody saw happen.

        A choice made in secret waits for the others, and nothing happens until the last one is made.
        """
        before = self.step
        if isinstance(choice, Mapping):
            self._match.step({who: self._action(one, who) for who, one in choice.items()})
        else:
            seat = self._acting(seat)
            self._match.choose(seat, self._action(choice, seat))
        return self.events(since=before)

    def run(self, bots: Seating = "greedy", steps: int | None = None) -> Self:
        """Let bots play to the end, or for some steps: one for all seats, a list by seat, or `{seat: bot}`.

        A bot is the name of a level or a function. With bots for some seats only, it stops when another is to act.
        """
        asked = seat_bots(bots, len(self.players), int(self._match.commitment[:12], 16))
        last = None if steps is None else self.step + steps
        while self.to_act and (last is None or self.step < last) and set(self.to_act) & set(asked):
            for seat in set(self.to_act) & set(asked):
                offered = self.choices(seat)
                self.play(offered[0] if len(offered) == 1 else asked[seat](self.view(seat), offered), seat)
        return self

    def resign(self, seat: int) -> None:
        """Give up: the seat is placed behind all that did not."""
        self._match.resign(self._seat(seat))

    def _seat(self, seat: int) -> int:
        """A seat of this race, or InvalidOption."""
        if seat not in range(len(self.players)):
            raise InvalidOption(f"there is no seat {seat}; there are seats 0 to {len(self.players) - 1}")
        return seat

    def _acting(self, seat: int | None) -> int:
        """The seat given, or the only one to act."""
        if seat is not None:
            return self._seat(seat)
        if len(self.to_act) == 1:
            return self.to_act[0]
        if self.is_over:
            raise IllegalAction("the race is over")
        raise NotYourTurn(f"several seats are to act: say which of {', '.join(map(str, self.to_act))}")

    def _action(self, choice: str, seat: int) -> Any:
        """The action of a text; an error lists what is allowed."""
        try:
            return action_of(choice, self._match.game)
        except InvalidAction as error:
            allowed = self.choices(seat)
            raise InvalidAction(f"{error}; allowed: {shown(allowed)}" if allowed else str(error)) from None

    # ------------------------------------------------------------ other moments

    def copy(self) -> Self:
        """A copy that is played on by itself."""
        race = self.at(self.step)
        race._match.pending = dict(self._match.pending)
        return race

    def at(self, step: int) -> Self:
        """A copy of the race as it was after a step."""
        match = self._match
        match.state_after(step)
        moments = {number: match.moment(number) for number in range(step + 1)}
        earlier = Match(
            match.game, match.first_sitters, match.options, match.secret_seed(), match.nonces,
            match.log[: step + 1], moments,
        )  # fmt: skip
        return self._of(earlier, self._game, self._has_record)

    def undo(self, steps: int = 1) -> None:
        """Remove the last steps, as if they had never been played; the same choices would meet the same dice."""
        if not 0 <= steps <= self.step:
            raise IllegalAction(f"{steps} steps cannot be undone: there are {self.step}")
        self._match = self.at(self.step - steps)._match

    # ------------------------------------------------------------ what can be seen

    def view(self, seat: int | None = None) -> View:
        """What a seat (None: a spectator) can see."""
        if seat is not None:
            self._seat(seat)
        return View(self._match.game, self._match.view(seat), seat)

    def events(self, seat: int | None = None, since: int = -1) -> list[Event]:
        """What happened after step `since`, as a seat (None: a spectator) may know it; -1: from the set-up on."""
        if seat is not None:
            self._seat(seat)
        return [
            event_of(happened.seq, event, self._match.game, self.players)
            for happened in self._match.events(seat, since)
            for event in happened.events
        ]

    def log(self, language: str = "en", seat: int | None = None) -> list[str]:
        """The story of the race as a seat (None: a spectator) may know it, a sentence for each event."""
        return [event.text(language) for event in self.events(seat)]

    def to_arrow(self, seat: int | None = None, language: str = "en") -> Any:
        """The events that a seat (None: a spectator) may know as an Arrow table; needs `quadriga[data]`."""
        from quadriga.api.tables import events_to_arrow

        return events_to_arrow(self, seat, language)

    def svg(self, seat: int | None = None, language: str = "en", since: int | None = None) -> str:
        """The race as an SVG picture, as a seat (None: a spectator) sees it.

        Arrows show what moved after step `since`; left out, in the last step.
        """
        from quadriga.api.pictures import svg_of

        return svg_of(self, seat, language, since)

    def png(self, seat: int | None = None, language: str = "en", width: int | None = None) -> bytes:
        """The same picture as PNG, so many pixels wide; needs `quadriga[pictures]`."""
        from quadriga.pictures.moving import png

        return png(self.svg(seat, language), width)

    def animate(
        self,
        path: str | Path,
        seat: int | None = None,
        language: str = "en",
        width: int = 800,
        seconds: float = 0.5,
        frames: int = 120,
    ) -> None:
        """Write the whole race as a `.gif` or `.webp` file of at most so many frames; needs `quadriga[pictures]`."""
        from quadriga.api.pictures import animate

        animate(self, Path(path), seat, language, width, seconds, frames)

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"image/svg+xml": self.svg(), "text/plain": repr(self)}

    def __str__(self) -> str:
        return with_names(self.view().board(), self._match.game.words("en"), self.players)

    def __repr__(self) -> str:
        acting = "over" if self.is_over else f"to act: {', '.join(map(str, self.to_act))}"
        return f"<Race of {self.game.name}, {len(self.players)} players, step {self.step}, {acting}>"


def _seed_bytes(seed: Seed | None) -> bytes | None:
    """A seed as 32 bytes; numbers count from the last byte."""
    if seed is None or isinstance(seed, bytes):
        return seed
    try:
        return bytes.fromhex(seed) if isinstance(seed, str) else seed.to_bytes(streams.SEED_BYTES, "big")
    except (ValueError, OverflowError):
        raise InvalidOption("a seed is a number from 0 on, 32 bytes, or 64 hexadecimal digits") from None
