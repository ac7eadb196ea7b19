"""Plays a few races by scores on Numba's CUDA simulator, and writes the positions kept of them.

Run by test_scored_races.py with NUMBA_ENABLE_CUDASIM=1: `python -m tests.training.simulated_scored_races FILE`.
"""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga import games
from quadriga.training.selfplay import Kept

RACES, BATCHES, SEED = 2, 2, "simulated"
TOLD = Kept._fields


def main() -> None:
    from quadriga.training.gpu_scored_races import GpuScoredRaces

    found: dict[str, NDArray[Any]] = {}
    for name in games.NAMES:
        races = GpuScoredRaces(games.load(name), RACES, SEED)
        for batch in range(BATCHES):
            kept = races.play().kept
            found |= {f"{name} {batch} {told}": part.copy_to_host() for told, part in zip(TOLD, kept, strict=True)}
    np.savez(sys.argv[1], **found)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
