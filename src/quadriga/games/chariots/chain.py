"""Choices of Chariots, id by id: the coins of a plot, the way of a step, the parts of an announcement."""

from quadriga.core.chain import Chain, Ids, spelt_link, spelt_links
from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, part
from quadriga.games.chariots.actions import (
    ANNOUNCE_ACE,
    ANNOUNCE_NULL,
    ANNOUNCE_TARGET,
    CRASH_QUICK,
    DO_ANNOUNCE,
    DO_CRASH,
    DO_KEEP,
    DO_PLOT,
    DO_QUIET,
    DO_RECOVER,
    DO_STAY,
    DO_STEP,
    PLOT_COINS,
    RECOVER_COIN,
    STEP_PUSHED_TO,
    STEP_TO,
)
from quadriga.games.chariots.choices import chariot_asked
from quadriga.games.chariots.components import CHARIOTS, DIAGONAL, FIRST_DIAGONAL_SIDE, ORTHOGONAL, Tables
from quadriga.games.chariots.state import PHASES, Race

WAY_NAMES = (
    "right",
    "right-upper",
    "up",
    "left",
    "left-upper",
    "down",
    "up-right",
    "up-left",
    "down-left",
    "down-right",
)
WAYS = len(WAY_NAMES)
FIRST_DIAGONAL = 6

IDS = (
    Ids(("coin 2", "coin 3", "coin 4", "coin 5"), "plot: the coin of the next phase (CT-2)"),
    Ids(
        WAY_NAMES,
        "step: the square on that side, then where a chariot that stands there is pushed to, seen from its square; "
        "where two squares lie on one side, the plain name is the lower (CT-6, 8, 9)",
    ),
    Ids(("crash", "crash-quick"), "no step; or none, with an ace for a quick recovery (CT-7, CT-12 f)"),
    Ids(("stay",), "give up the extra step (CT-12 a)"),
    Ids(("recover-nothing", "recover-null", "recover-ace"), "the coin to take back (CT-13)"),
    Ids(("swap", "keep"), "swap the coin with the fourth, or not (CT-12 c)"),
    Ids(("without-null", "with-null"), "announce: first what the null coin can do (CT-12 a, b)"),
    Ids(("without-ace", "driver", "horses"), "announce: then the whip (CT-12 d, e)"),
    Ids(("first", "second", "third", "fourth"), "announce: against which chariot, one's own being the first"),
    Ids(("quiet",), "announce nothing for the rest of the phase (CT-12)"),
)
COIN_ID = 0
WAY_ID = COIN_ID + 4
CRASH_ID = WAY_ID + WAYS
STAY_ID = CRASH_ID + 2
RECOVER_ID = STAY_ID + 1
SWAP_ID = RECOVER_ID + 3
NULL_ID = SWAP_ID + 2
ACE_ID = NULL_ID + 2
TARGET_ID = ACE_ID + 3
QUIET_ID = TARGET_ID + CHARIOTS


@kernel
def way(tables: Tables, square: int, to: int) -> int:
    """On which side of a square another lies, as a place in WAY_NAMES."""
    for k in range(ORTHOGONAL):
        if tables.neighbour[square, k] == to:
            side = int(tables.neighbour_side[square, k])
            upper = k > 0 and tables.neighbour_side[square, k - 1] == side
            return side + (side > 0) + (side > 2) + upper
    for k in range(DIAGONAL):
        if tables.corner[square, k] == to:
            return FIRST_DIAGONAL + int(tables.corner_side[square, k]) - FIRST_DIAGONAL_SIDE
    return NONE


@kernel
def spell(race: Race, tables: Tables, seat: int, code: int, place: int) -> int:
    """The id at a place of a choice, none behind its end."""
    kind = kind_of(code)
    if kind == DO_STEP:
        return spell_step(race, tables, seat, code, place)
    if kind == DO_PLOT:
        return COIN_ID + part(code, PLOT_COINS, place) if place < PHASES else NONE
    if kind == DO_ANNOUNCE:
        return spell_announcement(race, seat, code, place)
    if place > 0:
        return NONE
    if kind == DO_CRASH:
        return CRASH_ID + part(code, CRASH_QUICK)
    if kind == DO_STAY:
        return STAY_ID
    if kind == DO_RECOVER:
        return RECOVER_ID + 1 + part(code, RECOVER_COIN)
    if kind == DO_QUIET:
        return QUIET_ID
    return SWAP_ID + (kind == DO_KEEP)


@kernel
def spell_step(race: Race, tables: Tables, seat: int, code: int, place: int) -> int:
    to, pushed_to = part(code, STEP_TO), part(code, STEP_PUSHED_TO)
    if place == 0:
        return WAY_ID + way(tables, int(race.square[chariot_asked(race, seat)]), to)
    return WAY_ID + way(tables, to, pushed_to) if place == 1 and pushed_to != NONE else NONE


@kernel
def spell_announcement(race: Race, seat: int, code: int, place: int) -> int:
    ace, target = part(code, ANNOUNCE_ACE), part(code, ANNOUNCE_TARGET)
    if place == 0:
        return NULL_ID + (part(code, ANNOUNCE_NULL) != NONE)
    if place == 1:
        return ACE_ID + 1 + ace
    return TARGET_ID + (target - seat) % int(race.chariots) if place == 2 and target != NONE else NONE


CHAIN = Chain(race=Race, ids=IDS, links=spelt_links, link=spelt_link, spell=spell)
