"""The view of Chariots as numbers. Chariots come in order of their seats, one's own first."""

from quadriga.core.kernel import kernel
from quadriga.core.observation import Block, Floats, Observation, Part, flags, nothing, one_of, scaled
from quadriga.games.chariots.chain import WAYS, way
from quadriga.games.chariots.choices import chariot_asked
from quadriga.games.chariots.components import CHARIOTS, DIAGONAL, IMPULSES, ORTHOGONAL, SIDES, Tables
from quadriga.games.chariots.movement import chariot_on, has
from quadriga.games.chariots.outlook import OUTLOOK, encode_outlook, nearer
from quadriga.games.chariots.state import OVER, PHASES
from quadriga.games.chariots.view import View

COINS = 4
STAGES = OVER
SIDE_COUNT = len(SIDES)
MOST_LAPS, MOST_STEPS = 10, 32

CHARIOT = (
    Part("racing", 1, "1 on the track; all else is 0 for a chariot that is not"),
    Part("own", 1, "1 for one's own"),
    Part("asked", 1, "1 if a choice is owed for it"),
    Part("moves", 2, "moves now, moves later in this impulse"),
    Part("progress", 1, "way behind it as a share of the race, a little below 0 on the grid"),
    Part("square", 1, "its square in running order, as a share of the lap"),
    Part("to_line", 1, "fewest steps over the line, of 32"),
    Part("inside", 1, "1 on an inside square of a turn"),
    Part("laps", 1, "laps finished, as a share of the race"),
    Part("speed", COINS, "speed of this phase, one of 2 to 5"),
    Part("state", 8, "control, null coin in hand, ace in hand, crashed, stunned, sits, skips, quiet"),
    Part("impulse", 6, "due, resting, extra, ahead, driven, balked"),
    Part("side", SIDE_COUNT, "side by which it left in its last own step, one of 8"),
    Part("plot", PHASES * COINS, "coins of the three phases that lie open or are one's own, one of 2 to 5 each"),
    Part("said", 4, "not yet revealed: swap, quiet, extra, first"),
    Part("whip", 2, "not yet revealed: driver, horses"),
    Part("target", CHARIOTS, "not yet revealed: against which chariot"),
)
WAY = (
    Part("there", 1, "1 if a square lies there"),
    Part("gain", 1, "1 nearer to the line, -1 further, 0 as far"),
    Part("inside", 1, "1 for an inside square of a turn"),
    Part("taken", 1, "1 if a chariot stands there"),
)
LAYOUT = (
    Part("seats", 3, "players, one of 2 to 4"),
    Part("options", 4, "two_chariots, special_actions, faster_recovery, race_on"),
    Part("laps", 1, "laps agreed on, of 10"),
    Part("stage", STAGES, "recover, plot, swap, announce or move; none when the race is over"),
    Part("pair", 1, "1 while second chariots are asked for"),
    Part("rounds", 1, "rounds gone, as a share of the limit"),
    Part("phase", PHASES, "phase of the round, one of 3"),
    Part("impulse", IMPULSES, "impulse of the phase, one of 5"),
    Part("exposed", 1, "coins of each plot that lie open, of 3"),
    Block("chariots", CHARIOTS, CHARIOT, "for each chariot, one's own first"),
    Block("ways", WAYS, WAY, "for each way, in the order of the ids, from one's chariot asked for (or one's first)"),
)
CHARIOT_COUNT = sum(part.count for part in CHARIOT)
WAY_COUNT = sum(part.count for part in WAY)


@kernel
def encode(view: View, tables: Tables, out: Floats) -> int:
    """Write the view of a seat; how many numbers."""
    at = one_of(out, 0, view.seats - 2, 3)
    options = view.two_chariots | view.special_actions << 1 | view.faster_recovery << 2 | view.race_on << 3
    at = flags(out, at, options, 4)
    at = scaled(out, at, view.laps, MOST_LAPS)
    at = one_of(out, at, view.stage, STAGES)
    at = scaled(out, at, view.pair, 1)
    at = scaled(out, at, view.rounds, int(view.limit) * int(view.laps))
    at = one_of(out, at, view.phase - 1, PHASES)
    at = one_of(out, at, view.impulse - 1, IMPULSES)
    at = scaled(out, at, view.exposed, PHASES)
    for i in range(CHARIOTS):
        at = encode_chariot(view, tables, (i + view.seat) % view.chariots if i < view.chariots else -1, out, at)
    return encode_ways(view, tables, out, at)


@kernel
def encode_chariot(view: View, tables: Tables, c: int, out: Floats, at: int) -> int:
    if c < 0 or view.square[c] < 0:
        return nothing(out, at, CHARIOT_COUNT)
    square, squares, laps = int(view.square[c]), int(tables.squares), int(view.laps)
    at = flags(out, at, 1 | (c % view.seats == view.seat) << 1 | has(view.asking, c) << 2, 3)
    at = one_of(out, at, turn_of(view, c), 2)
    at = scaled(out, at, int(view.lines[c]) * squares + square, laps * squares)
    at = scaled(out, at, square, squares)
    at = scaled(out, at, tables.to_line[square], MOST_STEPS)
    at = scaled(out, at, tables.inside[square], 1)
    at = scaled(out, at, view.best[c], laps)
    at = one_of(out, at, view.speed[c] - 2, COINS)
    state = view.control[c] | view.null_coin[c] << 1 | view.ace_coin[c] << 2 | view.crashed[c] << 3
    at = flags(out, at, state | view.stunned[c] << 4 | view.sits[c] << 5 | view.skips[c] << 6 | view.quiet[c] << 7, 8)
    impulse = has(view.due, c) | has(view.resting, c) << 1 | has(view.extra, c) << 2 | has(view.ahead, c) << 3
    at = flags(out, at, impulse | has(view.driven, c) << 4 | has(view.balked, c) << 5, 6)
    at = one_of(out, at, view.side[c], SIDE_COUNT)
    for phase in range(PHASES):
        at = one_of(out, at, view.plot[c, phase] - 2, COINS)
    return encode_said(view, c, out, at)


@kernel
def turn_of(view: View, chariot: int) -> int:
    """0 if a chariot moves now, 1 if later in this impulse, else none."""
    for place in range(view.turn, view.movers):
        if view.order[place] == chariot:
            return 0 if place == view.turn else 1
    return -1


@kernel
def encode_said(view: View, c: int, out: Floats, at: int) -> int:
    """What one's own chariot will do that nobody knows yet."""
    at = flags(out, at, has(view.swapping, c) | has(view.quiet_said, c) << 1, 2)
    at = one_of(out, at, view.null_said[c], 2)
    at = one_of(out, at, view.ace_said[c], 2)
    target = int(view.target_said[c])
    return one_of(out, at, (target - int(view.seat)) % int(view.chariots) if target >= 0 else -1, CHARIOTS)


@kernel
def encode_ways(view: View, tables: Tables, out: Floats, at: int) -> int:
    """What lies around the chariot asked for, else around one's first."""
    asked = chariot_asked(view, view.seat)
    square = int(view.square[asked if asked >= 0 else view.seat])
    end = nothing(out, at, WAYS * WAY_COUNT)
    if square < 0:
        return end
    for k in range(ORTHOGONAL + DIAGONAL):
        to = int(tables.neighbour[square, k] if k < ORTHOGONAL else tables.corner[square, k - ORTHOGONAL])
        if to >= 0:
            here = at + WAY_COUNT * way(tables, square, to)
            out[here] = 1.0
            ahead = nearer(tables, square, to)
            out[here + 1] = (ahead > 0) - (ahead < 0)
            out[here + 2] = tables.inside[to]
            out[here + 3] = chariot_on(view, to) >= 0
    return end


OBSERVATION = Observation(view=View, layout=LAYOUT, encode=encode, outlook=OUTLOOK, encode_outlook=encode_outlook)
