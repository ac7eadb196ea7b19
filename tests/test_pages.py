"""What the pages say is run."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from quadriga import games
from quadriga.bots import LEVELS
from quadriga.core.edition import TomlFile
from quadriga.core.match import Match, Sitter
from quadriga.core.record import record_of, to_json
from quadriga.core.reference import reference
from quadriga.core.scenario import parse_scenario, run
from quadriga.core.scenario_file import Document, Then
from quadriga.core.streams import draw, new_stream, shuffle, stream_key
from quadriga.core.text import catalogue
from quadriga.games.chariots.events import ControlRolled, GridRolled

DOCS = Path(__file__).parents[1] / "docs"
ROOT = DOCS.parent
SCENARIOS = (DOCS / "scenarios.md").read_text(encoding="utf-8")
LESSONS = (DOCS / "lessons.md").read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", blocks(SCENARIOS + LESSONS, "toml"), ids=lambda text: text.splitlines()[1][9:40])
def test_an_example_of_the_scenario_page_runs(text: str, tmp_path: Path) -> None:
    standard = games.load("chariots").edition.source.text
    (tmp_path / "eagles.toml").write_text(standard.replace('"suns"', '"eagles"'), encoding="utf-8")
    scenario = parse_scenario(TomlFile("scenarios.md", text), games.load, tmp_path)
    assert [str(difference) for difference in run(scenario)] == []


@pytest.mark.parametrize("kind", [Document, Then])
def test_every_key_of_a_scenario_is_explained_and_shown(kind: type) -> None:
    shown = "\n".join(blocks(SCENARIOS + LESSONS, "toml"))
    for key in kind.__struct_fields__:  # type: ignore[attr-defined]
        if key == "then":
            assert "[[then]]" in SCENARIOS
            continue
        assert f"| `{key}` |" in SCENARIOS
        if key not in ("seed", "nonces"):  # a plain number and a list
            assert re.search(rf"^(\[(then\.)?{key}[.\]]|{key} = )", shown, re.MULTILINE), f"no example has {key}"


@pytest.mark.parametrize(("language", "page"), [("en", "play.md"), ("es", "play.es.md")])
def test_the_levels_of_bots_are_told_everywhere_in_the_same_words(language: str, page: str) -> None:
    """On the page, in the terminal and in the documentation."""
    web = tomllib.loads((ROOT / "web" / "text" / f"{language}.toml").read_text(encoding="utf-8"))
    words, told = catalogue(language), (DOCS / page).read_text(encoding="utf-8")
    for level in LEVELS:
        character = words.say(f"bots.{level}.character")
        assert web["levels"][level] == character
        assert words.say(f"bots.{level}.name").lower() == web["bots"][level]
        assert f"| *{web['bots'][level]}* | `{level}` | {character} |" in told


@pytest.mark.parametrize("name", games.NAMES)
def test_the_page_of_names_is_up_to_date(name: str) -> None:
    """To write it anew: REWRITE=1 .venv/bin/pytest tests/test_pages.py"""
    page, written = DOCS / "names" / f"{name}.md", reference(games.load(name))
    if os.environ.get("REWRITE"):
        page.write_text(written, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == written
    assert f"(names/{name}.md)" in SCENARIOS


# ---------------------------------------------------------------- fairness

FAIRNESS = (DOCS / "fairness.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> tuple[Match, Path]:
    """A finished race with nonces, in a file, and the script of the page beside it."""
    match = Match(games.load("chariots"), [Sitter(name) for name in "ABCD"], {}, bytes(range(32)), ["salt", "ñandú"])
    match.step(dict.fromkeys(range(4), "plot 3+4+2"))
    for seat in range(3):
        match.resign(seat)
    folder = tmp_path_factory.mktemp("fairness")
    (folder / "race.json").write_text(to_json(record_of(match)), encoding="utf-8")
    (folder / "check.py").write_text(blocks(FAIRNESS, "python")[0], encoding="utf-8")
    return match, folder


def check(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", "check.py", "race.json", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("seq", "kind"), [(0, GridRolled), (1, ControlRolled)])
def test_the_script_of_the_page_finds_the_dice_of_a_race(race: tuple[Match, Path], seq: int, kind: type) -> None:
    match, folder = race
    faces = [event.face for event in match.events(None)[seq].events if isinstance(event, kind)]  # type: ignore[attr-defined]
    assert len(faces) >= 4
    assert check(folder, str(seq), "6", str(len(faces))).stdout == f"{faces}\n"


def test_the_script_of_the_page_agrees_with_the_streams(race: tuple[Match, Path]) -> None:
    match, folder = race
    key = stream_key(match.seed, match.nonces)
    stream = new_stream(key, 7)
    sides = (1 << 31) + 1
    assert check(folder, "7", str(sides), "40").stdout == f"{[draw(stream, sides) for _ in range(40)]}\n"
    cards = np.arange(60, dtype=np.int16)
    shuffle(new_stream(key, 3), cards, 60)
    assert check(folder, "3", "shuffle", "60").stdout == f"{cards.tolist()}\n"


def test_the_script_of_the_page_finds_a_changed_seed(race: tuple[Match, Path]) -> None:
    _, folder = race
    text = (folder / "race.json").read_text(encoding="utf-8")
    (folder / "race.json").write_text(text.replace('"seed": "00', '"seed": "01'), encoding="utf-8")
    found = check(folder, "0", "6", "1")
    (folder / "race.json").write_text(text, encoding="utf-8")
    assert found.returncode == 1
    assert "not the one that was committed to" in found.stderr


def test_where_to_change_names_files_that_exist() -> None:
    page = (ROOT / "docs" / "where-to-change.md").read_text(encoding="utf-8")
    paths = re.findall(r"`((?:src|web|docs)/[^`]+)`", page)
    assert len(paths) > 25
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_architecture_names_every_folder() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    package = ROOT / "src" / "quadriga"
    folders = [path.name for base in (package, package / "server") for path in base.iterdir() if path.is_dir()]
    unnamed = {name for name in folders if f"`{name}/" not in page} - {"__pycache__", "static", "text"}
    assert unnamed == set()
