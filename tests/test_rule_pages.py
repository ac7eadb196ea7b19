"""What the players' pages and lists say of rulings and of reconstructed parts."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from quadriga import games
from quadriga.cli import app
from quadriga.core.text import LANGUAGES
from quadriga.server.output.game_description import describe_game

ROOT = Path(__file__).parents[1]
RULE_PAGES = [(name, language) for name in games.NAMES for language in ("", ".es")]
SECTION = re.compile(r"^#+ ", re.MULTILINE)
MARK = {"": re.compile(r"\bruling\b", re.IGNORECASE), ".es": re.compile(r"\bdecisión\b", re.IGNORECASE)}
LISTED = {"": "Rulings", ".es": "Decisiones"}
NUMBER = re.compile(r"C[HRT]-\d+")


def rules_page(name: str, language: str) -> str:
    return (ROOT / "docs" / "rules" / f"{name}{language}.md").read_text(encoding="utf-8")


def marked(page: str, language: str) -> set[str]:
    """The rules in whose text a ruling is marked."""
    sections = [section for section in SECTION.split(page) if NUMBER.match(section)]
    return {section.split()[0] for section in sections if MARK[language].search(section)}


def listed(page: str, language: str) -> list[set[str]]:
    """The rules that each line of the list of rulings names."""
    part = next(section for section in SECTION.split(page) if section.startswith(LISTED[language]))
    return [set(NUMBER.findall(line)) for line in part.splitlines() if line.startswith("- ")]


@pytest.mark.parametrize(("name", "language"), RULE_PAGES)
def test_every_ruling_is_marked_where_it_stands_and_listed(name: str, language: str) -> None:
    page = rules_page(name, language)
    lines = listed(page, language)
    assert all(lines), "a ruling names its rule"
    assert set().union(*lines) == marked(page, language)


@pytest.mark.parametrize("name", games.NAMES)
def test_both_languages_list_the_same_rulings(name: str) -> None:
    assert listed(rules_page(name, ""), "") == listed(rules_page(name, ".es"), ".es")


OURS = {
    "charioteer": ["stops outermost", "beyond the final line only", "at the end of the turn", "first player innermost",
                   "at least one card", "reshuffled when"],
    "chariots": ["Whips: the driver is due", "same diagonal", "very step"],
    "chariot_race": ["rams a sheltered finisher takes his own 2", "falls back onto a caltrop"],
}  # fmt: skip


@pytest.mark.parametrize("name", games.NAMES)
def test_rulings_that_players_ask_about_are_listed(name: str) -> None:
    part = rules_page(name, "").split("Rulings")[-1]
    assert [words for words in OURS[name] if words not in part] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", games.NAMES)
def test_what_is_reconstructed_is_said_in_each_language(name: str, language: str) -> None:
    game = games.load(name)
    said = describe_game(game)["reconstructed"][language]
    assert said == game.words(language).say("reconstructed")
    assert any(row["standing"] == "reconstructed" for row in describe_game(game)["standings"])


def test_the_list_of_games_says_what_is_reconstructed() -> None:
    shown = CliRunner().invoke(app, ["games"])
    cards = json.loads(CliRunner().invoke(app, ["games", "--json"]).stdout)
    for card in cards:
        said = games.load(card["name"]).words("en").say("reconstructed")
        assert card["reconstructed"] == said
        assert said in shown.stdout
