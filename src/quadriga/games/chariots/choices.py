"""What a player of Chariots may choose: the lists, and why a choice is not on them."""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, part, put
from quadriga.core.streams import Stream, draw
from quadriga.games.chariots.actions import (
    ACE,
    ANNOUNCE_ACE,
    ANNOUNCE_NULL,
    ANNOUNCE_TARGET,
    CRASH_QUICK,
    DIAGONAL_USE,
    DO_ANNOUNCE,
    DO_CRASH,
    DO_KEEP,
    DO_PLOT,
    DO_QUIET,
    DO_RECOVER,
    DO_STAY,
    DO_STEP,
    DO_SWAP,
    DRIVER,
    EXTRA,
    FIRST,
    HORSES,
    INSIDE_USE,
    NULL,
    PLOT_COINS,
    RECOVER_COIN,
    STEP_NULL,
    STEP_PUSHED_TO,
    STEP_TO,
)
from quadriga.games.chariots.components import DIAGONAL, FIRST_DIAGONAL_SIDE, ORTHOGONAL, Tables
from quadriga.games.chariots.movement import chariot_on, has, may_enter, on_track, seat_of
from quadriga.games.chariots.state import ANNOUNCE, MOVE, PLOT, SWAP, Public, Race

Codes = NDArray[np.int64]

ORDERS = np.array(list(permutations(range(4), 3)))
"""Three of four coins, in every order."""


@kernel
def chariot_asked(race: Public, seat: int) -> int:
    """The chariot for which a seat owes a choice, -1 if none."""
    for chariot in range(race.chariots):
        if has(race.asking, chariot) and seat_of(race, chariot) == seat:
            return chariot
    return -1


@kernel
def list_plots(out: Codes) -> int:
    """CT-2: three of the four coins in order."""
    for n in range(ORDERS.shape[0]):
        first, second, third = ORDERS[n, 0], ORDERS[n, 1], ORDERS[n, 2]
        out[n] = DO_PLOT | put(PLOT_COINS, first, 0) | put(PLOT_COINS, second, 1) | put(PLOT_COINS, third, 2)
    return int(ORDERS.shape[0])


@kernel
def list_recoveries(race: Race, chariot: int, out: Codes) -> int:
    """CT-13: one of the spent coins, or none."""
    out[0] = DO_RECOVER | put(RECOVER_COIN, -1)
    n = 1
    if race.null_coin[chariot] == 0:
        out[n] = DO_RECOVER | put(RECOVER_COIN, NULL)
        n += 1
    if race.ace_coin[chariot] == 0:
        out[n] = DO_RECOVER | put(RECOVER_COIN, ACE)
        n += 1
    return n


@kernel
def step_code(to: int, null: int, pushed_to: int) -> int:
    return DO_STEP | put(STEP_TO, to) | put(STEP_NULL, null) | put(STEP_PUSHED_TO, pushed_to)


@kernel
def way_open(race: Race, chariot: int, side: int) -> bool:
    """CT-12 d: a whipped driver leaves by the side of his last own step."""
    return not has(race.driven, chariot) or race.side[chariot] == side


@kernel
def driven_diagonally(race: Race, chariot: int) -> bool:
    return has(race.driven, chariot) and race.side[chariot] >= FIRST_DIAGONAL_SIDE


@kernel
def is_free_step(race: Race, tables: Tables, chariot: int, to: int, side: int) -> bool:
    """Whether a chariot may step to a square (-1: there is none) by a side without a coin."""
    if to < 0 or not way_open(race, chariot, side):
        return False
    return may_enter(race, tables, chariot, to) and chariot_on(race, to) < 0


@kernel
def has_free_step(race: Race, tables: Tables, chariot: int) -> bool:
    """Whether a chariot has a step that costs no coin."""
    square = race.square[chariot]
    for k in range(ORTHOGONAL):
        if is_free_step(race, tables, chariot, tables.neighbour[square, k], tables.neighbour_side[square, k]):
            return True
    if driven_diagonally(race, chariot):
        for k in range(DIAGONAL):
            if is_free_step(race, tables, chariot, tables.corner[square, k], tables.corner_side[square, k]):
                return True
    return False


@kernel
def list_free_steps(race: Race, tables: Tables, chariot: int, out: Codes) -> int:
    """Steps that cost no coin."""
    n, square = 0, race.square[chariot]
    for k in range(ORTHOGONAL):
        if is_free_step(race, tables, chariot, tables.neighbour[square, k], tables.neighbour_side[square, k]):
            out[n] = step_code(tables.neighbour[square, k], -1, -1)
            n += 1
    if driven_diagonally(race, chariot):
        for k in range(DIAGONAL):
            if is_free_step(race, tables, chariot, tables.corner[square, k], tables.corner_side[square, k]):
                out[n] = step_code(tables.corner[square, k], -1, -1)
                n += 1
    return n


@kernel
def list_pushes(race: Race, tables: Tables, chariot: int, to: int, null: int, out: Codes, n: int) -> int:
    """CT-9: a step onto an occupied square, once for each square where the chariot there can be put."""
    square, before = race.square[chariot], n
    for k in range(ORTHOGONAL):
        aside = tables.neighbour[to, k]
        if aside >= 0 and (aside == square or chariot_on(race, aside) < 0):
            out[n] = step_code(to, null, aside)
            n += 1
    if n == before:  # only a diagonal push can find no room: else the pusher's own square is beside
        out[n] = step_code(to, null, square)
        n += 1
    return n


@kernel
def list_coin_steps_to(race: Race, tables: Tables, chariot: int, to: int, null: int, out: Codes, n: int) -> int:
    """A step to one square with the null use it needs (-1: none), and the ace if somebody stands there."""
    if null >= 0 and race.null_coin[chariot] == 0:
        return n
    if chariot_on(race, to) >= 0:
        return list_pushes(race, tables, chariot, to, null, out, n) if race.ace_coin[chariot] else n
    if null >= 0:
        out[n] = step_code(to, null, -1)
        n += 1
    return n


@kernel
def list_coin_steps(race: Race, tables: Tables, chariot: int, out: Codes, n: int) -> int:
    """CT-8, CT-9: steps that cost the null coin, the ace or both; one null never does both things."""
    square, has_null = race.square[chariot], race.null_coin[chariot] == 1
    if not has_null and race.ace_coin[chariot] == 0:
        return n
    for k in range(ORTHOGONAL):
        to = tables.neighbour[square, k]
        if to >= 0 and way_open(race, chariot, tables.neighbour_side[square, k]):
            null = -1 if may_enter(race, tables, chariot, to) else INSIDE_USE
            n = list_coin_steps_to(race, tables, chariot, to, null, out, n)
    if not has_null and not driven_diagonally(race, chariot):
        return n
    for k in range(DIAGONAL):
        to = tables.corner[square, k]
        if to < 0:
            continue
        if driven_diagonally(race, chariot):
            if way_open(race, chariot, tables.corner_side[square, k]):
                null = -1 if may_enter(race, tables, chariot, to) else INSIDE_USE
                n = list_coin_steps_to(race, tables, chariot, to, null, out, n)
        elif not has(race.driven, chariot) and may_enter(race, tables, chariot, to):
            n = list_coin_steps_to(race, tables, chariot, to, DIAGONAL_USE, out, n)
    return n


@kernel
def list_moves(race: Race, tables: Tables, chariot: int, out: Codes) -> int:
    """CT-6 to CT-9: steps; where none is free of coins, also the crash (or, of an extra step, staying)."""
    free = list_free_steps(race, tables, chariot, out)
    n = list_coin_steps(race, tables, chariot, out, free)
    if free == 0:
        if has(race.extra, chariot):
            out[n] = DO_STAY
            return n + 1
        out[n] = DO_CRASH
        n += 1
        if race.special_actions and race.ace_coin[chariot]:  # CT-12 f
            out[n] = DO_CRASH | put(CRASH_QUICK, 1)
            n += 1
    return n


@kernel
def may_step_extra(race: Race, chariot: int) -> bool:
    """CT-12 a: in an impulse its speed does not give, never while it sits out a crash."""
    if race.null_coin[chariot] == 0 or has(race.due, chariot) or has(race.resting, chariot):
        return False
    return race.crashed[chariot] == 0 and race.skips[chariot] == 0 and not (race.sits[chariot] and race.impulse <= 2)


@kernel
def may_whip(race: Race, tables: Tables, chariot: int, target: int) -> bool:
    """CT-12 d, e: a rival on an orthogonal neighbour, and an ace to whip with."""
    if race.ace_coin[chariot] == 0 or seat_of(race, target) == seat_of(race, chariot):
        return False
    for k in range(ORTHOGONAL):
        if tables.neighbour[race.square[chariot], k] == race.square[target]:
            return True
    return False


@kernel
def may_whip_driver(race: Race, tables: Tables, chariot: int, target: int) -> bool:
    """CT-12 d: one who is due to move and has made a step before."""
    return has(race.due, target) and race.side[target] >= 0 and may_whip(race, tables, chariot, target)


@kernel
def may_whip_horses(race: Race, tables: Tables, chariot: int, target: int) -> bool:
    """CT-12 e: one who is due to move, or could move by a null coin."""
    moves = has(race.due, target) or may_step_extra(race, target)
    return moves and may_whip(race, tables, chariot, target)


@kernel
def announcement(null: int, ace: int, target: int) -> int:
    return DO_ANNOUNCE | put(ANNOUNCE_NULL, null) | put(ANNOUNCE_ACE, ace) | put(ANNOUNCE_TARGET, target)


@kernel
def null_announced(race: Race, chariot: int) -> int:
    """CT-12: what the null coin can announce: a first move for a chariot due to move, an extra step for another."""
    if has(race.due, chariot) and race.null_coin[chariot]:
        return FIRST
    return EXTRA if may_step_extra(race, chariot) else -1


@kernel
def list_announcements(race: Race, tables: Tables, chariot: int, out: Codes) -> int:
    """CT-12: nothing first; a null and an ace action may go together; last, quiet for the phase."""
    null, n = null_announced(race, chariot), 0
    for with_null in range(2):
        if with_null and null < 0:
            break
        said = null if with_null else -1
        out[n] = announcement(said, -1, -1)
        n += 1
        for target in range(race.chariots):
            if may_whip_driver(race, tables, chariot, target):
                out[n] = announcement(said, DRIVER, target)
                n += 1
            if may_whip_horses(race, tables, chariot, target):
                out[n] = announcement(said, HORSES, target)
                n += 1
    out[n] = DO_QUIET
    return n + 1


@kernel
def has_announcement(race: Race, tables: Tables, chariot: int) -> bool:
    if race.quiet[chariot] or not on_track(race, chariot):
        return False
    if null_announced(race, chariot) >= 0:
        return True
    for target in range(race.chariots):
        if may_whip_horses(race, tables, chariot, target):  # whoever can be whipped by d can be by e
            return True
    return False


@kernel
def legal(race: Race, tables: Tables, seat: int, out: Codes, scratch: Codes) -> int:
    """The contract's list of choices."""
    chariot = chariot_asked(race, seat)
    if chariot < 0:
        return 0
    if race.stage == MOVE:
        return list_moves(race, tables, chariot, out)
    if race.stage == PLOT:
        return list_plots(out)
    if race.stage == ANNOUNCE:
        return list_announcements(race, tables, chariot, out)
    if race.stage == SWAP:
        out[0] = DO_KEEP
        out[1] = DO_SWAP
        return 2
    return list_recoveries(race, chariot, out)


@kernel
def is_forward(race: Race, tables: Tables, chariot: int, code: int) -> bool:
    """Whether a choice brings the chariot on: for random play, which would else never arrive."""
    if kind_of(code) != DO_STEP:
        return kind_of(code) != DO_CRASH
    square, to = race.square[chariot], part(code, STEP_TO)
    if tables.gate[square] and tables.gate[to]:
        return tables.gate[to] > tables.gate[square]
    return tables.to_line[to] < tables.to_line[square]


@kernel
def pick_random(race: Race, tables: Tables, seat: int, codes: Codes, n: int, stream: Stream) -> int:
    """Uniform, but backward steps and needless crashes are thought over three times."""
    choice = draw(stream, n)
    if race.stage == MOVE:
        chariot = chariot_asked(race, seat)
        for _ in range(3):
            if is_forward(race, tables, chariot, codes[choice]):
                break
            choice = draw(stream, n)
    return choice


@kernel
def owing(race: Race) -> int:
    """The contract's mask of seats that owe a choice."""
    seats = 0
    for chariot in range(race.chariots):
        if has(race.asking, chariot):
            seats |= 1 << seat_of(race, chariot)
    return seats
