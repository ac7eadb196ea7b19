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
    """The first player is drawn; clockwise from there goes the first turn (CH-1)."""

    seat: Seat


class SkillsDealt(Event, code=2):
    """A skills card: colours from the best skill down (CH-1)."""

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
    """A hand is refilled (CH-17)."""

    seat: Seat
    cards: int


class Reshuffled(Event, code=5):
    """The discards become the draw pile (CH-17)."""

    cards: int


class CrowdSet(Event, code=6):
    """The crowd row is laid out (CH-1)."""

    now: Card
    next: Card
    later: Card


class EmperorRolled(Event, code=7):
    """The emperor die is rolled (CH-17)."""

    face: Annotated[int, In("face")]


class Disrupted(Event, code=8):
    """The emperor's disrupt puts cubes into a seat's attack boxes (CH-11)."""

    seat: Seat
    cubes: int
    boxes: int


class Moved(Event, code=9):
    """A move is revealed; the crowd card and the card a wild changes are named if there are any."""

    seat: Seat
    symbol: Symbol
    card_1: Card
    card_2: Card
    card_3: Card
    crowd: Card
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
    """A shield or a reset empties the attack boxes for this turn (CH-11)."""

    seat: Seat
    cubes: int


class Recovered(Event, code=14):
    """Damage is taken off before the distance is counted (CH-9)."""

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
    """A chariot enters a space; what it has left are points, or whip spaces (CH-7, CH-13)."""

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
    """A whip took the chariot all its spaces (CH-13)."""

    seat: Seat
    spaces: int


class WhipStopped(Event, code=19):
    """A whip ended at a rival it may not pass (CH-13)."""

    seat: Seat
    rival: Seat
    spaces: int


class WhipTooEarly(Event, code=20):
    """A whip does nothing on the first turn (CH-13)."""

    seat: Seat


class WhipLeading(Event, code=21):
    """A whip does nothing for the leader (CH-13)."""

    seat: Seat


class WhipPassed(Event, code=22):
    """A whip does nothing after passing a rival (CH-13)."""

    seat: Seat


class Calmed(Event, code=23):
    """A reset is carried out."""

    seat: Seat
    damage: int


class Attacked(Event, code=24):
    """Cubes go into a rival's attack boxes (CH-9)."""

    seat: Seat
    rival: Seat
    cubes: int
    boxes: int


class Blocked(Event, code=25):
    """A rival is shielded against an attack (CH-11)."""

    seat: Seat
    rival: Seat


class Advanced(Event, code=26):
    """A skill marker climbs (CH-8, CH-16)."""

    seat: Seat
    colour: Colour
    start: Marker
    to: Marker
    steps: int


class FanEarned(Event, code=27):
    """A great move earns a fan token (CH-8)."""

    seat: Seat


class FanDrawn(Event, code=28):
    """For the owner alone: the face of the token."""

    seat: Seat
    token: Token


class BagEmpty(Event, code=29):
    """There is no fan token left to earn (CH-17)."""

    seat: Seat


class BagRefilled(Event, code=30):
    """Played fan tokens go back into the bag (CH-17)."""

    tokens: int


class Hurt(Event, code=31):
    """Cubes go from the attack boxes to the damage box (CH-11)."""

    seat: Seat
    cubes: int
    damage: int


class CrowdSlid(Event, code=32):
    """The crowd card goes, the others slide, a new one comes (CH-17)."""

    gone: Card
    new: Card


class LapCompleted(Event, code=33):
    """The leader has completed a lap (CH-6)."""

    seat: Seat
    lap: int


class Placed(Event, code=34):
    """The place of a seat at the end (CH-18)."""

    seat: Seat
    place: int
    progress: int


EVENTS: tuple[type[Event], ...] = (
    FirstPlayer, SkillsDealt, Drew, Refilled, Reshuffled, CrowdSet, EmperorRolled, Disrupted, Moved,
    ResetShown, Stacked, Discarded, Shielded, Recovered, Measured, Entered, Passed, Whipped, WhipStopped,
    WhipTooEarly, WhipLeading, WhipPassed, Calmed, Attacked, Blocked, Advanced, FanEarned, FanDrawn, BagEmpty,
    BagRefilled, Hurt, CrowdSlid, LapCompleted, Placed,
)  # fmt: skip

FIRST_PLAYER = FirstPlayer.code
SKILLS_DEALT = SkillsDealt.code
DREW = Drew.code
REFILLED = Refilled.code
RESHUFFLED = Reshuffled.code
CROWD_SET = CrowdSet.code
EMPEROR_ROLLED = EmperorRolled.code
DISRUPTED = Disrupted.code
MOVED = Moved.code
RESET_SHOWN = ResetShown.code
STACKED = Stacked.code
DISCARDED = Discarded.code
SHIELDED = Shielded.code
RECOVERED = Recovered.code
MEASURED = Measured.code
ENTERED = Entered.code
PASSED = Passed.code
WHIPPED = Whipped.code
WHIP_STOPPED = WhipStopped.code
WHIP_TOO_EARLY = WhipTooEarly.code
WHIP_LEADING = WhipLeading.code
WHIP_PASSED = WhipPassed.code
CALMED = Calmed.code
ATTACKED = Attacked.code
BLOCKED = Blocked.code
ADVANCED = Advanced.code
FAN_EARNED = FanEarned.code
FAN_DRAWN = FanDrawn.code
BAG_EMPTY = BagEmpty.code
BAG_REFILLED = BagRefilled.code
HURT = Hurt.code
CROWD_SLID = CrowdSlid.code
LAP_COMPLETED = LapCompleted.code
PLACED = Placed.code


class NoCards(Refusal, code=1):
    """A choice has at least one card of the hand (CH-3, CH-12)."""


class NoSymbol(Refusal, code=2):
    """A move names a symbol (CH-3)."""


class CardNotHeld(Refusal, code=3):
    """The hand does not have the card (so often)."""

    part: Part
    card: Card


class CardUnmatched(Refusal, code=4):
    """A card with symbols lacks that of the move (CH-3)."""

    part: Part
    card: Card
    symbol: Symbol


class CrowdUnmatched(Refusal, code=5):
    """The crowd card lacks the symbol of the move (CH-3)."""

    card: Card
    symbol: Symbol


class TooFewMatching(Refusal, code=6):
    """A move has two matching cards (CH-3)."""

    symbol: Symbol
    cards: int


class TokenNotHeld(Refusal, code=7):
    """The seat does not have the token."""

    token: Token


class TokenColour(Refusal, code=8):
    """A token has the colour of the move or none (CH-15)."""

    token: Token
    colour: Colour


class TokenDiscards(Refusal, code=9):
    """A discard token lies on a stack of its own (CH-15)."""

    token: Token


class WildUnplaced(Refusal, code=10):
    """A wild changes a card (CH-14)."""

    token: Token


class ChangedWithoutWild(Refusal, code=11):
    """Only a wild changes a card (CH-14)."""

    part: Part


class ChangedMissing(Refusal, code=12):
    """The card to be changed is not in the move (CH-14)."""

    part: Part


class CrowdNotWild(Refusal, code=13):
    """The crowd card is changed only with the option on (CH-14)."""


class NotDiscardToken(Refusal, code=14):
    """Only a discard token discards (CH-15)."""

    token: Token


class DiscardsWithoutToken(Refusal, code=15):
    """Discards need a discard token (CH-15)."""


class NothingDiscarded(Refusal, code=16):
    """A discard token throws away at least one card (CH-15)."""

    token: Token


class TooManyDiscards(Refusal, code=17):
    """A discard token has a limit (CH-15)."""

    cards: int
    most: int


class DiscardTwice(Refusal, code=18):
    """A place of the hand is named twice."""

    place: Annotated[int, In("place")]


class DiscardInUse(Refusal, code=19):
    """A card cannot be both played and discarded (CH-15)."""

    card: Card


class NotToAct(Refusal, code=20):
    """The seat owes no choice."""


class NotACode(Refusal, code=21):
    """A number that stands for no choice."""


REFUSALS: tuple[type[Refusal], ...] = (
    NoCards, NoSymbol, CardNotHeld, CardUnmatched, CrowdUnmatched, TooFewMatching, TokenNotHeld, TokenColour,
    TokenDiscards, WildUnplaced, ChangedWithoutWild, ChangedMissing, CrowdNotWild, NotDiscardToken,
    DiscardsWithoutToken, NothingDiscarded, TooManyDiscards, DiscardTwice, DiscardInUse, NotToAct, NotACode,
)  # fmt: skip

NO_CARDS = NoCards.code
NO_SYMBOL = NoSymbol.code
CARD_NOT_HELD = CardNotHeld.code
CARD_UNMATCHED = CardUnmatched.code
CROWD_UNMATCHED = CrowdUnmatched.code
TOO_FEW_MATCHING = TooFewMatching.code
TOKEN_NOT_HELD = TokenNotHeld.code
TOKEN_COLOUR = TokenColour.code
TOKEN_DISCARDS = TokenDiscards.code
WILD_UNPLACED = WildUnplaced.code
CHANGED_WITHOUT_WILD = ChangedWithoutWild.code
CHANGED_MISSING = ChangedMissing.code
CROWD_NOT_WILD = CrowdNotWild.code
NOT_DISCARD_TOKEN = NotDiscardToken.code
DISCARDS_WITHOUT_TOKEN = DiscardsWithoutToken.code
NOTHING_DISCARDED = NothingDiscarded.code
TOO_MANY_DISCARDS = TooManyDiscards.code
DISCARD_TWICE = DiscardTwice.code
DISCARD_IN_USE = DiscardInUse.code
NOT_TO_ACT = NotToAct.code
NOT_A_CODE = NotACode.code
