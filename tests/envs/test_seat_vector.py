"""Many races with one learner among bots in each, as Gymnasium's vector environment."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from quadriga import games
from quadriga.bots import make_bot
from quadriga.core.errors import InvalidOption
from quadriga.envs import choice_to_ids, seat_vector_env
from quadriga.envs.registration import env_ids
from tests.envs.positions import every_game

SHORT: dict[str, dict[str, object]] = {
    "charioteer": {"laps": 1},
    "chariot_race": {"limit": 3},
    "chariots": {"laps": 1, "limit": 30},
}


def offered_ids(env: Any, random: np.random.Generator) -> Any:
    masks = env.unwrapped.action_masks()
    assert masks.any(axis=1).all(), "a learner that is asked has an id to choose"
    return (random.random(masks.shape) * masks).argmax(axis=1)


class Veteran:
    """A learner that chooses as the veteran does, id by id."""

    def __init__(self, env: Any) -> None:
        self.env, self.bot = env, make_bot("veteran", env.game, 1)
        self.planned: list[list[int]] = [[] for _ in range(env.num_envs)]

    def ids(self) -> list[int]:
        """The next id of every race."""
        for row, planned in enumerate(self.planned):
            if not planned:
                race, seat = self.env._races[row], int(self.env.own_seats[row])
                choices = self.env.game.legal_actions(race, seat)
                choice = self.bot.choose(self.env.game.view(race, seat), seat, choices)
                planned.extend(choice_to_ids(self.env.game, race, seat, choice))
        return [planned.pop(0) for planned in self.planned]


@every_game
def test_races_among_bots_end_and_begin_again(name: str) -> None:
    env = seat_vector_env(name, 8, ["wanderer", "wanderer"], options=SHORT[name])
    assert isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observation, infos = env.reset(seed=3)
    random, ended, seats = np.random.default_rng(0), 0, set(infos["seat"])
    while ended < 24:
        assert env.observation_space.contains(observation)
        observation, rewards, over, cut, infos = env.step(offered_ids(env, random))
        assert not cut.any()
        assert not rewards[~over].any()
        ended += over.sum()
        seats |= set(infos["seat"])
        if over.any():
            assert (infos["_final_info"] == over).all()
            places = infos["final_info"]["place"][over]
            assert set(places) <= {1, 2, 3, 4}  # from 2 on where all chariots are wrecked and nobody wins
            assert (rewards[over][places == 1] > 0).all()
            assert infos["final_obs"]["observation"][over].any(axis=1).all()
            assert not infos["final_info"]["forfeit"].any()
            assert ((rewards[over] == -1) <= (places >= 3)).all()
            assert name == "chariot_race" or (rewards[over][places == 3] == -1).all()
    assert seats == {0, 1, 2}


@every_game
def test_the_same_seed_and_ids_give_the_same_races(name: str) -> None:
    seen = []
    for _ in range(2):
        env = seat_vector_env(name, 4, ["greedy"], options=SHORT[name])
        env.reset(seed=9)
        random = np.random.default_rng(1)
        seen.append([env.step(offered_ids(env, random))[0]["observation"].tobytes() for _ in range(60)])
    assert seen[0] == seen[1]
    env.reset(seed=10)
    assert env.step(offered_ids(env, np.random.default_rng(1)))[0]["observation"].tobytes() != seen[0][0]


def test_gymnasium_makes_it_with_reward_for_wins_and_counts_episodes() -> None:
    made = gymnasium.make_vec(
        "quadriga/Chariots-v0", num_envs=8, rivals=["wanderer"], options=SHORT["chariots"], reward="win"
    )
    env = RecordEpisodeStatistics(made)
    env.reset(seed=1)
    returns, veteran = list[float](), Veteran(env.unwrapped)
    while len(returns) < 16:
        _, rewards, over, _, infos = env.step(veteran.ids())
        assert set(rewards) <= {0.0, 0.5, 1.0}
        returns += infos["episode"]["r"][over].tolist() if over.any() else []
    assert sum(returns) > 12, "a veteran's choices, id by id, beat random play"


def test_an_id_that_is_not_offered_forfeits_that_race_alone() -> None:
    env = seat_vector_env("chariots", 3, ["wanderer", "wanderer"], seat=1)
    observation, infos = env.reset(seed=0)
    assert set(infos["seat"]) == {1}
    ids = observation["action_mask"].argmax(axis=1)
    ids[2] = 60
    _, rewards, over, _, infos = env.step(ids)
    assert over.tolist() == [False, False, True]
    assert rewards.tolist() == [0, 0, -1]
    assert infos["final_info"]["forfeit"].tolist() == [False, False, True]
    assert infos["final_info"]["place"][2] == 2


def test_what_cannot_be_is_said() -> None:
    with pytest.raises(InvalidOption, match="'champion' does not play in many races at once"):
        seat_vector_env("chariots", 2, ["champion"])
    with pytest.raises(InvalidOption, match="there must be a race at least, not 0"):
        seat_vector_env("chariots", 0, ["greedy"])
    with pytest.raises(InvalidOption, match="not the text 'greedy'"):
        seat_vector_env("chariots", 2, "greedy")
    with pytest.raises(InvalidOption, match="there is no seat 4"):
        seat_vector_env("chariots", 2, ["greedy"], seat=4)
    with pytest.raises(InvalidOption, match="there is no reward 'gold'; there are places, win"):
        seat_vector_env("chariots", 2, ["greedy"], reward="gold")  # type: ignore[arg-type]


def test_every_game_with_environments_has_an_id() -> None:
    assert env_ids() == {
        "quadriga/ChariotRace-v0": "chariot_race",
        "quadriga/Charioteer-v0": "charioteer",
        "quadriga/Chariots-v0": "chariots",
    }
    assert set(env_ids().values()) <= set(games.NAMES)
