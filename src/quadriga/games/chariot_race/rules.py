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
from quadriga.games.chariot_race.attack import drop, give_up, throw
from quadriga.games.chariot_race.choices import Codes, chooser
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import Log
from quadriga.games.chariot_race.dice import go_on_driving, repair, reroll, set_pace, settle_dice, turn_die
from quadriga.games.chariot_race.drive import step
from quadriga.games.chariot_race.rounds import roll_dice
from quadriga.games.chariot_race.start import choose_place, draft
from quadriga.games.chariot_race.state import ATTACK, CHARIOTS, MOVE, SPACES, Race


@kernel
def apply(race: Race, tables: Tables, codes: Codes, stream: Stream, log: Log, scratch: NDArray[np.int64]) -> None:
    """A choice, and all that follows up to the next one."""
    code = int(codes[chooser(race)])
    kind = kind_of(code)
    if kind == DRAFTING:
        draft(race, tables, part(code, DRAFT_CHARIOT), log)
    elif kind == GRIDDING:
        choose_place(race, tables, part(code, GRID_PLACE), stream, log)
    else:
        apply_turn(race, tables, kind, code, stream, log)


@kernel
def apply_turn(race: Race, tables: Tables, kind: int, code: int, stream: Stream, log: Log) -> None:
    """The choices of a turn, in the order of its phases."""
    if kind == REPAIRING:
        repair(race, tables, part(code, REPAIR_POINTS), stream, log)
    elif kind == ROLLING:
        roll_dice(race, tables, stream, log)
    elif kind == REROLLING:
        reroll(race, tables, part(code, REROLL_DICE), stream, log)
    elif kind == TURNING:
        turn_die(race, tables, part(code, TURN_DIE), part(code, TURN_FACE), stream, log)
    elif kind == KEEPING:
        settle_dice(race, tables, stream, log)
    elif kind == PACING:
        set_pace(race, tables, part(code, PACE_PLUS), stream, log)
    elif kind == STEPPING:
        step(race, tables, part(code, STEP_TO), log)
        go_on_driving(race, tables, stream, log)
    else:
        apply_attack(race, tables, kind, code, stream, log)


@kernel
def apply_attack(race: Race, tables: Tables, kind: int, code: int, stream: Stream, log: Log) -> None:
    if kind == DROPPING:
        drop(race, tables, part(code, DROP_SPACE), stream, log)
    elif kind == THROWING:
        throw(race, tables, part(code, THROW_TARGET), stream, log)
    elif kind == PASSING:
        give_up(race, tables, stream, log)


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
