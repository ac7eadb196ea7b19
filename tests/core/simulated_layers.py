"""Runs quick levels and environments on Numba's CUDA simulator, and prints what they did.

Run by test_targets.py with NUMBA_ENABLE_CUDASIM=1; `--cpu` prints the same from the CPU.
"""

import hashlib
import json
import sys
from typing import Any

import numpy as np

from quadriga import games
from quadriga.arena.simulation import Simulation, _track, row, simulate_on_gpu
from quadriga.envs import vector_env

ON_CPU = "--cpu" in sys.argv
RACES, SEATS, STEPS = 3, 2, 6
PLANS = (
    Simulation("charioteer", ("veteran", "novice"), 1, 2, options={"laps": 1}),
    Simulation("chariots", ("greedy", "wanderer"), 1, 2, options={"laps": 1}),
)


def rows(plan: Simulation) -> list[Any]:
    """The rows of a simulation."""
    import msgspec

    if ON_CPU:
        return [row(_track(msgspec.json.encode(plan)), plan, number) for number in range(plan.games)]
    return [found for block in simulate_on_gpu(plan, 0) for found in block]


def arrays_of(name: str) -> str:
    """A hash of all arrays of a few steps in which every race is given its first id that is offered."""
    env: Any = vector_env(name, RACES, SEATS, seed=5, device="cpu" if ON_CPU else "cuda")
    digest = hashlib.sha256()
    for _ in range(STEPS):
        arrays = [np.asarray(array) if ON_CPU else array.copy_to_host() for array in vars(env.arrays).values()]
        for array in arrays:
            digest.update(array.tobytes())
        digest.update(np.asarray(env.asked if ON_CPU else env.asked.copy_to_host()).tobytes())
        env.step(arrays[1].argmax(axis=1).astype(np.int64))
    return digest.hexdigest()


def main() -> None:
    for name in games.NAMES:
        print(name, arrays_of(name), flush=True)
    for plan in PLANS:
        print(json.dumps(rows(plan)), flush=True)


if __name__ == "__main__":
    main()
