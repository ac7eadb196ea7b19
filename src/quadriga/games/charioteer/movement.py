"""Chariots on the track. `race.order` says all about rows: who is ahead, who stands inside, who has been passed."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, tell
from quadriga.games.charioteer.components import Tables
from quadriga.games.charioteer.events import (
    ENTERED,
    PASSED,
    WHIP_LEADING,
    WHIP_PASSED,
    WHIP_STOPPED,
    WHIP_TOO_EARLY,
    WHIPPED,
)
from quadriga.games.charioteer.state import BLACK, Log, Open, Race

WHIP_SPACES = 5


@kernel
def standing(race: Open, seat: int) -> int:
    """The seat's index in the order of the race: 0 leads."""
    for index in range(race.seats):
        if race.order[index] == seat:
            return index
    return NONE


@kernel
def next_progress(race: Race, tables: Tables, seat: int, colour: int) -> int:
    """Where the next step leads: cornering, and everyone beyond the final line, skips outer spaces (CH-10, CH-18)."""
    progress = int(race.progress[seat])
    beyond = progress + 1 >= int(tables.lap) * int(race.laps)
    if colour == BLACK or beyond:
        return progress + int(tables.stride[progress % int(tables.lap)])
    return progress + 1


@kernel
def is_behind(race: Race, index: int) -> bool:
    """Whether a rival stands further inside in the same space (CH-7)."""
    return index > 0 and race.progress[race.order[index - 1]] == race.progress[race.order[index]]


@kernel
def overtake(race: Race, index: int, cost: int, left: int, log: Log) -> None:
    """Change places with the chariot just ahead."""
    seat, rival = race.order[index], race.order[index - 1]
    race.order[index - 1] = seat
    race.order[index] = rival
    tell(log, PASSED, EVERYONE, seat, rival, cost, left)


@kernel
def enter(race: Race, tables: Tables, index: int, colour: int, left: int, whip: int, log: Log) -> int:
    """Enter the next space, outermost; rivals in a skipped outer space are left behind. The new index."""
    seat = race.order[index]
    target = next_progress(race, tables, seat, colour)
    race.progress[seat] = target
    for ahead in range(index - 1, -1, -1):
        if race.progress[race.order[ahead]] >= target:
            break
        overtake(race, index, 0, left, log)
        index = ahead
    tell(log, ENTERED, EVERYONE, seat, target % int(tables.lap), target, left, whip)
    return index


@kernel
def drive(race: Race, tables: Tables, seat: int, points: int, colour: int, log: Log) -> None:
    """The regular move: a point for each space and for each rival passed inside one (CH-7)."""
    index = standing(race, seat)
    for spent in range(1, points + 1):
        left = points - spent
        if race.turn == 1:
            index = pass_all(race, index, left + 1, log)
        if is_behind(race, index):
            overtake(race, index, 1, left, log)
            index -= 1
        else:
            index = enter(race, tables, index, colour, left, 0, log)


@kernel
def pass_all(race: Race, index: int, left: int, log: Log) -> int:
    """On the first turn passing costs nothing (CH-7). The new index."""
    for _ in range(index):
        if not is_behind(race, index):
            break
        overtake(race, index, 0, left, log)
        index -= 1
    return index


@kernel
def crack_whip(race: Race, tables: Tables, seat: int, began: int, whips: int, colour: int, log: Log) -> None:
    """Whip spaces after the regular move; `began` is the seat's index before it (CH-13)."""
    index = standing(race, seat)
    if race.turn == 1:
        tell(log, WHIP_TOO_EARLY, EVERYONE, seat)
    elif index == 0:
        tell(log, WHIP_LEADING, EVERYONE, seat)
    elif index < began:
        tell(log, WHIP_PASSED, EVERYONE, seat)
    else:
        whip_on(race, tables, index, whips * WHIP_SPACES, colour, log)


@kernel
def whip_on(race: Race, tables: Tables, index: int, spaces: int, colour: int, log: Log) -> None:
    """As far as it goes without passing the chariot ahead, in its space or in an outer space (CH-13)."""
    seat, rival = race.order[index], race.order[index - 1]
    for gone in range(spaces):
        if race.progress[rival] < next_progress(race, tables, seat, colour):
            tell(log, WHIP_STOPPED, EVERYONE, seat, rival, gone)
            return
        enter(race, tables, index, colour, spaces - gone - 1, 1, log)
    tell(log, WHIPPED, EVERYONE, seat, spaces)
