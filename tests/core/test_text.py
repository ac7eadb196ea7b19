"""Words in both languages for everything that can be said."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from dash.events import Drew, Finished, Moved, Rose
from quadriga.bots import LEVELS
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.core.match import AnyEntry, Choices, Clock
from quadriga.core.messages import Message
from quadriga.core.text import LANGUAGES, Catalogue, catalogue
from tests.every_game import GAMES

ROOT = Path(__file__).parents[2]
NEEDS_WORDS = re.compile(r"[^\W\d]{2}")
"""Names of two letters on are words; `6,1` or `B3` is the same in every language."""


def codes(game: Game) -> Iterator[str]:
    """Every code a game can need a text for."""
    definition = game.definition
    yield from (f"events.{kind.name}" for kind in definition.events)
    yield from (f"refusals.{kind.name}" for kind in definition.refusals)
    yield from (f"actions.{kind.name}" for kind in definition.actions)
    yield from (f"options.{option.name}" for option in game.meta.options)
    yield from (f"names.reason.{reason}" for reason in (*definition.reasons[1:], "resigned", "forfeited"))
    for domain, names in game.names.domains.items():
        words = {name.rstrip("0123456789") for name in names}
        yield from (f"names.{domain}.{word}" for word in words if NEEDS_WORDS.search(word) and "." not in word)


def missing(game: Game, words: Catalogue) -> list[str]:
    return [code for code in codes(game) if not words.has(code)]


def leaves(entries: Mapping[str, Any], path: str = "") -> Iterator[str]:
    for key, value in entries.items():
        if isinstance(value, Mapping) and "by" not in value:
            yield from leaves(value, f"{path}{key}.")
        else:
            yield path + key


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_nothing_is_missing(game: Game, language: str) -> None:
    assert missing(game, game.words(language)) == []


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_both_languages_have_the_same_entries(game: Game) -> None:
    english, spanish = (set(leaves(game.words(language).entries)) for language in LANGUAGES)
    assert english ^ spanish == set()


def sample(kind: type[Message]) -> Message:
    return kind.of([0] * len(kind.slots))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_sentence_can_be_said(game: Game, language: str) -> None:
    words = game.words(language)
    for section, kinds in (("events", game.definition.events), ("refusals", game.definition.refusals)):
        for kind in kinds:
            said = words.message(section, sample(kind), game.names)
            assert said
            assert "{" not in said


@pytest.mark.parametrize("kind", AnyEntry.__args__, ids=lambda kind: kind.__struct_config__.tag)
def test_entries_of_the_log_have_words(kind: type) -> None:
    if kind in (Choices, Clock):  # said by their events, and by the clock itself
        return
    for language in LANGUAGES:
        sentence = catalogue(language).entries["log"][kind.__struct_config__.tag]  # type: ignore[attr-defined]
        allowed = {*kind.__struct_fields__, "player", "name"}  # type: ignore[attr-defined]
        assert {name for _, name, _, _ in Formatter().parse(sentence) if name} <= allowed


@pytest.mark.parametrize("code", ["events.moved", "refusals.lying", "actions.go", "options.laps", "names.card.net"])
def test_a_missing_code_is_found(code: str) -> None:
    game = GAMES["dash"]
    section, *rest = code.split(".")
    entries = dict(game.words("es").entries)
    inner = {key: dict(value) if isinstance(value, Mapping) else value for key, value in entries[section].items()}
    entries[section] = inner
    del (inner if len(rest) == 1 else inner[rest[0]])[rest[-1]]
    assert missing(game, Catalogue(entries)) == [code]


def test_plurals_follow_their_number() -> None:
    game = GAMES["dash"]
    english, spanish = game.words("en"), game.words("es")
    assert english.message("events", Moved(0, 0, 1, 1, 1), game.names) == "the ant runs 1 square to b"
    assert english.message("events", Moved(0, 0, 2, 1, 2), game.names) == "the ant runs 2 squares to c"
    assert spanish.message("events", Moved(1, 0, 2, 1, 2), game.names) == "la abeja corre 2 casillas hasta c"


def test_seats_are_called_by_their_players() -> None:
    game = GAMES["dash"]
    assert game.words("en").message("events", Rose(1), game.names) == "Player 2 gets up"
    assert game.words("en").message("events", Rose(1), game.names, ("Ana", "Berta")) == "Berta gets up"
    assert game.words("en").message("events", Finished(0, -1), game.names) == "the ant is home, seat none"
    assert game.words("es").message("events", Drew(1), game.names) == "Robas una red"


def test_a_code_without_text_is_an_error() -> None:
    with pytest.raises(KeyError, match=r"events\.vanished"):
        catalogue("en").say("events.vanished")


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(InvalidOption, match="language 'la' is not one of en, es"):
        catalogue("la")


@pytest.mark.parametrize("language", LANGUAGES)
def test_levels_have_one_name_and_one_sentence_everywhere(language: str) -> None:
    page = tomllib.loads((ROOT / "web" / "text" / f"{language}.toml").read_text(encoding="utf-8"))
    assert set(page["bots"]) == set(page["levels"]) == set(LEVELS)
    for level in LEVELS:
        assert catalogue(language).say(f"bots.{level}.name").lower() == page["bots"][level]
        assert catalogue(language).say(f"bots.{level}.character") == page["levels"][level]
