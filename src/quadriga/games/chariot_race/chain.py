"""Choices of Chariot Race, id by id: dice one after the other, a caltrop by its place on the drive."""

from quadriga.core.chain import Chain, Ids, spelt_link, spelt_links
from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, part
from quadriga.games.chariot_race.actions import (
    DO_DRAFT,
    DO_DROP,
    DO_GRID,
    DO_KEEP,
    DO_PACE,
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
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.state import CHARIOTS, DICE, FACES, FORTUNA_FACE, STEPS, Public, Race

DRIVEN = STEPS - 1

IDS = (
    Ids(
        tuple(f"draft {n}" for n in range(1, CHARIOTS + 1)),
        "the alternate chariot to take, in the edition's order (CR-1)",
    ),
    Ids(tuple(f"place {n}" for n in range(1, CHARIOTS + 1)), "the grid place for the chariot (CR-1)"),
    Ids(("roll", "repair 1", "repair 2", "repair 3"), "points of damage to repair before the roll (CR-3)"),
    Ids(("keep",), "go on with the dice as they lie (CR-5)"),
    Ids(tuple(f"die {n}" for n in range(1, DICE + 1)), "a die to roll again, then the next; or the die to turn (CR-5)"),
    Ids(("enough",), "roll the dice named so far again"),
    Ids(("turn",), "turn a die for 2 fate: then which, then to which face (CR-5)"),
    Ids(tuple(f"face {face}" for face in FACES[:FORTUNA_FACE]), "the face to turn it to"),
    Ids(tuple(f"plus {n}" for n in range(DICE + 1)), "pace faces used as +1 (CR-7)"),
    Ids(("ahead", "inward", "outward"), "the next space of the drive (CR-8)"),
    Ids(tuple(f"drop {n}" for n in range(1, DRIVEN + 1)), "a caltrop on the n-th space of the drive (CR-12)"),
    Ids(tuple(f"throw {n}" for n in range(1, CHARIOTS + 1)), "a javelin at that chariot of the observation (CR-12)"),
    Ids(("pass",), "attack no more (CR-12)"),
)
DRAFT_ID = 0
PLACE_ID = DRAFT_ID + CHARIOTS
ROLL_ID = PLACE_ID + CHARIOTS
KEEP_ID = ROLL_ID + 4
DIE_ID = KEEP_ID + 1
ENOUGH_ID = DIE_ID + DICE
TURN_ID = ENOUGH_ID + 1
FACE_ID = TURN_ID + 1
PLUS_ID = FACE_ID + FORTUNA_FACE
AHEAD_ID = PLUS_ID + DICE + 1
DROP_ID = AHEAD_ID + 3
THROW_ID = DROP_ID + DRIVEN
PASS_ID = THROW_ID + CHARIOTS


@kernel
def spell(race: Race, tables: Tables, seat: int, code: int, place: int) -> int:
    """The id at a place of a choice, none behind its end."""
    kind = kind_of(code)
    if kind == DO_REROLL:
        return spell_reroll(part(code, REROLL_DICE), place)
    if kind == DO_TURN:
        return spell_turn(code, place)
    if place > 0:
        return NONE
    if kind == DO_STEP:
        return spell_step(race, tables, part(code, STEP_TO))
    if kind == DO_DROP:
        return DROP_ID - 1 + place_driven(race, part(code, DROP_SPACE))
    if kind == DO_THROW:
        return THROW_ID + place_of(race, seat, part(code, THROW_TARGET))
    return spell_plain(kind, code)


@kernel
def spell_plain(kind: int, code: int) -> int:
    """Choices of one id that needs no look at the race."""
    if kind == DO_KEEP:
        return KEEP_ID
    if kind == DO_PACE:
        return PLUS_ID + part(code, PACE_PLUS)
    if kind == DO_ROLL:
        return ROLL_ID
    if kind == DO_REPAIR:
        return ROLL_ID + part(code, REPAIR_POINTS)
    if kind == DO_DRAFT:
        return DRAFT_ID + part(code, DRAFT_CHARIOT)
    return PLACE_ID + part(code, GRID_PLACE) if kind == DO_GRID else PASS_ID


@kernel
def spell_reroll(dice: int, place: int) -> int:
    """The dice ascending, then that they are enough."""
    named = 0
    for die in range(DICE):
        if dice >> die & 1:
            if named == place:
                return DIE_ID + die
            named += 1
    return ENOUGH_ID if named == place else NONE


@kernel
def spell_turn(code: int, place: int) -> int:
    if place == 0:
        return TURN_ID
    if place == 1:
        return DIE_ID + part(code, TURN_DIE)
    return FACE_ID + part(code, TURN_FACE) if place == 2 else NONE


@kernel
def spell_step(race: Race, tables: Tables, to: int) -> int:
    here = race.space[race.mover]
    if to == tables.ahead[here]:
        return AHEAD_ID
    return AHEAD_ID + 1 if to == tables.inward[here] else AHEAD_ID + 2


@kernel
def place_driven(race: Race, space: int) -> int:
    """Which space of the drive this is, from 1; a lane is too long for one to come twice."""
    for i in range(1, STEPS):
        if race.path[i] == space:
            return i
    return NONE


@kernel
def place_of(race: Public, seat: int, chariot: int) -> int:
    """The place of a chariot as a seat sees them: its own first, then seat after seat, those of nobody last."""
    before, rank = 0, rank_of(race, seat, chariot)
    for other in range(CHARIOTS):
        before += rank_of(race, seat, other) < rank
    return before


@kernel
def rank_of(race: Public, seat: int, chariot: int) -> int:
    owner = int(race.owner[chariot])
    return ((owner - seat) % int(race.seats) if owner != NONE else CHARIOTS) * CHARIOTS + chariot


CHAIN = Chain(race=Race, ids=IDS, links=spelt_links, link=spelt_link, spell=spell)
