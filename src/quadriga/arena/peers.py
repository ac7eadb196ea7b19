"""The same measure for games of other libraries, each in a process of its own on one core.

Run as a module (`python -m quadriga.arena.peers NAME SECONDS`) it prints decisions a second.
"""

import importlib.util
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

BATCH = 256
CHUNK = 100


def openspiel_backgammon(seconds: float) -> float:
    """OpenSpiel through its Python API, legal actions listed at every decision."""
    import pyspiel

    game, rng = pyspiel.load_game("backgammon"), random.Random(0)
    state, decisions, begin = game.new_initial_state(), 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        for _ in range(1000):
            if state.is_terminal():
                state = game.new_initial_state()
            elif state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
    return decisions / (time.perf_counter() - begin)


def pgx_backgammon(seconds: float) -> float:
    """Pgx on the CPU: a batch stepped inside one compiled loop, the legal mask made at every decision."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("backgammon")
    step = auto_reset(env.step, env.init)

    def decide(states: Any, key: Any) -> tuple[Any, None]:
        choose, roll = jax.random.split(key)
        scores = jax.random.uniform(choose, states.legal_action_mask.shape)
        actions = (scores * states.legal_action_mask).argmax(axis=1)
        return jax.vmap(step)(states, actions, jax.random.split(roll, BATCH)), None

    run = jax.jit(lambda states, key: jax.lax.scan(decide, states, jax.random.split(key, CHUNK))[0])
    states = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), BATCH))
    states = jax.block_until_ready(run(states, jax.random.PRNGKey(1)))
    decisions, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        states = jax.block_until_ready(run(states, jax.random.PRNGKey(decisions)))
        decisions += BATCH * CHUNK
    return decisions / (time.perf_counter() - begin)


PEERS: dict[str, tuple[str, Callable[[float], float]]] = {
    "pgx backgammon": ("pgx", pgx_backgammon),
    "openspiel backgammon": ("pyspiel", openspiel_backgammon),
}
"""Name, the module it needs, and the measure."""


def installed() -> list[str]:
    """The peers that can be measured here."""
    return [name for name, (module, _) in PEERS.items() if importlib.util.find_spec(module)]


def measure_peer(name: str, seconds: float) -> int:
    """Decisions a second of a peer, in a process that has one core."""
    command = [sys.executable, "-m", "quadriga.arena.peers", name, str(seconds)]
    quiet = os.environ | {"JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(command, env=quiet, capture_output=True, text=True, check=True)
    return round(float(done.stdout.split()[-1]))


def one_core() -> None:
    """Keep this process on one core, where the system can."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


if __name__ == "__main__":
    one_core()
    print(PEERS[sys.argv[1]][1](float(sys.argv[2])))
