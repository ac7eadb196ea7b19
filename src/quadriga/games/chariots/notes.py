"""What is noted of a race of Chariots: crashes, coins, and the luck of the control rolls."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.arena.notes import BEFORE, RACE, Column, Notes
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream
from quadriga.games.chariots.components import FACES
from quadriga.games.chariots.events import COIN_EXPOSED, CONTROL_ROLLED, CRASHED, PUSHED, STEPPED
from quadriga.games.chariots.state import Race

Codes = NDArray[np.int64]

SQUARES, CRASHES, PUSHED_ASIDE, COINS, ROLLS, LUCK = range(6)
WIDTH = LUCK + 1


@kernel
def exposed_speed(log: Any, before: int, chariot: int) -> int:
    """The speed that the chariot's coin showed, before a row of the log."""
    speed = 0
    for i in range(1, before):
        if log[i, 0] == COIN_EXPOSED and log[i, 2] == chariot:
            speed = log[i, 3]
    return speed


@kernel
def note_coins(before: Race, after: Race, notes: Codes) -> None:
    """Coins that were in hand and are spent."""
    for chariot in range(after.chariots):
        spent = int(before.null_coin[chariot] > after.null_coin[chariot])
        spent += int(before.ace_coin[chariot] > after.ace_coin[chariot])
        notes[chariot % int(after.seats), COINS] += spent


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
    seats = int(races[RACE].seats)
    note_coins(races[BEFORE], races[RACE], notes)
    for i in range(1, log[0, 0] + 1):
        event, seat = log[i, 0], log[i, 2] % seats
        if event == CONTROL_ROLLED:
            lowest = int(tables.control[exposed_speed(log, i, log[i, 2])])
            notes[seat, ROLLS] += 1
            notes[seat, LUCK] += FACES * log[i, 4] - (FACES - lowest)
        elif event == STEPPED:
            notes[seat, SQUARES] += 1
        elif event == CRASHED:
            notes[seat, CRASHES] += 1
        elif event == PUSHED:
            notes[seat, PUSHED_ASIDE] += 1


NOTES = Notes(
    race=Race,
    width=WIDTH,
    note=note,
    columns=(
        Column("laps", int, lambda game, race, noted, seat: int(race.best[seat :: int(race.seats)].max())),
        Column("spaces", int, lambda game, race, noted, seat: int(noted[SQUARES])),
        Column("damage", int, lambda game, race, noted, seat: int(noted[CRASHES])),
        Column("pushed", int, lambda game, race, noted, seat: int(noted[PUSHED_ASIDE])),
        Column("tokens", int, lambda game, race, noted, seat: int(noted[COINS])),
        Column("control_rolls", int, lambda game, race, noted, seat: int(noted[ROLLS])),
        Column("luck", float, lambda game, race, noted, seat: round(int(noted[LUCK]) / FACES, 2)),
    ),
    stretch="phases",
    words={
        "damage": ("crashes", "How often a seat's chariots crashed."),
        "tokens": ("coins spent", "Null and ace coins that a seat had in hand before a step and not after it."),
        "luck": (
            "luck",
            "Control rolls that held, less the number to be expected of the same rolls; summed over the race.",
        ),
    },
)
