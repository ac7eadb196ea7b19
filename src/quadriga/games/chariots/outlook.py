"""What can be worked out from a view of Chariots, for its observation: ways to the line, room, and what steps bring."""

from quadriga.core.kernel import kernel
from quadriga.core.observation import Block, Floats, Part, nothing, one_of, scaled
from quadriga.games.chariots.chain import WAYS, way
from quadriga.games.chariots.choices import chariot_asked
from quadriga.games.chariots.components import (
    CHARIOTS,
    DIAGONAL,
    IMPULSES,
    ORTHOGONAL,
    SPEEDS,
    Tables,
)
from quadriga.games.chariots.movement import advance, chariot_on, crossing, may_enter, seat_of, steps_left
from quadriga.games.chariots.state import PHASES
from quadriga.games.chariots.view import View

CLOSE, APART = 8, 32
"""Steps between chariots that the finer and the coarser number can tell."""
LAST, LONG = 12, 48
"""The same of steps to the end."""
MOST_AROUND, MOST_SIXTHS, MOST_PLOT = 8, 40, 12
LINE, REACH = 28, 2 * (SPEEDS - 2)

CHARIOT = (
    Part("apart", 2, "steps to the end more than one's own best chariot, of 8 and of 32"),
    Part("behind", 1, "steps to the end more than the first chariot of all, of 8"),
    Part("end", 2, "fewest steps to the end, of 12 and of 48"),
    Part("around", 1, "steps to the line more if it enters no inside square, of 8"),
    Part("steps", 1, "steps that its speed still gives it in this phase, of 5"),
    Part("open", 1, "free squares that it can step to, of 4"),
    Part("forward", 1, "those of them that are nearer to the line, of 3"),
    Part(
        "reach",
        8,
        "steps nearer to the line after a phase on an empty track, of 6: speeds 2 to 5 without control, with it",
    ),
    Part("coins", 2, "sum of its coins that one knows of from this phase on, of 12; how many they are, of 3"),
    Part("ahead", CHARIOTS, "chariots further along, one of 0 to 3"),
    Part("line", LINE, "fewest steps over the line, one of 0 to 27"),
)
STEP = (
    Part("nearer", 1, "steps nearer to the line, of 4"),
    Part("around", 1, "the same for a chariot that enters no inside square, of 4"),
    Part("open", 1, "1 if the chariot may enter it, taken or not"),
    Part("onward", 1, "free squares next to it that are nearer still, of 3"),
    Part("best", 1, "steps nearer that the best free square next to it is, of 2"),
    Part("taken", 2, "1 if a rival's chariot stands there; if one's own does"),
)
OUTLOOK = (
    Block("outlook", CHARIOTS, CHARIOT, "for each chariot, one's own first"),
    Block("steps", WAYS, STEP, "for each way, in the order of the ids, from one's chariot asked for (or one's first)"),
)
CHARIOT_COUNT = sum(part.count for part in CHARIOT)
STEP_COUNT = sum(part.count for part in STEP)
FAR_OFF = 10_000


@kernel
def encode_outlook(view: View, tables: Tables, out: Floats, at: int) -> int:
    """Write it behind the rest of an observation; the next place."""
    own, first = FAR_OFF, FAR_OFF
    for chariot in range(view.chariots):
        if view.square[chariot] >= 0:
            left = steps_to_end(view, tables, chariot)
            first = min(first, left)
            if seat_of(view, chariot) == view.seat:
                own = min(own, left)
    for i in range(CHARIOTS):
        chariot = (i + int(view.seat)) % int(view.chariots) if i < view.chariots else -1
        if chariot < 0 or view.square[chariot] < 0:
            at = nothing(out, at, CHARIOT_COUNT)
        else:
            at = encode_chariot(view, tables, chariot, own if own < FAR_OFF else first, first, out, at)
    return encode_steps(view, tables, out, at)


@kernel
def steps_to_end(view: View, tables: Tables, chariot: int) -> int:
    """Fewest steps until a chariot has finished the last lap (CT-10)."""
    laps = int(view.laps) - 1 - int(view.lines[chariot])
    return laps * int(tables.lap) + int(tables.to_line[view.square[chariot]])


@kernel
def nearer(tables: Tables, square: int, to: int) -> int:
    """How many steps nearer to the line a step leads."""
    return int(tables.to_line[square]) - int(tables.to_line[to]) + crossing(tables, square, to) * int(tables.lap)


@kernel
def encode_chariot(view: View, tables: Tables, c: int, own: int, first: int, out: Floats, at: int) -> int:
    square, left = int(view.square[c]), steps_to_end(view, tables, c)
    at = scaled(out, at, left - own, CLOSE)
    at = scaled(out, at, left - own, APART)
    at = scaled(out, at, left - first, CLOSE)
    at = scaled(out, at, left, LAST)
    at = scaled(out, at, left, LONG)
    at = scaled(out, at, int(tables.around[square]) - int(tables.to_line[square]), MOST_AROUND)
    at = scaled(out, at, steps_left(view, tables, c), IMPULSES)
    at = encode_room(view, tables, c, square, out, at)
    at = encode_reach(view, tables, c, square, out, at)
    coins, known = 0, 0
    for phase in range(max(int(view.phase) - 1, 0), PHASES):
        coins += view.plot[c, phase]
        known += view.plot[c, phase] > 0
    at = scaled(out, at, coins, MOST_PLOT)
    at = scaled(out, at, known, PHASES)
    ahead = 0
    for other in range(view.chariots):
        ahead += view.square[other] >= 0 and advance(view, other) > advance(view, c)
    at = one_of(out, at, ahead, CHARIOTS)
    return one_of(out, at, min(int(tables.to_line[square]), LINE - 1), LINE)


@kernel
def encode_reach(view: View, tables: Tables, chariot: int, square: int, out: Floats, at: int) -> int:
    """What a phase at each speed would bring one's own chariot."""
    if seat_of(view, chariot) != view.seat:
        return nothing(out, at, REACH)
    for control in range(2):
        for speed in range(2, SPEEDS):
            at = scaled(out, at, tables.reach[control, speed, square], MOST_SIXTHS)
    return at


@kernel
def encode_room(view: View, tables: Tables, chariot: int, square: int, out: Floats, at: int) -> int:
    """Free squares around a chariot, and those that lead on."""
    free, forward = 0, 0
    for k in range(ORTHOGONAL):
        to = int(tables.neighbour[square, k])
        if to >= 0 and may_enter(view, tables, chariot, to) and chariot_on(view, to) < 0:
            free += 1
            forward += nearer(tables, square, to) > 0
    at = scaled(out, at, free, 4)
    return scaled(out, at, forward, 3)


@kernel
def encode_steps(view: View, tables: Tables, out: Floats, at: int) -> int:
    asked = chariot_asked(view, view.seat)
    chariot = asked if asked >= 0 else int(view.seat)
    square, end = int(view.square[chariot]), nothing(out, at, WAYS * STEP_COUNT)
    if square < 0:
        return end
    for k in range(ORTHOGONAL + DIAGONAL):
        to = int(tables.neighbour[square, k] if k < ORTHOGONAL else tables.corner[square, k - ORTHOGONAL])
        if to >= 0:
            encode_step(view, tables, chariot, square, to, out, at + STEP_COUNT * way(tables, square, to))
    return end


@kernel
def encode_step(view: View, tables: Tables, chariot: int, square: int, to: int, out: Floats, at: int) -> None:
    """What a step to a square brings, and what the next could."""
    lap = crossing(tables, square, to) * int(tables.around_lap)
    at = scaled(out, at, nearer(tables, square, to), 4)
    at = scaled(out, at, int(tables.around[square]) - int(tables.around[to]) + lap, 4)
    at = scaled(out, at, may_enter(view, tables, chariot, to), 1)
    onward, best = 0, -2
    for k in range(ORTHOGONAL):
        after = int(tables.neighbour[to, k])
        if after >= 0 and may_enter(view, tables, chariot, after):
            if after == square or chariot_on(view, after) < 0:
                gain = nearer(tables, to, after)
                onward += gain > 0
                best = max(best, gain)
    at = scaled(out, at, onward, 3)
    at = scaled(out, at, best, 2)
    other = chariot_on(view, to)
    at = scaled(out, at, other >= 0 and seat_of(view, other) != view.seat, 1)
    scaled(out, at, other >= 0 and seat_of(view, other) == view.seat, 1)
