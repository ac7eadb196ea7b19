"""A race in the terminal: people at the keyboard, bots at the other seats."""

import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from quadriga import games
from quadriga.bots import LEVELS, Bot, make_bot
from quadriga.cli.arguments import Components, GameName, Language, Options, Seats, parse_options, system_language
from quadriga.cli.console import open_console
from quadriga.cli.levels import introductions
from quadriga.core.bounds import whole_number
from quadriga.core.errors import InvalidOption, QuadrigaError
from quadriga.core.match import Match, Sitter
from quadriga.core.record import record_of, to_json
from quadriga.core.text import catalogue

SCREEN_PACE = 0.4
"""Seconds between steps on a full screen, so that eyes can follow."""
SHOWN = 24
"""Choices listed at once; `?` lists all."""


def race(
    game: GameName,
    seats: Seats = None,
    people: Annotated[
        int | None, typer.Option(help="Seats played at this keyboard; 1, or none without a keyboard.")
    ] = None,
    bot: Annotated[str, typer.Option(help=f"Bots at the other seats: {', '.join(LEVELS)}.")] = "greedy",
    option: Options = None,
    components: Components = None,
    seed: Annotated[str | None, typer.Option(help="64 hexadecimal digits, to race the same race again.")] = None,
    pace: Annotated[float, typer.Option(min=0.0, max=10.0, help="Seconds between steps while only bots move.")] = 0.0,
    save: Annotated[Path | None, typer.Option(help="Write the record of the race to this file.")] = None,
    language: Language = None,
    is_plain: Annotated[bool, typer.Option("--plain", help="Lines of text instead of a full screen.")] = False,
) -> None:
    """Race in the terminal, against bots or with friends at one keyboard."""
    loaded = games.load(game, components)
    count = seats or max(4 if 4 in loaded.meta.seats else loaded.meta.seats[0], loaded.meta.seats[0])
    at_keyboard = people if people is not None else int(sys.stdin.isatty())
    loaded.meta.check_seats(count)
    if not 0 <= at_keyboard <= count:
        raise InvalidOption(f"{at_keyboard} people cannot sit on {count} seats")
    if save and not save.parent.is_dir():
        raise InvalidOption(f"the record cannot be written: there is no folder {save.parent}")
    words = loaded.words(system_language(language))
    sitters = [Sitter(words.say("player", number=i + 1)) for i in range(at_keyboard)]
    sitters += [Sitter(f"{bot} {i + 1}", bot) for i in range(at_keyboard, count)]
    match = Match(loaded, sitters, parse_options(loaded.meta, option), _seed(seed))
    try:
        if not is_plain and has_screen(system_language(language)):
            _play_on_screen(match, system_language(language), pace)
        else:
            Terminal(match, system_language(language), pace).play()
    finally:
        if save:
            save.write_text(to_json(record_of(match)), encoding="utf-8")


def has_screen(language: str) -> bool:
    """Whether a full screen can be shown; says what is missing if only Textual is."""
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        return False
    if find_spec("textual") is None:
        print(catalogue(language).say("terminal.no_textual"), file=sys.stderr)
        return False
    return True


def _play_on_screen(match: Match, language: str, pace: float) -> None:
    from quadriga.cli.terminal.app import RaceApp
    from quadriga.cli.terminal.local import LocalTable

    RaceApp(LocalTable(match, language, pace or SCREEN_PACE)).run()


def _seed(text: str | None) -> bytes | None:
    if text is None:
        return None
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise InvalidOption("a seed is 64 hexadecimal digits")
    return seed


class Terminal:
    """Shows a match and asks the people at the keyboard."""

    def __init__(self, match: Match, language: str, pace: float) -> None:
        self.match, self.game, self.language, self.pace = match, match.game, language, pace
        self.words = match.game.words(language)
        self.people = [seat for seat, sitter in enumerate(match.sitters) if sitter.kind == "person"]
        self.bots: dict[int, Bot] = {
            seat: make_bot(sitter.kind, match.game, int(match.commitment[:12], 16) + seat)
            for seat, sitter in enumerate(match.sitters)
            if seat not in self.people
        }
        self.names = [sitter.name for sitter in match.sitters]
        self.console = open_console(wrap=False)
        self.told = -1

    def play(self) -> None:
        """From the first choice to the places."""
        self.console.print(self.words.say("terminal.commitment", hash=self.match.commitment))
        levels = [self.match.sitters[seat].kind for seat in self.bots]
        for sentence in introductions(self.game, levels, self.words):
            self.console.print(sentence)
        while not self.match.over:
            for seat in self.match.to_act():
                self._choose(seat)
            if not self.people:
                self._tell(None)
                time.sleep(self.pace)
        self._tell(None)
        self._board(None)
        self._places()

    def _choose(self, seat: int) -> None:
        if seat in self.people:
            self._ask(seat)
            return
        choices = self.match.legal_actions(seat)
        view = self.match.view(seat)
        self.match.choose(seat, choices[0] if len(choices) == 1 else self.bots[seat].choose(view, seat, choices))

    # ------------------------------------------------------------ what is shown

    def _tell(self, seat: int | None) -> None:
        for happened in self.match.events(seat, self.told):
            for event in happened.events:
                self.console.print(self.words.message("events", event, self.game.names, self.names))
        self.told = self.match.seq

    def _board(self, seat: int | None) -> None:
        self.console.print()
        self.console.print(self.game.draw(self.match.view(seat), self.language))
        self.console.print()

    def _places(self) -> None:
        result = self.match.result()
        assert result is not None
        for place, seat in sorted((place, seat) for seat, place in enumerate(result.places)):
            self.console.print(f"{place}. {self.names[seat]}")
        self.console.print(self.words.say("terminal.seed", seed=self.match.seed.hex()))

    # ------------------------------------------------------------ what is asked

    def _ask(self, seat: int) -> None:
        if len(self.people) > 1:
            self.console.clear()
            self._read(self.words.say("terminal.hand_over", player=self.names[seat]))
        self._tell(seat if len(self.people) == 1 else None)
        self._board(seat)
        choices = [self.game.describe(action) for action in self.match.legal_actions(seat)]
        self._list(choices[:SHOWN])
        if len(choices) > SHOWN:
            self.console.print(self.words.say("terminal.more", number=len(choices) - SHOWN))
        while not self._answer(seat, choices):
            pass

    def _answer(self, seat: int, choices: list[str]) -> bool:
        """Read one answer; True if it was a choice."""
        text = self._read(self.words.say("terminal.prompt", player=self.names[seat], number=len(choices)))
        if text == "?":
            self._list(choices)
            return False
        number = whole_number(text)
        if number is not None and not 1 <= number <= len(choices):
            self.console.print(self.words.say("terminal.no_number", number=len(choices)))
            return False
        try:
            self.match.choose(seat, text if number is None else choices[number - 1])
        except QuadrigaError as error:
            self.console.print(str(error))
            return False
        return True

    def _list(self, choices: list[str]) -> None:
        for number, choice in enumerate(choices, 1):
            self.console.print(f"{number:4}  {choice}")

    def _read(self, prompt: str) -> str:
        try:
            return self.console.input(f"{prompt} ").strip()
        except EOFError:
            raise typer.Abort from None
