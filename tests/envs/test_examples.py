"""The examples that need other libraries learn for a moment, and say what is missing without these."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
FOUND = r"wins .*?\d+\.\d%"


@pytest.mark.parametrize(
    ("script", "module", "says"),
    [
        ("train_torch.py", "torch", 'torch is not installed: pip install "quadriga[training]"'),
        ("train_maskable_ppo.py", "sb3_contrib", 'sb3-contrib is not installed: pip install "quadriga[rl,sb3]"'),
    ],
)
def test_what_an_example_misses_is_one_line(script: str, module: str, says: str) -> None:
    code = f"import runpy, sys; sys.modules[{module!r}] = None; runpy.run_path({str(EXAMPLES / script)!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, f"{says}\n")


@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    [
        ("train_torch.py", "chariots", "--races", "32", "--updates", "4", "--device", "cpu"),
        ("train_maskable_ppo.py", "chariots", "--steps", "256", "--races", "8"),
    ],
    ids=["torch", "maskable_ppo"],
)
def test_an_example_learns_for_a_moment(learners: Path, command: tuple[str, ...]) -> None:
    script, *arguments = command
    done = subprocess.run(
        [learners, EXAMPLES / script, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"CUDA_VISIBLE_DEVICES": ""},
    )
    assert re.search(FOUND, done.stdout), done.stdout
