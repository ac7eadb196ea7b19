"""Why a choice is not allowed: each kernel gives 0, or a refusal's number with its parameters in `why`."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, part
from quadriga.games.chariot_race import events as e
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
from quadriga.games.chariot_race.choices import chooser, on_place, rolled_dice
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import is_sheltered
from quadriga.games.chariot_race.dice import DICE_FATE, showing
from quadriga.games.chariot_race.rounds import most_repair
from quadriga.games.chariot_race.state import (
    ATTACK,
    CHARIOTS,
    DRAFT,
    FATE,
    FORTUNA_FACE,
    GRID,
    MOVE,
    PACE,
    PACE_FACE,
    REPAIR,
    REROLL,
    Race,
)

Why = NDArray[np.int64]


@kernel
def refusal(race: Race, tables: Tables, seat: int, code: int, why: Why, scratch: NDArray[np.int64]) -> int:
    """0 if the seat may choose this now."""
    kind = kind_of(code)
    if seat != chooser(race) or not is_due(int(race.phase), kind):
        return because(why, e.NOT_NOW, int(race.phase))
    if kind == DO_DRAFT:
        return refuse_draft(race, part(code, DRAFT_CHARIOT), why)
    if kind == DO_GRID:
        return refuse_place(race, part(code, GRID_PLACE), why)
    if kind == DO_REPAIR:
        return refuse_repair(race, tables, part(code, REPAIR_POINTS), why)
    if kind == DO_REROLL:
        return refuse_reroll(race, part(code, REROLL_DICE), why)
    if kind == DO_TURN:
        return refuse_turn(race, part(code, TURN_DIE), part(code, TURN_FACE), why)
    if kind == DO_PACE:
        return refuse_pace(race, part(code, PACE_PLUS), why)
    if kind == DO_STEP:
        return refuse_step(race, tables, part(code, STEP_TO), why)
    if kind == DO_DROP:
        return refuse_drop(race, tables, part(code, DROP_SPACE), why)
    if kind == DO_THROW:
        return refuse_throw(race, tables, part(code, THROW_TARGET), why)
    return 0


@kernel
def because(why: Why, reason: int, a: int = 0, b: int = 0) -> int:
    why[0] = a
    why[1] = b
    return reason


@kernel
def is_due(phase: int, kind: int) -> bool:
    """Whether a kind of choice belongs to the phase."""
    if kind in (DO_ROLL, DO_REPAIR):
        return phase == REPAIR
    if kind in (DO_REROLL, DO_TURN, DO_KEEP):
        return phase in (REROLL, FATE)
    if kind in (DO_DROP, DO_THROW, DO_PASS):
        return phase == ATTACK
    if kind == DO_STEP:
        return phase == MOVE
    if kind == DO_PACE:
        return phase == PACE
    if kind == DO_GRID:
        return phase == GRID
    return kind == DO_DRAFT and phase == DRAFT


@kernel
def refuse_draft(race: Race, chariot: int, why: Why) -> int:
    if not 0 <= chariot < CHARIOTS:
        return e.NO_SUCH_THING
    if race.owner[chariot] != NONE:
        return because(why, e.CHARIOT_TAKEN, chariot, int(race.owner[chariot]))
    return 0


@kernel
def refuse_place(race: Race, place: int, why: Why) -> int:
    if not 0 <= place < CHARIOTS:
        return e.NO_SUCH_THING
    if on_place(race, place) != NONE:
        return because(why, e.PLACE_TAKEN, place, on_place(race, place))
    return 0


@kernel
def refuse_repair(race: Race, tables: Tables, points: int, why: Why) -> int:
    most = most_repair(race, tables, int(race.mover))
    if not 1 <= points <= most:
        return because(why, e.TOO_MUCH_REPAIR, points, most)
    return 0


@kernel
def refuse_reroll(race: Race, dice: int, why: Why) -> int:
    """In the phases of dice there is fate enough, or the re-roll is free."""
    if dice <= 0:
        return e.NO_DICE
    if dice >> rolled_dice(race) != 0:
        return because(why, e.NOT_ROLLED, rolled_dice(race))
    return 0


@kernel
def refuse_turn(race: Race, die: int, face: int, why: Why) -> int:
    if die == NONE or face == NONE:
        return e.NO_SUCH_THING
    if die >= rolled_dice(race):
        return because(why, e.NOT_ROLLED, rolled_dice(race))
    if race.fate[race.mover] < DICE_FATE:
        return because(why, e.TOO_LITTLE_FATE, DICE_FATE, int(race.fate[race.mover]))
    if face >= FORTUNA_FACE:
        return e.FORTUNA_NOT_GIVEN
    if race.dice[die] == face:
        return because(why, e.FACE_SHOWN, die, face)
    return 0


@kernel
def refuse_pace(race: Race, plus: int, why: Why) -> int:
    paces = showing(race, PACE_FACE)
    if plus > paces:
        return because(why, e.TOO_MANY_PLUS, plus, paces)
    return 0


@kernel
def refuse_step(race: Race, tables: Tables, to: int, why: Why) -> int:
    """In the phase of steps there is always a steer left."""
    here = int(race.space[race.mover])
    if to == NONE:
        return e.NO_SUCH_THING
    if to != tables.ahead[here] and to != tables.inward[here] and to != tables.outward[here]:
        return because(why, e.NOT_AHEAD, to, here)
    return 0


@kernel
def refuse_drop(race: Race, tables: Tables, space: int, why: Why) -> int:
    """CR-12: `at` is the space's place on the path."""
    if not 0 <= space < tables.spaces:
        return e.NO_SUCH_THING
    at = place_on_path(race, space)
    if at == NONE:
        return because(why, e.NOT_DRIVEN, space)
    if at == 0:
        return because(why, e.START_SPACE, space)
    if at == int(race.driven) - 1:
        return because(why, e.END_SPACE, space)
    if at > race.behind:
        return because(why, e.NOT_BEHIND, space)
    if race.supply == 0:
        return e.NO_SUPPLY
    if race.caltrop[space] == 1:
        return because(why, e.CALTROP_THERE, space)
    return 0


@kernel
def place_on_path(race: Race, space: int) -> int:
    for i in range(race.driven):
        if race.path[i] == space:
            return i
    return NONE


@kernel
def refuse_throw(race: Race, tables: Tables, target: int, why: Why) -> int:
    if not 0 <= target < CHARIOTS:
        return e.NO_SUCH_THING
    if target == race.mover:
        return because(why, e.ITSELF, target)
    if race.space[target] == NONE:
        return because(why, e.NOT_IN_RACE, target)
    if is_sheltered(race, tables, target):
        return because(why, e.SHELTERED, target)
    if tables.near[race.space[race.mover], race.space[target]] == 0:
        return because(why, e.OUT_OF_RANGE, target, int(race.space[target]))
    return 0
