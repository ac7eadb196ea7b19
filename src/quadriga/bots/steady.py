"""Steady playouts: what does not depend on the choice that is looked into goes the same way for every choice.

Playouts of two choices are compared, so luck that differs between them is noise. Here each seat's noise belongs to the
choice it could take and to how often it has chosen, and each step's dice to the seat that steps: a rival whom the
choice does not touch answers it with the same choices and the same dice.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import QUICK, elapsed, score
from quadriga.bots.network import Network
from quadriga.bots.playouts import FUTURE, LOWEST, MOST_STEPS, Codes, value_of_end
from quadriga.core.dispatch import apply, imagine, legal, owing
from quadriga.core.kernel import kernel
from quadriga.core.streams import WORD, Stream, next_word, open_stream

PLAYOUT_STREAMS, SEAT_STREAMS = 1 << 12, 1 << 9
"""Streams for what follows a choice in one playout, and for one seat of it."""
FIRST_FACTOR, SECOND_FACTOR = 0x2C1B3C6D, 0x297A2D39
CHOICE_FACTOR, SEAT_FACTOR = 0x1F123BB5, 0x3C6EF372
"""Odd numbers below 2**31: their products with a word fit into 64 bits."""


@kernel
def noise_of(code: int, salt: int, noise: int) -> int:
    """A number below `noise` that belongs to a choice and a salt."""
    word = (code ^ (code >> 32) ^ salt) & WORD
    word = (word * FIRST_FACTOR) & WORD
    word ^= word >> 15
    word = (word * SECOND_FACTOR) & WORD
    word ^= word >> 14
    return (word * noise) >> 32


@kernel
def salt_of(salt: int, seat: int, count: int) -> int:
    """The salt of a seat's choice after so many choices."""
    return (salt + count * CHOICE_FACTOR + seat * SEAT_FACTOR) & WORD


@kernel
def pick_steadily(codes: Codes, n: int, scores: Codes, salt: int, noise: int) -> int:
    """The index of the choice worth most with its noise."""
    best, most = 0, LOWEST
    for i in range(n):
        worth = scores[i] + noise_of(int(codes[i]), salt, noise)
        if worth > most:
            best, most = i, worth
    return best


@kernel
def choose_steadily(
    race: Any,
    tables: Any,
    work: Any,
    besides: int,
    noise: int,
    salt: int,
    counts: Codes,
    codes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
) -> int:
    """A choice for every seat that owes one, besides one of them; the first of these seats. counts: choices so far."""
    mask, seats, first = owing(race), int(race.seats), 0
    for back in range(seats):
        seat = seats - 1 - back
        if mask >> seat & 1 and seat != besides:
            n = legal(race, tables, seat, out, scratch)
            score(race, tables, work, seat, QUICK, out, n, scores, scratch)
            own = salt_of(salt, seat, int(counts[seat]))
            codes[seat] = out[pick_steadily(out, n, scores, own, noise)]
            counts[seat] += 1
            first = seat
    return first


@kernel
def play_on_steadily(
    race: Any,
    tables: Any,
    work: Any,
    until: int,
    noise: int,
    salt: int,
    key: NDArray[np.uint32],
    future: int,
    stream: Stream,
    log: NDArray[np.int32],
    counts: Codes,
    codes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
) -> None:
    """Let all seats play until the clock shows a number or the race is over; `future` is the first of the streams."""
    for _ in range(MOST_STEPS):
        if owing(race) == 0 or elapsed(race) >= until:
            break
        first = choose_steadily(race, tables, work, -1, noise, salt, counts, codes, out, scores, scratch)
        open_stream(stream, key, future + first * SEAT_STREAMS + int(counts[first]))
        apply(race, tables, codes, stream, log, scratch)


@kernel
def play_out_steadily(  # long: its memory is handed in
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
    """As `play_out`, steadily. codes: three rows, of rivals' first choices, of choices, and of how many were made."""
    for number in range(first, first + count):
        open_stream(stream, key, number)
        races[1] = races[0]
        imagine(view, tables, stream, races[1], scratch)
        salt, future = next_word(stream), FUTURE + number * PLAYOUT_STREAMS
        for other in range(codes.shape[1]):
            codes[2, other] = 0
        choose_steadily(races[1], tables, work, seat, noise, salt, codes[2], codes[0], out, scores, scratch)
        until = elapsed(races[1]) + horizon
        for arm in range(arms.shape[0]):
            races[2] = races[1]
            open_stream(stream, key, future)
            for other in range(codes.shape[1]):
                codes[1, other] = codes[0, other]
                codes[2, other] = 1
            codes[1, seat] = arms[arm]
            apply(races[2], tables, codes[1], stream, log, scratch)
            play_on_steadily(
                races[2], tables, work, until, noise, salt, key, future, stream, log, codes[2], codes[1], out, scores,
                scratch,
            )  # fmt: skip
            sums[arm] += value_of_end(races[2], tables, work, seat, winning_lead, out, views, network, most_seats)
