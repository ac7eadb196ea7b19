"""Attacks: caltrops and javelins (CR-12)."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, tell
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import Log, clear, hurt, is_sheltered, whole
from quadriga.games.chariot_race.events import DROPPED, PASSED, THREW
from quadriga.games.chariot_race.state import ATTACK, BY_JAVELIN, CHARIOTS, STRIKING, TURN_OVER, Race

JAVELIN_DAMAGE = 1


@kernel
def strike(race: Race, tables: Tables, log: Log) -> None:
    """CR-12: asked as long as there are attacks and something to do with them."""
    if race.attacks > 0 and can_attack(race, tables):
        race.phase = ATTACK
    else:
        give_up(race, log)


@kernel
def can_attack(race: Race, tables: Tables) -> bool:
    """Whether there is a space to drop on or a chariot to throw at."""
    for i in range(1, int(race.behind) + 1):
        if can_drop(race, i):
            return True
    for target in range(CHARIOTS):
        if can_throw(race, tables, target):
            return True
    return False


@kernel
def can_drop(race: Race, i: int) -> bool:
    """CR-12: on a space of the path without a caltrop, while supply lasts."""
    return bool(race.supply > 0 and race.caltrop[race.path[i]] == 0)


@kernel
def can_throw(race: Race, tables: Tables, target: int) -> bool:
    """CR-12: at any other chariot within two steps."""
    mover = race.mover
    if target == mover or race.space[target] == NONE or is_sheltered(race, tables, target):
        return False
    return bool(tables.near[race.space[mover], race.space[target]] == 1)


@kernel
def drop(race: Race, space: int, log: Log) -> None:
    """CR-12: a caltrop on a space driven through."""
    race.attacks -= 1
    race.supply -= 1
    race.caltrop[space] = 1
    tell(log, DROPPED, EVERYONE, race.mover, space, race.supply)
    race.phase = STRIKING


@kernel
def throw(race: Race, target: int, log: Log) -> None:
    """CR-12: a javelin never misses."""
    mover = int(race.mover)
    race.attacks -= 1
    tell(log, THREW, EVERYONE, mover, target, race.space[mover], race.space[target])
    hurt(race, target, JAVELIN_DAMAGE, BY_JAVELIN, mover, log)
    if not whole(race, target):
        clear(race, target, log)
    race.phase = STRIKING


@kernel
def give_up(race: Race, log: Log) -> None:
    """CR-12: attacks are a may."""
    if race.attacks > 0:
        tell(log, PASSED, EVERYONE, race.mover, race.attacks)
    race.attacks = 0
    race.phase = TURN_OVER
