"""What happens in a race, all of it public, and why a choice is refused."""

from typing import Annotated

from quadriga.core.fields import In
from quadriga.core.messages import Event, Refusal

Chariot = Annotated[int, In("chariot")]
Seat = Annotated[int, In("seat")]
Space = Annotated[int, In("space")]
Face = Annotated[int, In("face")]
Cause = Annotated[int, In("cause")]


class Opened(Event, code=1):
    """CR-1: who drafts first."""

    seat: Seat


class Drafted(Event, code=2):
    """CR-1: a player took a chariot."""

    seat: Seat
    chariot: Chariot


class Gridded(Event, code=3):
    """CR-1: a chariot stands on its grid place."""

    chariot: Chariot
    seat: Seat
    place: Annotated[int, In("place")]
    space: Space


class RoundBegan(Event, code=4):
    """CR-2: the order of turns."""

    number: int
    first: Chariot
    second: Chariot
    third: Chariot
    fourth: Chariot
    fifth: Chariot
    sixth: Chariot


class TurnBegan(Event, code=5):
    """CR-2: a chariot's turn, with its values."""

    chariot: Chariot
    seat: Seat
    space: Space
    damage: int
    speed: int
    fate: int


class Repaired(Event, code=6):
    """CR-3: fate spent, damage repaired, and what both now are."""

    chariot: Chariot
    spent: int
    fate: int
    points: int
    damage: int


class Slowed(Event, code=7):
    """CR-4: the initial speed dropped to what the damage allows."""

    chariot: Chariot
    was: int
    speed: int
    damage: int


class Rolled(Event, code=8):
    """CR-5: the dice of the turn."""

    chariot: Chariot
    count: int
    first: Face
    second: Face
    third: Face
    fourth: Face
    fifth: Face


class Rerolled(Event, code=9):
    """CR-5: which dice were rolled again, for how much fate, and how all dice now lie."""

    chariot: Chariot
    dice: Annotated[int, In("dice")]
    spent: int
    fate: int
    first: Face
    second: Face
    third: Face
    fourth: Face
    fifth: Face


class Turned(Event, code=10):
    """CR-5: a die turned for fate."""

    chariot: Chariot
    die: Annotated[int, In("die")]
    was: Face
    face: Face
    spent: int
    fate: int


class Favoured(Event, code=11):
    """CR-6: fate gained, and what the maximum cut off."""

    chariot: Chariot
    gained: int
    lost: int
    fate: int


class Paced(Event, code=12):
    """CR-7: the speed of the drive and how it came about."""

    chariot: Chariot
    was: int
    plus: int
    minus: int
    sprints: int
    speed: int


class Stood(Event, code=13):
    """CR-8: speed 0, no drive."""

    chariot: Chariot
    space: Space


class Stepped(Event, code=14):
    """CR-8: one space of the drive."""

    chariot: Chariot
    start: Space
    to: Space
    changed: bool
    left: int
    steers: int


class Crossed(Event, code=15):
    """CR-13: over the line: 1 from the grid, 2 the last lap begins, 3 finished."""

    chariot: Chariot
    lines: int


class Damaged(Event, code=16):
    """CR-7, CR-9, CR-12: damage with its cause; `other` rammed, was rammed or threw."""

    chariot: Chariot
    points: int
    damage: int
    cause: Cause
    space: Space
    other: Chariot


class Rammed(Event, code=17):
    """CR-9: the mover entered an occupied space; `last` if its drive ends there."""

    chariot: Chariot
    rival: Chariot
    space: Space
    last: bool


class Shielded(Event, code=18):
    """CR-14: a finisher takes no damage from the ram."""

    chariot: Chariot
    space: Space


class FellBack(Event, code=19):
    """CR-10: the mover was put behind the chariot it ended on."""

    chariot: Chariot
    start: Space
    to: Space
    spaces: int


class CrossedBack(Event, code=20):
    """CR-13: it fell back behind the line."""

    chariot: Chariot
    lines: int


class Swept(Event, code=21):
    """CR-9: a caltrop went back to the supply."""

    chariot: Chariot
    space: Space
    supply: int


class Wrecked(Event, code=22):
    """CR-11: out of the race."""

    chariot: Chariot
    seat: Seat
    cause: Cause
    space: Space
    other: Chariot
    wrecks: int


class Littered(Event, code=23):
    """CR-11: a wreck became a caltrop."""

    chariot: Chariot
    space: Space
    supply: int


class Dropped(Event, code=24):
    """CR-12: a caltrop dropped."""

    chariot: Chariot
    space: Space
    supply: int


class Threw(Event, code=25):
    """CR-12: a javelin thrown."""

    chariot: Chariot
    target: Chariot
    start: Space
    to: Space


class Passed(Event, code=26):
    """CR-12: attacks given up, or lapsed for want of a target."""

    chariot: Chariot
    attacks: int


class TurnEnded(Event, code=27):
    """The chariot's values at the end of its turn, unless it is a wreck."""

    chariot: Chariot
    space: Space
    damage: int
    speed: int
    fate: int


class RaceWon(Event, code=28):
    """CR-13: the winner."""

    chariot: Chariot
    seat: Seat
    space: Space


class NobodyWon(Event, code=29):
    """CR-13: all wrecked."""


class RaceStopped(Event, code=30):
    """CR-13: too many rounds; the leader as it stands."""

    chariot: Chariot
    seat: Seat
    rounds: int


EVENTS: tuple[type[Event], ...] = (
    Opened, Drafted, Gridded, RoundBegan, TurnBegan, Repaired, Slowed, Rolled, Rerolled, Turned, Favoured, Paced, Stood,
    Stepped, Crossed, Damaged, Rammed, Shielded, FellBack, CrossedBack, Swept, Wrecked, Littered, Dropped, Threw,
    Passed, TurnEnded, RaceWon, NobodyWon, RaceStopped,
)  # fmt: skip

OPENED = Opened.code
DRAFTED = Drafted.code
GRIDDED = Gridded.code
ROUND_BEGAN = RoundBegan.code
TURN_BEGAN = TurnBegan.code
REPAIRED = Repaired.code
SLOWED = Slowed.code
ROLLED = Rolled.code
REROLLED = Rerolled.code
TURNED = Turned.code
FAVOURED = Favoured.code
PACED = Paced.code
STOOD = Stood.code
STEPPED = Stepped.code
CROSSED = Crossed.code
DAMAGED = Damaged.code
RAMMED = Rammed.code
SHIELDED = Shielded.code
FELL_BACK = FellBack.code
CROSSED_BACK = CrossedBack.code
SWEPT = Swept.code
WRECKED = Wrecked.code
LITTERED = Littered.code
DROPPED = Dropped.code
THREW = Threw.code
PASSED = Passed.code
TURN_ENDED = TurnEnded.code
RACE_WON = RaceWon.code
NOBODY_WON = NobodyWon.code
RACE_STOPPED = RaceStopped.code


class NotNow(Refusal, code=1):
    """Another choice is due."""

    phase: Annotated[int, In("phase")]


class ChariotTaken(Refusal, code=2):
    """CR-1: somebody drafted it."""

    chariot: Chariot
    seat: Seat


class PlaceTaken(Refusal, code=3):
    """CR-1: a chariot stands there."""

    place: Annotated[int, In("place")]
    chariot: Chariot


class TooMuchRepair(Refusal, code=4):
    """CR-3: 1 to 3 points, and no more than are missing."""

    points: int
    most: int


class NoDice(Refusal, code=5):
    """CR-5: a re-roll takes at least one die."""


class NotRolled(Refusal, code=6):
    """CR-5: the die is not on the table."""

    dice: int


class TooLittleFate(Refusal, code=7):
    """CR-5: what it costs, and what there is."""

    needed: int
    fate: int


class FortunaNotGiven(Refusal, code=8):
    """CR-5: no die can be turned to Fortuna."""


class FaceShown(Refusal, code=9):
    """CR-5: the die shows it already."""

    die: Annotated[int, In("die")]
    face: Face


class TooManyPlus(Refusal, code=10):
    """CR-7: more than there are pace faces."""

    plus: int
    dice: int


class NotAhead(Refusal, code=11):
    """CR-8: no step leads there."""

    space: Space
    here: Space


class NotDriven(Refusal, code=12):
    """CR-12: not a space of this drive."""

    space: Space


class StartSpace(Refusal, code=13):
    """CR-12: the drive began there."""

    space: Space


class EndSpace(Refusal, code=14):
    """CR-12: the drive ended there."""

    space: Space


class NotBehind(Refusal, code=15):
    """CR-12: it lies ahead of where the chariot stands now."""

    space: Space


class CaltropThere(Refusal, code=16):
    """CR-12: one caltrop a space."""

    space: Space


class NoSupply(Refusal, code=17):
    """CR-12: all caltrops are on the board."""


class NotInRace(Refusal, code=18):
    """CR-12: wrecked, or never started."""

    chariot: Chariot


class Itself(Refusal, code=19):
    """CR-12: nobody throws at himself."""

    chariot: Chariot


class OutOfRange(Refusal, code=20):
    """CR-12: further than two steps."""

    chariot: Chariot
    space: Space


class Sheltered(Refusal, code=21):
    """CR-14: it has finished."""

    chariot: Chariot


class NoSuchThing(Refusal, code=22):
    """The choice names no part of this game."""


REFUSALS: tuple[type[Refusal], ...] = (
    NotNow, ChariotTaken, PlaceTaken, TooMuchRepair, NoDice, NotRolled, TooLittleFate, FortunaNotGiven, FaceShown,
    TooManyPlus, NotAhead, NotDriven, StartSpace, EndSpace, NotBehind, CaltropThere, NoSupply, NotInRace, Itself,
    OutOfRange, Sheltered, NoSuchThing,
)  # fmt: skip

NOT_NOW = NotNow.code
CHARIOT_TAKEN = ChariotTaken.code
PLACE_TAKEN = PlaceTaken.code
TOO_MUCH_REPAIR = TooMuchRepair.code
NO_DICE = NoDice.code
NOT_ROLLED = NotRolled.code
TOO_LITTLE_FATE = TooLittleFate.code
FORTUNA_NOT_GIVEN = FortunaNotGiven.code
FACE_SHOWN = FaceShown.code
TOO_MANY_PLUS = TooManyPlus.code
NOT_AHEAD = NotAhead.code
NOT_DRIVEN = NotDriven.code
START_SPACE = StartSpace.code
END_SPACE = EndSpace.code
NOT_BEHIND = NotBehind.code
CALTROP_THERE = CaltropThere.code
NO_SUPPLY = NoSupply.code
NOT_IN_RACE = NotInRace.code
ITSELF = Itself.code
OUT_OF_RANGE = OutOfRange.code
SHELTERED = Sheltered.code
NO_SUCH_THING = NoSuchThing.code
