"""Bots choose the same whether their kernels are compiled or interpreted."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from quadriga import games
from tests.bots.choosing import chosen

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", games.NAMES)
def test_interpreted_bots_choose_what_compiled_ones_do(name: str) -> None:
    """Warnings are errors there, so an integer that overflows is found."""
    command = [sys.executable, "-W", "error", "-m", "tests.bots.choosing", name]
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == chosen(name)
