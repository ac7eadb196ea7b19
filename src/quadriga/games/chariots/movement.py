"""Chariots on the track: who stands where, what a move over the line means, pushes, steps and crashes."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, part, tell
from quadriga.games.chariots.actions import STEP_NULL, STEP_PUSHED_TO, STEP_TO
from quadriga.games.chariots.components import AFTER_LINE, BEFORE_LINE, DIAGONAL, IMPULSES, ORTHOGONAL, SQUARES, Tables
from quadriga.games.chariots.events import (
    COINS_RETURNED,
    CRASHED,
    FINISHED,
    LAP_FINISHED,
    LINE_CROSSED,
    PUSHED,
    RACE_ENDED,
    STEPPED,
)
from quadriga.games.chariots.state import OVER, WON, Public, Race

Log = NDArray[np.int32]


@kernel
def has(mask: int, chariot: int) -> bool:
    return (mask >> chariot) & 1 == 1


@kernel
def seat_of(race: Public, chariot: int) -> int:
    """The seat that drives a chariot. (The same as the remainder, without a division.)"""
    return chariot if chariot < race.seats else chariot - int(race.seats)


@kernel
def pair_of(race: Public, chariot: int) -> int:
    """Which of its player's chariots it is, 0 or 1, as `pair` counts them."""
    return 1 if chariot >= race.seats else 0


@kernel
def chariot_on(race: Public, square: int) -> int:
    """The chariot on a square, -1 if it is free."""
    for chariot in range(race.chariots):
        if race.square[chariot] == square:
            return chariot
    return -1


@kernel
def on_track(race: Race, chariot: int) -> bool:
    return race.square[chariot] >= 0


@kernel
def advance(race: Public, chariot: int) -> int:
    """CT-5: how far along a chariot is; squares are numbered in running order."""
    return int(race.lines[chariot]) * SQUARES + int(race.square[chariot])


@kernel
def may_enter(race: Public, tables: Tables, chariot: int, square: int) -> bool:
    """CT-6: without control no inside square."""
    return race.control[chariot] == 1 or tables.inside[square] == 0


@kernel
def crossing(tables: Tables, start: int, to: int) -> int:
    """1 for a step over the line, -1 for one back over it."""
    if tables.gate[start] == BEFORE_LINE and tables.gate[to] == AFTER_LINE:
        return 1
    return -1 if tables.gate[start] == AFTER_LINE and tables.gate[to] == BEFORE_LINE else 0


@kernel
def steps_left(race: Public, tables: Tables, chariot: int) -> int:
    """Steps after this one that the phase still gives."""
    left = 0
    for impulse in range(race.impulse + 1, IMPULSES + 1):
        left += int(tables.moves[race.speed[chariot], impulse])
    return left


@kernel
def direction(tables: Tables, start: int, to: int) -> int:
    """The side of `start` on which `to` lies."""
    for k in range(ORTHOGONAL):
        if tables.neighbour[start, k] == to:
            return int(tables.neighbour_side[start, k])
    for k in range(DIAGONAL):
        if tables.corner[start, k] == to:
            return int(tables.corner_side[start, k])
    return -1


@kernel
def end_race(race: Race, reason: int, log: Log) -> None:
    race.stage = OVER
    race.asking = 0
    race.reason = reason
    tell(log, RACE_ENDED, EVERYONE, reason - 1)


@kernel
def finish(race: Race, chariot: int, log: Log) -> None:
    """CT-11: stop at the winner, or race on while more than one chariot is left."""
    race.finished += 1
    race.place[chariot] = race.finished
    tell(log, FINISHED, EVERYONE, chariot, race.finished)
    if race.race_on == 0:
        end_race(race, WON, log)
        return
    race.square[chariot] = -1
    if race.chariots - race.finished <= 1:
        end_race(race, WON, log)


@kernel
def finish_lap(race: Race, chariot: int, log: Log) -> None:
    """CT-10: coins come back with a lap not finished before."""
    if race.lines[chariot] <= race.best[chariot]:
        return
    race.best[chariot] = race.lines[chariot]
    tell(log, LAP_FINISHED, EVERYONE, chariot, race.best[chariot])
    spent = race.null_coin[chariot] == 0 or race.ace_coin[chariot] == 0
    if race.faster_recovery == 0 and spent:  # CT-13
        race.null_coin[chariot] = 1
        race.ace_coin[chariot] = 1
        tell(log, COINS_RETURNED, EVERYONE, chariot)
    if race.lines[chariot] == race.laps and race.place[chariot] == 0:
        finish(race, chariot, log)


@kernel
def cross_line(race: Race, tables: Tables, chariot: int, start: int, log: Log) -> None:
    """CT-10: what coming from `start` means for the line count: by a step and by a push alike."""
    to = race.square[chariot]
    if tables.gate[start] == BEFORE_LINE and tables.gate[to] == AFTER_LINE:
        race.lines[chariot] += 1
        tell(log, LINE_CROSSED, EVERYONE, chariot, 1, race.lines[chariot])
    elif tables.gate[start] == AFTER_LINE and tables.gate[to] == BEFORE_LINE:
        race.lines[chariot] -= 1
        tell(log, LINE_CROSSED, EVERYONE, chariot, 0, race.lines[chariot])


@kernel
def take_step(race: Race, tables: Tables, chariot: int, code: int, log: Log) -> None:
    """CT-6, CT-8: a chosen step, with the coins it costs. Both chariots of a push stand before the line is looked at,
    and both line counts are told before a lap is finished: the end of a race is the last event."""
    start, to = int(race.square[chariot]), part(code, STEP_TO)
    null, pushed_to = part(code, STEP_NULL), part(code, STEP_PUSHED_TO)
    if null >= 0:
        race.null_coin[chariot] = 0
    pushed = chariot_on(race, to)
    if pushed >= 0:  # CT-9: it keeps its speed, control, crash and remaining steps
        race.ace_coin[chariot] = 0
        race.square[pushed] = pushed_to
        tell(log, PUSHED, EVERYONE, pushed, chariot, to, pushed_to)
    race.square[chariot] = to
    race.side[chariot] = direction(tables, start, to)
    tell(log, STEPPED, EVERYONE, chariot, start, to, null)
    if pushed >= 0:
        cross_line(race, tables, pushed, to, log)
    cross_line(race, tables, chariot, start, log)
    if pushed >= 0:
        finish_lap(race, pushed, log)
    finish_lap(race, chariot, log)


@kernel
def impulses_left(race: Race, tables: Tables, chariot: int) -> bool:
    for impulse in range(race.impulse + 1, IMPULSES + 1):
        if tables.moves[race.speed[chariot], impulse]:
            return True
    return False


@kernel
def crash(race: Race, tables: Tables, chariot: int, quick: int, log: Log) -> None:
    """CT-7: loses what is left of the phase, or the start of the next; CT-12 f: one impulse."""
    stunned = 0
    if quick:
        race.ace_coin[chariot] = 0
        race.skips[chariot] = 1
    else:
        race.crashed[chariot] = 1
        stunned = 0 if impulses_left(race, tables, chariot) else 1
        race.stunned[chariot] = stunned
    tell(log, CRASHED, EVERYONE, chariot, race.square[chariot], quick, stunned)
