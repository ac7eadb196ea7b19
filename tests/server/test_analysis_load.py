"""People who play do not notice that races are analysed."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from quadriga.loadtest.analyses import is_unchanged

QUIET = {"p99_ms": 20.0, "missed": 0.0, "unanswered": 0.0}


@pytest.mark.parametrize(
    ("during", "expected"),
    [({"p99_ms": 30.0}, True), ({"p99_ms": 30.1}, False), ({"missed": 1.0}, False), ({"unanswered": 1.0}, False)],
)
def test_what_counts_as_unchanged(during: dict[str, float], expected: bool) -> None:
    assert is_unchanged(QUIET, QUIET | during) is expected
    assert is_unchanged({**QUIET, "p99_ms": 2.0}, {**QUIET, "p99_ms": 7.0})


def bench(folder: Path, *options: str) -> dict[str, Any]:
    command = ["bench", "analyses", "--database", str(folder / "tables.sqlite"), "--json", *options]
    done = subprocess.run([sys.executable, "-m", "quadriga", *command], capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.long
def test_choices_take_as_long_under_twenty_analyses(tmp_path: Path) -> None:
    found = bench(tmp_path)
    print(found)
    assert found["analyses"].get("queued", 0) > 0, "there was something to analyse until the end"
    assert found["unchanged"], found
