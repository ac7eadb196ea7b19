"""What a player of Chariots chooses."""

from typing import Annotated

from quadriga.core.fields import In
from quadriga.core.messages import Action, Bits, UpTo


class Plot(Action, code=1):
    """Three of the coins 2 3 4 5, one for each phase (CT-2)."""

    coins: Annotated[tuple[int, ...], UpTo(3), Bits(3), In("speed")]


class Step(Action, code=2):
    """One square on; a null coin goes diagonally or ignores the turn, an ace pushes whoever is there (CT-6, 8, 9)."""

    to: Annotated[int, Bits(8), In("square")]
    null: Annotated[int, Bits(2), In("null_use")] = -1
    pushed_to: Annotated[int, Bits(8), In("square")] = -1


class Crash(Action, code=3):
    """No square, or no coin to spare for one; with an ace for a quick recovery (CT-7, CT-12 f)."""

    quick: bool = False


class Stay(Action, code=4):
    """Give up an extra step that only a coin could make (CT-12 a)."""


class Announce(Action, code=5):
    """What is announced before an impulse, nothing at all included (CT-12)."""

    null: Annotated[int, Bits(2), In("null_action")] = -1
    ace: Annotated[int, Bits(2), In("ace_action")] = -1
    target: Annotated[int, Bits(3), In("chariot")] = -1


class Quiet(Action, code=6):
    """No announcement for the rest of this phase (CT-12)."""


class Recover(Action, code=7):
    """Take back one spent coin, or none (CT-13)."""

    coin: Annotated[int, Bits(2), In("coin")] = -1


class Swap(Action, code=8):
    """Swap the coin about to be exposed with the fourth, for the null coin (CT-12 c)."""


class Keep(Action, code=9):
    """Keep the coin as plotted."""


ACTIONS = (Plot, Step, Crash, Stay, Announce, Quiet, Recover, Swap, Keep)

PLOT_COINS = Plot.at("coins")
STEP_TO, STEP_NULL, STEP_PUSHED_TO = Step.at("to"), Step.at("null"), Step.at("pushed_to")
CRASH_QUICK = Crash.at("quick")
ANNOUNCE_NULL, ANNOUNCE_ACE, ANNOUNCE_TARGET = Announce.at("null"), Announce.at("ace"), Announce.at("target")
RECOVER_COIN = Recover.at("coin")

DO_PLOT, DO_STEP, DO_CRASH, DO_STAY = Plot.code, Step.code, Crash.code, Stay.code
DO_ANNOUNCE, DO_QUIET, DO_RECOVER, DO_SWAP, DO_KEEP = Announce.code, Quiet.code, Recover.code, Swap.code, Keep.code

NULL, ACE = 0, 1
DIAGONAL_USE, INSIDE_USE = 0, 1
EXTRA, FIRST = 0, 1
DRIVER, HORSES = 0, 1
