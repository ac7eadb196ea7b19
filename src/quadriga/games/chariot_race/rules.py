"""The rules as core calls them: one choice after another."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, part
from quadriga.core.streams import Stream, draw
from quadriga.games.chariot_race.actions import (
    DRAFT_CHARIOT,
    DRAFTING,
    DROP_SPACE,
    DROPPING,
    GRID_PLACE,
    GRIDDING,
    KEEPING,
    PACE_PLUS,
    PACING,
    PASSING,
    REPAIR_POINTS,
    REPAIRING,
    REROLL_DICE,
    REROLLING,
    ROLLING,
    STEP_TO,
    STEPPING,
    THROW_TARGET,
    THROWING,
    TURN_DIE,
    TURN_FACE,
    TURNING,
)
from quadriga.games.chariot_race.attack import drop, give_up, strike, throw
from quadriga.games.chariot_race.choices import Codes, chooser
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import Log
from quadriga.games.chariot_race.dice import repair, reroll, set_pace, settle_dice, turn_die
from quadriga.games.chariot_race.drive import drive, step
from quadriga.games.chariot_race.rounds import end_turn, roll_dice
from quadriga.games.chariot_race.start import choose_place, draft
from quadriga.games.chariot_race.state import (
    ATTACK,
    CHARIOTS,
    DICE_STAND,
    DRIVING,
    MOVE,
    ROLL_DUE,
    SPACES,
    STRIKING,
    TURN_OVER,
    Race,
)


@kernel
def apply(race: Race, tables: Tables, codes: Codes, stream: Stream, log: Log, scratch: NDArray[np.int64]) -> None:
    """A choice, and all that follows up to the next one."""
    code = int(codes[chooser(race)])
    kind = kind_of(code)
    if kind in (DRAFTING, GRIDDING):
        apply_start(race, tables, kind, code, log)
    elif kind in (DROPPING, THROWING, PASSING):
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
    if kind == DRAFTING:
        draft(race, tables, part(code, DRAFT_CHARIOT), log)
    else:
        choose_place(race, tables, part(code, GRID_PLACE), log)


@kernel
def apply_turn(race: Race, tables: Tables, kind: int, code: int, stream: Stream, log: Log) -> None:
    """The choices of a turn up to the drive, in the order of its phases."""
    if kind == REPAIRING:
        repair(race, part(code, REPAIR_POINTS), log)
    elif kind == ROLLING:
        race.phase = ROLL_DUE
    elif kind == REROLLING:
        reroll(race, tables, part(code, REROLL_DICE), stream, log)
    elif kind == TURNING:
        turn_die(race, part(code, TURN_DIE), part(code, TURN_FACE), log)
    elif kind == KEEPING:
        race.phase = DICE_STAND
    elif kind == PACING:
        set_pace(race, tables, part(code, PACE_PLUS), log)
    elif kind == STEPPING:
        step(race, tables, part(code, STEP_TO), log)


@kernel
def apply_attack(race: Race, tables: Tables, kind: int, code: int, log: Log) -> None:
    if kind == DROPPING:
        drop(race, part(code, DROP_SPACE), log)
    elif kind == THROWING:
        throw(race, part(code, THROW_TARGET), log)
    else:
        give_up(race, log)


@kernel
def wander(race: Race, tables: Tables, seat: int, codes: Codes, n: int, stream: Stream) -> int:
    """Random play needs no bias: chariots always drive forward."""
    return draw(stream, n)


@kernel
def settle(race: Race, tables: Tables, stream: Stream, scratch: NDArray[np.int64]) -> None:
    """Make a position that names chariots and caltrops whole: supply, wrecks, the turn, and where a drive began."""
    race.supply = tables.caltrops
    for space in range(SPACES):
        race.supply -= race.caltrop[space]
    race.wrecks = 0
    for i in range(CHARIOTS):
        race.wrecks += race.wreck[i] > 0
        if race.mover != NONE and race.order[i] == race.mover:
            race.turn = i
    if race.driven == 0 and (race.phase == MOVE or race.phase == ATTACK):
        race.path[0] = race.space[race.mover]
        race.driven = 1
