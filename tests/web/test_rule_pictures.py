"""The pictures of the rules name things that the games have, for rules that the pages have, in both languages."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from quadriga import games
from quadriga.server.output.game_description import describe_game

ROOT = Path(__file__).parents[2]
PICTURES: dict[str, dict[str, list[dict[str, Any]]]] = tomllib.loads(
    (ROOT / "web" / "rules" / "pictures.toml").read_text(encoding="utf-8")
)
DOMAINS = {"cards": "card", "tokens": "token", "coins": "coin", "dice": "face"}
BOARDS = {"charioteer": ("", "space"), "chariots": ("chariot", "square"), "chariot_race": ("chariot", "space")}


def wrong_names(picture: dict[str, Any], game: str) -> list[str]:
    """Values of a picture that are no names of the game."""
    names = describe_game(games.load(game))["names"]
    who, where = BOARDS[game]
    used = [(domain, value) for key, domain in DOMAINS.items() for value in picture.get(key, [])]
    used += [(where, space) for space in picture.get("lit", [])]
    if who:
        used += [
            pair for chariot, space in picture.get("place", {}).items() for pair in ((who, chariot), (where, space))
        ]
    plain = {"2", "3", "4", "5"} if game == "chariots" else set()
    return [str(value) for domain, value in used if value not in names[domain] and value not in plain]


@pytest.mark.parametrize("game", PICTURES)
def test_pictures_show_what_the_game_has(game: str) -> None:
    pages = [(ROOT / "docs" / "rules" / f"{game}{end}.md").read_text(encoding="utf-8") for end in ("", ".es")]
    for rule, pictures in PICTURES[game].items():
        assert all(f"{rule} " in page for page in pages), rule
        for picture in pictures:
            assert wrong_names(picture, game) == [], rule
            assert all(picture[language] for language in ("en", "es")), rule


def test_every_game_has_pictures_of_pieces_and_of_its_board() -> None:
    assert set(PICTURES) == set(BOARDS)
    for pictures in PICTURES.values():
        some = [picture for one in pictures.values() for picture in one]
        assert any("place" in picture for picture in some)
        assert any(set(DOMAINS) & set(picture) for picture in some)


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "rules").glob("*.md")), ids=lambda page: page.name)
def test_players_pages_hold_no_command_lines_and_no_paths(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert [word for word in ("`quadriga ", "src/", "tests/", ".toml", "`--") if word in text] == []
