"""How fast races run on one core: at random, with every choice listed at every decision, and in champion's playouts."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots import make_bot, set_budget
from quadriga.core.dispatch import apply, owing, sample, setup
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.play import Player
from quadriga.core.streams import WORD, Stream, new_stream, open_stream, stream_key

SEATS = 4
COPIES = 200_000
BATCH = 64
MOST_STEPS = 100_000
PLAYOUTS = 400
"""That champion has for a choice."""

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Speed:
    """Figures of one game."""

    decisions_per_s: int
    games_per_s: int
    state_bytes: int
    copy_us: float
    sampled_per_s: int | None
    """Decisions without the whole list, for games that can do that."""


@kernel
def copy_often(races: np.ndarray, times: int) -> None:
    for i in range(times):
        races[1 + i % 7] = races[0]


@kernel
def sample_races(
    races: Any,
    tables: Any,
    keys: NDArray[np.uint32],
    chooser: Stream,
    stream: Stream,
    log: NDArray[np.int32],
    codes: Ints,
    out: Ints,
    scratch: Ints,
) -> int:
    """Play random races that sample their choices; the decisions made."""
    decisions = 0
    for i in range(races.shape[0]):
        race = races[i]
        open_stream(chooser, keys[i], WORD)
        open_stream(stream, keys[i], 0)
        setup(race, tables, stream, log, scratch)
        for step in range(1, MOST_STEPS):
            mask = owing(race)
            if mask == 0:
                break
            for seat in range(race.seats):
                if mask >> seat & 1:
                    codes[seat] = sample(race, tables, seat, out, chooser, scratch)
                    decisions += 1
            open_stream(stream, keys[i], step)
            apply(race, tables, codes, stream, log, scratch)
    return decisions


def measure(game: Game, seconds: float = 3.0, seats: int = SEATS) -> Speed:
    """Play random races for about so many seconds, compiled beforehand."""
    player = Player(game, seats, {})
    key = stream_key(b"bench".ljust(32, b"\0"))
    player.play(1, key)
    races = decisions = batch = 0
    begin = time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        key[6] = batch
        _, tally = player.play(BATCH, key)
        batch, races, decisions = batch + 1, races + BATCH, decisions + int(tally[0])
    return Speed(
        decisions_per_s=round(decisions / spent),
        games_per_s=round(races / spent),
        state_bytes=game.definition.race.dtype.itemsize,
        copy_us=_copy_us(game),
        sampled_per_s=_sampled_per_s(game, seconds, seats) if game.kernels.sample else None,
    )


def _sampled_per_s(game: Game, seconds: float, seats: int) -> int:
    player = Player(game, seats, {})
    keys = np.tile(stream_key(b"bench".ljust(32, b"\0")), (BATCH, 1))
    _sample(player, keys[:1])
    decisions = batch = 0
    begin = time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        keys[:, 7] = np.arange(batch * BATCH, (batch + 1) * BATCH)
        batch, decisions = batch + 1, decisions + _sample(player, keys)
    return round(decisions / spent)


def _sample(player: Player, keys: NDArray[np.uint32]) -> int:
    races, p = np.repeat(player.start, len(keys)), player
    return sample_races(races, p.game.tables, keys, p.chooser, p.stream, p.log, p.codes, p.out, p.scratch)


def _copy_us(game: Game) -> float:
    races = game.definition.race.blanks(8)
    copy_often(races, 1)
    begin = time.perf_counter()
    copy_often(races, COPIES)
    return round((time.perf_counter() - begin) / COPIES * 1e6, 4)


def playouts_per_second(game: Game, seconds: float = 3.0, seats: int = SEATS) -> int:
    """How many playouts champion makes, over the choices of a race that is played at random between them."""
    champion, wanderer = make_bot("champion", game, 0), make_bot("wanderer", game, 0)
    set_budget(champion, iterations=PLAYOUTS)
    key = stream_key(b"bench".ljust(32, b"\0"))
    spent, thought, state, step = 0.0, -1, None, 0
    while spent < seconds:
        if state is None or not game.to_act(state):
            state = game.setup(seats, {}, new_stream(key, step)).state
        choices = {seat: game.legal_actions(state, seat) for seat in game.to_act(state)}
        seat = min(choices)
        if len(choices[seat]) > 1:
            begin = time.perf_counter()
            champion.choose(game.view(state, seat), seat, choices[seat])
            spent += time.perf_counter() - begin if thought >= 0 else 0.0  # the first choice may compile
            thought += 1
        step += 1
        chosen = {s: wanderer.choose(game.view(state, s), s, listed) for s, listed in choices.items()}
        state = game.apply(state, chosen, new_stream(key, step)).state
    return round(thought * PLAYOUTS / spent)
