"""A simple player in kernels: far, with an eye on whips, fan tokens and skills, and sparing with tokens."""

from typing import Any

import numpy as np

from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of
from quadriga.core.streams import Stream, open_stream
from quadriga.games.charioteer.actions import DO_MOVE, symbol_of, token_of
from quadriga.games.charioteer.choices import legal, owing
from quadriga.games.charioteer.components import Tables
from quadriga.games.charioteer.invariants import check
from quadriga.games.charioteer.setup import setup
from quadriga.games.charioteer.state import YELLOW, Ints, Log, Race
from quadriga.games.charioteer.turn import MATCHES, RECOVERIES, WHIPS, apply, tally

BROKEN, HANDS, MOVABLE, TURNS, SHORTEST, LONGEST = 0, 1, 2, 3, 4, 5


@kernel
def value(race: Race, tables: Tables, seat: int, code: int, scratch: Ints) -> int:
    tally(tables, int(race.crowd[0]), code, scratch)
    symbol, token = symbol_of(code), token_of(code)
    colour = int(tables.symbol_colour[symbol])
    recoveries = scratch[RECOVERIES] + (colour == YELLOW)
    damage = int(race.damage[seat])
    damage = damage if recoveries == 0 else damage // 2 if recoveries == 1 else 0
    bonus = int(tables.token_bonus[token]) - 4 if token >= 0 else 0
    skill = int(tables.marker_bonus[race.marker[seat, colour]])
    pleased = tables.face_colour[race.die] == colour
    distance = scratch[MATCHES] + int(tables.symbol_number[symbol]) + bonus + skill - damage
    return distance + 2 * (scratch[MATCHES] >= 6) + pleased + 2 * scratch[WHIPS]


@kernel
def choose(race: Race, tables: Tables, seat: int, out: Ints, scratch: Ints, figures: Ints) -> int:
    n = legal(race, tables, seat, out, scratch)
    best, most, movable = out[n - 1], -1000, 0
    for i in range(n):
        if kind_of(out[i]) == DO_MOVE:
            movable |= token_of(out[i]) < 0
            worth = value(race, tables, seat, out[i], scratch)
            if worth > most:
                best, most = out[i], worth
    figures[HANDS] += 1
    figures[MOVABLE] += movable
    return best


@kernel
def race_on(
    races: Any, tables: Tables, key: Any, stream: Stream, log: Log, codes: Ints, out: Ints, scratch: Ints, figures: Ints
) -> None:
    """Play races to the end, checking after every step."""
    for i in range(races.shape[0]):
        key[7] = i
        race = races[i]
        open_stream(stream, key, 0)
        setup(race, tables, stream, log, scratch)
        for step in range(1, 1000):
            figures[BROKEN] += check(race, tables, scratch) != 0
            if owing(race) == 0:
                break
            for seat in range(race.seats):
                codes[seat] = choose(race, tables, seat, out, scratch, figures)
            open_stream(stream, key, step)
            apply(race, tables, codes, stream, log, scratch)
        figures[TURNS] += race.turn
        figures[SHORTEST] = min(figures[SHORTEST], int(race.turn))
        figures[LONGEST] = max(figures[LONGEST], int(race.turn))


def new_figures() -> Ints:
    figures = np.zeros(6, np.int64)
    figures[SHORTEST] = 1000
    return figures
