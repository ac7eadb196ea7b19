"""Editions: the components of a game as a TOML file that a person can read, edit and play with.

`TomlFile` remembers the text, so that a refusal names the line: `source.refuse(("deck", 3, "symbols"), "...")`.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from quadriga.core.codec import Names
from quadriga.core.errors import InvalidFile
from quadriga.core.fields import Fields

Path_ = tuple[str | int, ...]


class TomlFile:
    """A TOML file with the line of each of its keys."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.text = file, text
        try:
            self.data: dict[str, Any] = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InvalidFile(file, "", f"is not TOML: {error}") from None
        self._lines = _key_lines(text)

    @classmethod
    def read(cls, path: str | Path) -> "TomlFile":
        """Read a file, or raise InvalidFile."""
        return cls(str(path), read_text(path))

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
            if isinstance(value, Mapping) and key not in value:
                self.refuse(path[:step], f"{'.'.join(map(str, path))} is missing")
            value = value[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.refuse(path, f"{'.'.join(map(str, path))} must be {_kind_name(kind)}, not {value!r}")
        return value


def read_text(path: str | Path) -> str:
    """The text of a file, or InvalidFile."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is not UTF-8 text"
        raise InvalidFile(str(path), "", f"cannot be read: {reason}") from None


def _kind_name(kind: type) -> str:
    return {int: "a whole number", str: "a text", list: "a list", dict: "a table", bool: "true or false"}.get(
        kind, "valid"
    )


_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"\s*([\w\"'.-]+)\s*=")
_ITEM = re.compile(r"\s*[\[{\"'\d-]")


def _key_lines(text: str) -> dict[Path_, int]:
    """The line of every table, every key and every item of a list written one to a line."""
    lines: dict[Path_, int] = {}
    table: Path_ = ()
    counts: dict[Path_, int] = {}
    open_list: tuple[Path_, int] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if open_list:
            path, items = open_list
            if line.strip().startswith("]"):
                open_list = None
            elif _ITEM.match(line):
                lines[(*path, items)] = number
                open_list = (path, items + 1)
        elif header := _HEADER.match(line):
            table = tuple(key.strip().strip("\"'") for key in header[2].split("."))
            if header[1] == "[[":
                counts[table] = counts.get(table, -1) + 1
                table = (*table, counts[table])
            lines.setdefault(table, number)
        elif key := _KEY.match(line):
            path = (*table, *(name.strip("\"'") for name in key[1].split(".")))
            lines[path] = number
            if line.split("#")[0].rstrip().endswith("["):
                open_list = (path, 0)
    return lines


@dataclass(frozen=True)
class Edition:
    """Components ready to play with: tables for the kernels, names for people."""

    tables: Fields
    names: Names
    source: TomlFile
    standard: bool = False

    @property
    def fingerprint(self) -> str:
        """A short hash of what the file says, whatever its layout and comments."""
        said = json.dumps(self.source.data, sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()[:16]
