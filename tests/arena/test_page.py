"""The bot of the page enters the arena."""

import re
import sys
from pathlib import Path

import pytest

from quadriga.arena.tournament import Plan, play_race

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"


def test_the_bot_of_the_page_races(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    (tmp_path / "careful.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    outcome = play_race(Plan("chariots", ("careful:Careful", "novice"), 1, 2, options={"laps": 1}), 0)
    sys.modules.pop("careful")
    assert len(code.splitlines()) <= 20
    assert outcome.faults == []
