"""What can be worked out from a view of Chariot Race, for its observation: leads, lanes ahead, risks."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.observation import Block, Floats, Part, nothing, one_of, scaled
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import occupant, progress
from quadriga.games.chariot_race.state import CHARIOTS, DICE, STEPS
from quadriga.games.chariot_race.view import View
from quadriga.games.chariot_race.worth import (
    RANKS,
    condition_worth,
    corner_risk,
    soundness,
    useful_speed,
    way_worth,
)

FAR = 12
"""Spaces of a lane that are looked at."""
CLOSE, APART, LEAD = 36, 126, 72
"""Front borders that the finer and the coarser number can tell, and the lead."""
FASTEST, MOST_FATE, TURNS = 12, 6, 12
SOUND, RISK, WORTH = 2000, 1000, 4000
"""In hundredths of a space."""
MOST_EXCESS, SOON = 8, 3
"""A numbered space so many spaces beyond the useful speed can be met: a sprint and a pace face make it up."""
LIMIT = STEPS - 1
"""No speed is higher: the safe speed where no numbered space is near."""
MOST_NEAR = 4
NOWHERE = -1_000_000

LANE = 6
LANE_SAYS = (
    "distance of its next numbered space, of 12, and safe speed, of 15 (none in 12 spaces: 0 and 1); "
    "speed in excess of it if it can be met, of 8; "
    "free spaces before the first chariot, caltrop or heap, of 12; how near the next heap and chariot are, of 12"
)
CHARIOT = (
    Part("there", 1, "1 for a chariot in the race; all else is 0 for one that is not"),
    Part("own", 1, "1 if it is one's own"),
    Part("owner", CHARIOTS, "its seat, oneself being the first of 6"),
    Part("lead", 2, "front borders ahead of one's own first chariot (with none left: of the first), of 36 and of 126"),
    Part("finish", 2, "front borders to go to the finish, of 36 and of 126"),
    Part("damage", 6, "1 for each that its damage value is above: 1, 2, 3, 5, 7, 9"),
    Part("soundness", 1, "worth of its damage value, the last points counting most, of 2000"),
    Part("speed", 1, "value on its speed track, of 12"),
    Part("cap", 1, "initial speed that its damage allows, of 12"),
    Part("fate", 1, "value on its fate track, of 6"),
    Part("dice", 1, "dice to roll at its speed, of 5"),
    Part("useful", 1, "the lower of speed and cap, of 12"),
    Part("turn", 2, "drives now, drives later in this round"),
    Part("ahead", LANE, f"its lane from the next space on: {LANE_SAYS}"),
    Part("inward", LANE, "the same after one step inward"),
    Part("outward", LANE, "the same after one step outward"),
    Part("risk", 1, "worth of the damage that it takes at the next numbered space if it comes too fast, of 1000"),
    Part("worth", 1, "worth of its way, damage and speed, less that of the way of one's own first chariot, of 4000"),
    Part("near", 1, "other chariots within a javelin's throw, of 4"),
    Part("followed", 1, "how near the next chariot behind it in its lane is, of 12"),
    Part("turns", 1, "turns to the finish at its useful speed, of 12"),
)
OUTLOOK = (
    Part("racing", 1, "chariots in the race, of 6"),
    Part(
        "lead",
        1,
        "front borders that one's own first chariot is ahead of the rivals' first, of 72; 1 or -1 without one",
    ),
    Block("outlook", CHARIOTS, CHARIOT, "for each chariot, the furthest ahead first"),
)
CHARIOT_COUNT = sum(part.count for part in CHARIOT)


@kernel
def encode_outlook(view: View, tables: Tables, out: Floats, at: int) -> int:
    """Write it behind the rest of an observation; the next place."""
    racing, own, rival = 0, NOWHERE, NOWHERE
    for chariot in range(CHARIOTS):
        if view.space[chariot] != NONE:
            racing += 1
            if view.owner[chariot] == view.seat:
                own = max(own, progress(view, tables, chariot))
            else:
                rival = max(rival, progress(view, tables, chariot))
    at = scaled(out, at, racing, CHARIOTS)
    at = scaled(out, at, own - rival, LEAD)
    for chariot in range(CHARIOTS):
        if view.space[chariot] != NONE:
            place = at + chariots_ahead(view, tables, chariot) * CHARIOT_COUNT
            encode_chariot(view, tables, chariot, own if own != NOWHERE else rival, out, place)
    gone = CHARIOTS - racing
    return nothing(out, at + racing * CHARIOT_COUNT, gone * CHARIOT_COUNT)


@kernel
def chariots_ahead(view: View, tables: Tables, chariot: int) -> int:
    """CR-2: how many chariots' front borders are further on; of two that share a space in a drive, the first listed."""
    ahead, way = 0, progress(view, tables, chariot)
    for other in range(CHARIOTS):
        if view.space[other] != NONE:
            further = progress(view, tables, other) - way
            ahead += further > 0 or (further == 0 and other < chariot)
    return ahead


@kernel
def encode_chariot(view: View, tables: Tables, chariot: int, first: int, out: Floats, at: int) -> None:
    """One chariot; `first` is the progress of one's own first."""
    space, damage, speed = int(view.space[chariot]), int(view.damage[chariot]), int(view.speed[chariot])
    useful, way = useful_speed(view, tables, chariot, damage, speed), progress(view, tables, chariot)
    to_go = int(tables.spaces) * (int(tables.laps) + 1) - way
    at = encode_owner(view, chariot, out, at)
    at = scaled(out, at, way - first, CLOSE)
    at = scaled(out, at, way - first, APART)
    at = scaled(out, at, to_go, CLOSE)
    at = scaled(out, at, to_go, APART)
    at = encode_values(view, tables, chariot, damage, speed, useful, out, at)
    at = one_of(out, at, turn_of(view, chariot), 2)
    at = encode_lane(view, tables, chariot, int(tables.ahead[space]), useful, out, at)
    at = encode_lane(view, tables, chariot, int(tables.inward[space]), useful, out, at)
    at = encode_lane(view, tables, chariot, int(tables.outward[space]), useful, out, at)
    at = scaled(out, at, corner_risk(tables, space, damage, speed), RISK)
    worth = way_worth(way) + condition_worth(tables, space, damage, speed, useful)
    at = scaled(out, at, worth - way_worth(first), WORTH)
    at = scaled(out, at, chariots_near(view, tables, chariot), MOST_NEAR)
    at = scaled(out, at, nearness(distance_behind(view, tables, chariot)), FAR)
    scaled(out, at, turns_to_go(to_go, useful), TURNS)


@kernel
def encode_owner(view: View, chariot: int, out: Floats, at: int) -> int:
    owner = (int(view.owner[chariot]) - int(view.seat)) % int(view.seats)
    at = scaled(out, at, 1, 1)
    at = scaled(out, at, owner == 0, 1)
    return one_of(out, at, owner, CHARIOTS)


@kernel
def encode_values(
    view: View, tables: Tables, chariot: int, damage: int, speed: int, useful: int, out: Floats, at: int
) -> int:
    """The values of a chariot board, and what they allow (CR-4, CR-5)."""
    at = scaled(out, at, damage > 1, 1)
    at = scaled(out, at, damage > 2, 1)
    at = scaled(out, at, damage > 3, 1)
    at = scaled(out, at, damage > 5, 1)
    at = scaled(out, at, damage > 7, 1)
    at = scaled(out, at, damage > 9, 1)
    at = scaled(out, at, soundness(damage), SOUND)
    board = int(view.board[chariot])
    at = scaled(out, at, speed, FASTEST)
    at = scaled(out, at, tables.cap[board, damage], FASTEST)
    at = scaled(out, at, view.fate[chariot], MOST_FATE)
    at = scaled(out, at, tables.dice[board, speed], DICE)
    return scaled(out, at, useful, FASTEST)


@kernel
def turn_of(view: View, chariot: int) -> int:
    """0 if a chariot drives now, 1 if later in this round, else none."""
    if view.mover == NONE:
        return NONE
    for turn in range(view.turn, CHARIOTS):
        if view.order[turn] == chariot:
            return 0 if turn == view.turn else 1
    return NONE


@kernel
def encode_lane(view: View, tables: Tables, chariot: int, space: int, speed: int, out: Floats, at: int) -> int:
    """What a chariot would enter from a space of a lane on (CR-9); zeros where there is no lane."""
    if space == NONE:
        return nothing(out, at, LANE)
    corner, limit, heap, other, free = 0, LIMIT, 0, 0, FAR
    for distance in range(1, FAR + 1):
        if corner == 0 and tables.corner[space] != NONE:
            corner, limit = distance, int(tables.corner[space])
        if heap == 0 and tables.heap[view.track, space] == 1:
            heap = distance
        if other == 0 and occupant(view, space, chariot) != NONE:
            other = distance
        if free == FAR and (heap == distance or other == distance or view.caltrop[space] == 1):
            free = distance - 1
        space = int(tables.ahead[space])
    is_met = corner > 0 and corner <= speed + SOON
    at = scaled(out, at, corner, FAR)
    at = scaled(out, at, limit, LIMIT)
    at = scaled(out, at, max(0, speed - limit) if is_met else 0, MOST_EXCESS)
    at = scaled(out, at, free, FAR)
    at = scaled(out, at, nearness(heap), FAR)
    return scaled(out, at, nearness(other), FAR)


@kernel
def nearness(distance: int) -> int:
    """Highest for the next space, 0 for a distance of 0: nothing found."""
    return FAR + 1 - distance if distance > 0 else 0


@kernel
def distance_behind(view: View, tables: Tables, chariot: int) -> int:
    """Spaces to the next chariot behind in the lane, which may ram this one (CR-9); 0 if none is near."""
    space = int(view.space[chariot])
    for distance in range(1, FAR + 1):
        space = int(tables.back[space])
        if occupant(view, space, chariot) != NONE:
            return distance
    return 0


@kernel
def chariots_near(view: View, tables: Tables, chariot: int) -> int:
    """CR-12: other chariots, one's own second included, at which it could throw a javelin."""
    count = 0
    for other in range(CHARIOTS):
        if other != chariot and view.space[other] != NONE:
            count += tables.near[view.space[chariot], view.space[other]] == 1
    return count


@kernel
def turns_to_go(ranks: int, speed: int) -> int:
    """Turns in which a chariot that keeps a speed finishes; one that stands counts as slowest."""
    a_turn = RANKS * max(speed, 1)
    return (max(ranks, 0) + a_turn - 1) // a_turn
