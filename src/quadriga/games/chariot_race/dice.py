"""The dice: repair, re-rolls, turned dice, Fortuna and the speed they give (CR-3, CR-5 to CR-7)."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, tell
from quadriga.core.streams import Stream, roll
from quadriga.games.chariot_race.components import SIDES, Tables
from quadriga.games.chariot_race.damage import Log, clear, hurt, whole
from quadriga.games.chariot_race.drive import set_out
from quadriga.games.chariot_race.events import FAVOURED, PACED, REPAIRED, REROLLED, TURNED
from quadriga.games.chariot_race.rounds import REPAIR_FATE
from quadriga.games.chariot_race.state import (
    ATTACK_FACE,
    BY_SPRINT,
    DICE,
    DICE_STAND,
    FATE,
    FORTUNA_FACE,
    PACE,
    PACE_FACE,
    REROLL,
    ROLL_DUE,
    SPRINT_FACE,
    STEER_FACE,
    TURN_OVER,
    Race,
)

DICE_FATE = 2
SPRINT_SPEED = 2
SPRINT_DAMAGE = 1


@kernel
def repair(race: Race, points: int, log: Log) -> None:
    """CR-3: once a turn: the roll follows."""
    chariot = int(race.mover)
    race.fate[chariot] -= REPAIR_FATE
    race.damage[chariot] += points
    tell(log, REPAIRED, EVERYONE, chariot, REPAIR_FATE, race.fate[chariot], points, race.damage[chariot])
    race.phase = ROLL_DUE


@kernel
def reroll(race: Race, tables: Tables, dice: int, stream: Stream, log: Log) -> None:
    """CR-5: the first re-roll is free, unless fate was spent before it."""
    chariot = int(race.mover)
    spent = 0 if race.phase == REROLL else DICE_FATE
    race.fate[chariot] -= spent
    for die in range(DICE):
        if dice >> die & 1:
            race.dice[die] = tables.faces[roll(stream, SIDES)]
    d = race.dice
    tell(log, REROLLED, EVERYONE, chariot, dice, spent, race.fate[chariot], d[0], d[1], d[2], d[3], d[4])
    go_on_with_dice(race)


@kernel
def turn_die(race: Race, die: int, face: int, log: Log) -> None:
    """CR-5: for fate, and the free re-roll is lost."""
    chariot = int(race.mover)
    was = int(race.dice[die])
    race.fate[chariot] -= DICE_FATE
    race.dice[die] = face
    tell(log, TURNED, EVERYONE, chariot, die, was, face, DICE_FATE, race.fate[chariot])
    go_on_with_dice(race)


@kernel
def go_on_with_dice(race: Race) -> None:
    """CR-5: as long as fate lasts; what Fortuna gives this turn does not count yet."""
    race.phase = FATE if race.fate[race.mover] >= DICE_FATE else DICE_STAND


@kernel
def showing(race: Race, face: int) -> int:
    """How many dice show a face."""
    count = 0
    for die in range(DICE):
        if race.dice[die] == face:
            count += 1
    return count


@kernel
def settle_dice(race: Race, tables: Tables, log: Log) -> None:
    """CR-6, CR-7: Fortuna's favour, the toll of sprints, then the choice of pace if there is one."""
    chariot = int(race.mover)
    take_favour(race, tables, chariot, log)
    sprints = showing(race, SPRINT_FACE)
    if sprints > 0:
        hurt(race, chariot, sprints * SPRINT_DAMAGE, BY_SPRINT, NONE, log)
    if not whole(race, chariot):
        clear(race, chariot, log)
        race.phase = TURN_OVER
    elif showing(race, PACE_FACE) > 0:
        race.phase = PACE
    else:
        set_pace(race, tables, 0, log)


@kernel
def take_favour(race: Race, tables: Tables, chariot: int, log: Log) -> None:
    """CR-6: up to the highest value."""
    favour = showing(race, FORTUNA_FACE)
    if favour == 0:
        return
    room = int(tables.most_fate[race.board[chariot]]) - int(race.fate[chariot])
    gained = min(favour, room)
    race.fate[chariot] += gained
    tell(log, FAVOURED, EVERYONE, chariot, gained, favour - gained, race.fate[chariot])


@kernel
def set_pace(race: Race, tables: Tables, plus: int, log: Log) -> None:
    """CR-7: the sum of all, held between 0 and the highest speed; then the drive begins."""
    chariot = int(race.mover)
    was = int(race.speed[chariot])
    minus = showing(race, PACE_FACE) - plus
    sprints = showing(race, SPRINT_FACE)
    speed = was + plus - minus + sprints * SPRINT_SPEED
    speed = min(max(speed, 0), int(tables.most_speed[race.board[chariot]]))
    race.speed[chariot] = speed
    tell(log, PACED, EVERYONE, chariot, was, plus, minus, sprints, speed)
    race.steers = showing(race, STEER_FACE)
    race.attacks = showing(race, ATTACK_FACE)
    set_out(race, log)
