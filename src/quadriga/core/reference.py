"""Everything a game has a name for, as a page: what scenarios, records and clients write and read."""

import inspect
from collections.abc import Iterable, Iterator

from quadriga.core.fields import Field, Fields
from quadriga.core.game import Game
from quadriga.core.messages import Message, Slot
from quadriga.core.meta import Option

MOST_NAMES = 200


def reference(game: Game) -> str:
    """The page of a game, in Markdown."""
    definition = game.definition
    parts = [
        (f"# Names of {game.meta.title}", [_INTRODUCTION]),
        ("## Options", map(_option, game.meta.options)),
        ("## Ways to end", [", ".join(f"`{reason}`" for reason in definition.reasons[1:])]),
        ("## Kinds of names", _domains(game)),
        ("## Choices", map(_message, definition.actions)),
        ("## Events", map(_message, definition.events)),
        ("## Refusals", map(_message, definition.refusals)),
        ("## Position", _fields(definition.race)),
        ("## View", _fields(definition.view)),
        ("## Invariants", [", ".join(f"`{name}`" for name in definition.invariants[1:])]),
    ]
    return "\n".join(line for heading, lines in parts for line in (heading, *lines, ""))


_INTRODUCTION = (
    "\nWritten by the program from its own declarations. Fields in brackets say which kind of name they hold."
)


def _option(option: Option) -> str:
    if option.words:
        values = " or ".join(f"`{word}`" for word in option.words)
    else:
        values = "`true` or `false`" if isinstance(option.default, bool) else f"{option.low} to {option.high}"
    default = str(option.default).lower() if isinstance(option.default, bool) else option.default
    only = f"; with {' or '.join(map(str, option.only_seats))} players only" if option.only_seats else ""
    return f"- `{option.name}`: {values}, by default `{default}`{only}"


def _domains(game: Game) -> Iterator[str]:
    yield f"Dice show a name of *{game.definition.die}*. Seats are numbers from 0.\n"
    for domain, names in game.names.domains.items():
        distinct = list(dict.fromkeys(names))
        shown = ", ".join(f"`{name}`" for name in distinct[:MOST_NAMES])
        more = f" and {len(distinct) - MOST_NAMES} more" if len(distinct) > MOST_NAMES else ""
        yield f"- *{domain}*: {shown}{more}"


def _message(kind: type[Message]) -> str:
    fields = ", ".join(map(_slot, kind.slots))
    return f"- `{kind.name}`{f' ({fields})' if fields else ''}: {_sentence(kind)}"


def _slot(slot: Slot) -> str:
    kind = "true or false" if slot.flag else slot.domain or "number"
    return f"{slot.name} [{f'up to {slot.most} of ' if slot.most else ''}{kind}]"


def _sentence(kind: type) -> str:
    return " ".join((inspect.getdoc(kind) or "").split())


def _fields(kind: type[Fields]) -> Iterable[str]:
    return (f"- `{field.name}`{_shape(field)}: {field.meaning}" for field in kind.fields)


def _shape(field: Field) -> str:
    size = " × ".join(map(str, field.shape)) + (f" by {field.index}" if field.index else "")
    values = "" if field.domain else f"{field.between.low} to {field.between.high}"
    shown = ", ".join(part for part in (size, values) if part)
    return (f" ({shown})" if shown else "") + (f" [{field.domain}]" if field.domain else "")
