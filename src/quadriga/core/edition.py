"""Editions: the components of a game as a TOML file that a person can read, edit and play with.

`TomlFile` remembers the text, so that a refusal names the line: `source.refuse(("deck", 3, "symbols"), "...")`.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

from quadriga.core.bounds import MOST_TOML, toml_excess, value_excess
from quadriga.core.codec import Names
from quadriga.core.errors import InvalidFile
from quadriga.core.fields import Fields

Path_ = tuple[str | int, ...]


class TomlFile:
    """A TOML file with the line of each of its keys."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        if excess := toml_excess(text):
            raise InvalidFile(file, *excess)
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"\(at line (\d+).*\)$", str(error))
            cause = f"is not TOML: {re.sub(r' [(]at .*[)]$', '', str(error))}"
            raise InvalidFile(file, f"line {line[1]}" if line else "last line", cause) from None
        except RecursionError:
            raise InvalidFile(file, "", "is not TOML: too many brackets") from None
        if large := value_excess(self.data):
            self.refuse(*large)

    @cached_property
    def _lines(self) -> dict[Path_, int]:
        """Found only when something is refused."""
        return _Lines(self.text).found

    @classmethod
    def read(cls, path: str | Path) -> "TomlFile":
        """Read a file, or raise InvalidFile."""
        return cls(str(path), read_text(path, MOST_TOML))

    def refuse(self, path: Path_, cause: str) -> NoReturn:
        """Raise InvalidFile for the key at `path`: names the line of it, or of the nearest table around it."""
        for length in range(len(path), 0, -1):
            if line := self._lines.get(path[:length]):
                raise InvalidFile(self.file, f"line {line}", cause)
        raise InvalidFile(self.file, "", cause)

    def get(self, path: Path_, kind: type) -> Any:
        """The value at `path`, which must be there and of that type."""
        value: Any = self.data
        for step, key in enumerate(path):
            inside = dict(enumerate(value)) if isinstance(value, list) else value
            if not isinstance(inside, Mapping):
                self.refuse(path[:step], f"{_dotted(path[:step])} must be a table, not {value!r}")
            if key not in inside:
                self.refuse(path[:step], f"{_dotted(path)} is missing")
            value = inside[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.refuse(path, f"{_dotted(path)} must be {_kind_name(kind)}, not {value!r}")
        return value


def read_text(path: str | Path, most: int) -> str:
    """The text of a file with at most so many letters, or InvalidFile."""
    try:
        with Path(path).open(encoding="utf-8") as file:
            text = file.read(most + 1)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not UTF-8 text"
        raise InvalidFile(str(path), "", f"cannot be read: {reason}") from None
    if len(text) > most:
        raise InvalidFile(str(path), "", f"it has more than {most} letters")
    return text


def _dotted(path: Path_) -> str:
    return ".".join(map(str, path))


def _kind_name(kind: type) -> str:
    return {int: "a whole number", str: "a text", list: "a list", dict: "a table", bool: "true or false"}.get(
        kind, "valid"
    )


_NAME = r"""(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w-]+)"""
_KEY = re.compile(rf"\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*=")
_HEADER = re.compile(rf"\s*(\[\[?)\s*({_NAME}(?:\s*\.\s*{_NAME})*)\s*\]")
_ITEM = re.compile(r"""\s*[\[{"'\w+-]""")
LONG_QUOTES = ('"' * 3, "'" * 3)
_TOKEN = re.compile(r"""\"{3}|'{3}|"(?:[^"\\]|\\.)*"|'[^']*'|\#.*|[\[\]{}]""")


class _Lines:
    """Finds the line of every table, every key and every item of a list written one to a line."""

    def __init__(self, text: str) -> None:
        self.found: dict[Path_, int] = {}
        self.table: Path_ = ()
        self.counts: dict[Path_, int] = {}
        self.depth = self.items = 0
        self.list: Path_ = ()
        self.quotes = ""
        for number, line in enumerate(text.split("\n"), 1):
            self._read(number, line)

    def _read(self, number: int, line: str) -> None:
        if self.quotes:
            _, ends, rest = line.partition(self.quotes)
            self.quotes = "" if ends else self.quotes
            self._nest(rest if ends else "")
        elif self.depth:
            self._item(number, line)
        elif header := _HEADER.match(line):
            self._header(number, header)
        elif key := _KEY.match(line):
            self.list, self.items = (*self.table, *_keys(key[1])), 0
            self.found.setdefault(self.list, number)
            self._nest(line[key.end() :])

    def _header(self, number: int, header: re.Match[str]) -> None:
        self.table = ()
        for key in _keys(header[2])[:-1]:
            self.table = self._inside((*self.table, key))
        self.table = (*self.table, _keys(header[2])[-1])
        if header[1] == "[[":
            self.counts[self.table] = self.counts.get(self.table, -1) + 1
            self.table = self._inside(self.table)
        self.found.setdefault(self.table, number)

    def _inside(self, table: Path_) -> Path_:
        return (*table, self.counts[table]) if table in self.counts else table

    def _item(self, number: int, line: str) -> None:
        if self.depth == 1 and _ITEM.match(line):
            self.found[(*self.list, self.items)] = number
            self.items += 1
        self._nest(line)

    def _nest(self, text: str) -> None:
        """Follow brackets, so that what stands in a list or a long text is not taken for a key."""
        at = 0
        while token := _TOKEN.search(text, at):
            at = token.end()
            if token[0] in LONG_QUOTES:
                ends = text.find(token[0], at)
                if ends < 0:
                    self.quotes = token[0]
                    return
                at = ends + len(token[0])
            self.depth += (token[0] in "[{") - (token[0] in "]}")


def _keys(dotted: str) -> tuple[str, ...]:
    return tuple(name.strip("\"'") for name in re.findall(_NAME, dotted))


ABOUT = ("standing", "why")
"""What a file says about its components: how certain they are, and the source. The race is the same without it."""


def components_of(said: Any) -> Any:
    """What a file says, without what it says about itself."""
    if isinstance(said, dict):
        return {key: components_of(value) for key, value in said.items() if key not in ABOUT}
    return [components_of(item) for item in said] if isinstance(said, list) else said


def standings_of(said: Any, part: str = "") -> list[dict[str, Any]]:
    """Every part of a file that says how certain it is, with the reason, in the order of the file."""
    if isinstance(said, list):
        return [row for number, item in enumerate(said) for row in standings_of(item, f"{part}.{number}")]
    if not isinstance(said, dict):
        return []
    own = [{"part": part} | {key: said.get(key, "") for key in ABOUT}] if "standing" in said else []
    inner = [(f"{part}.{key}".lstrip("."), value) for key, value in said.items() if key not in ABOUT]
    return own + [row for name, value in inner for row in standings_of(value, name)]


@dataclass(frozen=True)
class Edition:
    """Components ready to play with: tables for the kernels, names for people."""

    tables: Fields
    names: Names
    source: TomlFile
    standard: bool = False

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of the components, whatever the layout and comments and whatever is said about them."""
        said = json.dumps(components_of(self.source.data), sort_keys=True, default=str)
        return hashlib.sha256(said.encode()).hexdigest()[:16]
