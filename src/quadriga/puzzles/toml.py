"""Writes TOML as scenario files have it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

WIDTH = 116


def assign_all(table: Mapping[str, Any]) -> list[str]:
    """A line or several for each key of a table."""
    return [line for name, value in table.items() for line in assign(name, value)]


def assign(name: str, value: Any) -> list[str]:
    """A key with its value; long lists have several lines."""
    line = f"{name} = {toml(value)}"
    if len(line) <= WIDTH or not isinstance(value, list | tuple):
        return [line]
    return [f"{name} = [", *_wrapped([toml(item) for item in value]), "]"]


def _wrapped(items: Sequence[str]) -> list[str]:
    lines = [" "]
    for item in items:
        if len(lines[-1]) + len(item) + 2 > WIDTH and lines[-1].strip():
            lines.append(" ")
        lines[-1] += f" {item},"
    return lines


def toml(value: Any) -> str:
    """A value as TOML: texts, numbers, switches, lists and tables."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {toml(item)}" for key, item in value.items()) + " }" if value else "{}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps("none" if value is None else value, ensure_ascii=False)


def _key(key: object) -> str:
    text = str(key)
    return text if text.replace("_", "").replace("-", "").isalnum() and text.isascii() else json.dumps(text)
