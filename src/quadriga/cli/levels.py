"""What the levels of bots are like, in a sentence each."""

from collections.abc import Iterable, Iterator

from rich import box
from rich.table import Table

from quadriga.bots import LEVELS, STAND_IN, notice_of
from quadriga.cli.arguments import Language, system_language
from quadriga.cli.console import open_console
from quadriga.core.game import Game
from quadriga.core.text import Catalogue, catalogue


def bots(language: Language = None) -> None:
    """List the levels of bots, the weakest first, each with a sentence."""
    words = catalogue(system_language(language))
    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False)
    for level in LEVELS:
        table.add_row(level, words.say(f"bots.{level}.character"))
    open_console().print(table)


def introductions(game: Game, levels: Iterable[str], words: Catalogue) -> Iterator[str]:
    """What each level at a table is like, and whether it can play this edition as it should."""
    for level in dict.fromkeys(levels):
        yield f"{level}: {words.say(f'bots.{level}.character')}"
        if notice_of(level, game):
            yield words.say("terminal.no_network", level=level, instead=STAND_IN)
