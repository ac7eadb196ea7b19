"""How a position that a scenario wrote in part becomes a whole one."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.codec import Names
from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.position import PositionRules
from quadriga.core.streams import Stream
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.state import (
    ATTACK,
    CHARIOTS,
    MOVE,
    SPACES,
    Race,
)


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


def taking_part(race: Race) -> dict[str, set[int]]:
    """The chariots that somebody drives."""
    return {"chariot": {chariot for chariot in range(CHARIOTS) if race.owner[chariot] != NONE}}


def explain(race: Race, tables: Tables, names: Names) -> str | None:
    """Which chariot stands, counts or is driven as it cannot be."""
    running = sorted(taking_part(race)["chariot"])
    for chariot in running:
        name, space, board = names.name("chariot", chariot), race.space[chariot], race.board[chariot]
        for track, values, most_of in (
            ("damage", race.damage, tables.most_damage),
            ("speed", race.speed, tables.most_speed),
            ("fate", race.fate, tables.most_fate),
        ):
            value, most = values[chariot], most_of[board]
            if value > most:
                return f"{name} has {track} {value}, and its board goes to {most}"
        if not 0 <= race.lines[chariot] <= tables.laps + 1:
            return f"{name} has crossed the line {race.lines[chariot]} times, in a race of {tables.laps} laps"
        for other in running[: running.index(chariot)]:
            if space != NONE and race.space[other] == space:
                return f"{names.name('chariot', other)} and {name} stand on {names.name('space', space)}"
        if (race.damage[chariot] == 0) != (race.wreck[chariot] > 0) or (race.damage[chariot] == 0) != (space == NONE):
            return f"{name} has damage {race.damage[chariot]}, wreck {race.wreck[chariot]}, and stands on " + (
                "no space" if space == NONE else str(names.name("space", space))
            )
    laid = int(race.caltrop.sum())
    return f"{laid} caltrops lie on the board, and there are {tables.caltrops}" if laid > tables.caltrops else None


POSITION = PositionRules(
    completes=("supply", "wrecks", "turn", "path", "driven"),
    rest=("supply",),
    taking_part=taking_part,
    explain=explain,
)
