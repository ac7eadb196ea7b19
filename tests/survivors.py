"""Runs a game's mutations, which need the JIT off, in a process of their own."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def survivors_of(game: str) -> list[str]:
    """The mutations of a game that no scenario catches."""
    command = [sys.executable, "-m", f"tests.games.{game}.mutations"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert lines, done.stderr
    assert " mutations, " in lines[-1], done.stderr
    return [line for line in lines if line.endswith("NOT CAUGHT")]
