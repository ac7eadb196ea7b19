"""One learner among bots, as Gymnasium wants it."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from quadriga.core.errors import InvalidOption
from quadriga.envs import seat_env
from quadriga.envs.registration import env_ids
from quadriga.envs.seat import SeatEnv
from tests.envs.positions import every_game


@every_game
def test_gymnasium_finds_nothing_to_complain_of(name: str) -> None:
    check_env(seat_env(name, ["wanderer", "wanderer"]), skip_render_check=True)


@pytest.mark.parametrize("env_id", env_ids())
def test_gymnasium_makes_it_by_its_id(env_id: str) -> None:
    env = gymnasium.make(env_id, rivals=["wanderer"], reward="win")
    check_env(env.unwrapped)
    env.reset(seed=2)
    assert env.get_wrapper_attr("action_masks")().any()


def test_the_ids_are_there_once_quadriga_is_imported_by_name() -> None:
    code = "import gymnasium; print(gymnasium.make('quadriga.envs:quadriga/Chariots-v0').spec.kwargs)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "{'game': 'chariots'}\n"


@every_game
def test_a_whole_race_among_bots(name: str) -> None:
    env = seat_env(name, ["wanderer", "greedy"], options={"laps": 1} if name != "chariot_race" else {"limit": 20})
    observation, info = env.reset(seed=4)
    random, over, seats = np.random.default_rng(0), False, {info["seat"]}
    while not over:
        assert env.action_masks().tolist() == observation["action_mask"].astype(bool).tolist()
        choice = random.choice(np.flatnonzero(observation["action_mask"]))
        observation, earned, over, _, info = env.step(choice)
    places = env.table.env.places[0].tolist()
    assert info == {"seat": env.seat, "place": places[env.seat], "forfeit": False}
    beaten = sum(place > info["place"] for place in places) - sum(place < info["place"] for place in places)
    assert earned == pytest.approx(beaten / 2)
    assert not observation["action_mask"].any()
    assert env.render()
    for _ in range(12):
        seats.add(env.reset()[1]["seat"])
    assert seats == {0, 1, 2}


def test_a_seat_of_its_own_and_an_id_that_is_not_offered() -> None:
    env = seat_env("chariots", ["wanderer"], seat=1)
    observation, info = env.reset(seed=0)
    assert info == {"seat": 1}
    _, earned, over, _, info = env.step(int(observation["action_mask"].argmin()))
    assert (earned, over) == (-1.0, True)
    assert info == {"seat": 1, "place": 2, "forfeit": True}


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(InvalidOption, match="there is no bot 'nobody'"):
        seat_env("chariots", ["nobody"])
    with pytest.raises(InvalidOption, match="there is no render mode 'human'"):
        SeatEnv("chariots", render_mode="human")
    with pytest.raises(InvalidOption, match="there is no seat 2; there are 2"):
        seat_env("chariots", ["greedy"], seat=2)
    with pytest.raises(InvalidOption, match="rivals are a list of bots, such as \\['greedy'\\], not the text 'greedy'"):
        seat_env("chariots", "greedy")
    with pytest.raises(InvalidOption, match="is for 2 to 4 players"):
        seat_env("chariots", ["greedy"] * 5)
