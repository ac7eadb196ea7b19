"""What the pages say is run."""

import os
import re
from pathlib import Path

import pytest

from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.core.reference import reference
from quadriga.core.scenario import parse_scenario, run
from quadriga.core.scenario_file import Document, Then

DOCS = Path(__file__).parents[1] / "docs"
SCENARIOS = (DOCS / "scenarios.md").read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", blocks(SCENARIOS, "toml"), ids=lambda text: text.splitlines()[1][9:40])
def test_an_example_of_the_scenario_page_runs(text: str, tmp_path: Path) -> None:
    standard = games.load("chariots").edition.source.text
    (tmp_path / "eagles.toml").write_text(standard.replace('"suns"', '"eagles"'), encoding="utf-8")
    scenario = parse_scenario(TomlFile("scenarios.md", text), games.load, tmp_path)
    assert [str(difference) for difference in run(scenario)] == []


@pytest.mark.parametrize("kind", [Document, Then])
def test_every_key_of_a_scenario_is_explained_and_shown(kind: type) -> None:
    shown = "\n".join(blocks(SCENARIOS, "toml"))
    for key in kind.__struct_fields__:  # type: ignore[attr-defined]
        if key == "then":
            assert "[[then]]" in SCENARIOS
            continue
        assert f"| `{key}` |" in SCENARIOS
        if key not in ("seed", "nonces"):  # a plain number and a list
            assert re.search(rf"^(\[(then\.)?{key}[.\]]|{key} = )", shown, re.MULTILINE), f"no example has {key}"


@pytest.mark.parametrize("name", games.NAMES)
def test_the_page_of_names_is_up_to_date(name: str) -> None:
    """To write it anew: REWRITE=1 .venv/bin/pytest tests/test_pages.py"""
    page, written = DOCS / "names" / f"{name}.md", reference(games.load(name))
    if os.environ.get("REWRITE"):
        page.write_text(written, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == written
    assert f"(names/{name}.md)" in SCENARIOS
