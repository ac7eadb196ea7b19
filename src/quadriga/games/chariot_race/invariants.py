"""What must hold after every step."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.games.chariot_race.choices import chooser
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import occupant
from quadriga.games.chariot_race.dice import DICE_FATE, showing
from quadriga.games.chariot_race.rounds import can_repair
from quadriga.games.chariot_race.setup import chariots_in_race, gridding_chariot
from quadriga.games.chariot_race.state import (
    ATTACK,
    CHARIOTS,
    DICE,
    DRAFT,
    FATE,
    GRID,
    LIMIT,
    MOVE,
    OVER,
    PACE,
    PACE_FACE,
    REPAIR,
    SPACES,
    STEPS,
    Race,
)

INVARIANTS = (
    "",
    "every number is one that the game knows",
    "every caltrop is on the board or in the supply, none off the track",
    "no two chariots stand on one space, unless the mover is passing through",
    "no chariot stands on a heap",
    "a chariot is whole on the track or a wreck off it",
    "wrecks are numbered in the order they fell",
    "damage, speed and fate stay within the chariot's board",
    "every seat has its chariots, and each a grid place once the race runs",
    "turns go to each chariot once, the mover's is due",
    "the dice lie as the phase wants",
    "the path leads from step to step, at most as far as the speed",
    "the phase offers a choice",
    "a race that is over has a reason, one that runs has none",
    "nobody has crossed the line more often than the race has laps, that from the grid besides",
)
(
    RANGES, CALTROPS, ONE_A_SPACE, NO_HEAP, WHOLE_OR_WRECK, WRECK_ORDER, TRACKS, CHARIOTS_OF_SEATS, ORDER, DICE_LIE,
    PATH, CHOICE, REASON, LAPS,
) = range(1, len(INVARIANTS))  # fmt: skip


@kernel
def check(race: Race, tables: Tables, scratch: NDArray[np.int64]) -> int:
    """0, or the number of the invariant that is broken. Ranges come first: the others index by these numbers."""
    if not in_range(race) or not owners_in_range(race):
        return RANGES
    if not caltrops_hold(race, tables):
        return CALTROPS
    broken = check_chariots(race, tables)
    if broken:
        return broken
    if (race.reason != 0) != (race.phase == OVER) or (race.phase == OVER) != (chooser(race) == NONE):
        return REASON
    if race.phase == OVER or race.phase == DRAFT or race.phase == GRID:
        return 0
    return check_turn(race, tables)


@kernel
def in_range(race: Race) -> bool:
    if not 2 <= race.seats <= CHARIOTS or not 0 <= race.track < 4:
        return False
    if not 0 <= race.phase <= OVER or not 0 <= race.reason <= LIMIT or race.rounds < 0:
        return False
    if not 0 <= race.turn < CHARIOTS or not 0 <= race.picks <= CHARIOTS:
        return False
    if not 0 <= race.steers <= DICE or not 0 <= race.attacks <= DICE or not 0 <= race.left < STEPS:
        return False
    return bool(0 <= race.driven <= STEPS and 0 <= race.behind <= max(0, int(race.driven) - 2))


@kernel
def owners_in_range(race: Race) -> bool:
    """Whoever is due to choose has a seat, and every chariot in the race a driver and a board."""
    setting_up = race.phase == DRAFT or race.phase == GRID
    if setting_up and not (0 <= race.opener < race.seats and race.picks < chariots_in_race(race)):
        return False
    if not setting_up and race.phase != OVER and (race.mover == NONE or race.owner[race.mover] == NONE):
        return False
    for chariot in range(CHARIOTS):
        if not NONE <= race.owner[chariot] < race.seats:
            return False
        if race.owner[chariot] != NONE and race.board[chariot] == NONE:
            return False
    return race.phase != GRID or gridding_chariot(race) != NONE


@kernel
def caltrops_hold(race: Race, tables: Tables) -> bool:
    count = int(race.supply)
    for space in range(SPACES):
        if race.caltrop[space] == 1:
            count += 1
            if space >= tables.spaces:
                return False
        elif race.caltrop[space] != 0:
            return False
    return bool(count == tables.caltrops and race.supply >= 0)


@kernel
def check_chariots(race: Race, tables: Tables) -> int:
    owned = 0
    wrecks = 0
    for chariot in range(CHARIOTS):
        if race.owner[chariot] == NONE:
            continue
        owned += 1
        if not within_tracks(race, tables, chariot):
            return TRACKS
        if race.lines[chariot] < 0 or race.lines[chariot] > int(tables.laps) + 1:  # CR-13
            return LAPS
        if race.wreck[chariot] > 0:
            wrecks += 1
        broken = check_space(race, tables, chariot)
        if broken:
            return broken
    if wrecks != race.wrecks or not wrecks_in_order(race):
        return WRECK_ORDER
    return 0 if owners_hold(race, owned) else CHARIOTS_OF_SEATS


@kernel
def within_tracks(race: Race, tables: Tables, chariot: int) -> bool:
    board = race.board[chariot]
    if not 0 <= race.damage[chariot] <= tables.most_damage[board]:
        return False
    if not 0 <= race.speed[chariot] <= tables.most_speed[board]:
        return False
    return bool(0 <= race.fate[chariot] <= tables.most_fate[board])


@kernel
def check_space(race: Race, tables: Tables, chariot: int) -> int:
    """Where the chariot stands, against its wreck, heaps and the others."""
    space = int(race.space[chariot])
    is_wreck = race.damage[chariot] == 0
    if is_wreck != (race.wreck[chariot] > 0) or (is_wreck and space != NONE):
        return WHOLE_OR_WRECK
    if space == NONE:
        return 0 if is_wreck or race.phase == DRAFT or race.phase == GRID else WHOLE_OR_WRECK
    if tables.heap[race.track, space] == 1:
        return NO_HEAP
    rival = occupant(race, space, chariot)
    passing = race.phase == MOVE and (rival == race.mover or chariot == race.mover)
    return 0 if rival == NONE or passing else ONE_A_SPACE


@kernel
def wrecks_in_order(race: Race) -> bool:
    """Each number from 1 to the count of wrecks, once."""
    seen = 0
    for chariot in range(CHARIOTS):
        if race.wreck[chariot] > 0:
            seen |= 1 << int(race.wreck[chariot])
    return bool(seen == (1 << (int(race.wrecks) + 1)) - 2)


@kernel
def owners_hold(race: Race, owned: int) -> bool:
    """CR-1: one chariot each, or two; all of them once the draft is over, each on its own place."""
    if race.phase == DRAFT:
        return bool(owned == race.picks)
    if owned != chariots_in_race(race):
        return False
    places = 0
    for chariot in range(CHARIOTS):
        if race.place[chariot] != NONE:
            places |= 1 << int(race.place[chariot])
    count = 0
    for place in range(CHARIOTS):
        count += places >> place & 1
    return bool(count == (race.picks if race.phase == GRID else owned))


@kernel
def check_turn(race: Race, tables: Tables) -> int:
    if not order_holds(race):
        return ORDER
    if not dice_hold(race):
        return DICE_LIE
    if not path_holds(race, tables):
        return PATH
    return 0 if choice_holds(race, tables) else CHOICE


@kernel
def order_holds(race: Race) -> bool:
    seen = 0
    for turn in range(CHARIOTS):
        if race.order[turn] != NONE:
            if seen >> int(race.order[turn]) & 1:
                return False
            seen |= 1 << int(race.order[turn])
    return bool(race.order[race.turn] == race.mover and race.damage[race.mover] > 0)


@kernel
def dice_hold(race: Race) -> bool:
    """None before the roll, the first few after it."""
    count = DICE - showing(race, NONE)
    for die in range(count):
        if race.dice[die] == NONE:
            return False
    return bool((count == 0) == (race.phase == REPAIR))


@kernel
def path_holds(race: Race, tables: Tables) -> bool:
    """Every step leads ahead or into an adjacent lane; steps made and left add up to the speed."""
    if race.phase != MOVE and race.phase != ATTACK:
        return bool(race.driven == 0 and race.left == 0)
    if race.driven < 1 or race.path[0] == NONE:
        return False
    for i in range(1, int(race.driven)):
        before, space = race.path[i - 1], race.path[i]
        if space == NONE:
            return False
        if space != tables.ahead[before] and space != tables.inward[before] and space != tables.outward[before]:
            return False
    if race.phase == MOVE and race.path[int(race.driven) - 1] != race.space[race.mover]:
        return False
    return bool(int(race.driven) - 1 + int(race.left) == race.speed[race.mover])


@kernel
def choice_holds(race: Race, tables: Tables) -> bool:
    """A player is asked only where there is something to choose."""
    if race.phase == REPAIR:
        return can_repair(race, tables, int(race.mover))
    if race.phase == FATE:
        return bool(race.fate[race.mover] >= DICE_FATE)
    if race.phase == PACE:
        return showing(race, PACE_FACE) > 0
    if race.phase == MOVE:
        return bool(race.left > 0 and race.steers > 0)
    return bool(race.phase != ATTACK or race.attacks > 0)
