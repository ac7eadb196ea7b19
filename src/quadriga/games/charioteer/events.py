"""What happens in a race, and why a choice is refused. The sentences lie in text/en.toml and text/es.toml."""

from typing import Annotated

from quadriga.core.fields import In
from quadriga.core.messages import Event, Refusal

Seat = Annotated[int, In("seat")]
Card = Annotated[int, In("card")]
Symbol = Annotated[int, In("symbol")]
Colour = Annotated[int, In("colour")]
Token = Annotated[int, In("token")]
Marker = Annotated[int, In("marker")]
Part = Annotated[int, In("part")]


class FirstPlayer(Event, code=1):
    seat: Seat


class SkillsDealt(Event, code=2):
    seat: Seat
    first: Colour
    second: Colour
    third: Colour
    fourth: Colour


class Drew(Event, code=3):
    """For the owner alone: the cards that came into a hand."""

    seat: Seat
    card_1: Card
    card_2: Card
    card_3: Card
    card_4: Card
    card_5: Card
    card_6: Card
    card_7: Card
    card_8: Card


class Refilled(Event, code=4):
    seat: Seat
    cards: int


class Reshuffled(Event, code=5):
    cards: int


class CrowdSet(Event, code=6):
    now: Card
    next: Card
    later: Card


class EmperorRolled(Event, code=7):
    face: Annotated[int, In("face")]


class Disrupted(Event, code=8):
    seat: Seat
    cubes: int
    boxes: int


class Moved(Event, code=9):
    """A move is revealed."""

    seat: Seat
    symbol: Symbol
    card_1: Card
    card_2: Card
    card_3: Card
    crowd: bool
    token: Token
    changed: Part


class ResetShown(Event, code=10):
    """A reset is revealed."""

    seat: Seat
    card_1: Card
    card_2: Card
    card_3: Card


class Stacked(Event, code=11):
    """A discard token is revealed on so many face-down cards."""

    seat: Seat
    token: Token
    cards: int


class Discarded(Event, code=12):
    """For the owner alone: the face-down cards."""

    seat: Seat
    card_1: Card
    card_2: Card
    card_3: Card


class Shielded(Event, code=13):
    seat: Seat
    cubes: int


class Recovered(Event, code=14):
    seat: Seat
    recoveries: int
    cubes: int
    left: int


class Measured(Event, code=15):
    """The sum of CH-4, part by part."""

    seat: Seat
    symbols: int
    number: int
    token: int
    skill: int
    damage: int
    distance: int


class Entered(Event, code=16):
    seat: Seat
    space: Annotated[int, In("space")]
    progress: int
    left: int
    whip: bool


class Passed(Event, code=17):
    """A rival is passed: inside one space for a point (none on the first turn), or left in an outer space."""

    seat: Seat
    rival: Seat
    cost: int
    left: int


class Whipped(Event, code=18):
    seat: Seat
    spaces: int


class WhipStopped(Event, code=19):
    seat: Seat
    rival: Seat
    spaces: int


class WhipTooEarly(Event, code=20):
    seat: Seat


class WhipLeading(Event, code=21):
    seat: Seat


class WhipPassed(Event, code=22):
    seat: Seat


class Calmed(Event, code=23):
    """A reset is carried out."""

    seat: Seat
    damage: int


class Attacked(Event, code=24):
    seat: Seat
    rival: Seat
    cubes: int
    boxes: int


class Blocked(Event, code=25):
    seat: Seat
    rival: Seat


class Advanced(Event, code=26):
    seat: Seat
    colour: Colour
    start: Marker
    to: Marker
    steps: int


class FanEarned(Event, code=27):
    seat: Seat


class FanDrawn(Event, code=28):
    """For the owner alone: the face of the token."""

    seat: Seat
    token: Token


class BagEmpty(Event, code=29):
    seat: Seat


class BagRefilled(Event, code=30):
    tokens: int


class Hurt(Event, code=31):
    seat: Seat
    cubes: int
    damage: int


class CrowdSlid(Event, code=32):
    gone: Card
    new: Card


class LapCompleted(Event, code=33):
    seat: Seat
    lap: int


class Placed(Event, code=34):
    seat: Seat
    place: int
    progress: int


EVENTS: tuple[type[Event], ...] = (
    FirstPlayer, SkillsDealt, Drew, Refilled, Reshuffled, CrowdSet, EmperorRolled, Disrupted, Moved, ResetShown, Stacked,
    Discarded, Shielded, Recovered, Measured, Entered, Passed, Whipped, WhipStopped, WhipTooEarly, WhipLeading, WhipPassed,
    Calmed, Attacked, Blocked, Advanced, FanEarned, FanDrawn, BagEmpty, BagRefilled, Hurt, CrowdSlid, LapCompleted, Placed,
)  # fmt: skip


class NoCards(Refusal, code=1):
    pass


class NoSymbol(Refusal, code=2):
    pass


class CardNotHeld(Refusal, code=3):
    part: Part
    card: Card


class CardUnmatched(Refusal, code=4):
    part: Part
    card: Card
    symbol: Symbol


class CrowdUnmatched(Refusal, code=5):
    card: Card
    symbol: Symbol


class TooFewMatching(Refusal, code=6):
    symbol: Symbol
    cards: int


class TokenNotHeld(Refusal, code=7):
    token: Token


class TokenColour(Refusal, code=8):
    token: Token
    colour: Colour


class TokenDiscards(Refusal, code=9):
    token: Token


class WildUnplaced(Refusal, code=10):
    token: Token


class ChangedWithoutWild(Refusal, code=11):
    part: Part


class ChangedMissing(Refusal, code=12):
    part: Part


class CrowdNotWild(Refusal, code=13):
    pass


class NotDiscardToken(Refusal, code=14):
    token: Token


class DiscardsWithoutToken(Refusal, code=15):
    pass


class NothingDiscarded(Refusal, code=16):
    token: Token


class TooManyDiscards(Refusal, code=17):
    cards: int
    most: int


class DiscardTwice(Refusal, code=18):
    place: Annotated[int, In("place")]


class DiscardInUse(Refusal, code=19):
    card: Card


class NotToAct(Refusal, code=20):
    pass


class NotACode(Refusal, code=21):
    pass


REFUSALS: tuple[type[Refusal], ...] = (
    NoCards, NoSymbol, CardNotHeld, CardUnmatched, CrowdUnmatched, TooFewMatching, TokenNotHeld, TokenColour, TokenDiscards,
    WildUnplaced, ChangedWithoutWild, ChangedMissing, CrowdNotWild, NotDiscardToken, DiscardsWithoutToken, NothingDiscarded,
    TooManyDiscards, DiscardTwice, DiscardInUse, NotToAct, NotACode,
)  # fmt: skip
