"""Writing a position over a race, as scenarios do: fields by name; the game completes what follows from them.

Nothing that is written is ignored: what belongs to a seat or a chariot that does not take part is refused, and so is
what the game works out otherwise. docs/scenarios.md says what each game completes.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from quadriga.core import codec
from quadriga.core.bounds import whole_number
from quadriga.core.codec import SEAT, Names
from quadriga.core.fields import NONE, Field, Fields

REST = "rest"
"""Stands in a file for whatever is left over: the game places it."""
Written = Mapping[str, Any]
Path = tuple[str | int, ...]


@dataclass(frozen=True)
class PositionRules:
    """What a game says about positions that are written in part."""

    completes: tuple[str, ...] = ()
    """Fields that the game works out where a position leaves them open; all others stay as they are."""
    rest: tuple[str, ...] = ()
    """Of these the fields whose rest can be given in a word."""
    stacks: tuple[str, ...] = ()
    """Of these the fields whose lists name the top, the topmost last."""
    clock: tuple[str, ...] = ()
    """Fields that say how far the race is, the coarsest first; where nobody has a choice, the game goes on."""
    taking_part: Callable[[Any], Mapping[str, Collection[int]]] = lambda race: {}
    """By domain, the numbers that take part in a race."""
    explain: Callable[[Any, Any, Names], str | None] = lambda race, tables, names: None
    """What is wrong with a position that cannot be, by the names of cards, tokens, chariots; None: nothing to add."""


NO_RULES = PositionRules()
"""For records that are only looked at, such as views."""


class Unwritable(ValueError):
    """A field of a position that cannot be as it is written."""

    def __init__(self, field: str, cause: str) -> None:
        super().__init__(cause)
        self.field = field


# ---------------------------------------------------------------- what a file may write


def check_written(kind: type[Fields], name: str, value: Any, names: Names, seats: int, rules: PositionRules) -> None:
    """Raise ValueError if a file writes a field as it can never be."""
    field = next((f for f in kind.fields if f.name == name), None)
    if field is not None:
        value = _drop_rest(field, value, rules)
        _require_seats(field, value, seats)
    if value is not None:
        codec.fill_record(kind.blank(), {name: value}, names)


def _drop_rest(field: Field, value: Any, rules: PositionRules) -> Any:
    """A value without the word for the rest; None if it is nothing else. The word ends a list, or begins a stack's."""
    if isinstance(value, Mapping):
        return {key: _drop_rest(field, item, rules) for key, item in value.items()}
    if value != REST and not (isinstance(value, list) and REST in value):
        return [_drop_rest(field, item, rules) for item in value] if isinstance(value, list) else value
    if field.name not in rules.rest:
        known = f"; fields with a rest are {', '.join(rules.rest)}" if rules.rest else ""
        raise ValueError(f"{field.name} has no rest that the game could place{known}")
    if value == REST:
        return None
    begins = field.name in rules.stacks
    others = value[1:] if begins else value[:-1]
    if REST in others:
        raise ValueError(f"{field.name}: {REST!r} stands once, at the {'beginning' if begins else 'end'} of the list")
    return [_drop_rest(field, item, rules) for item in others]


def _require_seats(field: Field, value: Any, seats: int) -> None:
    """Refuse what belongs to a seat that nobody has, and such a seat itself."""
    if field.each_seat and isinstance(value, list) and len(value) > seats:
        raise ValueError(f"{field.name}: {len(value)} values, but there are {seats} seats")
    if field.each_seat and isinstance(value, Mapping):
        for key in value:
            number = whole_number(str(key))
            if number is not None and number >= seats:
                raise ValueError(f"{field.name}: there is no seat {number}; there are 0 to {seats - 1}")
    if field.domain == SEAT:
        for one in _leaves(value):
            if isinstance(one, int) and not NONE <= one < seats:
                raise ValueError(f"{field.name}: there is no seat {one}; there are 0 to {seats - 1}")


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _leaves(item)
    else:
        yield value


# ---------------------------------------------------------------- writing


def write_position(game: Any, state: Any, position: Written, stream: Any, is_blank: bool) -> None:
    """Write fields over a race and let the game complete it; raises Unwritable for what cannot be.

    A race as its set-up left it, to which nothing is written, is whole already.
    """
    rules, before = game.definition.position, state.copy()
    fields = {field.name: field for field in game.definition.race.fields}
    for name, value in position.items():
        _clear_rest(state, fields[name], value, game.names, rules)
        if (kept := _drop_rest(fields[name], value, rules)) is not None:
            codec.fill_record(state, {name: kept}, game.names)
    _require_taking_part(game, before, state, [fields[name] for name in position])
    if field := game.out_of_range(state):
        raise Unwritable(field, f"{field}: a number is out of range")
    if game.kernels.settle is not None and (position or is_blank):
        game.kernels.settle(state, game.tables, stream, np.empty(game.definition.scratch, np.int64))
    _require_possible(game, state)
    if not _went_on(state, position, game.names, rules):
        for name in position:
            _require_kept(state, name, position, game.names, rules)


def _clear_rest(state: Any, field: Field, value: Any, names: Names, rules: PositionRules) -> None:
    """Empty what the rest will fill, and what lies in a stack of which the top is written."""
    if not field.shape:
        if value == REST:
            setattr(state, field.name, _nothing(field))
    elif field.name in rules.stacks and isinstance(value, list):
        state[field.name][...] = _nothing(field)
    else:
        _clear(getattr(state, field.name), value, field, names, 0)


def _clear(array: Any, value: Any, field: Field, names: Names, axis: int) -> None:
    if value == REST or (isinstance(value, list) and REST in value):
        array[...] = _nothing(field)
        return
    if array.ndim > 1 and isinstance(value, Mapping | list):
        index_names = field.index if axis == field.axis else None
        pairs = value.items() if isinstance(value, Mapping) else ((str(i), item) for i, item in enumerate(value))
        for key, item in pairs:
            _clear(array[codec.index_of(key, len(array), index_names, names)], item, field, names, axis + 1)


def _nothing(field: Field) -> int:
    return NONE if field.domain else 0


def _require_taking_part(game: Any, before: Any, state: Any, written: list[Field]) -> None:
    taking_part = game.definition.position.taking_part(state)
    for field in written:
        if field.index not in taking_part or field.axis != 0:
            continue
        for number, name in enumerate(game.names.domains[field.index][: field.shape[0]]):
            now = state[field.name][number]
            is_new = np.any(now != before[field.name][number]) and np.any(now != _nothing(field))
            if number not in taking_part[field.index] and is_new:
                raise Unwritable(field.name, f"{field.name}: the {field.index} {name} is not in this race")


def _require_possible(game: Any, state: Any) -> None:
    broken = game.check(state)
    if broken is None:
        return
    told = game.definition.position.explain(state, game.tables, game.names)
    cause = f"the position cannot be; what must hold and does not: {broken}"
    raise Unwritable("", f"{cause}: {told}" if told else cause)


def _went_on(state: Any, position: Written, names: Names, rules: PositionRules) -> bool:
    """Whether the game went on from what is written, up to the next choice: then the rest has changed, too."""
    fields = {field.name: field for field in codec.type_of(state).fields}
    for name in rules.clock:
        if name in position:
            now, written = int(state[name]), names.number(fields[name].domain, position[name])
            if now != written:
                return now > written
    return False


def _require_kept(state: Any, name: str, position: Written, names: Names, rules: PositionRules) -> None:
    """Refuse what the game works out otherwise than it is written."""
    for place, found, written in unequal_fields(state, {name: position[name]}, names, rules):
        cause = f"{place} is written as {show(written)}, but from the rest of the position follows {show(found)}"
        raise Unwritable(name, cause)


# ---------------------------------------------------------------- comparing


def unequal_fields(
    record: Any, written: Written, names: Names, rules: PositionRules = NO_RULES
) -> Iterator[tuple[str, Any, Any]]:
    """Where a record is not as it is written: the place, what is there, and what is written."""
    declared = {field.name: field for field in codec.type_of(record).fields}
    wanted = record.copy()
    for name, value in written.items():
        kept = _drop_rest(declared[name], value, rules)
        if name in rules.stacks and isinstance(kept, list):
            kept = _at_the_top(record[name], kept)
        if kept is not None:
            codec.fill_record(wanted, {name: kept}, names)
    found, expected = codec.record_to_json(record, names), codec.record_to_json(wanted, names)
    for name in written:
        for path, is_, must in _unequal(found[name], expected[name]):
            yield _place(name, declared[name].index, path), is_, must


def _at_the_top(stack: Any, top: list[Any]) -> dict[str, Any]:
    """The uppermost things of a stack by their index, the topmost last."""
    first = max(0, int(np.count_nonzero(stack != NONE)) - len(top))
    return {str(first + i): item for i, item in enumerate(top)}


def _unequal(found: Any, expected: Any, path: Path = ()) -> Iterator[tuple[Path, Any, Any]]:
    """The places where two values of the same shape differ."""
    if isinstance(found, dict | list):
        keys = found if isinstance(found, dict) else range(len(found))
        for key in keys:
            yield from _unequal(found[key], expected[key], (*path, key))
    elif found != expected:
        yield path, found, expected


def _place(field: str, index: str | None, path: Path) -> str:
    """A place in a record as people say it: `chariot suns: plot[1]`."""
    named = "".join(f"{index} {key}: " for key in path if isinstance(key, str))
    return named + field + "".join(f"[{key}]" for key in path if isinstance(key, int))


def show(value: Any) -> str:
    """A value as it is written in a scenario."""
    if isinstance(value, list):
        return "[" + ", ".join(map(show, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(value)
