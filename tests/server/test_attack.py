"""Hostile requests of every kind at once, while people play: the server holds."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from quadriga.loadtest.attacks import KINDS, is_held

GOOD = {"p99_ms": 199.0, "missed": 0, "unanswered": 0, "server_errors": 0, "before_mb": 200.0, "after_mb": 249.0}


@pytest.mark.parametrize(
    "flaw",
    [{}, {"p99_ms": 200.0}, {"missed": 1}, {"unanswered": 1}, {"server_errors": 1}, {"after_mb": 250.0}],
    ids=str,
)
def test_what_counts_as_held(flaw: dict[str, float]) -> None:
    assert is_held(GOOD | flaw) is (flaw == {})


def attack(folder: Path, *options: str) -> dict[str, object]:
    command = ["bench", "attack", "--database", str(folder / "tables.sqlite"), "--json", *options]
    done = subprocess.run([sys.executable, "-m", "quadriga", *command], capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


@pytest.mark.long
def test_the_server_holds_while_everything_hostile_happens_at_once(tmp_path: Path) -> None:
    found = attack(tmp_path, "--tables", "100", "--rate", "100", "--each", "20")
    assert set(found["statuses"]) == {kind.__name__ for kind in KINDS}  # type: ignore[call-overload]
    assert found["held"], found
