"""Kernels for chances that know everything: of a position, of the outcomes of a step, of set-ups.

Chances are whole numbers of CHANCE (bots/network.py), a row for each seat, a column for each place.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.analysis.measures import renew
from quadriga.bots.evaluation import elapsed
from quadriga.bots.network import CHANCE, Network, forward, place_chance
from quadriga.bots.playouts import FUTURE, MOST_STEPS, choose_all
from quadriga.core.dispatch import apply, legal, observe, owing, setup, standings
from quadriga.core.kernel import kernel
from quadriga.core.observation import encode_inputs
from quadriga.core.streams import Stream, draw, open_stream

Codes = NDArray[np.int64]

FOREVER = 1 << 30
"""More stretches than any race has."""
ON_THE_WAY, CHOOSING = 3 << 30, 1 << 30
"""Streams from these numbers on belong to random events, and to choices, on the way to where a position is judged."""
MOST_EVENTS = 1024
"""Random events on the way, after which their streams come again."""
MOST_FORCED = 200
BALANCING = 6
"""Rounds in which rows and columns are brought to their sums."""
LEAST = CHANCE // 500
"""Added to each chance before, so that two seats that are sure of the same place can be balanced."""


@kernel
def place_behind(places: Codes, fixed: Codes, seats: int) -> None:
    """Put those who left behind all others, at the places fixed for them (from 0; -1: has not left)."""
    first = seats + 1
    for seat in range(seats):
        first = min(first, places[seat])
    first = 1 if first == 1 else 2
    for seat in range(seats):
        if fixed[seat] < 0:
            ahead = 0
            for other in range(seats):
                if fixed[other] < 0 and places[other] < places[seat]:
                    ahead += 1
            fixed[seats + seat] = first + ahead
        else:
            fixed[seats + seat] = first + fixed[seat]
    for seat in range(seats):
        places[seat] = fixed[seats + seat]


@kernel
def write_result(race: Any, tables: Any, fixed: Codes, places: Codes, out: Codes) -> None:
    """The places of a race that is over, as chances; where nobody wins, the last two share the last column."""
    seats = int(race.seats)
    standings(race, tables, places)
    if fixed[2 * seats] > 0:
        place_behind(places, fixed, seats)
    for seat in range(seats):
        for place in range(seats):
            out[seat, place] = 0
        out[seat, min(places[seat], seats) - 1] = CHANCE


@kernel
def own_row(
    race: Any, tables: Any, seat: int, free: int, views: Any, network: Network, most_seats: int, row: Codes
) -> None:
    """The chances of a seat for each of the first `free` places, as the network sees it from the seat's own view."""
    views[1] = views[0]
    observe(race, tables, seat, views[1])
    encode_inputs(views[1], tables, network.observation, network.weights_1.shape[0])
    forward(network)
    total = 0
    for place in range(race.seats):
        row[place] = place_chance(network, 0, place, race.seats, most_seats) if place < free else 0
        total += row[place]
    for place in range(free):
        row[place] = row[place] * CHANCE // total if total > 0 else CHANCE // free


@kernel
def balance(out: Codes, fixed: Codes, seats: int, free: int) -> None:
    """Bring each free place, then each seat that has not left, to a sum of one chance, several times."""
    for seat in range(seats):
        for place in range(free):
            out[seat, place] += LEAST if fixed[seat] < 0 else 0
    for _ in range(BALANCING):
        for place in range(free):
            total = 1
            for seat in range(seats):
                total += out[seat, place] if fixed[seat] < 0 else 0
            for seat in range(seats):
                if fixed[seat] < 0:
                    out[seat, place] = out[seat, place] * CHANCE // total
        for seat in range(seats):
            total = 1
            for place in range(free):
                total += out[seat, place]
            for place in range(free):
                if fixed[seat] < 0:
                    out[seat, place] = out[seat, place] * CHANCE // total
    share_wins(out, fixed, seats, free)


@kernel
def share_wins(out: Codes, fixed: Codes, seats: int, free: int) -> None:
    """Let the chances to win add up to one, and those of each seat's other places to the rest of its own."""
    total = 0
    for seat in range(seats):
        total += out[seat, 0] if fixed[seat] < 0 else 0
    for seat in range(seats):
        if fixed[seat] >= 0 or total == 0:
            continue
        others = 0
        for place in range(1, free):
            others += out[seat, place]
        out[seat, 0] = out[seat, 0] * CHANCE // total
        for place in range(1, free):
            rest = CHANCE - int(out[seat, 0])
            out[seat, place] = out[seat, place] * rest // others if others > 0 else rest // (free - 1)


@kernel
def write_judgement(
    race: Any, tables: Any, fixed: Codes, views: Any, network: Network, most_seats: int, out: Codes
) -> None:
    """The chances of all seats as the network sees them, each from its own view."""
    seats = int(race.seats)
    free = seats - fixed[2 * seats]
    for seat in range(seats):
        if fixed[seat] < 0:
            own_row(race, tables, seat, free, views, network, most_seats, out[seat])
        else:
            for place in range(seats):
                out[seat, place] = CHANCE if place == fixed[seat] else 0
    balance(out, fixed, seats, free)


@kernel
def judge(  # long: its memory is handed in
    race: Any,
    tables: Any,
    work: Any,
    stretches: int,
    key: NDArray[np.uint32],
    number: int,
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
    out: Codes,
) -> None:
    """The chances of a position, which is played on in place for so many stretches, or until the race is over.

    The n-th random event on the way draws from a stream that depends on the key, the number and n alone: positions
    that are judged with the same key meet the same dice.
    """
    happened, until = 0, elapsed(race) + stretches
    for _ in range(MOST_STEPS):
        if owing(race) == 0 or elapsed(race) >= until:
            break
        open_stream(stream, key, CHOOSING + number)
        choose_all(race, tables, work, -1, noise, stream, codes, choices, scores, scratch)
        open_stream(stream, key, ON_THE_WAY + MOST_EVENTS * number + happened % MOST_EVENTS)
        apply(race, tables, codes, stream, log, scratch)
        happened += stream.counter > 0
    if owing(race) == 0 or network.weights_1.shape[0] == 0:
        write_result(race, tables, fixed, places, out)
    else:
        write_judgement(race, tables, fixed, views, network, most_seats, out)


@kernel
def find_forced(race: Any, tables: Any, mask: int, codes: Codes, choices: Codes, scratch: Codes) -> bool:
    """Whether no seat that owes a choice has more than one; writes them."""
    for seat in range(race.seats):
        codes[seat] = 0
        if mask >> seat & 1:
            if legal(race, tables, seat, choices, scratch) > 1:
                return False
            codes[seat] = choices[0]
    return True


@kernel
def pass_forced(
    race: Any, tables: Any, stream: Stream, log: NDArray[np.int32], codes: Codes, choices: Codes, scratch: Codes
) -> None:
    """Play on as long as nobody has a choice between two things."""
    for _ in range(MOST_FORCED):
        mask = owing(race)
        if mask == 0 or not find_forced(race, tables, mask, codes, choices, scratch):
            break
        apply(race, tables, codes, stream, log, scratch)


@kernel
def add_to(sums: Codes, own: Codes, seats: int) -> None:
    for seat in range(seats):
        for place in range(seats):
            sums[seat, place] += own[seat, place]


@kernel
def judge_often(  # long: its memory is handed in
    races: Any,
    tables: Any,
    work: Any,
    key: NDArray[np.uint32],
    count: int,
    stretches: int,
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
    sums: Codes,
) -> None:
    """Add up `count` judgements of the race that stands first in `races`."""
    for number in range(count):
        open_stream(stream, key, number)
        races[1] = races[0]
        renew(races[1], tables, stream)
        judge(
            races[1], tables, work, stretches, key, number, fixed, noise, stream, log, codes, choices, scores,
            scratch, views, network, most_seats, places, own,
        )  # fmt: skip
        add_to(sums, own, int(races[0].seats))


@kernel
def judge_outcomes(  # long: its memory is handed in
    races: Any,
    tables: Any,
    work: Any,
    arms: Codes,
    counts: Codes,
    key: NDArray[np.uint32],
    count: int,
    stretches: int,
    way: NDArray[np.uint32],
    ways: int,
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
    sums: Codes,
) -> int:
    """Add up the chances after `count` outcomes of choices; how many of them chance had a part in.

    races: the race as it stands, and one to play in. arms: the choices of each seat, of which one is drawn.
    Outcomes are judged on the dice of `ways` playouts with the key `way`, as the position is that came about.
    """
    random, seats = 0, int(races[0].seats)
    for number in range(count):
        open_stream(stream, key, number)
        races[1] = races[0]
        renew(races[1], tables, stream)
        for seat in range(seats):
            codes[seat] = arms[seat, draw(stream, counts[seat])] if counts[seat] > 1 else arms[seat, 0]
        open_stream(stream, key, FUTURE + number)
        apply(races[1], tables, codes, stream, log, scratch)
        pass_forced(races[1], tables, stream, log, codes, choices, scratch)
        random += stream.counter > 0
        judge(
            races[1], tables, work, stretches, way, number % ways, fixed, noise, stream, log, codes,
            choices, scores, scratch, views, network, most_seats, places, own,
        )  # fmt: skip
        add_to(sums, own, seats)
    return random


@kernel
def judge_setups(  # long: its memory is handed in
    races: Any,
    tables: Any,
    work: Any,
    key: NDArray[np.uint32],
    count: int,
    stretches: int,
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
    sums: Codes,
) -> None:
    """Add up the chances after `count` set-ups of the race that stands first, blank but for seats and options."""
    for number in range(count):
        open_stream(stream, key, number)
        races[1] = races[0]
        setup(races[1], tables, stream, log, scratch)
        pass_forced(races[1], tables, stream, log, codes, choices, scratch)
        judge(
            races[1], tables, work, stretches, key, number, fixed, noise, stream, log, codes, choices, scores,
            scratch, views, network, most_seats, places, own,
        )  # fmt: skip
        add_to(sums, own, int(races[0].seats))
