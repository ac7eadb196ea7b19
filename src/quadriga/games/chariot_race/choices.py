"""Who owes a choice, and what may be chosen: complete lists for every phase."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import put
from quadriga.core.streams import Stream, draw
from quadriga.games.chariot_race.actions import (
    DO_DRAFT,
    DO_DROP,
    DO_GRID,
    DO_KEEP,
    DO_PACE,
    DO_PASS,
    DO_REPAIR,
    DO_REROLL,
    DO_ROLL,
    DO_STEP,
    DO_THROW,
    DO_TURN,
    DRAFT_CHARIOT,
    DROP_SPACE,
    GRID_PLACE,
    PACE_PLUS,
    REPAIR_POINTS,
    REROLL_DICE,
    STEP_TO,
    THROW_TARGET,
    TURN_DIE,
    TURN_FACE,
)
from quadriga.games.chariot_race.attack import can_drop, can_throw
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.dice import DICE_FATE, showing
from quadriga.games.chariot_race.rounds import most_repair
from quadriga.games.chariot_race.setup import drafting_seat, gridding_chariot
from quadriga.games.chariot_race.state import (
    ATTACK,
    CHARIOTS,
    DICE,
    DRAFT,
    FATE,
    FORTUNA_FACE,
    GRID,
    MOVE,
    OVER,
    PACE,
    PACE_FACE,
    REPAIR,
    REROLL,
    Race,
)

Codes = NDArray[np.int64]


@kernel
def chooser(race: Race) -> int:
    """The seat that owes a choice, none when the race is over."""
    if race.phase == OVER:
        return NONE
    if race.phase == DRAFT:
        return drafting_seat(race)
    if race.phase == GRID:
        return int(race.owner[gridding_chariot(race)])
    return int(race.owner[race.mover])


@kernel
def owing(race: Race) -> int:
    """One seat at a time."""
    seat = chooser(race)
    return 0 if seat == NONE else 1 << seat


@kernel
def legal(race: Race, tables: Tables, seat: int, out: Codes, scratch: NDArray[np.int64]) -> int:
    """The choices of the seat that owes one."""
    if seat != chooser(race):
        return 0
    phase = race.phase
    if phase in (REROLL, FATE):
        return list_dice(race, out)
    if phase == MOVE:
        return list_steps(race, tables, out)
    if phase == PACE:
        return list_paces(race, out)
    if phase == ATTACK:
        return list_attacks(race, tables, out)
    if phase == REPAIR:
        return list_repairs(race, tables, out)
    if phase == DRAFT:
        return list_drafts(race, out)
    return list_places(race, out)


@kernel
def list_drafts(race: Race, out: Codes) -> int:
    n = 0
    for chariot in range(CHARIOTS):
        if race.owner[chariot] == NONE:
            out[n] = DO_DRAFT | put(DRAFT_CHARIOT, chariot)
            n += 1
    return n


@kernel
def on_place(race: Race, place: int) -> int:
    """The chariot on a grid place, or none."""
    for chariot in range(CHARIOTS):
        if race.place[chariot] == place:
            return chariot
    return NONE


@kernel
def list_places(race: Race, out: Codes) -> int:
    n = 0
    for place in range(CHARIOTS):
        if on_place(race, place) == NONE:
            out[n] = DO_GRID | put(GRID_PLACE, place)
            n += 1
    return n


@kernel
def list_repairs(race: Race, tables: Tables, out: Codes) -> int:
    out[0] = DO_ROLL
    n = 1
    for points in range(1, most_repair(race, tables, int(race.mover)) + 1):
        out[n] = DO_REPAIR | put(REPAIR_POINTS, points)
        n += 1
    return n


@kernel
def rolled_dice(race: Race) -> int:
    """How many dice lie on the table."""
    return DICE - showing(race, NONE)


@kernel
def list_dice(race: Race, out: Codes) -> int:
    """CR-5: keep, every subset to re-roll, every turn of a die that can be paid."""
    out[0] = DO_KEEP
    n = 1
    count = rolled_dice(race)
    for dice in range(1, 1 << count):
        out[n] = DO_REROLL | put(REROLL_DICE, dice)
        n += 1
    if race.fate[race.mover] < DICE_FATE:
        return n
    for die in range(count):
        for face in range(FORTUNA_FACE):
            if race.dice[die] != face:
                out[n] = DO_TURN | put(TURN_DIE, die) | put(TURN_FACE, face)
                n += 1
    return n


@kernel
def list_paces(race: Race, out: Codes) -> int:
    n = 0
    for plus in range(showing(race, PACE_FACE) + 1):
        out[n] = DO_PACE | put(PACE_PLUS, plus)
        n += 1
    return n


@kernel
def list_steps(race: Race, tables: Tables, out: Codes) -> int:
    """CR-8: ahead, and into the adjacent lanes: this phase is there only while a steer is left."""
    here = race.space[race.mover]
    out[0] = DO_STEP | put(STEP_TO, int(tables.ahead[here]))
    n = 1
    if tables.inward[here] != NONE:
        out[n] = DO_STEP | put(STEP_TO, int(tables.inward[here]))
        n += 1
    if tables.outward[here] != NONE:
        out[n] = DO_STEP | put(STEP_TO, int(tables.outward[here]))
        n += 1
    return n


@kernel
def list_attacks(race: Race, tables: Tables, out: Codes) -> int:
    out[0] = DO_PASS
    n = 1
    for i in range(1, int(race.behind) + 1):
        if can_drop(race, i):
            out[n] = DO_DROP | put(DROP_SPACE, int(race.path[i]))
            n += 1
    for target in range(CHARIOTS):
        if can_throw(race, tables, target):
            out[n] = DO_THROW | put(THROW_TARGET, target)
            n += 1
    return n


@kernel
def pick_random(race: Race, tables: Tables, seat: int, codes: Codes, n: int, stream: Stream) -> int:
    """Random play needs no bias: chariots always drive forward."""
    return draw(stream, n)
