"""The documentation site builds without a warning, loads nothing from elsewhere, and its code runs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
import yaml

from quadriga import games
from quadriga.cli import app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TESTED_ELSEWHERE = {
    "how-to/cookbook.md": "api/test_cookbook.py",
    "fairness.md": "test_pages.py",
    "bots.md": "arena/test_page.py",
    "environments.md": "envs/test_page.py",
    "bots-over-the-network.md": "server/test_tables.py",
    "decisions/0001-contract.md": "contract/test_choices.py",
    "decisions/0001-charioteer-types.md": "contract/test_choices.py",
    "decisions/0001-chariot-race-types.md": "contract/test_choices.py",
}
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
LOADED = re.compile(
    r"<(?:script|img|iframe)[^>]+src=[\"']?(https?:)?//|<link[^>]+rel=[\"']?stylesheet[^>]+//|@import|preconnect"
)


def pages() -> dict[str, str]:
    return {str(path.relative_to(DOCS)): path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))}


def blocks(page: str, language: str) -> list[str]:
    return [text for kind, text in BLOCK.findall(page) if kind == language]


RUN = [name for name, page in pages().items() if blocks(page, "python") and name not in TESTED_ELSEWHERE]
COMMANDS = [
    (name, line)
    for name, page in pages().items()
    for text in blocks(page, "")
    for line in text.splitlines()
    if line.startswith("quadriga ")
]


def build(config: Path, site: Path) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--config-file",
        str(config),
        "--site-dir",
        str(site),
    ]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, env=quiet, capture_output=True, text=True, check=False)


def test_the_site_builds_without_a_warning_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    done = build(ROOT / "mkdocs.yml", tmp_path / "site")
    assert (done.returncode, re.findall("WARNING.*", done.stderr)) == (0, [])
    found = list((tmp_path / "site").rglob("*.html"))
    assert len(found) > 30
    assert [page.name for page in found if LOADED.search(page.read_text(encoding="utf-8"))] == []
    assert (tmp_path / "site" / "search" / "search_index.json").exists()


def test_pages_say_their_language_and_dark_mode_is_offered(tmp_path: Path) -> None:
    assert build(ROOT / "mkdocs.yml", tmp_path / "site").returncode == 0
    for folder, language in (("play", "en"), ("play.es", "es"), ("rules/chariots.es", "es")):
        page = (tmp_path / "site" / folder / "index.html").read_text(encoding="utf-8")
        assert f'<html lang="{language}"' in page
        assert 'data-md-color-scheme="slate"' in page


PLAYERS = ["index", "play", "fairness", "how-to/start", "tutorials/host", *(f"rules/{name}" for name in games.NAMES)]


@pytest.mark.parametrize("name", PLAYERS)
def test_a_page_for_players_is_there_in_spanish_and_as_complete(name: str) -> None:
    english, spanish = pages()[f"{name}.md"], pages()[f"{name}.es.md"]
    for mark in ("#", "##", "###"):
        counts = [len(re.findall(rf"^{mark} ", page, re.MULTILINE)) for page in (english, spanish)]
        assert counts[0] == counts[1], mark
    own = name.rpartition("/")[2]
    assert f"({own}.es.md)" in english
    assert f"({own}.md)" in spanish
    assert f"{name}.es.md" in (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["[nowhere](nothing.md)", "[no part](index.md#nothing)", "![none](pictures/none.svg)"])
def test_a_dead_link_stops_the_build(page: str, tmp_path: Path) -> None:
    settings = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    kept = {key: settings[key] for key in ("site_name", "strict", "validation", "markdown_extensions")}
    (tmp_path / "mkdocs.yml").write_text(yaml.safe_dump(kept | {"nav": [{"Start": "index.md"}]}), encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(f"# Start\n\n{page}\n", encoding="utf-8")
    assert build(tmp_path / "mkdocs.yml", tmp_path / "site").returncode != 0


def test_every_page_with_code_is_tested() -> None:
    assert len(RUN) >= 10
    for name, test in TESTED_ELSEWHERE.items():
        assert (DOCS / name).exists()
        assert (ROOT / "tests" / test).exists()


@pytest.mark.parametrize("name", RUN)
def test_the_code_of_a_page_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for number, block in enumerate(blocks(pages()[name], "python"), 1):
        exec(compile(block, f"{name}, block {number}", "exec"), names)


@pytest.mark.parametrize(("name", "line"), COMMANDS, ids=lambda text: text[:40])
def test_a_command_of_a_page_exists_with_its_options(name: str, line: str) -> None:
    words = re.sub(r"#.*", "", line).split()[1:]
    command = typer.main.get_command(app)
    while words and words[0] in getattr(command, "commands", {}):
        command = command.commands[words.pop(0)]  # type: ignore[attr-defined]
    assert not hasattr(command, "commands") or words[:1] == ["--version"], f"{name}: {line}"
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    used = {word.partition("=")[0] for word in words if word.startswith("-") and not word[1:2].isdigit()}
    assert used <= known | {"--help"}, f"{name}: {line}"
