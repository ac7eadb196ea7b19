"""Every recipe of the cookbook runs as it stands, is short, and uses public names alone."""

import ast
import re
import sys
from pathlib import Path

import pytest

import quadriga

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "cookbook.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^## (.*?)\n.*?^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
MOST_LINES = 15
POSITION = ROOT / "tests/scenarios/chariot_race/cr08_lane_changes.toml"
PRINTED = {
    "Play a random race and print the winner": r"(Ana|Ben|Cleo|Dan) wins after \d+ steps: \w+",
    "Find the best opening plot by bots": r"plot \d\+\d\+\d won \d of 5",
    "Draw a histogram of race lengths": r"rounds  ####",
    "Replay a record and draw step 12": r"lap 1 of 3|turn 13",
    "Try an illegal choice and read the reason": r"plot 2\+2\+5: .*allowed: plot 2\+3\+4",
    "Enter a bot of your own in the arena": r"careful +won",
    "Begin with a position from a scenario": r"Standing\(place=1",
    "Turn a race into an Arrow table": r"\d+ events, \['race', 'step', 'kind', 'fields', 'text'\]",
    "Analyse a record": r"(?s)start 0\.\d+, skill .*result [01]\n.*step \d+, seat \d: .*; better: ",
    "Play with a changed edition": r"Game\('chariots', edition \w+\) Standing\(place=1",
}


@pytest.fixture(scope="module")
def record() -> str:
    return quadriga.Race("charioteer", players=3, seed=5).run("wanderer").to_json()


def test_there_are_ten_recipes() -> None:
    assert sorted(RECIPES) == sorted(PRINTED)
    assert len(RECIPES) == 10


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_is_short_and_uses_public_names_alone(title: str) -> None:
    lines = [line for line in RECIPES[title].splitlines() if line.strip()]
    assert len(lines) <= MOST_LINES
    tree = ast.parse(RECIPES[title])
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported - set(sys.stdlib_module_names) == {"quadriga"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            assert not node.attr.startswith("_")
            if isinstance(node.value, ast.Name) and node.value.id == "quadriga":
                assert node.attr in quadriga.__all__


@pytest.mark.parametrize("title", RECIPES)
def test_a_recipe_runs(
    title: str, record: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "race.json").write_text(record, encoding="utf-8")
    (tmp_path / "position.toml").write_text(POSITION.read_text(encoding="utf-8"), encoding="utf-8")
    exec(compile(RECIPES[title], title, "exec"), {"__name__": "__main__"})
    assert re.search(PRINTED[title], capsys.readouterr().out)
