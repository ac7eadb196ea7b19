"""How fast races run on one core: at random, with every choice listed at every decision, and in champion's playouts."""

import time
from dataclasses import dataclass

import numpy as np

from quadriga.bots import make_bot, set_budget
from quadriga.core.dispatch import sample_listed
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.play import Player
from quadriga.core.streams import new_stream, stream_key

SEATS = 4
COPIES = 200_000
BATCH = 64
PLAYOUTS = 400
"""That champion has for a choice."""


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


def measure(game: Game, seconds: float = 3.0, seats: int = SEATS) -> Speed:
    """Play random races for about so many seconds, compiled beforehand."""
    decisions, races = _random_play(Player(game, seats, {}), seconds)
    has_sampling = game.kernels.sample is not sample_listed
    return Speed(
        decisions_per_s=round(decisions),
        games_per_s=round(races),
        state_bytes=game.definition.race.dtype.itemsize,
        copy_us=_copy_us(game),
        sampled_per_s=round(_random_play(Player(game, seats, {}, sampling=True), seconds)[0]) if has_sampling else None,
    )


def _random_play(player: Player, seconds: float) -> tuple[float, float]:
    """Decisions and races in a second."""
    key = stream_key(b"bench".ljust(32, b"\0"))
    player.play(1, key)
    races = decisions = batch = 0
    begin = time.perf_counter()
    while (spent := time.perf_counter() - begin) < seconds:
        key[6] = batch
        _, tally = player.play(BATCH, key)
        batch, races, decisions = batch + 1, races + BATCH, decisions + int(tally[0])
    return decisions / spent, races / spent


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
