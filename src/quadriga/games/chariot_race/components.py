"""The tables that kernels read; `edition` fills them from an edition file."""

from typing import Annotated

from quadriga.core.fields import I8, I16, Fields, I8s, I16s, In
from quadriga.games.chariot_race.state import CHARIOTS, SPACES

BOARDS = CHARIOTS + 1
"""The front side and one alternate board for each chariot."""
VALUES = 32
"""Values a track of a chariot board may have, 0 included."""
SIDES = 6


class Tables(Fields):
    """The components of one edition."""

    laps: Annotated[I8, "laps to race"]
    caltrops: Annotated[I8, "caltrops in the box"]
    spaces: Annotated[I16, "spaces on the board"]
    lane: Annotated[I8s, SPACES, In("lane"), "lane of a space"]
    ahead: Annotated[I16s, SPACES, In("space"), "next space of the lane"]
    back: Annotated[I16s, SPACES, In("space"), "previous space of the lane"]
    inward: Annotated[I16s, SPACES, In("space"), "space a lane change to the inside leads to"]
    outward: Annotated[I16s, SPACES, In("space"), "space a lane change to the outside leads to"]
    rank: Annotated[I16s, SPACES, "place of its front border among all, from the line"]
    corner: Annotated[I8s, SPACES, "safe speed of a numbered space, -1 for the others"]
    heap: Annotated[I8s, (4, SPACES), "by track: 1 for a space with a stone heap"]
    near: Annotated[I8s, (SPACES, SPACES), "1 for two spaces within a javelin's throw"]
    grid: Annotated[I16s, CHARIOTS, In("space"), "space of each grid place"]
    faces: Annotated[I8s, SIDES, In("face"), "faces of the die"]
    start_damage: Annotated[I8s, BOARDS, "by board: damage value at the start"]
    most_damage: Annotated[I8s, BOARDS, "by board: highest damage value"]
    start_speed: Annotated[I8s, BOARDS, "by board: speed at the start"]
    most_speed: Annotated[I8s, BOARDS, "by board: highest speed"]
    start_fate: Annotated[I8s, BOARDS, "by board: fate at the start"]
    most_fate: Annotated[I8s, BOARDS, "by board: highest fate"]
    cap: Annotated[I8s, (BOARDS, VALUES), "by board and damage value: the initial speed it allows"]
    dice: Annotated[I8s, (BOARDS, VALUES), "by board and speed: dice to roll"]
