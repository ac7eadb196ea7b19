"""Words are data: every event, refusal and label is a code with parameters, said in English or Spanish.

Catalogues lie beside what they speak of (`core/text/en.toml`, `games/<game>/text/en.toml`). An entry is a sentence with
`{parameters}`, or a table with a sentence for each plural form and the parameter it goes by:

    damaged = { by = "points", one = "{chariot} takes 1 damage", other = "{chariot} takes {points} damage" }

`[[token|, with {token}]]` is said only where there is a token: not none, not 0, not false.
Fields in a row (`first`, `second`, or `card_1`, `card_2`) can be named together: `{cards}` lists the cards.
A name is looked up under `names.<domain>` first, so that `red` becomes `rojo`.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from quadriga.core.codec import SEAT, Names
from quadriga.core.errors import InvalidOption
from quadriga.core.fields import NONE
from quadriga.core.messages import Message

LANGUAGES = ("en", "es")
_OPTIONAL = re.compile(r"\[\[(\w+)\|(.*?)\]\]")
_IN_A_ROW = re.compile(r"first|second|third|fourth|fifth|sixth|card_\d")


class Catalogue:
    """All sentences of one language for one game (and core)."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        self.entries = entries

    def has(self, code: str) -> bool:
        """Whether there is a sentence for a dotted code."""
        return self._find(code) is not None

    def say(self, code: str, **parameters: object) -> str:
        """The sentence of a dotted code with its parameters put in."""
        entry = self._find(code)
        if entry is None:
            raise KeyError(f"there is no text for {code}")
        if isinstance(entry, Mapping):
            entry = entry["one" if parameters[entry["by"]] in (1, "1") else "other"]
        text = _OPTIONAL.sub(lambda part: part[2] if self._is_there(parameters, part[1]) else "", str(entry))
        return text.format(**parameters)

    def _is_there(self, parameters: Mapping[str, object], name: str) -> bool:
        return parameters[name] not in (0, False, None, "", self.entries.get("none"))

    def name(self, domain: str, name: str) -> str:
        """What this language calls a name of a domain; of `inner12` it has `inner` alone, of `red-3` `red-`."""
        found = self._find(f"names.{domain}") or {}
        word = name.rstrip("0123456789")
        if name in found or word not in found:
            return str(found.get(name, name))
        return found[word] + ("" if word.endswith("-") else " ") + name[len(word) :]

    def message(self, section: str, message: Message, names: Names, players: Sequence[str] = ()) -> str:
        """The sentence of an event or a refusal; seats are called by the players' names if these are given."""
        shown: dict[str, object] = {}
        lists: dict[str, list[str]] = {}
        for slot, value in zip(message.slots, message.values(), strict=True):
            shown[slot.name] = self._shown(slot.domain, value, names, players)
            if slot.domain and _IN_A_ROW.fullmatch(slot.name):
                row = lists.setdefault(f"{slot.domain}s", [])
                row += [str(shown[slot.name])] if value != NONE else []
        joined = {name: ", ".join(items) for name, items in lists.items()}
        return self.say(f"{section}.{message.name}", **(joined | shown))

    def _shown(self, domain: str | None, value: int, names: Names, players: Sequence[str]) -> object:
        if domain is None:
            return value
        if value == NONE:
            return self.say("none")
        if domain == SEAT:
            return players[value] if players else self.say("player", number=value + 1)
        return self.name(domain, names.name(domain, value))

    def _find(self, code: str) -> Any:
        found: Any = self.entries
        for key in code.split("."):
            if not isinstance(found, Mapping) or key not in found:
                return None
            found = found[key]
        return found


@cache
def catalogue(language: str, package: str = "quadriga.core") -> Catalogue:
    """The catalogue of a language for a package, with core's words beneath it."""
    if language not in LANGUAGES:
        raise InvalidOption(f"language {language!r} is not one of {', '.join(LANGUAGES)}")
    entries = _load("quadriga.core", language)
    if package != "quadriga.core":
        entries = _merged(entries, _load(package, language))
    return Catalogue(entries)


def _load(package: str, language: str) -> dict[str, Any]:
    return tomllib.loads((resources.files(package) / "text" / f"{language}.toml").read_text(encoding="utf-8"))


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in over.items():
        old = merged.get(key)
        merged[key] = _merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return merged
