"""What learning needs before PyTorch does its part: a device that fits, and positions that can be read."""

from pathlib import Path

import numpy as np
import pytest

from quadriga.core.errors import InvalidOption
from quadriga.training.learning import Arrays, choose_device, read_examples, split_examples

MEGABYTE = 1 << 20


def test_a_gpu_is_used_where_its_memory_does() -> None:
    assert choose_device("auto", 2000 * MEGABYTE, 1000 * MEGABYTE) == "cuda"
    assert choose_device("cuda", 2000 * MEGABYTE, 1000 * MEGABYTE) == "cuda"
    assert choose_device("cpu", 2000 * MEGABYTE, 1000 * MEGABYTE) == "cpu"
    assert choose_device("auto", None, 1000 * MEGABYTE) == "cpu"


def test_a_gpu_that_is_missing_is_one_clear_line() -> None:
    with pytest.raises(InvalidOption, match="finds no GPU here: train with --device cpu"):
        choose_device("cuda", None, 0)


def test_a_gpu_that_is_too_small_is_one_clear_line() -> None:
    with pytest.raises(InvalidOption, match="has 500 MB free and training needs 1,000 MB"):
        choose_device("cuda", 500 * MEGABYTE, 1000 * MEGABYTE)
    told: list[str] = []
    assert choose_device("auto", 500 * MEGABYTE, 1000 * MEGABYTE, told.append) == "cpu"
    assert told == ["the GPU has 500 MB free, too little for 1,000 MB: training on the CPU"]


def test_a_half_written_file_of_positions_is_left_out_with_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, half = tmp_path / "whole.npz", tmp_path / "half.npz"
    np.savez(whole, rows=np.ones((5, 3), np.int16), places=np.zeros((5, 2), np.int8))
    half.write_bytes(whole.read_bytes()[:-40])
    ((rows, places),) = read_examples([half, whole], ("rows", "places"))
    assert rows.shape == (5, 3)
    assert places.shape == (5, 2)
    assert capsys.readouterr().out.startswith(f"quadriga: {half} is left out")
    with pytest.raises(InvalidOption, match="no positions to learn from"):
        read_examples([half], ("rows", "places"))


def test_the_end_of_each_file_is_held_out() -> None:
    files: list[Arrays] = [(np.arange(first, first + 40),) for first in (0, 100)]
    (learn,), (test,) = split_examples(files)
    assert test.tolist() == [38, 39, 138, 139]
    assert sorted([*learn, *test]) == [*range(40), *range(100, 140)]
