"""Why a choice of Chariots is not allowed."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, part
from quadriga.games.chariots.actions import (
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
    INSIDE_USE,
    RECOVER_COIN,
    STEP_NULL,
    STEP_PUSHED_TO,
    STEP_TO,
)
from quadriga.games.chariots.choices import chariot_asked, driven_diagonally, has_free_step, legal, way_open
from quadriga.games.chariots.components import FIRST_DIAGONAL_SIDE, Tables
from quadriga.games.chariots.events import (
    BAD_PUSH,
    COIN_IN_HAND,
    COINS_NOT_PLOTTED,
    MUST_MOVE,
    NO_ACE_COIN,
    NO_CONTROL,
    NO_NULL_COIN,
    NOBODY_TO_PUSH,
    NOT_ANNOUNCED,
    NOT_BESIDE,
    NOT_DIAGONAL,
    NOT_NOW,
    OTHER_WAY,
    SQUARE_TAKEN,
)
from quadriga.games.chariots.movement import chariot_on, direction, has, may_enter
from quadriga.games.chariots.state import ANNOUNCE, MOVE, PLOT, RECOVER, SWAP, Race

Codes = NDArray[np.int64]


@kernel
def stage_of(kind: int) -> int:
    """The stage in which a kind of action is chosen."""
    if kind == DO_PLOT:
        return PLOT
    if kind == DO_STEP or kind == DO_CRASH or kind == DO_STAY:
        return MOVE
    if kind == DO_ANNOUNCE or kind == DO_QUIET:
        return ANNOUNCE
    if kind == DO_SWAP or kind == DO_KEEP:
        return SWAP
    return RECOVER if kind == DO_RECOVER else -1


@kernel
def refuse_way(race: Race, tables: Tables, chariot: int, to: int, null: int, why: Codes) -> int:
    """CT-6, CT-8, CT-12 d: whether the square can be reached at all."""
    why[0] = to
    side = direction(tables, int(race.square[chariot]), to) if to >= 0 else -1
    if side >= 0 and not way_open(race, chariot, side):
        why[0] = race.side[chariot]
        return OTHER_WAY
    diagonal = side >= FIRST_DIAGONAL_SIDE and not driven_diagonally(race, chariot)
    if null == DIAGONAL_USE and not diagonal:
        return NOT_DIAGONAL if side < FIRST_DIAGONAL_SIDE else NO_NULL_COIN
    return NOT_BESIDE if side < 0 or (diagonal and null != DIAGONAL_USE) else 0


@kernel
def refuse_step(race: Race, tables: Tables, chariot: int, code: int, why: Codes) -> int:
    """CT-6 to CT-9, the first thing that is wrong with a step."""
    to, null, pushed_to = part(code, STEP_TO), part(code, STEP_NULL), part(code, STEP_PUSHED_TO)
    reason = refuse_way(race, tables, chariot, to, null, why)
    if reason:
        return reason
    enters = may_enter(race, tables, chariot, to)
    if null >= 0 and (race.null_coin[chariot] == 0 or (null == INSIDE_USE and enters)):
        return NO_NULL_COIN
    why[0] = to
    if not enters and null != INSIDE_USE:
        return NO_CONTROL
    rival = chariot_on(race, to)
    if rival < 0:
        return NOBODY_TO_PUSH if pushed_to >= 0 else 0
    if race.ace_coin[chariot] == 0:
        return NO_ACE_COIN
    why[1] = rival
    if pushed_to < 0:
        return SQUARE_TAKEN
    why[0] = pushed_to
    return BAD_PUSH


@kernel
def refuse_other(race: Race, tables: Tables, chariot: int, code: int, why: Codes, scratch: Codes) -> int:
    kind = kind_of(code)
    if kind == DO_PLOT:
        return COINS_NOT_PLOTTED
    if kind == DO_ANNOUNCE:
        return NOT_ANNOUNCED
    if kind == DO_RECOVER:
        why[0] = part(code, RECOVER_COIN)
        return COIN_IN_HAND
    if has_free_step(race, tables, chariot):
        return MUST_MOVE
    if kind == DO_CRASH and race.special_actions and not has(race.extra, chariot):
        return NO_ACE_COIN  # CT-12 f
    why[0] = race.stage
    return NOT_NOW


@kernel
def refusal(race: Race, tables: Tables, seat: int, code: int, why: Codes, scratch: Codes) -> int:
    """The contract's refusal: 0 for what is on the list."""
    n = legal(race, tables, seat, scratch, scratch)
    for i in range(n):
        if scratch[i] == code:
            return 0
    chariot = chariot_asked(race, seat)
    if chariot < 0 or stage_of(kind_of(code)) != race.stage:
        why[0] = race.stage
        return NOT_NOW
    if kind_of(code) == DO_STEP:
        reason = refuse_step(race, tables, chariot, code, why)
        return reason if reason else NOT_BESIDE
    return refuse_other(race, tables, chariot, code, why, scratch)
