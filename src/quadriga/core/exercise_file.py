"""How an exercise is written: the parts of a scenario file that speak to a learner. docs/lessons.md describes them."""

from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec import Struct

from quadriga.core.text import LANGUAGES

Text = dict[str, str]
"""Sentences by language."""
FOLLOWS = "follows"
"""Accepted is whatever leads to what the step says must follow."""


class WrittenWrong(Struct, forbid_unknown_fields=True):
    """Choices with an answer of their own."""

    choices: list[str | dict[str, Any]]
    say: Text


class WrittenAsk(Struct, forbid_unknown_fields=True):
    """What a step asks of the learner, as it is written."""

    say: Text
    right: Text
    not_yet: Text
    accept: list[str | dict[str, Any]] | Literal["follows"] | None = None
    wrong: list[WrittenWrong] = []


class WrittenExercise(Struct, forbid_unknown_fields=True):
    """The table `[exercise]`."""

    title: Text
    intro: Text = {}
    end: Text = {}
    seat: int = 0
    facts: dict[str, Any] = {}


@dataclass(frozen=True)
class Exercise:
    """What a scenario says to a learner: who they are, and the texts around the tasks."""

    seat: int
    title: Text
    intro: Text
    end: Text
    facts: dict[str, Any] = field(default_factory=dict)
    """Whatever else those who keep the exercise write down about it."""


def require_languages(text: Text, what: str, may_be_empty: bool = False) -> Text:
    """The text, if it says something in every language and in no other; ValueError otherwise."""
    if may_be_empty and not text:
        return text
    for language in LANGUAGES:
        if not text.get(language, "").strip():
            raise ValueError(f"{what}: there is no text in {language!r}")
    if unknown := sorted(set(text) - set(LANGUAGES)):
        raise ValueError(f"{what}: {unknown[0]!r} is no language; there are {', '.join(LANGUAGES)}")
    return text
