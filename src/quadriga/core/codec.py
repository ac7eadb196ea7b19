"""Numbers to names and back: records, actions, events and refusals as JSON values and as notation.

`Names` says what an edition calls the numbers of each domain; everything here follows from the declarations.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec
import numpy as np

from quadriga.core.bounds import MOST_NOTATION, whole_number
from quadriga.core.errors import InvalidAction
from quadriga.core.fields import NONE, Field, Fields
from quadriga.core.messages import Action, Event, Message, Slot

Json = Any

Key = TypeVar("Key")
encode = msgspec.json.Encoder().encode
MOST_WRITTEN = 1000
"""Values of a field whose JSON is kept."""
IN_A_ROW = 8
"""Fields whose JSON is kept together, too."""

SEAT = "seat"
"""The one domain whose numbers stay numbers: people sit there, and the text catalogues name them."""


NO_NAME = "none"
"""How files say none where TOML has no null."""


class Names:
    """The names of numbers, by domain."""

    def __init__(self, domains: Mapping[str, Iterable[str]]) -> None:
        self.domains = {domain: tuple(names) for domain, names in domains.items()}
        # The first of equal names counts: a die may show one face on two sides.
        self._numbers = {d: {n: i for i, n in reversed(tuple(enumerate(names)))} for d, names in self.domains.items()}

    def name(self, domain: str | None, number: int) -> Json:
        """The name of a number: null for none, the number itself where there is no domain, and for seats."""
        if domain is None or (domain == SEAT and number != NONE):
            return int(number)
        return None if number == NONE else self.domains[domain][number]

    def number(self, domain: str | None, name: object) -> int:
        """The number of a name; raises ValueError with a sentence."""
        if domain is not None and (name is None or (name == NO_NAME and name not in self.domains.get(domain, ()))):
            return NONE
        if domain is None or domain == SEAT:
            if isinstance(name, bool) or not isinstance(name, int):
                raise ValueError(f"{name!r} is not a whole number")
            return name
        numbers = self._numbers[domain]
        if str(name) in numbers:
            return numbers[str(name)]
        raise ValueError(f"{name!r} is no {domain}; there {_choices(self.domains[domain])}")


def _choices(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:12])
    return f"are {shown}" if len(names) <= 12 else f"are {len(names)}: {shown}, ..."


# ---------------------------------------------------------------- records


def record_to_json(record: Any, names: Names) -> dict[str, Json]:
    """A record as a dictionary, names in place of numbers."""
    values: tuple[Any, ...] = record.item()
    pairs = zip(type_of(record).fields, values, strict=True)
    return {f.name: _value_to_json(value.tolist() if f.shape else value, f, names) for f, value in pairs}


_DECLARED: dict[np.dtype[Any], type[Fields]] = {}


def declare(*kinds: type[Fields]) -> None:
    """Let `type_of` find the declaration of a record by its dtype."""
    _DECLARED.update({kind.dtype: kind for kind in kinds})


def type_of(record: Any) -> type[Fields]:
    """The declaration a record was made from."""
    return _DECLARED[record.dtype]


def _value_to_json(value: Json, field: Field, names: Names, axis: int = 0) -> Json:
    """A number, or an array as nested lists: the innermost is written at one go, since views are sent often."""
    if not field.shape:
        return names.name(field.domain, value)
    if axis == len(field.shape) - 1:
        items = _named(value, field.domain, names)
    else:
        items = [_value_to_json(item, field, names, axis + 1) for item in value]
    if field.index and axis == field.axis:
        return dict(zip(names.domains[field.index], items, strict=False))
    return items


def _named(numbers: list[int], domain: str | None, names: Names) -> list[Json]:
    if domain is None:
        return numbers
    if domain == SEAT:
        return [None if number == NONE else number for number in numbers]
    shown = names.domains[domain]
    return [None if number == NONE else shown[number] for number in numbers]


def fill_record(record: Fields, data: Mapping[str, Json], names: Names) -> None:
    """Set fields by name. A list sets the first elements of an array, a table of indexes those it names.

    Raises ValueError with a sentence that names the field.
    """
    fields = {f.name: f for f in type_of(record).fields}
    for name, value in data.items():
        if name not in fields:
            raise ValueError(f"there is no field {name!r}; there are {', '.join(fields)}")
        field = fields[name]
        try:
            if field.shape:
                _fill_array(getattr(record, name), value, field, names)
            else:
                setattr(record, name, _fitting(names.number(field.domain, value), field))
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None


def _fitting(number: int, field: Field) -> int:
    low, high = field.between.low, field.between.high
    if not low <= number <= high:
        raise ValueError(f"{number} is out of range: {low} to {high}")
    return number


def out_of_range(record: Any, names: Names, seats: int) -> str | None:
    """The first field that holds a number its declaration does not allow; None if there is none.

    Kernels take this for granted: they index by these numbers.
    """
    for field in type_of(record).fields:
        low, high = _range(field, names, seats)
        values = record[field.name]
        if np.min(values) < low or np.max(values) > high:
            return field.name
    return None


def _range(field: Field, names: Names, seats: int) -> tuple[int, int]:
    if field.domain is None:
        return field.between.low, field.between.high
    return NONE, (seats if field.domain == SEAT else len(names.domains[field.domain])) - 1


def _fill_array(array: Any, value: Json, field: Field, names: Names, axis: int = 0) -> None:
    if isinstance(value, Mapping):
        index_names = field.index if axis == field.axis else None
        pairs = [(index_of(key, len(array), index_names, names), item) for key, item in value.items()]
    elif isinstance(value, list):
        if len(value) > len(array):
            raise ValueError(f"{len(value)} values, but there is room for {len(array)}")
        pairs = list(enumerate(value))
    else:
        raise ValueError(f"{value!r} is neither a list nor a table of indexes")
    for index, item in pairs:
        if array.ndim > 1:
            _fill_array(array[index], item, field, names, axis + 1)
        else:
            array[index] = _fitting(names.number(field.domain, item), field)


def index_of(key: str, length: int, domain: str | None, names: Names) -> int:
    """The index that a key of a table of indexes names; raises ValueError with a sentence."""
    number = whole_number(key)
    if number is None and domain is not None:
        number = names.number(domain, key)
    if number is None or not 0 <= number < length:
        raise ValueError(f"{key!r} is no index from 0 to {length - 1}")
    return number


# ---------------------------------------------------------------- messages


def message_to_json(message: Message, names: Names) -> dict[str, Json]:
    """An action, event or refusal as a dictionary with its kind."""
    pairs = zip(message.slots, message.values(), strict=True)
    return {"kind": message.name} | {slot.name: _slot_json(slot, value, names) for slot, value in pairs}


def _slot_json(slot: Slot, value: Any, names: Names) -> Json:
    if slot.most:
        return [names.name(slot.domain, number) for number in value]
    return bool(value) if slot.flag else names.name(slot.domain, value)


def action_from_json(data: Json, kinds: Mapping[str, type[Action]], names: Names) -> Action:
    """The action a dictionary stands for; fields left out are none, 0, false or empty."""
    if not isinstance(data, Mapping) or not isinstance(data.get("kind"), str):
        raise InvalidAction(f'an action is an object with a "kind", not {data!r}')
    kind = _kind(data["kind"], kinds)
    unknown = set(data) - {"kind"} - {slot.name for slot in kind.slots}
    if unknown:
        raise InvalidAction(f"{kind.name} has no {sorted(unknown)[0]!r}; it has {_fields(kind)}")
    return kind(*(_slot_value(slot, data.get(slot.name), kind, names) for slot in kind.slots))


def event_from_json(data: Mapping[str, Json], kinds: Mapping[str, type[Event]], names: Names) -> Event:
    """The event that `message_to_json` wrote."""
    kind = kinds[data["kind"]]
    return kind(*(bool(data[s.name]) if s.flag else names.number(s.domain, data[s.name]) for s in kind.slots))


def _kind(name: str, kinds: Mapping[str, type[Action]]) -> type[Action]:
    if name not in kinds:
        raise InvalidAction(f"{name!r} is no action; there are {', '.join(kinds)}")
    return kinds[name]


def _fields(kind: type[Action]) -> str:
    return ", ".join(slot.name for slot in kind.slots) or "no fields"


def _slot_value(slot: Slot, value: Json, kind: type[Action], names: Names) -> int | bool | tuple[int, ...]:
    where = f"{kind.name}: {slot.name}"
    if slot.flag:
        if value not in (None, True, False):
            raise InvalidAction(f"{where} is true or false, not {value!r}")
        return bool(value)
    if slot.most:
        items = [] if value is None else value
        if not isinstance(items, list) or len(items) > slot.most:
            raise InvalidAction(f"{where} is a list of at most {slot.most}, not {value!r}")
        return tuple(_slot_number(slot, item, where, names) for item in items)
    if value is None:
        return NONE if slot.domain else 0
    return _slot_number(slot, value, where, names)


def _slot_number(slot: Slot, value: Json, where: str, names: Names) -> int:
    try:
        number = names.number(slot.domain, value)
    except ValueError as error:
        raise InvalidAction(f"{where}: {error}") from None
    if not 0 <= number + slot.plus < 1 << slot.width or number == NONE:
        raise InvalidAction(f"{where}: {value!r} is out of range")
    return number


def describe(action: Action, names: Names) -> str:
    """The notation of an action: its kind, the first field bare, the others by name, flags alone, lists with `+`."""
    words = [action.name]
    for i, (slot, value) in enumerate(zip(action.slots, action.values(), strict=True)):
        if slot.flag:
            words += [slot.name] if value else []
        elif value not in (NONE, ()) or not slot.plus:
            numbers = value if slot.most else (value,)
            name = "+".join(str(names.name(slot.domain, number)) for number in numbers)
            words.append(name if i == 0 else f"{slot.name}={name}")
    return " ".join(words)


def parse(text: str, kinds: Mapping[str, type[Action]], names: Names) -> Action:
    """The action a notation stands for."""
    if len(text) > MOST_NOTATION:
        raise InvalidAction(f"a choice has at most {MOST_NOTATION} letters, not {len(text)}")
    words = text.split()
    if not words:
        raise InvalidAction(f"{text!r} is no action; there are {', '.join(kinds)}")
    kind = _kind(words[0], kinds)
    data: dict[str, Json] = {"kind": kind.name}
    for i, word in enumerate(words[1:]):
        slot, value = _assignment(word, i, kind)
        if slot.name in data:
            raise InvalidAction(f"{kind.name}: {slot.name} is given twice")
        data[slot.name] = True if slot.flag else _value_of(value, slot)
    return action_from_json(data, kinds, names)


def _assignment(word: str, place: int, kind: type[Action]) -> tuple[Slot, str]:
    name, equals, value = word.partition("=")
    slots = {slot.name: slot for slot in kind.slots}
    if equals and name in slots and not slots[name].flag:
        return slots[name], value
    if word in slots and slots[word].flag:
        return slots[word], ""
    if place == 0 and kind.slots and not kind.slots[0].flag:
        return kind.slots[0], word
    raise InvalidAction(f"{kind.name}: {word!r} is none of {_fields(kind)}")


def _value_of(value: str, slot: Slot) -> Json:
    items = [_item_of(item, slot) for item in value.split("+")]
    return items if slot.most else (items[0] if len(items) == 1 else value)


def _item_of(item: str, slot: Slot) -> Json:
    number = whole_number(item) if slot.domain in (None, SEAT) else None
    return item if number is None else number


# ---------------------------------------------------------------- written once


class Written(dict[Key, bytes]):
    """JSON by what it is written from: the same comes up again and again. When the cache is full, it is emptied."""

    def __init__(self, most: int, write: Callable[[Key], bytes]) -> None:
        self.most, self.write = most, write

    def __missing__(self, key: Key) -> bytes:
        if len(self) >= self.most:
            self.clear()
        written = self[key] = self.write(key)
        return written


class RecordWriter:
    """What `record_to_json` gives, as JSON already written.

    Each field's JSON is kept by the field's bytes, and so is that of a few fields in a row: the views of a table's
    seats are alike in nearly all fields, and so are those of one step and the next.
    """

    def __init__(self, kind: type[Fields], names: Names) -> None:
        fields = [(_written_field(f, names), _part(kind.dtype, f)) for f in kind.fields]
        self._rows = [_written_row(fields[i : i + IN_A_ROW]) for i in range(0, len(fields), IN_A_ROW)]

    def write(self, record: Any) -> bytes:
        """A record as a JSON object."""
        return b"{" + _join(self._rows, record.tobytes()) + b"}"


Parts = list[tuple[Written[bytes], slice]]
"""Pieces of JSON, each with the bytes it is written from."""


def _join(parts: Parts, body: bytes) -> bytes:
    return b",".join([written[body[part]] for written, part in parts])


def _written_row(fields: Parts) -> tuple[Written[bytes], slice]:
    """Fields that lie one after the other, as one piece."""
    begin, end = fields[0][1].start, fields[-1][1].stop
    parts = [(written, slice(part.start - begin, part.stop - begin)) for written, part in fields]
    return Written(MOST_WRITTEN, lambda body: _join(parts, body)), slice(begin, end)


def _written_field(field: Field, names: Names) -> Written[bytes]:
    def write(body: bytes) -> bytes:
        value = np.frombuffer(body, field.number).reshape(field.shape).tolist()
        return encode(field.name) + b":" + encode(_value_to_json(value, field, names))

    return Written(MOST_WRITTEN, write)


def _part(dtype: np.dtype[Any], field: Field) -> slice:
    """The bytes of a record that are a field's."""
    kind, offset = dtype.fields[field.name][:2]  # type: ignore[index]
    return slice(offset, offset + kind.itemsize)


class ActionWriter:
    """What `message_to_json` gives for an action, as JSON already written from its code, field by field."""

    def __init__(self, kinds: Iterable[type[Action]], names: Names) -> None:
        self._kinds = {
            kind.code: (b'{"kind":' + encode(kind.name), [_written_slot(slot, names) for slot in kind.slots])
            for kind in kinds
        }

    def write(self, code: int) -> bytes:
        """The action of a code as a JSON object."""
        begin, slots = self._kinds[code & 15]
        return begin + b"".join([written[code & bits] for written, bits in slots]) + b"}"


def _written_slot(slot: Slot, names: Names) -> tuple[Written[int], int]:
    """A field's JSON after a comma, by its share of a code, and the bits that are its share."""

    def write(code: int) -> bytes:
        return b"," + encode(slot.name) + b":" + encode(_slot_json(slot, slot.unpack(code), names))

    return Written(MOST_WRITTEN, write), ((1 << slot.width * max(slot.most, 1)) - 1) << slot.shift
