"""What a player chooses: the turn is a sequence of these."""

from typing import Annotated

from quadriga.core.fields import In
from quadriga.core.messages import Action, Bits
from quadriga.games.chariot_race.state import DICE


class Draft(Action, code=1):
    """CR-1: take one of the alternate chariots."""

    chariot: Annotated[int, Bits(3), In("chariot")]


class Grid(Action, code=2):
    """CR-1: put the chariot whose turn it is on a grid place."""

    place: Annotated[int, Bits(3), In("place")]


class Repair(Action, code=3):
    """CR-3: pay 3 fate for 1 to 3 points of damage."""

    points: Annotated[int, Bits(2)]


class Roll(Action, code=4):
    """CR-3: go without a repair."""


class Reroll(Action, code=5):
    """CR-5: roll some dice again, free the first time."""

    dice: Annotated[int, Bits(6), In("dice")]


class Turn(Action, code=6):
    """CR-5: pay 2 fate and turn a die to a face."""

    die: Annotated[int, Bits(3), In("die")]
    face: Annotated[int, Bits(3), In("face")]


class Keep(Action, code=7):
    """CR-5: go on with the dice as they lie."""


class Pace(Action, code=8):
    """CR-7: use so many pace faces as +1, the others as -1."""

    plus: Annotated[int, Bits(3)]


class Step(Action, code=9):
    """CR-8: drive one space."""

    to: Annotated[int, Bits(8), In("space")]


class Drop(Action, code=10):
    """CR-12: drop a caltrop on a space driven through."""

    space: Annotated[int, Bits(8), In("space")]


class Throw(Action, code=11):
    """CR-12: throw a javelin at a chariot."""

    target: Annotated[int, Bits(3), In("chariot")]


class Pass(Action, code=12):
    """CR-12: attack no more this turn."""


ACTIONS: tuple[type[Action], ...] = (
    Draft, Grid, Repair, Roll, Reroll, Turn, Keep, Pace, Step, Drop, Throw, Pass,
)  # fmt: skip

DO_DRAFT, DRAFT_CHARIOT = Draft.code, Draft.at("chariot")
DO_GRID, GRID_PLACE = Grid.code, Grid.at("place")
DO_REPAIR, REPAIR_POINTS = Repair.code, Repair.at("points")
DO_ROLL = Roll.code
DO_REROLL, REROLL_DICE = Reroll.code, Reroll.at("dice")
DO_TURN, TURN_DIE, TURN_FACE = Turn.code, Turn.at("die"), Turn.at("face")
DO_KEEP = Keep.code
DO_PACE, PACE_PLUS = Pace.code, Pace.at("plus")
DO_STEP, STEP_TO = Step.code, Step.at("to")
DO_DROP, DROP_SPACE = Drop.code, Drop.at("space")
DO_THROW, THROW_TARGET = Throw.code, Throw.at("target")
DO_PASS = Pass.code

MOST_CHOICES = 64
"""The longest list: 31 subsets of five dice, 20 turned dice, and to keep them: 52."""


def dice_names() -> tuple[str, ...]:
    """The subsets of the dice by their bit mask: `none`, `1`, `2`, `1+2`, ..."""
    return tuple(
        "+".join(str(die + 1) for die in range(DICE) if mask >> die & 1) or "none" for mask in range(1 << DICE)
    )
