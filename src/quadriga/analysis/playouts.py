"""Kernels that play choices out from a seat's view, keeping what came of every playout."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.analysis.chances import own_row, write_result
from quadriga.analysis.measures import measure, watch
from quadriga.bots.evaluation import elapsed
from quadriga.bots.network import Network
from quadriga.bots.playouts import FUTURE, MOST_STEPS, choose_all
from quadriga.core.dispatch import apply, imagine, owing
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream, open_stream

Codes = NDArray[np.int64]


@kernel
def step_watched(
    race: Any, tables: Any, seat: int, codes: Codes, stream: Stream, log: NDArray[np.int32], scratch: Codes, seen: Codes
) -> None:
    """A step of a playout; where there is a log, its events are looked at."""
    if log.shape[0] > 0:
        log[0, 0] = 0
    apply(race, tables, codes, stream, log, scratch)
    if log.shape[0] > 0:
        watch(race, tables, seat, log, seen)


@kernel
def play_arms(  # long: its memory is handed in
    view: Any,
    tables: Any,
    work: Any,
    races: Any,
    seat: int,
    arms: Codes,
    rows: Codes,
    seen: Codes,
    key: NDArray[np.uint32],
    first: int,
    count: int,
    horizon: int,
    fixed: Codes,
    noise: int,
    stream: Stream,
    log: NDArray[np.int32],
    codes: Codes,
    choices: Codes,
    scores: Codes,
    scratch: Codes,
    views: Any,
    network: Network,
    most_seats: int,
    places: Codes,
    own: Codes,
) -> None:
    """Play every arm out `count` times, all from the same imagined races, against the same rivals' choices and dice.

    rows[arm, playout]: the seat's chance of each place. seen[arm, playout]: measures, where there is a log.
    races: one blank, one as imagined, one to play in.
    """
    seats = int(view.seats)
    for at in range(count):
        open_stream(stream, key, first + at)
        races[1] = races[0]
        imagine(view, tables, stream, races[1], scratch)
        choose_all(races[1], tables, work, seat, noise, stream, codes[0], choices, scores, scratch)
        until = elapsed(races[1]) + horizon
        for arm in range(arms.shape[0]):
            races[2] = races[1]
            open_stream(stream, key, FUTURE + first + at)
            for other in range(seats):
                codes[1, other] = codes[0, other]
            codes[1, seat] = arms[arm]
            step_watched(races[2], tables, seat, codes[1], stream, log, scratch, seen[arm, at])
            for _ in range(MOST_STEPS):
                if owing(races[2]) == 0 or elapsed(races[2]) >= until:
                    break
                choose_all(races[2], tables, work, -1, noise, stream, codes[1], choices, scores, scratch)
                step_watched(races[2], tables, seat, codes[1], stream, log, scratch, seen[arm, at])
            if network.weights_1.shape[0] == 0 or owing(races[2]) == 0:
                write_result(races[2], tables, fixed, places, own)
            else:
                own_row(races[2], tables, seat, seats - fixed[2 * seats], views, network, most_seats, own[seat])
            for place in range(seats):
                rows[arm, at, place] = own[seat, place]
            if log.shape[0] > 0:
                measure(races[2], tables, work, seat, seen[arm, at])
