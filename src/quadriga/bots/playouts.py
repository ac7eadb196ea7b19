"""Kernels of all bots: the choice by score, and playouts to look further."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import QUICK, complete, elapsed, evaluate, score
from quadriga.bots.network import CHANCE, Network, chance_to_win
from quadriga.core.dispatch import apply, imagine, legal, owing, standings
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream, draw, open_stream

Codes = NDArray[np.int64]

MOST_STEPS = 2000
FUTURE = 1 << 31
"""Streams from this number on belong to what follows a choice, those below to what is imagined before it."""
LOWEST = -(1 << 60)


@kernel
def pick(
    race: Any,
    tables: Any,
    work: Any,
    seat: int,
    level: int,
    codes: Codes,
    n: int,
    noise: int,
    stream: Stream,
    scores: Codes,
    scratch: Codes,
) -> int:
    """The index of the choice worth most, give or take the noise."""
    score(race, tables, work, seat, level, codes, n, scores, scratch)
    best, most = 0, LOWEST
    for i in range(n):
        worth = scores[i] + draw(stream, noise)
        if worth > most:
            best, most = i, worth
    return best


@kernel
def choose_all(
    race: Any,
    tables: Any,
    work: Any,
    besides: int,
    noise: int,
    stream: Stream,
    codes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
) -> None:
    """A choice for every seat that owes one, besides one of them; nobody knows of the others' choices."""
    mask = owing(race)
    for seat in range(race.seats):
        if mask >> seat & 1 and seat != besides:
            n = legal(race, tables, seat, out, scratch)
            codes[seat] = out[pick(race, tables, work, seat, QUICK, out, n, noise, stream, scores, scratch)]


@kernel
def play_on(
    race: Any,
    tables: Any,
    work: Any,
    until: int,
    noise: int,
    stream: Stream,
    log: NDArray[np.int32],
    codes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
) -> None:
    """Let all seats play until the clock shows a number or the race is over."""
    for _ in range(MOST_STEPS):
        if owing(race) == 0 or elapsed(race) >= until:
            break
        choose_all(race, tables, work, -1, noise, stream, codes, out, scores, scratch)
        apply(race, tables, codes, stream, log, scratch)


@kernel
def value_for(race: Any, tables: Any, work: Any, seat: int, winning_lead: int, places: Codes) -> int:
    """How a position looks for a seat: won, lost, or the lead over the best rival."""
    if standings(race, tables, places):
        if places[seat] == 1:
            return winning_lead
        return -winning_lead - winning_lead * (places[seat] - 2) // (4 * int(race.seats))
    rival = LOWEST
    for other in range(race.seats):
        if other != seat:
            rival = max(rival, evaluate(race, tables, work, other))
    lead = evaluate(race, tables, work, seat) - rival
    return min(max(lead, -winning_lead * 9 // 10), winning_lead * 9 // 10)


@kernel
def value_of_end(
    race: Any,
    tables: Any,
    work: Any,
    seat: int,
    winning_lead: int,
    places: Codes,
    views: Any,
    network: Network,
    most_seats: int,
) -> int:
    """How the end of a playout looks for a seat: as the network says, where there is one and the race goes on."""
    if network.weights_1.shape[0] == 0 or owing(race) == 0:
        return int(value_for(race, tables, work, seat, winning_lead, places))
    chance = chance_to_win(race, tables, seat, views, network, most_seats)
    return 2 * winning_lead * int(chance) // CHANCE - winning_lead


@kernel
def play_out(  # long: its memory is handed in
    view: Any,
    tables: Any,
    work: Any,
    races: Any,
    seat: int,
    arms: Codes,
    sums: Codes,
    key: NDArray[np.uint32],
    first: int,
    count: int,
    horizon: int,
    noise: int,
    winning_lead: int,
    stream: Stream,
    log: NDArray[np.int32],
    codes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
    views: Any,
    network: Network,
    most_seats: int,
) -> None:
    """Play every choice out `count` times, all from the same imagined races and against the same rivals' choices.

    races: one blank, one as imagined, one to play in. Where there is a network, it says how a playout ends.
    """
    for number in range(first, first + count):
        open_stream(stream, key, number)
        races[1] = races[0]
        imagine(view, tables, stream, races[1], scratch)
        choose_all(races[1], tables, work, seat, noise, stream, codes[0], out, scores, scratch)
        until = elapsed(races[1]) + horizon
        for arm in range(arms.shape[0]):
            races[2] = races[1]
            open_stream(stream, key, FUTURE + number)
            for other in range(codes.shape[1]):
                codes[1, other] = codes[0, other]
            codes[1, seat] = arms[arm]
            apply(races[2], tables, codes[1], stream, log, scratch)
            play_on(races[2], tables, work, until, noise, stream, log, codes[1], out, scores, scratch)
            sums[arm] += value_of_end(races[2], tables, work, seat, winning_lead, out, views, network, most_seats)


@kernel
def complete_choice(race: Any, tables: Any, work: Any, seat: int, code: int, scratch: Codes) -> int:
    """A choice with the part that its list leaves out."""
    return int(complete(race, tables, work, seat, code, scratch))
