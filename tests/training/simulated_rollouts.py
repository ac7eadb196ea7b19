"""Takes a few steps of rollouts on Numba's CUDA simulator, and writes what they told.

Run by test_rollouts.py with NUMBA_ENABLE_CUDASIM=1: `python -m tests.training.simulated_rollouts FILE`.
"""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga import games
from quadriga.bots.evaluation import PART_COUNT
from quadriga.training.rivals import BOTS, EARLIER, FIRST, NEWEST
from quadriga.training.rollouts import Floats

RACES, STEPS, SEED = 5, 12, "simulated"
RIVALS = np.array([NEWEST, BOTS, FIRST, BOTS, EARLIER], np.int16)
TOLD = ("asked", "places", "chances", "gradients", "observations")


def scores_at(step: int) -> Floats:
    """Scores of all parts in all races, others at every step."""
    rows: Floats = np.random.default_rng(step).normal(size=(RACES, PART_COUNT)).astype(np.float32)
    return rows


def main() -> None:
    from quadriga.training.gpu_rollouts import GpuRollouts

    found: dict[str, NDArray[Any]] = {}
    for name in games.NAMES:
        rollouts = GpuRollouts(games.load(name), RACES, SEED, RIVALS)
        for step in range(STEPS):
            rollouts.scores.copy_to_device(scores_at(step))
            rollouts.step()
            found |= {f"{name} {step} {told}": getattr(rollouts, told).copy_to_host() for told in TOLD}
    np.savez(sys.argv[1], **found)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
