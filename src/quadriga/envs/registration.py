"""The ids under which Gymnasium makes the games: `quadriga/Charioteer-v0` and its like."""

from importlib.util import find_spec

from quadriga import games

VERSION = 0


def env_ids() -> dict[str, str]:
    """The games that have environments, by their ids; no rules are loaded for it."""
    names = [name for name in games.NAMES if find_spec(f"{games.package(name)}.chain")]
    return {f"quadriga/{games.meta(name).title.replace(' ', '')}-v{VERSION}": name for name in names}


def register_envs() -> None:
    """Register all games; nothing is done where Gymnasium is not installed, or has them already."""
    try:
        from gymnasium.envs.registration import register, registry
    except ImportError:
        return
    for env_id, name in env_ids().items():
        if env_id not in registry:
            register(
                env_id,
                entry_point="quadriga.envs.seat:SeatEnv",
                vector_entry_point="quadriga.envs.seat_vector:SeatVectorEnv",
                kwargs={"game": name},
            )
