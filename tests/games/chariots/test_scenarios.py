"""Scenarios and rules pages of Chariots go by the numbers of the rules; tests/test_scenarios.py runs the scenarios."""

from pathlib import Path

import pytest

from quadriga import games
from quadriga.core.scenario import read_scenario

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "tests" / "scenarios" / "chariots").glob("*.toml"))
RULES = [f"CT-{number}" for number in range(1, 15)]


def test_every_rule_has_scenarios_named_for_it() -> None:
    first = {file.stem[:5]: read_scenario(file, games.load).rules[0] for file in FILES}
    assert first == {f"ct-{number:02}": f"CT-{number}" for number in range(1, 15)}


def test_a_scenario_is_named_for_its_first_rule() -> None:
    assert [f.stem for f in FILES if int(f.stem[3:5]) != int(read_scenario(f, games.load).rules[0][3:])] == []


@pytest.mark.parametrize("language", ["", ".es"])
def test_the_rules_page_has_every_rule(language: str) -> None:
    page = (ROOT / "docs" / "rules" / f"chariots{language}.md").read_text(encoding="utf-8")
    assert [line.split()[1] for line in page.splitlines() if line.startswith("## CT-")] == RULES
