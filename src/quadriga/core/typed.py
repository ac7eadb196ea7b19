"""What msgspec says of data of the wrong shape, as a place and a plain sentence."""

import re

from msgspec import ValidationError

Place = tuple[str | int, ...]

_AT = re.compile(r"(`key` in )?`\$(.*)`", re.DOTALL)
_STEP = re.compile(r"\.(\w+)|\[([0-9]{1,9})\]")
MOST_NAME = 100
"""Letters of a key that are shown."""
_WORDS = {
    "object": "a table",
    "array": "a list",
    "str": "a text",
    "int": "a whole number",
    "float": "a number with a point",
    "bool": "true or false",
    "null": "nothing",
}


def complaint(error: ValidationError) -> tuple[Place, str]:
    """Where the data is wrong, and how."""
    before, _, at = str(error).rpartition(" - at ")
    found = _AT.fullmatch(at)
    text = before if found else str(error)
    place: Place = ()
    if found:
        place = tuple(name[:MOST_NAME] or int(number) for name, number in _STEP.findall(found[2]))
    if unknown := re.fullmatch(r"Object contains unknown field `(.*)`", text, re.DOTALL):
        return (*place, unknown[1]), f"there is no key {unknown[1][:MOST_NAME]!r} here"
    if missing := re.fullmatch(r"Object missing required field `(.*)`", text):
        return place, f"{missing[1]} is missing"
    return place, _sentence(text, place, key=bool(found and found[1]))


def _sentence(text: str, place: Place, key: bool) -> str:
    where = str(place[-1]) if place and isinstance(place[-1], str) else "this"
    if expected := re.fullmatch(r"Expected `(.*)`, got `(.*)`", text):
        wanted = " or ".join(_WORDS.get(word, word) for word in expected[1].split(" | "))
        return f"{'a key of ' if key else ''}{where} must be {wanted}, not {_WORDS.get(expected[2], expected[2])}"
    return f"{where}: {text.replace('`', '')}"


def dotted(place: Place) -> str:
    """A place as people write it: `result.places[1]`."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).lstrip(".")
