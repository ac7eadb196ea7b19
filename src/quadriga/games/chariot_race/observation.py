"""The view of Chariot Race as numbers. Chariots come seat after seat, one's own first."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.observation import Block, Floats, Observation, Part, flags, nothing, one_of, scaled
from quadriga.games.chariot_race.chain import DRIVEN
from quadriga.games.chariot_race.components import BOARDS, Tables
from quadriga.games.chariot_race.damage import progress
from quadriga.games.chariot_race.outlook import OUTLOOK, encode_outlook, turn_of
from quadriga.games.chariot_race.state import CHARIOTS, DICE, FACES, OVER
from quadriga.games.chariot_race.track import LANES
from quadriga.games.chariot_race.view import View

FACE_COUNT = len(FACES)
PHASE_COUNT = OVER
WAYS, AHEAD = 3, 6

DIE = (Part("face", FACE_COUNT, "pace, sprint, steer, attack or fortuna; none if it is not rolled"),)
CHARIOT = (
    Part("racing", 1, "1 in the race; all else is 0 for a chariot that is not, and for a wreck but for its owner"),
    Part("owner", CHARIOTS, "its seat, oneself being the first of 6"),
    Part("turn", 2, "drives now, drives later in this round"),
    Part("board", BOARDS, "its chariot board, one of 7"),
    Part("lane", LANES, "inner, middle or outer"),
    Part("progress", 1, "way behind it as a share of the race, a little below 0 on the grid"),
    Part("lead", 1, "how far it is ahead of one's own first chariot, as a share of a lap"),
    Part("damage", 1, "value on its damage track, of the highest"),
    Part("speed", 1, "value on its speed track, of 15"),
    Part("cap", 1, "initial speed that its damage allows, of 15"),
    Part("fate", 1, "value on its fate track, of the highest"),
)
SPACE = (
    Part("corner", 1, "safe speed of a numbered space, of 15; 0 for others"),
    Part("heap", 1, "1 for a stone heap"),
    Part("caltrop", 1, "1 for a caltrop"),
    Part("taken", 1, "1 if a chariot stands there"),
)
LAYOUT = (
    Part("seats", 5, "players, one of 2 to 6"),
    Part("track", 4, "option track: A-A, A-B, B-A or B-B"),
    Part("options", 3, "alternate, sheltered, pairs"),
    Part("phase", PHASE_COUNT, "draft, grid, repair, reroll, fate, pace, move or attack; none when the race is over"),
    Part("rounds", 1, "rounds gone, as a share of the limit"),
    Part("supply", 1, "caltrops not on the board, as a share of all"),
    Part("turn", 5, "steers, attacks (of 5), spaces left, driven, open to a caltrop (of 15) of the drive"),
    Part("free", CHARIOTS, "1 for each chariot that nobody has, as the edition lists them"),
    Part("places", CHARIOTS, "1 for each grid place that is taken"),
    Block("dice", DICE, DIE, "for each die"),
    Block("chariots", CHARIOTS, CHARIOT, "for each chariot, one's own first"),
    Block(
        "road",
        WAYS * AHEAD,
        SPACE,
        "six spaces on from the chariot that drives: after a step ahead, after one inward, after one outward",
    ),
)
CHARIOT_COUNT = sum(part.count for part in CHARIOT)
SPACE_COUNT = sum(part.count for part in SPACE)


@kernel
def encode(view: View, tables: Tables, out: Floats) -> int:
    """Write the view of a seat; how many numbers."""
    at = one_of(out, 0, view.seats - 2, 5)
    at = one_of(out, at, view.track, 4)
    at = flags(out, at, view.alternate | view.sheltered << 1 | view.pairs << 2, 3)
    at = one_of(out, at, view.phase, PHASE_COUNT)
    at = scaled(out, at, view.rounds, int(view.limit) * int(tables.laps))
    at = scaled(out, at, view.supply, max(int(tables.caltrops), 1))
    at = scaled(out, at, view.steers, DICE)
    at = scaled(out, at, view.attacks, DICE)
    at = scaled(out, at, view.left, DRIVEN)
    at = scaled(out, at, view.driven, DRIVEN)
    at = scaled(out, at, view.behind, DRIVEN)
    at = encode_choosing(view, out, at)
    for die in range(DICE):
        at = one_of(out, at, view.dice[die], FACE_COUNT)
    at = encode_chariots(view, tables, out, at)
    return encode_road(view, tables, out, at)


@kernel
def encode_choosing(view: View, out: Floats, at: int) -> int:
    """What is left of chariots and grid places."""
    nothing(out, at, 2 * CHARIOTS)
    for chariot in range(CHARIOTS):
        out[at + chariot] = view.owner[chariot] == NONE
        if view.place[chariot] != NONE:
            out[at + CHARIOTS + int(view.place[chariot])] = 1.0
    return at + 2 * CHARIOTS


@kernel
def encode_chariots(view: View, tables: Tables, out: Floats, at: int) -> int:
    """In the order of `place_of`."""
    mine = own(view)
    for relative in range(view.seats + 1):
        owner = (view.seat + relative) % view.seats if relative < view.seats else NONE
        for chariot in range(CHARIOTS):
            if view.owner[chariot] == owner:
                at = encode_chariot(view, tables, chariot, relative if owner != NONE else NONE, mine, out, at)
    return at


@kernel
def own(view: View) -> int:
    """One's first chariot on the track, or none."""
    for chariot in range(CHARIOTS):
        if view.owner[chariot] == view.seat and view.space[chariot] != NONE:
            return chariot
    return NONE


@kernel
def encode_chariot(view: View, tables: Tables, c: int, owner: int, mine: int, out: Floats, at: int) -> int:
    """One chariot; its owner as seen from the seat."""
    board, on_track = int(view.board[c]), view.space[c] != NONE
    at = scaled(out, at, on_track, 1)
    at = one_of(out, at, owner, CHARIOTS)
    if not on_track:
        return nothing(out, at, CHARIOT_COUNT - 1 - CHARIOTS)
    at = one_of(out, at, turn_of(view, c), 2)
    at = one_of(out, at, board, BOARDS)
    at = one_of(out, at, tables.lane[view.space[c]], LANES)
    lap, behind = int(tables.spaces), progress(view, tables, c)
    at = scaled(out, at, behind - lap, lap * int(tables.laps))
    at = scaled(out, at, behind - progress(view, tables, mine) if mine != NONE else 0, lap)
    at = scaled(out, at, view.damage[c], tables.most_damage[board])
    at = scaled(out, at, view.speed[c], DRIVEN)
    at = scaled(out, at, tables.cap[board, view.damage[c]], DRIVEN)
    return scaled(out, at, view.fate[c], tables.most_fate[board])


@kernel
def encode_road(view: View, tables: Tables, out: Floats, at: int) -> int:
    """What the chariot that drives has before it."""
    end = nothing(out, at, WAYS * AHEAD * SPACE_COUNT)
    if view.mover == NONE:
        return end
    here = view.space[view.mover]
    encode_lane(view, tables, int(tables.ahead[here]), out, at)
    encode_lane(view, tables, int(tables.inward[here]), out, at + AHEAD * SPACE_COUNT)
    encode_lane(view, tables, int(tables.outward[here]), out, at + 2 * AHEAD * SPACE_COUNT)
    return end


@kernel
def encode_lane(view: View, tables: Tables, space: int, out: Floats, at: int) -> None:
    """Six spaces of a lane, from one on; nothing where there is no lane."""
    if space == NONE:
        return
    for _ in range(AHEAD):
        scaled(out, at, max(int(tables.corner[space]), 0), DRIVEN)
        out[at + 1] = tables.heap[view.track, space]
        out[at + 2] = view.caltrop[space]
        for chariot in range(CHARIOTS):
            if view.space[chariot] == space:
                out[at + 3] = 1.0
        at += SPACE_COUNT
        space = int(tables.ahead[space])


OBSERVATION = Observation(view=View, layout=LAYOUT, encode=encode, outlook=OUTLOOK, encode_outlook=encode_outlook)
