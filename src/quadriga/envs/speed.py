"""How many steps environments make in a second on one core, with a random id at each."""

import time
from collections.abc import Callable

import numpy as np

from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.envs import aec_env
from quadriga.envs.vector import VectorEnv

KINDS = ("pettingzoo", "vector")
SEATS = 2
RACES = 1024
BATCH = 500


def steps_per_second(game: str | Game, kind: str, seconds: float) -> float:
    """Steps a second of one kind of environment, compiled beforehand, the choice of random ids included."""
    if kind not in KINDS:
        raise InvalidOption(f"there is no environment {kind!r} to measure; there are {', '.join(KINDS)}")
    play = _vector(game) if kind == "vector" else _pettingzoo(game)
    play()
    steps, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        steps += play()
    return steps / spent


def _vector(game: str | Game) -> Callable[[], int]:
    env = VectorEnv(game, RACES, SEATS)

    def play() -> int:
        env.step(env.random_ids())
        return RACES

    return play


def _pettingzoo(game: str | Game) -> Callable[[], int]:
    env, random = aec_env(game, SEATS), np.random.default_rng(0)
    env.reset(seed=0)

    def play() -> int:
        for _ in range(BATCH):
            if not env.agents:
                env.reset()
            observation, _, over, _, _ = env.last()
            assert observation is not None
            offered = observation["action_mask"].nonzero()[0]
            env.step(None if over else int(offered[int(random.random() * len(offered))]))
        return BATCH

    return play
