"""Checkpoints of a training run: arrays in one file that is there whole or not at all."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.network import UNREADABLE

Arrays = dict[str, NDArray[Any]]


def write_arrays(file: Path, arrays: Arrays, facts: dict[str, Any]) -> None:
    """Write arrays and what is to be known of them beside the file, then put it in its place."""
    beside = file.with_name(file.name + ".part")
    with beside.open("wb") as out:
        np.savez(out, facts=np.array(json.dumps(facts)), **arrays)  # type: ignore[arg-type]
    beside.replace(file)


def read_arrays(file: Path) -> tuple[Arrays, dict[str, Any]] | None:
    """What was written; None where there is no file. One that cannot be read is set aside with a line."""
    if not file.exists():
        return None
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as body:
            arrays = dict(body)
        return arrays, dict(json.loads(str(arrays.pop("facts"))))
    except UNREADABLE as error:
        file.replace(file.with_suffix(".broken"))
        print(f"quadriga: {file} cannot be read ({type(error).__name__}) and is set aside; training starts anew")
        return None


def with_prefix(prefix: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """Arrays under names that begin so."""
    return {f"{prefix}.{name}": value for name, value in arrays.items()}


def without_prefix(prefix: str, arrays: dict[str, Any]) -> dict[str, Any]:
    """The arrays whose names begin so, under the rest of their names."""
    return {name[len(prefix) + 1 :]: value for name, value in arrays.items() if name.startswith(f"{prefix}.")}


def model_arrays(prefix: str, model: Any) -> Arrays:
    """A PyTorch model's weights."""
    return with_prefix(prefix, {name: value.cpu().numpy() for name, value in model.state_dict().items()})


def optimizer_arrays(prefix: str, optimizer: Any) -> Arrays:
    """What a PyTorch optimiser remembers of each weight."""
    states = optimizer.state_dict()["state"]
    return {
        f"{prefix}.{at}.{name}": value.cpu().numpy() for at, state in states.items() for name, value in state.items()
    }


def load_optimizer(prefix: str, tensors: dict[str, Any], optimizer: Any) -> None:
    """Let an optimiser remember what `optimizer_arrays` told."""
    state: dict[int, dict[str, Any]] = {}
    for name, value in without_prefix(prefix, tensors).items():
        at, _, kind = name.partition(".")
        state.setdefault(int(at), {})[kind] = value
    optimizer.load_state_dict(optimizer.state_dict() | {"state": state})
