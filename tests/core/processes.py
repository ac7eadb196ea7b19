"""Python processes of the tests whose settings of Numba are those that are named, whatever this process runs with."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SETTINGS = {"NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_ENABLE_CUDASIM", "QUADRIGA_TARGET"}


def run(*arguments: str | Path, **settings: str) -> str:
    """What a Python module prints; warnings are errors in it. Without settings its kernels are compiled."""
    command = [sys.executable, "-W", "error", "-m", *map(str, arguments)]
    inherited = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    done = subprocess.run(command, cwd=ROOT, env=inherited | settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
