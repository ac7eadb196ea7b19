"""The rules as core calls them: one choice after another."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, part
from quadriga.core.streams import Stream
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
from quadriga.games.chariot_race.attack import drop, give_up, strike, throw
from quadriga.games.chariot_race.choices import Codes, chooser
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import Log
from quadriga.games.chariot_race.dice import repair, reroll, set_pace, settle_dice, turn_die
from quadriga.games.chariot_race.drive import drive, step
from quadriga.games.chariot_race.rounds import end_turn, roll_dice
from quadriga.games.chariot_race.setup import choose_place, draft
from quadriga.games.chariot_race.state import (
    DICE_STAND,
    DRIVING,
    ROLL_DUE,
    STRIKING,
    TURN_OVER,
    Race,
)


@kernel
def apply(race: Race, tables: Tables, codes: Codes, stream: Stream, log: Log, scratch: NDArray[np.int64]) -> None:
    """A choice, and all that follows up to the next one."""
    code = int(codes[chooser(race)])
    kind = kind_of(code)
    if kind in (DO_DRAFT, DO_GRID):
        apply_start(race, tables, kind, code, log)
    elif kind in (DO_DROP, DO_THROW, DO_PASS):
        apply_attack(race, tables, kind, code, log)
    else:
        apply_turn(race, tables, kind, code, stream, log)
    go_on(race, tables, stream, log)


@kernel
def go_on(race: Race, tables: Tables, stream: Stream, log: Log) -> None:
    """The parts of a turn that need no choice, in their order; each leads to a later one or to a choice."""
    if race.phase == DICE_STAND:
        settle_dice(race, tables, log)
    if race.phase == DRIVING:
        drive(race, tables, log)
    if race.phase == STRIKING:
        strike(race, tables, log)
    if race.phase == TURN_OVER:
        end_turn(race, tables, log)
    if race.phase == ROLL_DUE:
        roll_dice(race, tables, stream, log)


@kernel
def apply_start(race: Race, tables: Tables, kind: int, code: int, log: Log) -> None:
    if kind == DO_DRAFT:
        draft(race, tables, part(code, DRAFT_CHARIOT), log)
    else:
        choose_place(race, tables, part(code, GRID_PLACE), log)


@kernel
def apply_turn(race: Race, tables: Tables, kind: int, code: int, stream: Stream, log: Log) -> None:
    """The choices of a turn up to the drive, in the order of its phases."""
    if kind == DO_REPAIR:
        repair(race, part(code, REPAIR_POINTS), log)
    elif kind == DO_ROLL:
        race.phase = ROLL_DUE
    elif kind == DO_REROLL:
        reroll(race, tables, part(code, REROLL_DICE), stream, log)
    elif kind == DO_TURN:
        turn_die(race, part(code, TURN_DIE), part(code, TURN_FACE), log)
    elif kind == DO_KEEP:
        race.phase = DICE_STAND
    elif kind == DO_PACE:
        set_pace(race, tables, part(code, PACE_PLUS), log)
    elif kind == DO_STEP:
        step(race, tables, part(code, STEP_TO), log)


@kernel
def apply_attack(race: Race, tables: Tables, kind: int, code: int, log: Log) -> None:
    if kind == DO_DROP:
        drop(race, part(code, DROP_SPACE), log)
    elif kind == DO_THROW:
        throw(race, part(code, THROW_TARGET), log)
    else:
        give_up(race, log)
