"""Arguments that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from quadriga import games
from quadriga.core.errors import InvalidOption
from quadriga.core.meta import Meta, OptionValue

GameName = Annotated[str, typer.Argument(metavar="GAME", help=f"One of {', '.join(games.NAMES)}.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game.")
]
Seats = Annotated[int | None, typer.Option("--seats", "-n", help="Number of players.")]
Components = Annotated[Path | None, typer.Option("--components", help="Play with this edition file.")]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]
Device = Annotated[str | None, typer.Option(help="cpu, or cuda for a GPU; QUADRIGA_TARGET if left out, else cpu.")]
Language = Annotated[str | None, typer.Option("--language", help="en or es; the system's language if left out.")]


def parse_options(meta: Meta, given: list[str] | None) -> dict[str, OptionValue]:
    """`["laps=2", "race_on=yes"]` as values; ranges are checked by the game."""
    known = {option.name: option for option in meta.options}
    options: dict[str, OptionValue] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals or name not in known:
            raise InvalidOption(f"{text!r} is not NAME=VALUE with one of {', '.join(known)}")
        options[name] = _value(name, value, known[name].default)
    return options


def _value(name: str, text: str, default: OptionValue) -> OptionValue:
    if isinstance(default, bool):
        words = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}
        if text.lower() not in words:
            raise InvalidOption(f"option {name} is yes or no, not {text!r}")
        return words[text.lower()]
    if isinstance(default, int):
        try:
            return int(text)
        except ValueError:
            raise InvalidOption(f"option {name} is a number, not {text!r}") from None
    return text


def system_language(chosen: str | None) -> str:
    """The language asked for, else the system's, else English."""
    import os

    from quadriga.core.text import LANGUAGES

    if chosen is not None:
        return chosen
    spoken = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return spoken[:2] if spoken[:2] in LANGUAGES else "en"
