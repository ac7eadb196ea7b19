"""A driver with sense, for races that look like those at a table: it weighs ground gained against damage."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import NONE
from quadriga.core.messages import kind_of, part
from quadriga.core.streams import Stream, draw, open_stream
from quadriga.games.chariot_race.actions import (
    DO_DROP,
    DO_REROLL,
    DO_THROW,
    PACE_PLUS,
    REPAIR_POINTS,
    REROLL_DICE,
    STEP_TO,
    THROW_TARGET,
)
from quadriga.games.chariot_race.choices import legal, owing
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import progress
from quadriga.games.chariot_race.dice import showing
from quadriga.games.chariot_race.forecast import Reach, forecast
from quadriga.games.chariot_race.invariants import check
from quadriga.games.chariot_race.setup import setup
from quadriga.games.chariot_race.state import (
    ATTACK,
    DICE,
    FATE,
    FORTUNA_FACE,
    MOVE,
    PACE,
    PACE_FACE,
    REPAIR,
    REROLL,
    SPACES,
    SPRINT_FACE,
    STEER_FACE,
    Race,
)
from quadriga.games.chariot_race.turn import apply

Codes = NDArray[np.int64]
F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """Compiled but not cached: the cache would not notice a change in the game's kernels."""
    return numba.njit(nogil=True)(function)


@kernel
def choose(race: Race, tables: Tables, codes: Codes, n: int, reach: Reach, stream: Stream) -> int:
    """The index of the driver's choice."""
    phase = race.phase
    if phase == REPAIR:
        return n - 1 if race.damage[race.mover] <= 8 and part(codes[n - 1], REPAIR_POINTS) == 3 else 0
    if phase in (REROLL, FATE):
        return choose_dice(race, codes, n)
    if phase == PACE:
        return choose_pace(race, tables, codes, n, reach)
    if phase == MOVE:
        return choose_step(race, tables, codes, n, reach)
    if phase == ATTACK:
        return choose_attack(race, tables, codes, n)
    return draw(stream, n)


@kernel
def choose_dice(race: Race, codes: Codes, n: int) -> int:
    """Roll again what is no use: sprints of the fast and the battered, attacks, most Fortuna."""
    if race.phase == FATE:
        return 0
    mask = 0
    hurried = race.speed[race.mover] >= 7 or race.damage[race.mover] <= 4
    for die in range(DICE):
        face = race.dice[die]
        if face == SPRINT_FACE and hurried:
            mask |= 1 << die
        if face == FORTUNA_FACE and race.fate[race.mover] >= 5:
            mask |= 1 << die
    for i in range(n):
        if kind_of(codes[i]) == DO_REROLL and part(codes[i], REROLL_DICE) == mask:
            return i
    return 0


@kernel
def best_worth(race: Race, tables: Tables, speed: int, steps: int, steers: int, reach: Reach) -> int:
    """The worth of the best drive: ground gained, less damage, less for a speed that the next corner will punish."""
    mover = int(race.mover)
    left = int(race.damage[mover])
    forecast(race, tables, mover, speed, steps, steers, left, reach)
    here = int(tables.rank[race.space[mover]])
    best = -100000
    for space in range(SPACES):
        if reach.damage[space] != NONE:
            best = max(best, worth(tables, reach, space, here, left))
    return best - 6 * max(0, speed - 8) * max(0, speed - 8) - 15 * max(0, speed - left)


@kernel
def worth(tables: Tables, reach: Reach, space: int, here: int, left: int) -> int:
    if reach.wrecks[space] == 1:
        return -10000
    gain = (int(tables.rank[reach.stands[space]]) - here) % int(tables.spaces)
    if gain > tables.spaces // 2:
        gain -= int(tables.spaces)
    price = 3 + 24 // max(1, left)
    return 2 * gain - price * int(reach.damage[space])


@kernel
def choose_pace(race: Race, tables: Tables, codes: Codes, n: int, reach: Reach) -> int:
    best, choice = -1000000, 0
    most = int(tables.most_speed[race.board[race.mover]])
    for i in range(n):
        plus = part(codes[i], PACE_PLUS)
        speed = int(race.speed[race.mover]) + 2 * plus - showing(race, PACE_FACE) + 2 * showing(race, SPRINT_FACE)
        speed = min(max(speed, 0), most)
        value = best_worth(race, tables, speed, speed, showing(race, STEER_FACE), reach)
        if value > best:
            best, choice = value, i
    return choice


@kernel
def choose_step(race: Race, tables: Tables, codes: Codes, n: int, reach: Reach) -> int:
    """The first step of the best way."""
    mover = int(race.mover)
    best_worth(race, tables, int(race.speed[mover]), int(race.left), int(race.steers), reach)
    here = int(tables.rank[race.space[mover]])
    best, end = -1000000, 0
    for space in range(SPACES):
        if reach.damage[space] != NONE:
            value = worth(tables, reach, space, here, int(race.damage[mover]))
            if value > best:
                best, end = value, space
    node = int(reach.last[end])
    for _ in range(16):
        if reach.node_from[node] <= 0:
            break
        node = int(reach.node_from[node])
    for i in range(n):
        if part(codes[i], STEP_TO) == reach.node_space[node]:
            return i
    return 0


@kernel
def choose_attack(race: Race, tables: Tables, codes: Codes, n: int) -> int:
    """The javelin at the rival furthest ahead, else the caltrop nearest behind."""
    best, choice = -1000000, 0
    for i in range(n):
        if kind_of(codes[i]) == DO_THROW:
            target = part(codes[i], THROW_TARGET)
            value = progress(race, tables, target)
            if race.owner[target] != race.owner[race.mover] and value > best:
                best, choice = value, i
        elif kind_of(codes[i]) == DO_DROP and best < -1000:
            choice = i
    return choice


@kernel
def play(
    races: Any, start: Any, tables: Any, key: Any, stream: Stream, chooser: Stream, log: Any, codes: Any, out: Any,
    scratch: Any, reach: Reach, lanes: Any,
) -> int:  # fmt: skip
    """Race after race from copies of `start`; counts where turns ended by lane. The first broken invariant, or 0."""
    for i in range(races.shape[0]):
        races[i] = start[0]
        race = races[i]
        key[7] = i
        open_stream(stream, key, 0)
        setup(race, tables, stream, log, scratch)
        for step in range(1, 100000):
            mask = owing(race)
            if mask == 0:
                break
            for seat in range(race.seats):
                if mask >> seat & 1:
                    n = legal(race, tables, seat, out, scratch)
                    codes[seat] = out[choose(race, tables, out, n, reach, chooser)]
            before = int(race.mover)
            open_stream(stream, key, step)
            apply(race, tables, codes, stream, log, scratch)
            if before != NONE and race.mover != before and race.space[before] != NONE:
                lanes[tables.lane[race.space[before]]] += 1
            if check(race, tables, scratch) != 0:
                return check(race, tables, scratch)
    return 0
