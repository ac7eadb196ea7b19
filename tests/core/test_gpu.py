"""What is said where there is no GPU, or where its memory is too small."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any

import numpy as np
import pytest

from quadriga.core import gpu
from quadriga.core.errors import InvalidOption
from quadriga.core.messages import KIND_BITS, Action, Bits
from tests.core.processes import ROOT

WITHOUT = {name: value for name, value in os.environ.items() if name != "NUMBA_ENABLE_CUDASIM"} | {
    "CUDA_VISIBLE_DEVICES": "",
    "PYTHONPATH": str(ROOT / "src"),
}


@pytest.mark.parametrize("command", ["simulate chariots --device cuda", "gpu-check", "bench gpu"])
def test_no_gpu_is_one_clear_line(command: str, tmp_path: Path) -> None:
    """Also on a machine that has one: the driver hides it."""
    line = [sys.executable, "-m", "quadriga", *command.split()]
    ran = subprocess.run(line, check=False, env=WITHOUT, cwd=tmp_path, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("quadriga: there is no GPU to use: ")
    assert len(ran.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir()), "nothing is begun"


@pytest.mark.parametrize("error", [MemoryError(), RuntimeError("[2] Call to cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY")])
def test_a_gpu_that_is_too_small_is_one_clear_line(error: Exception) -> None:
    with (
        pytest.raises(InvalidOption, match="the GPU's memory is too small for 3 GB: run fewer"),
        gpu.enough_memory(" for 3 GB"),
    ):
        raise error


@pytest.mark.parametrize("bits", [31, 32])
def test_codes_are_kept_in_32_bits_where_all_of_them_fit_with_their_sign(bits: int) -> None:
    width = bits - KIND_BITS
    short = type("Short", (Action,), {"__annotations__": {}}, code=1)
    long: Any = type("Long", (Action,), {"__annotations__": {"a": Annotated[int, Bits(width)]}}, code=15)
    largest = long((1 << width) - 1).pack()
    assert largest.bit_length() == long.bits() == bits
    definition: Any = SimpleNamespace(actions=(short, long))
    chosen = gpu.code_type(definition)
    assert np.array([largest]).astype(chosen)[0] == largest
    assert chosen is (np.int32 if bits < 32 else np.int64)


def test_other_errors_of_the_gpu_stay_what_they_are() -> None:
    with pytest.raises(ValueError, match="misaligned"), gpu.enough_memory(""):
        raise ValueError("misaligned")
