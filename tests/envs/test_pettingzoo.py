"""PettingZoo's own tests of both environments."""

from functools import partial

import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from quadriga import games
from quadriga.core.errors import InvalidOption
from quadriga.envs import aec_env, parallel_env
from tests.envs.positions import every_game

# PettingZoo names its own environments with masks and warns about all others; masks of seats not asked are empty.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]
every_together = pytest.mark.parametrize("name", [name for name in games.NAMES if games.meta(name).simultaneous])


@every_game
@pytest.mark.parametrize("seats", [2, 4])
def test_one_after_the_other(name: str, seats: int) -> None:
    options = {"laps": 1, "limit": 5} if name != "chariot_race" else {"limit": 5}
    api_test(aec_env(name, seats, options), num_cycles=400)
    seed_test(partial(aec_env, name, seats), num_cycles=60)


@every_together
@pytest.mark.parametrize("seats", [2, 4])
def test_all_at_a_time(name: str, seats: int) -> None:
    parallel_api_test(parallel_env(name, seats, {"laps": 1, "limit": 5}), num_cycles=400)
    parallel_seed_test(partial(parallel_env, name, seats), num_cycles=60)


def test_where_one_seat_chooses_at_a_time_there_is_nothing_parallel() -> None:
    with pytest.raises(InvalidOption, match="one seat chooses at a time"):
        parallel_env("chariot_race", 2)


@every_game
def test_a_whole_race_ends_with_places_and_rewards(name: str) -> None:
    env = aec_env(name, 3, {"laps": 1} if name != "chariot_race" else {"limit": 10})
    env.reset(seed=5)
    for agent in env.possible_agents:
        env.action_space(agent).seed(1)
    total = dict.fromkeys(env.possible_agents, 0.0)
    places = {}
    for agent in env.agent_iter():
        observation, earned, over, _, info = env.last()
        total[agent] += earned
        if over:
            places[agent] = info["place"]
        env.step(None if over else int(env.action_space(agent).sample(observation["action_mask"])))
    assert sum(total.values()) == pytest.approx(0)
    assert min(places, key=lambda agent: places[agent]) == max(total, key=lambda agent: total[agent])
    assert env.render()


@every_together
def test_both_lead_to_the_same_race(name: str) -> None:
    """A race in which all choose the lowest id offered."""
    ends = []
    one, all_ = aec_env(name, 2, {"laps": 1, "limit": 5}), parallel_env(name, 2, {"laps": 1, "limit": 5})
    one.reset(seed=9)
    while not all(one.terminations.values()):
        one.step(int(one.observe(one.agent_selection)["action_mask"].argmax()))
    ends.append(one.table.race.tobytes())
    observations, _ = all_.reset(seed=9)
    while all_.agents:
        lowest = {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
        observations, *_ = all_.step(lowest)
    ends.append(all_.table.race.tobytes())
    assert ends[0] == ends[1]
    assert one.table.env.places.tolist() == all_.table.env.places.tolist()


def test_a_wrong_id_forfeits_and_is_told() -> None:
    env = aec_env("chariots", 2)
    env.reset(seed=1)
    agent = env.agent_selection
    env.step(int(env.observe(agent)["action_mask"].argmin()))
    assert env.terminations == {"seat_0": True, "seat_1": True}
    assert env.infos[agent] == {"place": 2, "forfeit": True}
    assert env.rewards[agent] == -1
    wrapped = TerminateIllegalWrapper(aec_env("chariots", 2), illegal_reward=-1)
    wrapped.reset(seed=1)
    observation, *_ = wrapped.last()
    wrapped.step(int(observation["action_mask"].argmin()))
    assert all(wrapped.terminations.values())
