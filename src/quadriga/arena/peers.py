"""The same measures for games of other libraries, each in a process of its own on one core.

Run as a module (`python -m quadriga.arena.peers NAME SECONDS`) it prints a figure a second.
"""

import importlib.util
import os
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

BATCH = 256
GPU_BATCHES = (1 << 16, 1 << 18)
CHUNK = 100
PLAYOUTS = 200
"""Playouts that a bot of another library has for a choice."""
PATIENCE = 120.0
"""Seconds that a peer may take beyond its measure, to be loaded and compiled."""


class PeerFailed(Exception):
    """A peer that is installed and could not be measured."""


def a_second(chunk: Callable[[], int], seconds: float) -> float:
    """What a chunk of work counts, a second; the first chunk does not count."""
    chunk()
    counted, begin = 0, time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        counted += chunk()
    return counted / spent


def openspiel(name: str, seconds: float) -> float:
    """Random play through OpenSpiel's Python API, legal actions listed at every decision."""
    import pyspiel

    game, rng = pyspiel.load_game(name), random.Random(0)

    def race() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
        return decisions

    return a_second(race, seconds)


def pgx(name: str, seconds: float, batch: int = BATCH) -> float:
    """Random play of Pgx: a batch stepped inside one compiled loop, the legal mask made at every step."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    def decide(states: Any, key: Any) -> tuple[Any, None]:
        choose, roll = jax.random.split(key)
        scores = jax.random.uniform(choose, states.legal_action_mask.shape)
        actions = (scores * states.legal_action_mask).argmax(axis=1)
        return jax.vmap(step)(states, actions, jax.random.split(roll, batch)), None

    run = jax.jit(lambda states, key: jax.lax.scan(decide, states, jax.random.split(key, CHUNK))[0])
    states = jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(0), batch))
    count = 0

    def chunk() -> int:
        nonlocal states, count
        count += 1
        states = jax.block_until_ready(run(states, jax.random.PRNGKey(count)))
        return batch * CHUNK

    return a_second(chunk, seconds)


def rlcard(name: str, seconds: float) -> float:
    """Random play in RLCard, whose states list the legal actions."""
    import rlcard as library

    env, rng = library.make(name, config={"seed": 0}), random.Random(0)

    def game() -> int:
        state, _ = env.reset()
        decisions = 0
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return a_second(game, seconds)


def catanatron(seconds: float) -> float:
    """Random play of Catan by four, playable actions listed at every decision."""
    from catanatron import Color, Game, RandomPlayer

    def game() -> int:
        played = Game([RandomPlayer(color) for color in Color])
        decisions = 0
        while played.winning_color() is None and played.state.num_turns < 1000:
            played.play_tick()
            decisions += 1
        return decisions

    return a_second(game, seconds)


def pettingzoo(name: str, seconds: float) -> float:
    """Random play through PettingZoo's AEC API with action masks."""
    from importlib import import_module

    env = import_module(f"pettingzoo.classic.{name}").env()
    rng, seed = random.Random(0), 0

    def game() -> int:
        nonlocal seed
        seed, steps = seed + 1, 0
        env.reset(seed=seed)
        for _ in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
                continue
            mask = observation["action_mask"]
            env.step(rng.choice([action for action in range(len(mask)) if mask[action]]))
            steps += 1
        return steps

    return a_second(game, seconds)


def openspiel_mcts(seconds: float) -> float:
    """Playouts of OpenSpiel's own tree search (C++) at backgammon, each by random play to the end."""
    import pyspiel

    game = pyspiel.load_game("backgammon")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, PLAYOUTS, 1000, False, 0, False)
    return _thinking(game, bot, seconds)


def openspiel_ismcts(seconds: float) -> float:
    """Playouts of OpenSpiel's information-set search (C++) at gin rummy, each by random play to the end."""
    import pyspiel

    game = pyspiel.load_game("gin_rummy")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    bot = pyspiel.ISMCTSBot(0, evaluator, 2.0, PLAYOUTS, -1, final, False, False)
    return _thinking(game, bot, seconds)


def _thinking(game: Any, bot: Any, seconds: float) -> float:
    """Playouts a second over the choices of a game that is played at random between them."""
    rng, state = random.Random(0), game.new_initial_state()

    def choice() -> int:
        nonlocal state
        while state.is_terminal() or state.is_chance_node() or len(state.legal_actions()) < 2:
            if state.is_terminal():
                state = game.new_initial_state()
            elif state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
            else:
                state.apply_action(state.legal_actions()[0])
        bot.step(state)
        state.apply_action(rng.choice(state.legal_actions()))
        return PLAYOUTS

    return a_second(choice, seconds)


PLAY, BOT, ENV = "play", "bot", "env"


@dataclass(frozen=True)
class Peer:
    """Another library's game, what of it is measured, and how."""

    name: str
    kind: str
    module: str
    measure: Callable[[float], float]
    comparable: bool = True
    """Dice or hidden cards, and long lists of choices."""


PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (
        Peer("Pgx backgammon", PLAY, "pgx", lambda s: pgx("backgammon", s)),
        Peer("OpenSpiel backgammon", PLAY, "pyspiel", lambda s: openspiel("backgammon", s)),
        Peer("OpenSpiel gin rummy", PLAY, "pyspiel", lambda s: openspiel("gin_rummy", s)),
        Peer("RLCard gin rummy", PLAY, "rlcard", lambda s: rlcard("gin-rummy", s)),
        Peer("RLCard uno", PLAY, "rlcard", lambda s: rlcard("uno", s), False),
        Peer("Catanatron", PLAY, "catanatron", catanatron),
        Peer("OpenSpiel MCTS, backgammon", BOT, "pyspiel", openspiel_mcts),
        Peer("OpenSpiel ISMCTS, gin rummy", BOT, "pyspiel", openspiel_ismcts),
        Peer("PettingZoo texas hold'em", ENV, "rlcard", lambda s: pettingzoo("texas_holdem_no_limit_v6", s)),
        Peer("PettingZoo hanabi", ENV, "shimmy", lambda s: pettingzoo("hanabi_v5", s)),
        Peer("PettingZoo connect four", ENV, "pettingzoo", lambda s: pettingzoo("connect_four_v3", s), False),
        Peer("Pgx backgammon, batch of 256", ENV, "pgx", lambda s: pgx("backgammon", s)),
    )
}


def is_installed(name: str) -> bool:
    """Whether a peer can be measured here."""
    return importlib.util.find_spec(PEERS[name].module) is not None


def measure_on_gpu(seconds: float) -> dict[str, int]:
    """Pgx's backgammon on a GPU, its best batch, where Pgx and a JAX that finds the GPU are installed."""
    if importlib.util.find_spec("pgx") is None:
        return {}
    import jax

    if jax.default_backend() != "gpu":
        return {}
    return {"Pgx backgammon": round(max(pgx("backgammon", seconds, batch) for batch in GPU_BATCHES))}


def measure_peer(name: str, seconds: float) -> int:
    """A peer's figure a second, in a process that has one core; PeerFailed if there is none."""
    command = [sys.executable, "-m", "quadriga.arena.peers", name, str(seconds)]
    quiet = os.environ | {"JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3"}
    try:
        done = subprocess.run(
            command, env=quiet, capture_output=True, text=True, timeout=seconds + PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        raise PeerFailed(f"took more than {seconds + PATIENCE:g} s") from None
    if done.returncode:
        raise PeerFailed((done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1])
    return round(float(done.stdout.split()[-1]))


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on one core meanwhile, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with one_core():
        print(PEERS[sys.argv[1]].measure(float(sys.argv[2])))
