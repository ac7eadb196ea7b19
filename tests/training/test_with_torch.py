"""Tests that need PyTorch, which the other tests do without: each module runs in a Python that has it.

With one at hand: `python -m pytest tests/training/torch_advantages.py`.
"""

import os
import subprocess
from pathlib import Path

import pytest

MODULES = sorted(Path(__file__).parent.glob("torch_*.py"))


@pytest.mark.long
@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.stem)
def test_a_module_that_needs_pytorch(learners: Path, module: Path) -> None:
    done = subprocess.run(
        [learners, "-m", "pytest", "--quiet", module],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"CUDA_VISIBLE_DEVICES": ""},
    )
    assert done.returncode == 0, done.stdout
