"""Trains sb3-contrib's MaskablePPO against a bot and measures it before and after.

    pip install "quadriga[rl,sb3]"
    python examples/train_maskable_ppo.py chariots --steps 100000 --rival novice

Ids that are not offered are masked: MaskablePPO asks the environment's `action_masks()` for them.
"""

import argparse
import sys
import time
from typing import Any

import gymnasium
import numpy as np

import quadriga.envs  # noqa: F401  # registers the environments

try:
    from sb3_contrib import MaskablePPO
except ImportError:
    sys.exit('sb3-contrib is not installed: pip install "quadriga[rl,sb3]"')

GAMES = {
    "charioteer": "quadriga/Charioteer-v0",
    "chariot_race": "quadriga/ChariotRace-v0",
    "chariots": "quadriga/Chariots-v0",
}
OPTIONS: dict[str, dict[str, object]] = {
    "charioteer": {"laps": 1},
    "chariot_race": {"pairs": False},
    "chariots": {"laps": 1, "two_chariots": False},
}


def new_env(game: str, rival: str) -> Any:
    """A short race of two seats, the learner at either; a win earns 1, a loss -1."""
    return gymnasium.make(GAMES[game], rivals=[rival], options=OPTIONS[game])


def measure(model: Any, game: str, rival: str, races: int, seed: int) -> float:
    """The share of races that a model wins."""
    env, wins = new_env(game, rival), 0
    for race in range(races):
        observation, _ = env.reset(seed=seed + race)
        over = False
        while not over:
            masks = env.get_wrapper_attr("action_masks")()
            action, _ = model.predict(observation, action_masks=masks, deterministic=False)
            observation, _, over, _, info = env.step(int(action))
        wins += info["place"] == 1
    return wins / races


def main() -> None:
    """Train, measure, and say how it went."""
    parser = argparse.ArgumentParser(description="Train MaskablePPO against a bot.")
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--rival", default="wanderer")
    parser.add_argument("--races", type=int, default=200, help="races to measure with")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    rollout = min(2048, max(64, chosen.steps))
    model = MaskablePPO(
        "MultiInputPolicy", new_env(chosen.game, chosen.rival), n_steps=rollout, seed=chosen.seed, gamma=0.999
    )
    before = measure(model, chosen.game, chosen.rival, chosen.races, seed=1)
    begin = time.monotonic()
    model.learn(chosen.steps)
    spent = time.monotonic() - begin
    after = measure(model, chosen.game, chosen.rival, chosen.races, seed=1)
    error = 1.96 * np.sqrt(after * (1 - after) / chosen.races)
    print(f"{chosen.game}: {chosen.steps:,} steps in {spent:.0f} s against {chosen.rival}")
    print(f"wins of {chosen.races} races: {before:.1%} before, {after:.1%} after (± {error:.1%})")


if __name__ == "__main__":
    main()
