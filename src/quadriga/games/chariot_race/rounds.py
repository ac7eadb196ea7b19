"""Rounds and turns: their order, their start, the roll, and the end of the race (CR-2 to CR-5, CR-13)."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, tell
from quadriga.core.streams import Stream, roll
from quadriga.games.chariot_race.components import SIDES, Tables
from quadriga.games.chariot_race.damage import Log, has_finished, progress, whole
from quadriga.games.chariot_race.events import (
    NOBODY_WON,
    RACE_STOPPED,
    RACE_WON,
    ROLLED,
    ROUND_BEGAN,
    SLOWED,
    TURN_BEGAN,
    TURN_ENDED,
)
from quadriga.games.chariot_race.state import (
    ALL_WRECKED,
    CHARIOTS,
    DICE,
    FINISHED,
    LIMIT,
    OVER,
    REPAIR,
    REROLL,
    ROLL_DUE,
    STEPS,
    Race,
)

REPAIR_FATE = 3
MOST_REPAIR = 3


@kernel
def begin_round(race: Race, tables: Tables, log: Log) -> None:
    """CR-2: the order of the round, then its first turn."""
    race.rounds += 1
    set_order(race, tables)
    order = race.order
    tell(log, ROUND_BEGAN, EVERYONE, race.rounds, order[0], order[1], order[2], order[3], order[4], order[5])
    begin_turn(race, tables, 0, log)


@kernel
def set_order(race: Race, tables: Tables) -> None:
    """CR-2: furthest ahead first; in the first round by grid place."""
    for i in range(CHARIOTS):
        race.order[i] = NONE
    for chariot in range(CHARIOTS):
        if race.space[chariot] != NONE:
            race.order[chariots_before(race, tables, chariot)] = chariot


@kernel
def chariots_before(race: Race, tables: Tables, chariot: int) -> int:
    """How many chariots take their turn before this one."""
    before = 0
    for other in range(CHARIOTS):
        if race.space[other] != NONE and goes_before(race, tables, other, chariot):
            before += 1
    return before


@kernel
def goes_before(race: Race, tables: Tables, chariot: int, other: int) -> bool:
    if race.rounds == 1:
        return bool(race.place[chariot] < race.place[other])
    return progress(race, tables, chariot) > progress(race, tables, other)


@kernel
def begin_turn(race: Race, tables: Tables, turn: int, log: Log) -> None:
    """The turn of the chariot at a place in the order."""
    race.turn = turn
    chariot = int(race.order[turn])
    race.mover = chariot
    clear_turn(race)
    damage, speed, fate = race.damage[chariot], race.speed[chariot], race.fate[chariot]
    tell(log, TURN_BEGAN, EVERYONE, chariot, race.owner[chariot], race.space[chariot], damage, speed, fate)
    race.phase = REPAIR if can_repair(race, tables, chariot) else ROLL_DUE


@kernel
def clear_turn(race: Race) -> None:
    """Forget the dice and the drive of the turn before."""
    race.steers = 0
    race.attacks = 0
    race.left = 0
    race.driven = 0
    race.behind = 0
    for i in range(STEPS):
        race.path[i] = NONE
    for die in range(DICE):
        race.dice[die] = NONE


@kernel
def can_repair(race: Race, tables: Tables, chariot: int) -> bool:
    """CR-3: 3 fate, and something to repair."""
    return bool(race.fate[chariot] >= REPAIR_FATE and most_repair(race, tables, chariot) > 0)


@kernel
def most_repair(race: Race, tables: Tables, chariot: int) -> int:
    """CR-3: never above the highest value."""
    missing = int(tables.most_damage[race.board[chariot]]) - int(race.damage[chariot])
    return min(MOST_REPAIR, missing)


@kernel
def roll_dice(race: Race, tables: Tables, stream: Stream, log: Log) -> None:
    """CR-4, CR-5: the initial speed, and the dice it gives."""
    chariot = int(race.mover)
    drop_speed(race, tables, chariot, log)
    count = int(tables.dice[race.board[chariot], race.speed[chariot]])
    for die in range(count):
        race.dice[die] = tables.faces[roll(stream, SIDES)]
    dice = race.dice
    tell(log, ROLLED, EVERYONE, chariot, count, dice[0], dice[1], dice[2], dice[3], dice[4])
    race.phase = REROLL


@kernel
def drop_speed(race: Race, tables: Tables, chariot: int, log: Log) -> None:
    """CR-4: no faster than the damage value allows."""
    was = int(race.speed[chariot])
    cap = int(tables.cap[race.board[chariot], race.damage[chariot]])
    if was > cap:
        race.speed[chariot] = cap
        tell(log, SLOWED, EVERYONE, chariot, was, cap, race.damage[chariot])


@kernel
def end_turn(race: Race, tables: Tables, log: Log) -> None:
    """On to the next chariot still in the race, the next round, or the end."""
    chariot = int(race.mover)
    if whole(race, chariot):
        damage, speed, fate = race.damage[chariot], race.speed[chariot], race.fate[chariot]
        tell(log, TURN_ENDED, EVERYONE, chariot, race.space[chariot], damage, speed, fate)
    following = next_turn(race)
    if following != NONE:
        begin_turn(race, tables, following, log)
        return
    race.reason = reason_to_end(race, tables)
    if race.reason == 0:
        begin_round(race, tables, log)
    else:
        end_race(race, tables, log)


@kernel
def next_turn(race: Race) -> int:
    """CR-2: the next place in the order; turns of wrecks are skipped."""
    for turn in range(int(race.turn) + 1, CHARIOTS):
        if race.order[turn] != NONE and whole(race, int(race.order[turn])):
            return turn
    return NONE


@kernel
def reason_to_end(race: Race, tables: Tables) -> int:
    """CR-13: why the race ends with this round, or 0."""
    if leader(race, tables) == NONE:
        return ALL_WRECKED
    for chariot in range(CHARIOTS):
        if has_finished(race, tables, chariot):
            return FINISHED
    if race.rounds >= int(race.limit) * int(tables.laps):
        return LIMIT
    return 0


@kernel
def leader(race: Race, tables: Tables) -> int:
    """The chariot furthest ahead, none if all are wrecked."""
    first = NONE
    for chariot in range(CHARIOTS):
        if race.space[chariot] != NONE:
            if first == NONE or progress(race, tables, chariot) > progress(race, tables, first):
                first = chariot
    return first


@kernel
def end_race(race: Race, tables: Tables, log: Log) -> None:
    """CR-13: tell how it ended."""
    race.phase = OVER
    race.mover = NONE
    clear_turn(race)
    first = leader(race, tables)
    if race.reason == FINISHED:
        tell(log, RACE_WON, EVERYONE, first, race.owner[first], race.space[first])
    elif race.reason == LIMIT:
        tell(log, RACE_STOPPED, EVERYONE, first, race.owner[first], race.rounds)
    else:
        tell(log, NOBODY_WON, EVERYONE)
