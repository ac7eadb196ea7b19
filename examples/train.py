"""Trains a small policy on many races at once and measures it against random play. NumPy is all it needs.

    python examples/train.py chariots --updates 150

The policy, a network of one hidden layer, plays both seats of 512 short races. After every 32 steps each id it chose
is made likelier by what followed for the seat that chose it (REINFORCE): the lead it won, and the race itself. Then it
races against random ids, seats changing, and its share of wins is printed with the 95 % interval.
"""

import argparse
import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core.observation import column
from quadriga.envs.vector import VectorEnv

OPTIONS: dict[str, dict[str, object]] = {
    "charioteer": {"laps": 1},
    "chariot_race": {"pairs": False},
    "chariots": {"laps": 1, "two_chariots": False},
}
STEPS = 32
FADES = 0.95
"""How much less a later step counts than the one before it."""

Floats = NDArray[Any]


class Policy:
    """Gives every id a probability."""

    def __init__(self, inputs: int, ids: int, hidden: int = 64, seed: int = 0) -> None:
        self.random = np.random.default_rng(seed)
        first = self.random.normal(0, 1 / math.sqrt(inputs), (inputs, hidden)).astype(np.float32)
        self.weights = [first, np.zeros((hidden, ids), np.float32)]
        self.means = [np.zeros_like(weight) for weight in self.weights]
        self.squares = [np.zeros_like(weight) for weight in self.weights]

    def probabilities(self, observations: Floats, masks: Floats) -> tuple[Floats, Floats]:
        """The hidden layer, and the probability of every id."""
        hidden = np.maximum(observations @ self.weights[0], 0)
        scores = hidden @ self.weights[1] - 1e9 * (masks == 0)
        likely = np.exp(scores - scores.max(axis=1, keepdims=True))
        return hidden, likely / likely.sum(axis=1, keepdims=True)

    def choose(self, observations: Floats, masks: Floats) -> NDArray[np.int64]:
        """An id for every row, at random by its probability."""
        _, chances = self.probabilities(observations, masks)
        drawn = self.random.random((len(masks), 1)) * chances.sum(axis=1, keepdims=True)
        return np.minimum((chances.cumsum(axis=1) <= drawn).sum(axis=1), masks.shape[1] - 1)

    def learn(self, observations: Floats, masks: Floats, ids: NDArray[np.int64], earned: Floats, rate: float) -> None:
        """Make ids likelier by what they earned."""
        hidden, chances = self.probabilities(observations, masks)
        towards = -chances
        towards[np.arange(len(ids)), ids] += 1
        towards *= (earned / len(ids))[:, None]
        back = (towards @ self.weights[1].T) * (hidden > 0)
        for i, gradient in enumerate((observations.T @ back, hidden.T @ towards)):
            self.means[i] += 0.1 * (gradient - self.means[i])
            self.squares[i] += 0.01 * (gradient**2 - self.squares[i])
            self.weights[i] += rate * self.means[i] / (np.sqrt(self.squares[i]) + 1e-6)


def leads(env: VectorEnv) -> Floats:
    """How far seat 0 is ahead in every race, as a share of the race."""
    block = "rivals" if env.game.meta.name == "charioteer" else "chariots"
    own, rival = (column(env.learnable.observation.layout, block, i, "progress") for i in (0, 1))
    seen = env.arrays.observations
    return (seen[:, own] - seen[:, rival]) * np.where(env.asked == 0, 1, -1)


def rollout(env: VectorEnv, policy: Policy) -> tuple[Floats, Floats, NDArray[np.int64], Floats]:
    """Some steps of every race: observations, masks, the ids chosen, and what each earned."""
    rows, gains, goes_on = [], np.zeros((STEPS, len(env.races))), np.zeros((STEPS, len(env.races)))
    signs = np.zeros_like(gains)
    for t in range(STEPS):
        seen, masks, before = env.arrays.observations.copy(), env.arrays.masks.copy(), leads(env)
        signs[t] = np.where(env.asked == 0, 1, -1)
        ids = policy.choose(seen, masks)
        after = env.step(ids)
        goes_on[t] = ~after.over
        gains[t] = np.where(after.over, after.rewards[:, 0], 10 * (leads(env) - before))
        rows.append((seen, masks, ids))
    later = np.zeros(len(env.races))
    for t in reversed(range(STEPS)):
        later = gains[t] = gains[t] + FADES * goes_on[t] * later
    seen, masks, ids = (np.concatenate(column_) for column_ in zip(*rows, strict=True))
    earned = (gains * signs).reshape(-1)
    return seen, masks, ids, (earned - earned.mean()) / (earned.std() + 1e-6)


def new_env(game: str, races: int, seed: int) -> VectorEnv:
    """Short races of two seats."""
    return VectorEnv(game, races, 2, OPTIONS[game], seed=seed)


def train(game: str, updates: int, races: int = 512, rate: float = 2e-3, seed: int = 0) -> Policy:
    """A policy that has learnt from so many rollouts."""
    env = new_env(game, races, seed)
    policy = Policy(env.learnable.observation_count, env.learnable.id_count, seed=seed)
    for update in range(updates):
        seen, masks, ids, earned = rollout(env, policy)
        chosen = masks.sum(axis=1) > 1
        policy.learn(seen[chosen], masks[chosen], ids[chosen], earned[chosen], rate * (1 - update / updates))
    return policy


@dataclass(frozen=True)
class Share:
    """Wins of a policy out of some races, a tie being half of one; with the 95 % interval (Wilson)."""

    wins: float
    races: int

    @property
    def interval(self) -> tuple[float, float]:
        z2, n, p = 1.96**2, self.races, self.wins / self.races
        middle, half = (p + z2 / (2 * n)) / (1 + z2 / n), math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
        return middle - 1.96 * half, middle + 1.96 * half

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.wins / self.races:.1%} of {self.races} races ({low:.1%} to {high:.1%})"


def measure(game: str, policy: Policy, races: int = 1000, seed: int = 1) -> Share:
    """Race against random ids, one race in every row, the policy at either seat in turn."""
    env = new_env(game, races, seed)
    seats = np.arange(races) % 2
    wins, racing = 0.0, np.ones(races, bool)
    while racing.any():
        ids = env.random_ids().copy()
        mine = np.flatnonzero(env.asked == seats)
        ids[mine] = policy.choose(env.arrays.observations[mine], env.arrays.masks[mine])
        after = env.step(ids)
        ended = np.flatnonzero(after.over & racing)
        wins += float((1 + np.sign(after.rewards[ended, seats[ended]])).sum() / 2)
        racing[ended] = False
    return Share(wins, races)


def main() -> None:
    """Train, measure, and say how it went."""
    parser = argparse.ArgumentParser(description="Train a small policy and measure it against random play.")
    parser.add_argument("game", choices=sorted(OPTIONS))
    parser.add_argument("--updates", type=int, default=150)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    begin = time.monotonic()
    policy = train(chosen.game, chosen.updates, seed=chosen.seed)
    spent = time.monotonic() - begin
    print(f"{chosen.game}: {chosen.updates} updates, {chosen.updates * STEPS * 512:,} steps in {spent:.0f} s")
    print(f"against random play it wins {measure(chosen.game, policy)}")


if __name__ == "__main__":
    main()
