"""How large anything may be that comes from outside: editions, scenarios, records, choices.

Bounds are checked before anything is computed from a text. They are far beyond what the games need.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

MOST_TOML = 100_000
"""Letters of an edition or a scenario."""
MOST_LINES = 4_000
MOST_LINE = 1_000
"""Letters of a line."""
MOST_KEY_PARTS = 8
"""Parts of a dotted key."""
MOST_NESTING = 16
"""Tables and lists inside each other."""
MOST_NUMBER = 2**63 - 1
MOST_RECORD = 2_000_000
"""Letters of a record."""
MOST_ENTRIES = 20_000
"""Entries of a record's log."""
MOST_SEATS = 16
MOST_OPTIONS = 32
MOST_NOTATION = 500
"""Letters of a choice in notation."""
MOST_MILLISECONDS = 10**12
"""What a clock may show."""

Place = tuple[str | int, ...]

_PART = r"""(?:[\w-]++|"(?:[^"\\]|\\.)*+"|'[^']*+')"""
_LONG_KEY = re.compile(rf"(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_KEY_PARTS}}}")
_WHOLE = re.compile(r"[0-9]{1,18}")
_EXACT = re.compile(r"[0-9]{1,18}(?:\.[0-9]{1,18}|/[0-9]{1,18})?")


def toml_excess(text: str) -> tuple[str, str] | None:
    """Where and why a TOML text is too large to be parsed; None if it is not."""
    if len(text) > MOST_TOML:
        return "", f"it has {len(text)} letters; {MOST_TOML} are the most"
    lines = text.split("\n")
    if len(lines) > MOST_LINES:
        return "", f"it has {len(lines)} lines; {MOST_LINES} are the most"
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_LINE:
            return f"line {number}", f"it has {len(line)} letters; {MOST_LINE} are the most"
        if line.count(".") >= MOST_KEY_PARTS and _LONG_KEY.search(line):
            return f"line {number}", f"a key has at most {MOST_KEY_PARTS} parts"
    return None


def value_excess(data: Any) -> tuple[Place, str] | None:
    """Where and why a value of parsed TOML is too large to compute with; None if none is."""
    waiting: list[tuple[Place, Any]] = [((), data)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, int) and abs(value) > MOST_NUMBER:
            return place, f"a number lies between -{MOST_NUMBER} and {MOST_NUMBER}"
        if isinstance(value, dict | list):
            if len(place) >= MOST_NESTING:
                return place, f"tables and lists lie at most {MOST_NESTING} deep inside each other"
            waiting += [((*place, key), item) for key, item in _items(value)]
    return None


def _items(value: dict[str, Any] | list[Any]) -> Iterator[tuple[str | int, Any]]:
    return iter(value.items() if isinstance(value, dict) else enumerate(value))


def whole_number(text: str) -> int | None:
    """The number a text of up to 18 digits from 0 to 9 stands for; None for any other text."""
    return int(text) if _WHOLE.fullmatch(text) else None


def exact_number(text: str) -> Fraction | None:
    """The number that `17`, `5.6667` or `17/3` stands for, exactly; None for any other text and for a division by 0."""
    if not _EXACT.fullmatch(text):
        return None
    number, divided, by = text.partition("/")
    if divided and int(by) == 0:
        return None
    return Fraction(number) / (int(by) if divided else 1)
