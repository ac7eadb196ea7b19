"""What happens in a race of Chariots, and why a choice can be refused."""

from typing import Annotated

from quadriga.core.fields import In
from quadriga.core.messages import Event, Refusal

Chariot = Annotated[int, In("chariot")]
Square = Annotated[int, In("square")]
Seat = Annotated[int, In("seat")]


class GridRolled(Event, code=1):
    """A chariot rolls for its place on the grid (CT-1)."""

    chariot: Chariot
    face: Annotated[int, In("face")]


class GridTaken(Event, code=2):
    """A chariot takes its place on the grid."""

    chariot: Chariot
    seat: Seat
    position: int
    square: Square


class RoundBegan(Event, code=3):
    """A new round is plotted."""

    number: int


class CoinRecovered(Event, code=4):
    """A spent coin comes back before the plot (CT-13)."""

    chariot: Chariot
    coin: Annotated[int, In("coin")]


class Plotted(Event, code=5):
    """The coins a player has laid, for his own eyes."""

    chariot: Chariot
    first: int
    second: int
    third: int


class PhaseBegan(Event, code=6):
    """A phase begins."""

    number: int


class CoinSwapped(Event, code=7):
    """The coin of the phase was swapped with the fourth, for the null coin (CT-12 c)."""

    chariot: Chariot


class CoinExposed(Event, code=8):
    """The coin of the phase is turned up."""

    chariot: Chariot
    speed: int


class ControlRolled(Event, code=9):
    """The die is rolled for control (CT-3)."""

    chariot: Chariot
    face: Annotated[int, In("face")]
    holds: bool


class ImpulseBegan(Event, code=10):
    """An impulse begins."""

    number: int


class Announced(Event, code=11):
    """What was announced before the impulse comes to light (CT-12)."""

    chariot: Chariot
    null: Annotated[int, In("null_action")]
    ace: Annotated[int, In("ace_action")]
    target: Chariot


class Balked(Event, code=12):
    """Whipped horses lose the impulse (CT-12 e)."""

    chariot: Chariot


class Rested(Event, code=13):
    """A chariot sits out an impulse of its speed after a crash (CT-7)."""

    chariot: Chariot


class Stepped(Event, code=14):
    """A chariot goes one square."""

    chariot: Chariot
    start: Square
    to: Square
    null: Annotated[int, In("null_use")]


class Pushed(Event, code=15):
    """A chariot is put aside by another (CT-9)."""

    chariot: Chariot
    by: Chariot
    start: Square
    to: Square


class Crashed(Event, code=16):
    """A chariot has no square to go to (CT-7); quick: it misses only one impulse (CT-12 f)."""

    chariot: Chariot
    square: Square
    quick: bool
    stunned: bool


class StepLost(Event, code=17):
    """An extra step finds no open square (CT-12 a)."""

    chariot: Chariot


class LineCrossed(Event, code=18):
    """A chariot crosses the line, forward or back (CT-10)."""

    chariot: Chariot
    forward: bool
    lines: int


class LapFinished(Event, code=19):
    """A chariot finishes a lap."""

    chariot: Chariot
    lap: int


class CoinsReturned(Event, code=20):
    """The spent coins of a chariot come back after a lap."""

    chariot: Chariot


class Finished(Event, code=21):
    """A chariot finishes the race."""

    chariot: Chariot
    place: int


class RaceEnded(Event, code=22):
    """The race is over."""

    reason: Annotated[int, In("reason")]


class PhaseQuiet(Event, code=23):
    """A player announces nothing for the rest of the phase."""

    chariot: Chariot


class NotNow(Refusal, code=1):
    """Another kind of choice is asked for."""

    stage: Annotated[int, In("stage")]


class CoinsNotPlotted(Refusal, code=2):
    """A plot is three different coins (CT-2)."""


class NotBeside(Refusal, code=3):
    """The square is not a neighbour (CT-6)."""

    square: Square


class NotDiagonal(Refusal, code=4):
    """The square is not reached diagonally (CT-8)."""

    square: Square


class SquareTaken(Refusal, code=5):
    """A chariot stands there (CT-6)."""

    square: Square
    chariot: Chariot


class NoControl(Refusal, code=6):
    """An inside square, and no control (CT-6)."""

    square: Square


class NoNullCoin(Refusal, code=7):
    """The null coin is spent, or not needed for this."""


class NoAceCoin(Refusal, code=8):
    """The ace coin is spent."""


class NobodyToPush(Refusal, code=9):
    """No chariot stands on the square (CT-9)."""

    square: Square


class BadPush(Refusal, code=10):
    """The pushed chariot cannot be put there (CT-9)."""

    square: Square


class OtherWay(Refusal, code=11):
    """A whipped driver must go on the way he went (CT-12 d)."""

    side: Annotated[int, In("side")]


class MustMove(Refusal, code=12):
    """A square is free without coins (CT-7)."""


class NotAnnounced(Refusal, code=13):
    """That cannot be announced now (CT-12)."""


class CoinInHand(Refusal, code=14):
    """The coin is not spent (CT-13)."""

    coin: Annotated[int, In("coin")]


EVENTS = (
    GridRolled, GridTaken, RoundBegan, CoinRecovered, Plotted, PhaseBegan, CoinSwapped, CoinExposed, ControlRolled,
    ImpulseBegan, Announced, Balked, Rested, Stepped, Pushed, Crashed, StepLost, LineCrossed, LapFinished,
    CoinsReturned, Finished, RaceEnded, PhaseQuiet,
)  # fmt: skip
REFUSALS = (
    NotNow, CoinsNotPlotted, NotBeside, NotDiagonal, SquareTaken, NoControl, NoNullCoin, NoAceCoin, NobodyToPush,
    BadPush, OtherWay, MustMove, NotAnnounced, CoinInHand,
)  # fmt: skip

GRID_ROLLED, GRID_TAKEN, ROUND_BEGAN, COIN_RECOVERED = (
    GridRolled.code,
    GridTaken.code,
    RoundBegan.code,
    CoinRecovered.code,
)
PLOTTED, PHASE_BEGAN, COIN_SWAPPED, COIN_EXPOSED = Plotted.code, PhaseBegan.code, CoinSwapped.code, CoinExposed.code
CONTROL_ROLLED, IMPULSE_BEGAN, ANNOUNCED, BALKED = ControlRolled.code, ImpulseBegan.code, Announced.code, Balked.code
RESTED, STEPPED, PUSHED, CRASHED, STEP_LOST = Rested.code, Stepped.code, Pushed.code, Crashed.code, StepLost.code
LINE_CROSSED, LAP_FINISHED, COINS_RETURNED = LineCrossed.code, LapFinished.code, CoinsReturned.code
FINISHED, RACE_ENDED, PHASE_QUIET = Finished.code, RaceEnded.code, PhaseQuiet.code

NOT_NOW, COINS_NOT_PLOTTED, NOT_BESIDE, NOT_DIAGONAL = (
    NotNow.code,
    CoinsNotPlotted.code,
    NotBeside.code,
    NotDiagonal.code,
)
SQUARE_TAKEN, NO_CONTROL, NO_NULL_COIN, NO_ACE_COIN = SquareTaken.code, NoControl.code, NoNullCoin.code, NoAceCoin.code
NOBODY_TO_PUSH, BAD_PUSH, OTHER_WAY, MUST_MOVE = NobodyToPush.code, BadPush.code, OtherWay.code, MustMove.code
NOT_ANNOUNCED, COIN_IN_HAND = NotAnnounced.code, CoinInHand.code
