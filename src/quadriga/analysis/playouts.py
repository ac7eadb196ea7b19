"""Kernels that play choices out from a seat's view, keeping what came of every playout."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.analysis.chances import own_row, write_result
from quadriga.analysis.measures import measure, watch
from quadriga.bots.evaluation import elapsed
from quadriga.bots.guided import Guide, choose_all_guided, decides
from quadriga.bots.network import Network
from quadriga.bots.playouts import FUTURE, MOST_STEPS, choose_all
from quadriga.core.dispatch import apply, imagine, owing
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream, next_word, open_stream

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
def is_guided(guide: Guide) -> bool:
    return guide.policy.weights_1.shape[0] > 0


@kernel
def choose_step(
    race: Any,
    tables: Any,
    work: Any,
    besides: int,
    noise: int,
    salt: int,
    stream: Stream,
    counts: Codes,
    codes: Codes,
    choices: Codes,
    scores: Codes,
    scratch: Codes,
    views: Any,
    guide: Guide,
) -> None:
    """A choice for every seat that owes one, besides one of them: the policy's in guided playouts, else a quick one."""
    if is_guided(guide):
        choose_all_guided(
            race, tables, work, besides, noise, salt, counts, codes, choices, scores, scratch, views, guide
        )  # fmt: skip
    else:
        choose_all(race, tables, work, besides, noise, stream, codes, choices, scores, scratch)


@kernel
def is_played_out(race: Any, tables: Any, seat: int, until: int, choices: Codes, scratch: Codes, guide: Guide) -> bool:
    """Whether a playout ends here: when the clock shows a number, or the race is over. A guided one goes on until the
    seat decides."""
    if owing(race) == 0:
        return True
    return elapsed(race) >= until and (not is_guided(guide) or decides(race, tables, seat, choices, scratch))


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
    guide: Guide,
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
    races: one blank, one as imagined, one to play in. codes: three rows, of rivals' first choices, of choices, and of
    how many were made, which noise in guided playouts depends on.
    """
    seats = int(view.seats)
    for at in range(count):
        open_stream(stream, key, first + at)
        races[1] = races[0]
        imagine(view, tables, stream, races[1], scratch)
        salt = next_word(stream) if is_guided(guide) else 0
        for other in range(seats):
            codes[2, other] = 0
        choose_step(
            races[1], tables, work, seat, noise, salt, stream, codes[2], codes[0], choices, scores, scratch, views,
            guide,
        )  # fmt: skip
        until = elapsed(races[1]) + horizon
        for arm in range(arms.shape[0]):
            races[2] = races[1]
            open_stream(stream, key, FUTURE + first + at)
            for other in range(seats):
                codes[1, other] = codes[0, other]
                codes[2, other] = 1
            codes[1, seat] = arms[arm]
            step_watched(races[2], tables, seat, codes[1], stream, log, scratch, seen[arm, at])
            for _ in range(MOST_STEPS):
                if is_played_out(races[2], tables, seat, until, choices, scratch, guide):
                    break
                choose_step(
                    races[2], tables, work, -1, noise, salt, stream, codes[2], codes[1], choices, scores, scratch,
                    views, guide,
                )  # fmt: skip
                step_watched(races[2], tables, seat, codes[1], stream, log, scratch, seen[arm, at])
            if network.weights_1.shape[0] == 0 or owing(races[2]) == 0:
                write_result(races[2], tables, fixed, places, own)
            else:
                own_row(races[2], tables, seat, seats - fixed[2 * seats], views, network, most_seats, own[seat])
            for place in range(seats):
                rows[arm, at, place] = own[seat, place]
            if log.shape[0] > 0:
                measure(races[2], tables, work, seat, seen[arm, at])
