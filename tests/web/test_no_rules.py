"""The page holds no rules: it shows what the server lists, previews and tells."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from quadriga.core import codec
from quadriga.games import load

GAMES = Path(__file__).parents[2] / "web" / "src" / "games"

PRINTED = {
    "charioteer": {
        "lap", "marker_bonus", "token_discard", "face_pleases",
        "card_count", "token_fan", "skills_cards", "skills_card",  # to check what was drawn
    },
    "chariot_race": {
        "laps", "corner", "grid", "heap", "dice", "faces", "rank", "spaces", "most_", "most_damage", "most_speed",
        "start_fate",
    },
    "chariots": {"inside", "gate", "moves", "control", "holds"},
}  # fmt: skip
"""Components that pages show as they are printed. What other tables lead to, previews say."""

COMPONENT = re.compile(r"components\[[`'\"](\w+)|components as|components\)|= game\.components$", re.M)
STATE = r"(?:damage|speed|fate|attack|steers|left|control|marker|caltrop\w*|corners?)"
ARITHMETIC = re.compile(
    rf"""\[['"]{STATE}['"]\](?:\[[^\]]+\])*\s*[-+*]\s   # view['damage'][chariot] - paid
    |\b{STATE}:\s*[^,\n?]*\w\)?\s[-+*]\s\(?\w           # damage: node.damage + 2
    |\b{STATE}\s[-+*]\s\d                               # speed + 2
    |\?\s[1-9]\d*\s:\s0\b                               # caltrop ? 1 : 0""",
    re.X,
)
ANIMATION = re.compile(r"PLAY: .*?\n}\n", re.S)
"""What events change in the view that is shown: told by the server, number by number."""


def scripts(game: str) -> Iterator[tuple[str, str]]:
    """The code of a game's page: modules, and the scripts of components."""
    for path in sorted((GAMES / game).iterdir()):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".svelte":
            yield path.name, "\n".join(re.findall(r"<script[^>]*>(.*?)</script>", text, re.S))
        elif path.suffix == ".ts":
            yield path.name, ANIMATION.sub("", text)


def foreign_components(game: str, text: str) -> list[str]:
    """Tables that a page has no business with."""
    return [match[0] for match in COMPONENT.finditer(text) if match[1] not in PRINTED[game]]


def arithmetic(text: str) -> list[str]:
    """Sums of what only the rules add up."""
    return [match[0].strip() for match in ARITHMETIC.finditer(text)]


def edition_numbers(game: str) -> set[int]:
    """The large numbers of the standard edition that stand alone: spaces of a lap, cards, tokens."""
    tables = codec.record_to_json(load(game).tables, load(game).names)
    return {value for value in tables.values() if isinstance(value, int) and value >= 20}


def copied_numbers(game: str, text: str) -> list[str]:
    return [number for number in re.findall(r"(?<![\w.#])\d+(?![\w.%])", text) if int(number) in edition_numbers(game)]


@pytest.mark.parametrize("game", PRINTED)
def test_a_page_has_no_rules(game: str) -> None:
    found = dict(scripts(game))
    assert {"index.ts", "Choice.svelte"} <= set(found)
    assert {name: bad for name, text in found.items() if (bad := foreign_components(game, text))} == {}
    assert {name: bad for name, text in found.items() if (bad := arithmetic(text))} == {}


@pytest.mark.parametrize("game", PRINTED)
def test_a_page_copies_no_number_of_the_edition(game: str) -> None:
    """Drawings are full of numbers, so only what works with views and choices is searched."""
    drawings = {"layout.ts", "parts.ts", "Board.svelte", "Ground.svelte", "Card.svelte"}
    found = {name: copied_numbers(game, text) for name, text in scripts(game) if name not in drawings}
    assert {name: bad for name, bad in found.items() if bad} == {}


@pytest.mark.parametrize(
    "copy",
    [
        "const left = view['damage'][chariot] - paid",
        "    damage: node.damage + heap + corner + (rival ? 2 : 0) + caltrop,",
        "Math.max(0, Math.min(most, view['speed'][mover] + 2 * plus))",
        "const caltrop = ground.caltrops[space] ? 1 : 0",
        "const fast = speed + 2",
    ],
)
def test_a_copied_rule_is_found(copy: str) -> None:
    assert arithmetic(copy)


@pytest.mark.parametrize(
    "copy",
    [
        "const { lap, stride } = game.components as { lap: number }",
        "const tables = game.components",
        "game.components['card_matches'][card]",
    ],
)
def test_a_foreign_component_is_found(copy: str) -> None:
    assert foreign_components("charioteer", copy)


def test_a_copied_number_is_found() -> None:
    assert copied_numbers("charioteer", "Math.floor(lead / 72) + 1") == ["72"]
