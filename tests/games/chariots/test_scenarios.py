"""Every rule of Chariots has its scenarios, and all of them hold."""

from pathlib import Path

import pytest

from quadriga import games
from quadriga.core.scenario import read_scenario, run

ROOT = Path(__file__).parents[3]
FILES = sorted((ROOT / "tests" / "scenarios" / "chariots").glob("*.toml"))
RULES = [f"CT-{number}" for number in range(1, 15)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_scenario(file: Path) -> None:
    assert [str(difference) for difference in run(read_scenario(file, games.load))] == []


def test_every_rule_has_a_scenario_named_for_it() -> None:
    scenarios = [(file.stem, read_scenario(file, games.load).rules) for file in FILES]
    named = {rules[0] for stem, rules in scenarios if stem.startswith(f"ct-{int(rules[0][3:]):02}-")}
    assert len(named) == len({stem[:5] for stem, _ in scenarios})
    assert sorted(named) == sorted(RULES)


@pytest.mark.parametrize("language", ["", ".es"])
def test_the_rules_page_has_every_rule(language: str) -> None:
    page = (ROOT / "docs" / "rules" / f"chariots{language}.md").read_text(encoding="utf-8")
    headings = [line.split()[1] for line in page.splitlines() if line.startswith("## CT-")]
    assert headings == RULES
