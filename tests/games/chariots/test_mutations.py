"""No rule of Chariots can be broken without a scenario that fails; with the JIT off, so in a process of its own."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_every_mutation_is_caught() -> None:
    command = [sys.executable, "-m", "tests.games.chariots.mutations"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.endswith("NOT CAUGHT")] == [], done.stderr
    assert lines
    assert lines[-1].endswith("mutations, 0 not caught"), done.stderr
