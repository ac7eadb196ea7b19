"""The drive: steps, what a space does to those who enter it, and falling back (CR-8 to CR-10)."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, tell
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import Log, clear, hurt, is_sheltered, occupant, progress, whole, wreck
from quadriga.games.chariot_race.events import (
    CROSSED,
    CROSSED_BACK,
    FELL_BACK,
    RAMMED,
    SHIELDED,
    STEPPED,
    STOOD,
    SWEPT,
)
from quadriga.games.chariot_race.state import (
    BY_CALTROP,
    BY_CORNER,
    BY_HEAP,
    BY_RAM,
    DRIVING,
    MOVE,
    SPACES,
    STEPS,
    STRIKING,
    TURN_OVER,
    Public,
    Race,
)

RAM_DAMAGE = 2
CALTROP_DAMAGE = 1


@kernel
def set_out(race: Race, log: Log) -> None:
    """CR-8: as many spaces as the speed."""
    chariot = int(race.mover)
    race.path[0] = race.space[chariot]
    race.driven = 1
    race.left = race.speed[chariot]
    if race.left == 0:
        tell(log, STOOD, EVERYONE, chariot, race.space[chariot])
    race.phase = DRIVING


@kernel
def drive(race: Race, tables: Tables, log: Log) -> None:
    """CR-8: straight on while there is nothing to choose: to a lane change, the last space or a wreck."""
    chariot = int(race.mover)
    for _ in range(STEPS):
        if race.left == 0 or race.steers > 0 or not whole(race, chariot):
            break
        enter(race, tables, int(tables.ahead[race.space[chariot]]), log)
    if not whole(race, chariot):
        race.phase = TURN_OVER
    else:
        race.phase = MOVE if race.left > 0 else STRIKING


@kernel
def step(race: Race, tables: Tables, to: int, log: Log) -> None:
    """CR-8: one space of the player's choice."""
    if tables.lane[to] != tables.lane[race.space[race.mover]]:
        race.steers -= 1
    enter(race, tables, to, log)
    race.phase = DRIVING


@kernel
def enter(race: Race, tables: Tables, to: int, log: Log) -> None:
    """CR-9: heap, corner, chariot, caltrop, in this order; then CR-10 and CR-11."""
    chariot = int(race.mover)
    rival = occupant(race, to, chariot)
    advance(race, tables, chariot, to, log)
    meet_heap(race, tables, chariot, to, log)
    meet_corner(race, tables, chariot, to, log)
    if rival != NONE and whole(race, chariot):
        ram(race, tables, chariot, rival, log)
    meet_caltrop(race, chariot, to, log)
    if not whole(race, chariot):
        clear(race, chariot, log)
    elif race.left == 0:
        end_drive(race, tables, chariot, rival, log)
    if rival != NONE and not whole(race, rival):
        clear(race, rival, log)


@kernel
def advance(race: Race, tables: Tables, chariot: int, to: int, log: Log) -> None:
    """The step itself, over the line if the rank falls."""
    start = int(race.space[chariot])
    race.space[chariot] = to
    race.path[race.driven] = to
    race.driven += 1
    race.left -= 1
    changed = tables.lane[start] != tables.lane[to]
    tell(log, STEPPED, EVERYONE, chariot, start, to, int(changed), race.left, race.steers)
    if tables.rank[to] < tables.rank[start]:
        race.lines[chariot] += 1
        tell(log, CROSSED, EVERYONE, chariot, race.lines[chariot])


@kernel
def meet_heap(race: Race, tables: Tables, chariot: int, space: int, log: Log) -> None:
    """CR-9: a stone heap wrecks at once."""
    if tables.heap[race.track, space] == 1:
        wreck(race, chariot, BY_HEAP, NONE, log)


@kernel
def meet_corner(race: Race, tables: Tables, chariot: int, space: int, log: Log) -> None:
    """CR-9: 1 damage for each point of speed above the number."""
    if tables.corner[space] == NONE or not whole(race, chariot):
        return
    excess = int(race.speed[chariot]) - int(tables.corner[space])
    if excess > 0:
        hurt(race, chariot, excess, BY_CORNER, NONE, log)


@kernel
def ram(race: Race, tables: Tables, chariot: int, rival: int, log: Log) -> None:
    """CR-9: both at once; the mover first, so that of two wrecks it is the one behind (CR-13)."""
    tell(log, RAMMED, EVERYONE, chariot, rival, race.space[rival], int(race.left == 0))
    hurt(race, chariot, RAM_DAMAGE, BY_RAM, rival, log)
    if is_sheltered(race, tables, rival):
        tell(log, SHIELDED, EVERYONE, rival, race.space[rival])
    else:
        hurt(race, rival, RAM_DAMAGE, BY_RAM, chariot, log)


@kernel
def meet_caltrop(race: Race, chariot: int, space: int, log: Log) -> None:
    """CR-9: 1 damage, and the caltrop goes back to the supply."""
    if race.caltrop[space] == 0 or not whole(race, chariot):
        return
    race.caltrop[space] = 0
    race.supply += 1
    tell(log, SWEPT, EVERYONE, chariot, space, race.supply)
    hurt(race, chariot, CALTROP_DAMAGE, BY_CALTROP, NONE, log)


@kernel
def end_drive(race: Race, tables: Tables, chariot: int, rival: int, log: Log) -> None:
    """The last space: fall back from a rammed chariot, and see where caltrops may be dropped (CR-10, CR-12)."""
    race.behind = race.driven - 2
    if rival != NONE:
        lines = int(race.lines[chariot])
        fall_back(race, tables, chariot, log)
        race.behind = spaces_behind(race, tables, chariot, lines)


@kernel
def fall_back(race: Race, tables: Tables, chariot: int, log: Log) -> None:
    """CR-10: to the first free space behind, over the line if the rank rises."""
    start = int(race.space[chariot])
    space = start
    count = 0
    for _ in range(SPACES):
        back = int(tables.back[space])
        if tables.rank[back] > tables.rank[space]:
            race.lines[chariot] -= 1
        space = back
        count += 1
        if is_free(race, tables, space, chariot):
            break
    race.space[chariot] = space
    tell(log, FELL_BACK, EVERYONE, chariot, start, space, count)
    if tables.rank[space] > tables.rank[start]:
        tell(log, CROSSED_BACK, EVERYONE, chariot, race.lines[chariot])


@kernel
def is_free(race: Public, tables: Tables, space: int, chariot: int) -> bool:
    """CR-10: neither another chariot nor a heap."""
    return bool(tables.heap[race.track, space] == 0 and occupant(race, space, chariot) == NONE)


@kernel
def spaces_behind(race: Race, tables: Tables, chariot: int, lines: int) -> int:
    """CR-12: how many spaces of the path, the first and last excluded, lie behind where the chariot now stands.

    `lines` is its line crossings at the end of the drive; the path is followed back from there.
    """
    here = progress(race, tables, chariot)
    for last in range(int(race.driven) - 1, 0, -1):
        space, before = int(race.path[last]), int(race.path[last - 1])
        if tables.rank[space] < tables.rank[before]:
            lines -= 1
        if int(tables.spaces) * lines + int(tables.rank[before]) < here:
            return last - 1
    return 0
