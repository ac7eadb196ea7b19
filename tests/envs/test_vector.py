"""Many races at once are the races of the contract, with rewards for every number of seats."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.core.chain import is_finished
from quadriga.core.errors import InvalidOption
from quadriga.core.streams import new_stream
from quadriga.envs import vector_env
from quadriga.envs.speed import steps_per_second
from quadriga.envs.stepping import PLACES, WIN, reward
from quadriga.envs.vector import Arrays, VectorEnv
from tests.envs.agree import CASES, digest
from tests.envs.positions import Position, every_game

ROOT = Path(__file__).parents[2]


@every_game
def test_a_race_goes_as_the_contract_says(name: str) -> None:
    options: dict[str, object] = {"limit": 5} if name == "chariot_race" else {"limit": 5, "laps": 1}
    env = VectorEnv(name, 2, 3, options, again=False)
    game, key = env.game, env.askings["key"][1].copy()
    state, step = game.setup(3, options, new_stream(key, 0)).state, 0
    chains: dict[int, int] = {}
    for _ in range(20_000):
        assert env.races[1].tobytes() == state.tobytes()
        if not game.to_act(state):
            break
        seat, choice = int(env.asked[1]), int(env.random_ids()[1])
        chains[seat] = Position(game, state).link(seat, chains.get(seat, 0), choice)
        arrays = env.step(env.ids)
        if set(chains) == set(game.to_act(state)) and all(map(is_finished, chains.values())):
            step += 1
            choices = {seat: game.unpack(chain) for seat, chain in chains.items()}
            state, chains = game.apply(state, choices, new_stream(key, step)).state, {}
    result = game.result(state)
    assert result is not None
    assert arrays.over[1]
    assert tuple(env.places[1]) == result.places
    assert env.asked[1] == -1
    assert not arrays.masks[1].any()


@every_game
def test_races_begin_again_and_rewards_add_up_to_nothing(name: str) -> None:
    env = vector_env(name, 64, 2, {"limit": 5} | ({"laps": 1} if name != "chariot_race" else {}))
    ended = 0
    for _ in range(1500):
        arrays = env.step(env.random_ids())
        assert (arrays.masks.sum(axis=1) > 0).all()
        assert np.abs(arrays.rewards.sum(axis=1)).max() < 1e-6
        assert not arrays.rewards[~arrays.over].any()
        best = env.places[arrays.over].argmin(axis=1)
        assert (arrays.rewards[arrays.over].argmax(axis=1) == best).all()
        ended += int(arrays.over.sum())
    assert ended > 64


@every_game
def test_the_same_seed_gives_the_same_races_and_another_others(name: str) -> None:
    def run(env: VectorEnv, seed: int | None) -> bytes:
        env.reset(seed)
        return b"".join(env.step(env.random_ids()).observations.tobytes() for _ in range(40))

    env = VectorEnv(name, 8, 2)
    assert run(env, 1) == run(VectorEnv(name, 8, 2), 1) == run(env, 1) != run(env, 2)
    assert run(env, None) != run(env, None)
    assert len({race.tobytes() for race in env.races}) > 1


@pytest.mark.parametrize(
    ("places", "rewards"),
    [
        ([1, 2], [1, -1]),
        ([2, 2], [0, 0]),
        ([1, 2, 3], [1, 0, -1]),
        ([2, 1, 2], [-0.5, 1, -0.5]),
        ([1, 2, 3, 4, 5], [1, 0.5, 0, -0.5, -1]),
        ([3, 1, 1, 4, 5, 5], [0.2, 0.8, 0.8, -0.2, -0.8, -0.8]),
    ],
)
def test_rewards_are_rivals_beaten(places: list[int], rewards: list[float]) -> None:
    out = np.zeros(len(places), np.float32)
    reward(True, np.array(places), PLACES, out)
    assert out.tolist() == pytest.approx(rewards)
    for kind in (PLACES, WIN):
        reward(False, np.array(places), kind, out)
        assert not out.any()


@pytest.mark.parametrize(
    ("places", "rewards"), [([2, 1], [0, 1]), ([1, 2, 1, 4], [0.5, 0, 0.5, 0]), ([2, 2, 2], [0, 0, 0])]
)
def test_rewards_for_winning_are_shared_by_winners(places: list[int], rewards: list[float]) -> None:
    out = np.zeros(len(places), np.float32)
    reward(True, np.array(places), WIN, out)
    assert out.tolist() == rewards


@every_game
def test_an_environment_may_reward_wins_alone(name: str) -> None:
    env = vector_env(name, 16, 2, seed=1, reward="win")
    ended = 0
    while ended < 8:
        arrays = env.step(env.random_ids())
        won = env.places[arrays.over] == 1
        assert (arrays.rewards[arrays.over] == won / np.maximum(won.sum(axis=1, keepdims=True), 1)).all()
        ended += arrays.over.sum()
    with pytest.raises(InvalidOption, match="there is no reward 'gold'"):
        vector_env(name, 1, 2, reward="gold")  # type: ignore[call-overload]


@every_game
def test_an_id_that_is_not_offered_forfeits_the_race(name: str) -> None:
    env = VectorEnv(name, 4, 3, again=False)
    wrong = int(np.flatnonzero(env.arrays.masks[0] == 0)[0])
    ids = env.random_ids().copy()
    ids[0], ids[1] = wrong, 1 << 40
    seats = env.asked.copy()
    arrays = env.step(ids)
    assert arrays.over.tolist() == [True, True, False, False]
    for race in (0, 1):
        assert arrays.rewards[race, seats[race]] == -1
        assert arrays.rewards[race].sum() == 0
    before = env.races[0].copy()
    assert not env.step(env.random_ids()).over[0]
    assert env.races[0].tobytes() == before.tobytes()


def test_what_is_handed_in_is_written_to() -> None:
    game = games.load("chariots")
    arrays = Arrays.blank(game, 5, 2)
    env = VectorEnv(game, 5, 2, arrays=arrays)
    assert arrays.masks.any(axis=1).all()
    before = arrays.observations.copy()
    env.step(env.random_ids())
    assert (arrays.observations != before).any()
    assert env.arrays is arrays


def test_what_cannot_be_is_said() -> None:
    game = games.load("chariots")
    bad: Any = Arrays.blank(game, 4, 2)
    with pytest.raises(InvalidOption, match="observations must be a contiguous array of float32"):
        VectorEnv(game, 5, 2, arrays=bad)
    with pytest.raises(InvalidOption, match="there must be a race at least, not -1"):
        VectorEnv(game, -1, 2)
    with pytest.raises(InvalidOption, match="is for 2 to 4 players"):
        VectorEnv(game, 5, 7)
    with pytest.raises(InvalidOption, match="has no option 'wings'"):
        VectorEnv(game, 5, 2, {"wings": 2})
    with pytest.raises(InvalidOption, match="there is no environment 'gpu'"):
        steps_per_second(game, "gpu", 0.1)


def test_interpreted_kernels_write_the_same() -> None:
    found = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.envs.agree"],
        cwd=ROOT, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert found.stdout.split() == [digest(*case) for case in CASES]


@pytest.mark.parametrize(("kind", "least"), [("pettingzoo", 4_000), ("vector", 50_000)])
def test_steps_are_fast(kind: str, least: int) -> None:
    """A tenth of what an idle machine does, so that this fails for what is wrong and not for what is busy."""
    assert steps_per_second(games.load("chariots"), kind, 0.3) > least
