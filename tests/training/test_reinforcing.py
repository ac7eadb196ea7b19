"""What learning by racing refuses before PyTorch does its part: each in one line, and nothing is left behind."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

from quadriga import games
from quadriga.bots.network import read_weights
from quadriga.cli import app
from quadriga.core.errors import InvalidOption
from quadriga.training import learning
from quadriga.training.folders import claim
from quadriga.training.learning import save_weights
from quadriga.training.reinforcing import ReinforcementPlan
from quadriga.training.running import Plan
from quadriga.training.weights import shipped_weights, value_layers

CHARIOTS = games.load("chariots")
PLAN = ReinforcementPlan("chariots", 1.0, 64, 256, "weights.npz", rules_version=2)


def refused(folder: Path, *more: str) -> str:
    """What `quadriga reinforce chariots` says no with; the folder is not made for it."""
    error = CliRunner().invoke(app, ["reinforce", "chariots", "--folder", str(folder), *more]).exception
    assert isinstance(error, InvalidOption)
    assert "\n" not in str(error)
    assert not folder.exists()
    return str(error)


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Callable[[int | None], None]:
    """Let PyTorch find a GPU with so many free bytes (None: no GPU)."""
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    return lambda free: monkeypatch.setattr(learning, "free_gpu_memory", lambda: free)


@pytest.mark.parametrize("device", ["auto", "cpu", "cuda"])
def test_racing_without_pytorch_is_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, device: str) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    said = refused(tmp_path / "run", "--device", device)
    assert said == "training needs PyTorch: pip install 'quadriga[training]'"


def test_a_gpu_that_is_missing_or_too_small_is_one_clear_line(
    tmp_path: Path, gpu: Callable[[int | None], None]
) -> None:
    gpu(None)
    assert "finds no GPU here" in refused(tmp_path / "run", "--device", "cuda")
    gpu(1 << 30)
    said = refused(tmp_path / "run", "--device", "cuda")
    assert said == "the GPU has 1,024 MB free and training needs 8,192 MB: use the CPU"


def test_a_gpu_that_pytorch_finds_and_numba_does_not_is_one_clear_line(
    tmp_path: Path, gpu: Callable[[int | None], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise InvalidOption("there is no GPU to use")

    gpu(1 << 40)
    monkeypatch.setattr("quadriga.core.gpu.require_gpu", refuse)
    assert refused(tmp_path / "run") == "there is no GPU to use"


def test_weights_to_begin_with_that_are_missing_or_of_another_game_are_one_clear_line(tmp_path: Path) -> None:
    missing, other = tmp_path / "none.npz", shipped_weights(games.load("charioteer"))
    assert refused(tmp_path / "run", "--start", str(missing)) == f"there is no file {missing}"
    assert "belong to another observation" in refused(tmp_path / "run", "--start", str(other))


def test_weights_of_other_rules_are_one_clear_line(tmp_path: Path) -> None:
    file = tmp_path / "other.npz"
    with np.load(shipped_weights(CHARIOTS)) as body:
        arrays = dict(body)
    told = json.loads(str(arrays["told"])) | {"rules_versions": [CHARIOTS.meta.rules_version + 1]}
    np.savez(file, **arrays | {"told": np.array(json.dumps(told))})
    assert refused(tmp_path / "run", "--start", str(file)) == "the weights of Chariots belong to other rules"


def test_weights_without_a_policy_are_one_clear_line(tmp_path: Path) -> None:
    file = tmp_path / "value.npz"
    save_weights(file, CHARIOTS, value_layers(shipped_weights(CHARIOTS)))
    assert not read_weights(CHARIOTS, file).policy.is_there
    assert refused(tmp_path / "run", "--start", str(file)).startswith(f"{file} holds no policy network")


def test_a_folder_belongs_to_one_way_of_training(tmp_path: Path) -> None:
    """Neither goes on where the other was, nor with other numbers."""
    trained, raced = tmp_path / "trained", tmp_path / "raced"
    claim(Plan("chariots", 1, 2, 0.1, 1), trained, resume=False)
    claim(PLAN, raced, resume=False)
    longer = msgspec.structs.replace(PLAN, minutes=2.0)
    wrong: list[tuple[Plan | ReinforcementPlan, Path]] = [
        (PLAN, trained), (Plan("chariots", 1, 2, 0.1, 1), raced), (longer, raced),
    ]  # fmt: skip
    for plan, folder in wrong:
        with pytest.raises(InvalidOption, match="holds another training run"):
            claim(plan, folder, resume=True)
    claim(PLAN, raced, resume=True)
