"""Environments for learners; docs/environments.md describes them.

Each is loaded when it is asked for, so that what it needs (quadriga[rl], quadriga[openspiel]) need not be installed
for the others. Where Gymnasium is installed, importing this registers `quadriga/Charioteer-v0` and its like.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, overload

from quadriga.core.device import device_named
from quadriga.core.extras import MissingExtra, require
from quadriga.core.game import Game
from quadriga.envs.choices import choice_to_ids, demonstrate, ids_to_choice
from quadriga.envs.registration import register_envs

if TYPE_CHECKING:
    from quadriga.envs.aec import RaceAEC
    from quadriga.envs.gpu_vector import GpuVectorEnv
    from quadriga.envs.openspiel import RaceGame
    from quadriga.envs.parallel import RaceParallel
    from quadriga.envs.seat import SeatEnv
    from quadriga.envs.seat_vector import SeatVectorEnv
    from quadriga.envs.vector import VectorEnv

__all__ = [
    "MissingExtra", "aec_env", "choice_to_ids", "demonstrate", "ids_to_choice", "openspiel_game", "parallel_env",
    "seat_env", "seat_vector_env", "vector_env",
]  # fmt: skip

Options = Mapping[str, object]
Reward = Literal["places", "win"]


def aec_env(game: str | Game, seats: int, options: Options | None = None, reward: Reward = "places") -> "RaceAEC":
    """A race as a PettingZoo environment in which one seat after the other chooses an id."""
    require("pettingzoo", "rl")
    from quadriga.envs.aec import RaceAEC

    return RaceAEC(game, seats, options, reward)


def parallel_env(
    game: str | Game, seats: int, options: Options | None = None, reward: Reward = "places"
) -> "RaceParallel":
    """A race as a PettingZoo environment in which all seats choose an id at a time."""
    require("pettingzoo", "rl")
    from quadriga.envs.parallel import RaceParallel

    return RaceParallel(game, seats, options, reward)


def seat_env(
    game: str | Game,
    rivals: Sequence[str] = ("greedy",),
    seat: int | None = None,
    options: Options | None = None,
    reward: Reward = "places",
) -> "SeatEnv":
    """A Gymnasium environment for one learner among bots, at a seat of its own or a new one in every race."""
    require("gymnasium", "rl")
    from quadriga.envs.seat import SeatEnv

    return SeatEnv(game, rivals, seat, options, reward)


def seat_vector_env(
    game: str | Game,
    num_envs: int,
    rivals: Sequence[str] = ("greedy",),
    seat: int | None = None,
    options: Options | None = None,
    reward: Reward = "places",
) -> "SeatVectorEnv":
    """Many races at once as a Gymnasium vector environment: one learner among bots in each."""
    require("gymnasium", "rl")
    from quadriga.envs.seat_vector import SeatVectorEnv

    return SeatVectorEnv(game, num_envs, rivals, seat, options, reward)


@overload
def vector_env(
    game: str | Game,
    races: int,
    seats: int,
    options: Options | None = None,
    seed: int = 0,
    *,
    device: Literal["cuda"],
    reward: Reward = "places",
) -> "GpuVectorEnv": ...


@overload
def vector_env(
    game: str | Game,
    races: int,
    seats: int,
    options: Options | None = None,
    seed: int = 0,
    *,
    device: Literal["cpu"] | None = None,
    reward: Reward = "places",
) -> "VectorEnv": ...


def vector_env(
    game: str | Game,
    races: int,
    seats: int,
    options: Options | None = None,
    seed: int = 0,
    *,
    device: str | None = None,
    reward: Reward = "places",
) -> "VectorEnv | GpuVectorEnv":
    """Many races at once, stepped in one compiled call: on the CPU, or on a GPU with `device="cuda"`."""
    if device_named(device) == "cuda":
        from quadriga.envs.gpu_vector import GpuVectorEnv

        return GpuVectorEnv(game, races, seats, options, seed, reward=reward)
    from quadriga.envs.vector import VectorEnv

    return VectorEnv(game, races, seats, options, seed, reward=reward)


def openspiel_game(game: str, seats: int, options: Options | None = None, seed: int | None = None) -> "RaceGame":
    """A race as a game of OpenSpiel."""
    require("pyspiel", "openspiel")
    from quadriga.envs.openspiel import load

    return load(game, seats, options, seed)


register_envs()
