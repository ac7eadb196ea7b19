"""Digests of what environments write, to compare interpreted kernels with compiled ones."""

import hashlib
import sys

from quadriga.envs.vector import VectorEnv

STEPS = 60
CASES: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("charioteer", 2, {"crowd_wild": True}),
    ("chariot_race", 3, {"alternate": True, "track": "B-B"}),
    ("chariots", 2, {"special_actions": True, "faster_recovery": True}),
    ("chariots", 3, {"limit": 5, "laps": 1}),
)


def digest(name: str, seats: int, options: dict[str, object], steps: int = STEPS) -> str:
    """Some digits for all that two races wrote."""
    env, told = VectorEnv(name, 2, seats, options), hashlib.sha256()
    for _ in range(steps):
        a, ids = env.arrays, env.random_ids()
        for array in (a.observations, a.masks, a.rewards, a.over, env.asked, ids):
            told.update(array.tobytes())
        env.step(ids)
    return told.hexdigest()[:16]


if __name__ == "__main__":
    for case in CASES:
        print(digest(*case, *map(int, sys.argv[1:])))
