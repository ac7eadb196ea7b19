"""Python processes of the tests whose settings of Numba are those that are named, whatever this process runs with."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SETTINGS = {"NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_ENABLE_CUDASIM", "QUADRIGA_TARGET"}


def run(*arguments: str | Path, **settings: str) -> str:
    """What a Python module prints; warnings are errors in it. Without settings its kernels are compiled."""
    done = _run("-W", "error", "-m", *map(str, arguments), **settings)
    assert done.returncode == 0, done.stderr
    return done.stdout


def output_of(*arguments: str, **settings: str) -> str:
    """What a Python module prints that may say no: it ends with 0 or 1, and never without a word."""
    done = _run("-m", *arguments, **settings)
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout, done.stderr
    return done.stdout


def _run(*command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=inherited | settings, capture_output=True, text=True, check=False
    )
