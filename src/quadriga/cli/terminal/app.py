"""The screen: board, standings, choices with a filter, log. Keys, mouse, two languages, narrow terminals."""

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.containers import Horizontal, ScrollableContainer, Vertical
from textual.widgets import Footer, Input, Label, OptionList, RichLog, Static
from textual.widgets.option_list import Option

from quadriga.cli.terminal.scene import Scene, Table, Turn
from quadriga.core.errors import QuadrigaError
from quadriga.core.text_board import pieces, plain
from quadriga.pictures.art import PALETTE
from quadriga.pictures.factions import factions_of

WIDE = 150
"""Columns from which the choices stand beside the board, not below it."""


def coloured(board: str, letters: str, factions: Sequence[str]) -> Text:
    """A board whose chariots are letters in the colours of their factions; the letters tell them apart as well."""
    text = Text(no_wrap=True)
    for part, chariot in pieces(board):
        if chariot is None:
            text.append(part)
        else:
            faction = factions[chariot % len(factions)]
            style = Style(color=PALETTE[f"{faction}-on"], bgcolor=PALETTE[faction], bold=True)
            text.append(plain(part, letters), style)
    return text


class RaceApp(App[None]):
    """A race on the whole terminal."""

    TITLE = "Quadriga"
    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]  # noqa: RUF012 - as Textual declares it

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table, self.words = table, table.words
        self.turn: Turn | None = None
        self._covered: Scene | None = None
        """The scene of a player who has yet to say that nobody else looks."""
        for key, action, word in (
            ("slash", "filter", "keys_filter"),
            ("escape", "choices", "keys_choose"),
            ("b", "board", "keys_board"),
            ("l", "log", "keys_log"),
            ("q", "quit", "keys_quit"),
        ):
            self.bind(key, action, description=self.words.say(f"terminal.{word}"))
        self.bind("enter", "uncover", show=False)

    def compose(self) -> ComposeResult:
        yield Label(id="status", markup=False)
        with Horizontal(id="main"):
            with ScrollableContainer(id="stage"):
                yield Static(id="board", markup=False)
            with Vertical(id="side"):
                yield Static(id="standings", markup=False)
                yield Input(placeholder=self.words.say("terminal.filter"), id="filter")
                yield Label(id="count", markup=False)
                yield OptionList(id="choices", markup=False)
        yield RichLog(id="log", wrap=True, markup=False)
        yield Footer()

    def on_mount(self) -> None:
        self.query_one("#log").border_title = self.words.say("terminal.log")
        self.query_one("#standings").border_title = self.words.say("terminal.standings")
        self.follow()

    @work
    async def follow(self) -> None:
        """Show every scene of the table."""
        async for scene in self.table.scenes():
            if scene.turn is not None and scene.turn.hand_over:
                self._cover(scene)
            else:
                self._show(scene)

    # ------------------------------------------------------------ showing

    def _cover(self, scene: Scene) -> None:
        """Ask the next player to take the keyboard before anything of theirs is seen."""
        assert scene.turn is not None
        self._covered, self.turn = scene, None
        self.query_one("#board", Static).update("")
        self._list(())
        self._say(self.words.say("terminal.show_hand", player=scene.turn.player))
        self.set_focus(None)

    def _show(self, scene: Scene) -> None:
        self.turn = scene.turn
        game = self.table.game
        letters = "".join(game.definition.letters(game.edition))
        self.query_one("#board", Static).update(coloured(scene.board, letters, factions_of(game)))
        self.query_one("#standings", Static).update("\n".join(scene.standings))
        for sentence in scene.news:
            self.query_one("#log", RichLog).write(sentence)
        self._say(self._status(scene))
        self.query_one("#filter", Input).value = ""
        self._list(scene.turn.choices if scene.turn else ())
        if scene.turn:
            self.query_one("#choices").focus()

    def _status(self, scene: Scene) -> str:
        if scene.over:
            return self.words.say("terminal.over")
        if scene.turn:
            return self.words.say("terminal.your_turn", player=scene.turn.player)
        return self.words.say("terminal.waiting", players=", ".join(scene.waiting_for)) if scene.waiting_for else ""

    def _say(self, sentence: str) -> None:
        self.query_one("#status", Label).update(sentence)

    def _list(self, choices: tuple[str, ...]) -> None:
        options = self.query_one("#choices", OptionList)
        options.clear_options()
        options.add_options([Option(choice, id=str(number)) for number, choice in enumerate(choices)])
        if choices:
            options.highlighted = 0
        self.query_one("#count", Label).update(
            self.words.say("terminal.choices", number=len(choices)) if choices else ""
        )

    # ------------------------------------------------------------ keys and mouse

    def on_input_changed(self, event: Input.Changed) -> None:
        """Keep the choices that hold every word of the filter."""
        parts = event.value.lower().split()
        choices = self.turn.choices if self.turn else ()
        self._list(tuple(choice for choice in choices if all(part in choice.lower() for part in parts)))

    async def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the filter takes the first choice that is left, or the text itself as notation."""
        options = self.query_one("#choices", OptionList)
        left = options.option_count
        await self._choose(str(options.get_option_at_index(0).prompt) if left else event.value)

    async def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        await self._choose(str(event.option.prompt))

    def action_uncover(self) -> None:
        """Show the view of the player who took the keyboard."""
        if self._covered is not None:
            covered, self._covered = self._covered, None
            self._show(covered)

    async def _choose(self, choice: str) -> None:
        if self.turn is None:
            return
        seat = self.turn.seat
        try:
            await self.table.choose(seat, choice)
        except QuadrigaError as error:
            self._say(str(error))

    def action_filter(self) -> None:
        self.query_one("#filter").focus()

    def action_choices(self) -> None:
        self.query_one("#filter", Input).value = ""
        self.query_one("#choices").focus()

    def action_board(self) -> None:
        self.query_one("#stage").focus()

    def action_log(self) -> None:
        self.query_one("#log").focus()
