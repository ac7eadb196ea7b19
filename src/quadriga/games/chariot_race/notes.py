"""What is noted of a race of Chariot Race: damage, fate, and the luck of the dice."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.arena.notes import RACE, Column, Notes
from quadriga.bots.evaluation import VETERAN
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream
from quadriga.games.chariot_race.actions import DO_KEEP
from quadriga.games.chariot_race.components import SIDES
from quadriga.games.chariot_race.evaluation import score
from quadriga.games.chariot_race.events import DAMAGED, REPAIRED, REROLLED, ROLLED, STEPPED, TURNED
from quadriga.games.chariot_race.state import (
    ATTACK_FACE,
    CHARIOTS,
    PACE_FACE,
    SPRINT_FACE,
    STEER_FACE,
    Race,
)

Codes = NDArray[np.int64]

SPACES, DAMAGE, FATE, LUCK = range(4)
WIDTH = LUCK + 1
ROLLS = 1000


@kernel
def worth_of(tables: Any, work: Any, roll: int, dice: int) -> int:
    """What veteran finds the dice of a roll worth, after it has scored; rolls are numbered by their sides."""
    paces, sprints, steers, attacks = 0, 0, 0, 0
    for _ in range(dice):
        face = int(tables.faces[roll % SIDES])
        roll //= SIDES
        paces += face == PACE_FACE
        sprints += face == SPRINT_FACE
        steers += face == STEER_FACE
        attacks += face == ATTACK_FACE
    return int(work.dice_worth[paces, sprints, steers, attacks])


@kernel
def luck_of_roll(race: Race, tables: Any, work: Any, dice: int, out: Codes, scores: Codes, scratch: Codes) -> int:
    """Of a thousand rolls of as many dice, those that veteran finds worse, less those that it finds better."""
    out[0] = DO_KEEP
    score(race, tables, work, race.owner[race.mover], VETERAN, out, 1, scores, scratch)
    rolls, lead = 1, 0
    for _ in range(dice):
        rolls *= SIDES
    for roll in range(rolls):
        worth = worth_of(tables, work, roll, dice)
        lead += int(worth < scores[0]) - int(worth > scores[0])
    return lead * ROLLS // rolls


@kernel
def note(
    races: Any,
    tables: Any,
    work: Any,
    codes: Codes,
    key: Any,
    step: int,
    stream: Stream,
    log: Any,
    silence: Any,
    notes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
) -> None:
    """One step: what its events say, to the seat whose chariot it was."""
    for i in range(1, log[0, 0] + 1):
        event, chariot = log[i, 0], log[i, 2]
        if event == ROLLED:
            luck = luck_of_roll(races[RACE], tables, work, log[i, 3], out, scores, scratch)
            notes[races[RACE].owner[chariot], LUCK] += luck
        elif event == REROLLED:
            notes[races[RACE].owner[chariot], FATE] += log[i, 4]
        elif event == TURNED:
            notes[races[RACE].owner[chariot], FATE] += log[i, 6]
        elif event == REPAIRED:
            notes[races[RACE].owner[chariot], FATE] += log[i, 3]
        elif event == DAMAGED:
            notes[races[RACE].owner[chariot], DAMAGE] += log[i, 3]
        elif event == STEPPED:
            notes[races[RACE].owner[chariot], SPACES] += 1


def boards(game: Game, race: Any, noted: Codes, seat: int) -> str:
    """The chariot boards of a seat."""
    names = game.names.domains["board"]
    return "+".join(
        sorted(names[int(race.board[chariot])] for chariot in range(CHARIOTS) if race.owner[chariot] == seat)
    )


def grid_place(game: Game, race: Any, noted: Codes, seat: int) -> int:
    """The foremost grid place of a seat, from 1."""
    return 1 + min(int(race.place[chariot]) for chariot in range(CHARIOTS) if race.owner[chariot] == seat)


NOTES = Notes(
    race=Race,
    width=WIDTH,
    note=note,
    columns=(
        Column("chariot", str, boards),
        Column("grid", int, grid_place),
        Column("crossings", int, lambda game, race, noted, seat: int(race.lines[race.owner == seat].max())),
        Column("spaces", int, lambda game, race, noted, seat: int(noted[SPACES])),
        Column("damage", int, lambda game, race, noted, seat: int(noted[DAMAGE])),
        Column("wrecks", int, lambda game, race, noted, seat: int((race.wreck[race.owner == seat] > 0).sum())),
        Column("tokens", int, lambda game, race, noted, seat: int(noted[FATE])),
        Column("luck", float, lambda game, race, noted, seat: round(int(noted[LUCK]) / ROLLS, 2)),
    ),
    stretch="rounds",
    words={
        "chariot": ("chariot", "The chariot boards that a seat drove."),
        "grid": ("grid place", "The foremost place of a seat on the grid."),
        "damage": ("damage taken", "Points of damage that a seat's chariots took in the whole race."),
        "tokens": ("fate spent", "Fate that a seat spent on repairs, re-rolls and turned dice."),
        "luck": (
            "luck",
            "The first roll of each turn: the share of all rolls of as many dice that the veteran finds worse, less "
            "the share that it finds better; summed over the race.",
        ),
    },
)
