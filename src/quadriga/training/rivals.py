"""Whom those that learn by racing race against, and how the bots among them choose."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import BRAWLER, DAREDEVIL, QUICK, SAVER, VETERAN
from quadriga.bots.evaluator import evaluation_of
from quadriga.bots.levels import TIES
from quadriga.bots.thinking import choose_by_level, look
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.play import MOST_SEATS
from quadriga.core.streams import Stream, draw

Codes = NDArray[np.int64]

NEWEST, FIRST, EARLIER, BOTS = KINDS = range(4)
"""Who the rivals in a race are: the newest networks, and then all seats learn; or one seat learns, and the others have
the networks that the run began with, earlier ones of the run, or bots."""
LEVEL, NOISE = range(2)


def bots_of(game: Game) -> Codes:
    """The bots that seats draw from, a row for each: the level whose scores it goes by, and the noise in them.

    The veteran, with errors or without, what playouts take players for, and three levels with errors that people make.
    """
    errors = evaluation_of(game).noise
    rows = [(VETERAN, TIES), (VETERAN, errors), (QUICK, errors), (SAVER, TIES), (BRAWLER, TIES), (DAREDEVIL, TIES)]
    return np.array(rows, np.int64)


def split_races(races: int, shares: Sequence[float]) -> list[slice]:
    """Which races have which rivals: KINDS in their order, each with its share of the races."""
    ends = [round(races * sum(shares[: kind + 1])) for kind in KINDS]
    return [slice(first, end) for first, end in zip([0, *ends], ends, strict=False)]


def rivals_of(races: int, shares: Sequence[float]) -> NDArray[np.int16]:
    """Who the rivals are in each race."""
    rivals = np.zeros(races, np.int16)
    for kind, part in zip(KINDS, split_races(races, shares), strict=True):
        rivals[part] = kind
    return rivals


@kernel
def seat_bots(turn: Any, seats: int, bots: Codes, stream: Stream) -> None:
    """Draw a bot for each rival of the seat that learns, in a race against bots; in others nobody is one."""
    for seat in range(MOST_SEATS):
        turn.bots[seat] = 0
        if turn.rivals == BOTS and seat < seats and seat != turn.learner:
            turn.bots[seat] = 1 + draw(stream, bots.shape[0])


@kernel
def choose_as_bot(
    race: Any, spare: Any, views: Any, tables: Any, work: Any, seat: int, bot: Any, n: int, stream: Stream, out: Codes,
    scores: Codes, scratch: Codes,
) -> int:  # fmt: skip
    """The code that a bot takes of the n in `out`; it sees a view and nothing else. bot: its row.

    spare: a blank race, and room for one that is imagined. views: a blank one, and room for one.
    """
    if n == 1:
        return int(out[0])
    look(race, spare, views, tables, seat, stream, scratch)
    level, noise = int(bot[LEVEL]), int(bot[NOISE])
    return choose_by_level(spare, views, tables, work, seat, level, noise, n, stream, out, scores, scratch)
