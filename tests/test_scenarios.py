"""Every scenario is a test; every rule of every game has one."""

import re
from pathlib import Path

import pytest

from quadriga import games
from quadriga.core.scenario import read_scenario, run

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "tests" / "scenarios"
FILES = sorted(FOLDER.glob("*/*.toml"))
HEADING = re.compile(r"^#+ ([A-Z]+-\d+)\b", re.MULTILINE)


def rules_of(game: str) -> set[str]:
    return set(HEADING.findall((ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_scenario(file: Path) -> None:
    scenario = read_scenario(file, games.load)
    assert scenario.game.meta.name == file.parent.name
    assert [str(difference) for difference in run(scenario)] == []


@pytest.mark.parametrize("game", games.NAMES)
def test_every_rule_has_a_scenario(game: str) -> None:
    rules = rules_of(game)
    assert rules
    scenarios = [read_scenario(file, games.load) for file in FILES if file.parent.name == game]
    named = {rule for scenario in scenarios for rule in scenario.rules}
    assert rules - named == set(), "rules without a scenario"
    assert named - rules == set(), "scenarios of rules that do not exist"


def test_rule_numbers_are_read_from_headings() -> None:
    found = HEADING.findall("# Chariots\n## CT-1 Set-up\nsee CT-9\n### CT-12 More\n**CT-3** no\n")
    assert found == ["CT-1", "CT-12"]
