"""Checkpoints are there whole or not at all, and one that is not is set aside."""

from pathlib import Path

import numpy as np
import pytest

from quadriga.training.checkpoints import read_arrays, with_prefix, without_prefix, write_arrays


def test_arrays_come_back_with_their_facts(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.npz"
    write_arrays(file, with_prefix("model", {"0.weight": np.arange(6.0).reshape(2, 3)}), {"epoch": 3})
    kept = read_arrays(file)
    assert kept is not None
    assert kept[1] == {"epoch": 3}
    assert (without_prefix("model", kept[0])["0.weight"] == np.arange(6.0).reshape(2, 3)).all()
    assert without_prefix("best", kept[0]) == {}
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.npz"]


@pytest.mark.parametrize("length", [0, 10, 200])
def test_a_half_written_checkpoint_is_set_aside_with_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], length: int
) -> None:
    file = tmp_path / "checkpoint.npz"
    write_arrays(file, {"a": np.zeros(100)}, {"epoch": 3})
    half = file.read_bytes()[:length]
    file.write_bytes(half)
    assert read_arrays(file) is None
    assert (tmp_path / "checkpoint.broken").read_bytes() == half
    told = capsys.readouterr().out
    assert told.count("\n") == 1
    assert "is set aside; training starts anew" in told
    assert read_arrays(file) is None


def test_a_file_without_facts_is_no_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint.npz"
    np.savez(file, a=np.zeros(3))
    assert read_arrays(file) is None
    assert not file.exists()
