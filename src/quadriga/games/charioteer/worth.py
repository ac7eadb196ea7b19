"""What turns, skills, tokens and attacks are worth in hundredths of a space: for bots, and for what a seat can plan."""

from quadriga.core.kernel import kernel
from quadriga.games.charioteer.components import Tables
from quadriga.games.charioteer.state import COLOURS, Open
from quadriga.games.charioteer.turn import MAJOR_ATTACK, MINOR_ATTACK

SPACE = 100
PACE = 9
"""Spaces of a usual move."""
FAN = 240
CUBE_TURNS = 3
"""Turns that a cube usually stays in the damage box."""
CYCLED = 20
"""A card played makes room for a new one."""
COLOUR_COUNT = len(COLOURS)


@kernel
def turns_left(race: Open, tables: Tables) -> int:
    """Turns until the leader comes in or the race is stopped (CH-18), this one included."""
    left = int(tables.lap) * int(race.laps) - int(race.progress[race.order[0]])
    last = int(race.limit) * int(race.laps)
    return max(1, min((left + PACE - 1) // PACE, last + 1 - int(race.turn)))


@kernel
def damage_left(damage: int, recoveries: int) -> int:
    """CH-9: one recovery halves the damage box, two empty it."""
    if recoveries == 0:
        return damage
    return damage // 2 if recoveries == 1 else 0


@kernel
def boxed_markers(race: Open, tables: Tables, seat: int) -> int:
    """A seat's markers in the bonus box (CH-16)."""
    boxed = 0
    for colour in range(COLOUR_COUNT):
        boxed += race.marker[seat, colour] >= tables.box
    return boxed


@kernel
def marker_worth(tables: Tables, boxed: int, place: int, turns: int) -> int:
    """What a marker's place will bring: a colour is played every third or fourth turn (CH-16)."""
    box = int(tables.box)
    if place >= box:
        return int(tables.marker_bonus[place]) * turns * 35
    steps = box - place
    later = max(0, turns - steps * 3 // 2)
    return (
        int(tables.marker_bonus[box + boxed]) * later * 35 * (14 - steps) // 14
        + int(tables.marker_bonus[place]) * min(turns, steps) * 25
    )


@kernel
def lesson_worth(tables: Tables, boxed: int, before: int, steps: int, turns: int) -> int:
    """What a marker gains by climbing."""
    box = int(tables.box)
    if before >= box:
        return 0
    after = before + steps if before + steps < box else box + boxed
    return marker_worth(tables, boxed, after, turns - 1) - marker_worth(tables, boxed, before, turns - 1)


@kernel
def attack_worth(cards: int, turns: int) -> int:
    """CH-9: cubes for every rival."""
    if cards < MINOR_ATTACK:
        return 0
    return (2 if cards >= MAJOR_ATTACK else 1) * 80 * min(turns - 1, CUBE_TURNS)


@kernel
def token_worth(tables: Tables, token: int) -> int:
    """What a token is worth while it is kept."""
    worth = 85 * int(tables.token_bonus[token]) + 250 * int(tables.token_wild[token])
    worth += 260 * int(tables.token_whip[token]) + 150 * int(tables.token_shield[token])
    worth += 150 * int(tables.token_recovery[token]) + 130 * int(tables.token_learning[token])
    return worth + 30 * int(tables.token_discard[token])
