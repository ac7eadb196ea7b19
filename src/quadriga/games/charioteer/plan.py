"""What a seat could do in the next turns, for its observation: in each turn the move worth most to a plain player.

The hand is not refilled; rivals are thought to go on as usual. The crowd card of the last turn is not known yet.
"""

from typing import NamedTuple

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.observation import Floats, Part, scaled
from quadriga.games.charioteer.choices import NEEDED
from quadriga.games.charioteer.components import SYMBOLS, Tables
from quadriga.games.charioteer.matches import crowd_matches, matching_places, once_played, twice_played
from quadriga.games.charioteer.movement import WHIP_SPACES
from quadriga.games.charioteer.stages import MARKER_BITS, TURNS, Found, Stage, first_stage, next_stage
from quadriga.games.charioteer.state import BLACK, CROWD_ROW, HAND, PLAYED, RED, TOKENS, YELLOW
from quadriga.games.charioteer.turn import FAN_SYMBOLS, WILD_SYMBOLS
from quadriga.games.charioteer.view import View
from quadriga.games.charioteer.worth import (
    COLOUR_COUNT,
    CUBE_TURNS,
    CYCLED,
    FAN,
    SPACE,
    attack_worth,
    damage_left,
    lesson_worth,
    token_worth,
)

SHADES = SYMBOLS // COLOUR_COUNT
"""Symbols of a colour, which lie side by side."""
MOST_WORTH, MOST_SPACES, MOST_WAY, CLOSE, MOST_CARDS = 3000, 24, 64, 6, 4
IMPOSSIBLE = -1_000_000
RESET_WORTH, SHIELD_WORTH = 60, 30
FORESEEN = 48
"""Spaces ahead whose strides a turn looks at: more than a move has points."""

TURN = (
    Part("worth", COLOUR_COUNT, "what the best move in green, red, yellow and black is worth, of 3000; -1 for none"),
    Part("spaces", 1, "spaces of the best choice, of 24"),
    Part("way", 1, "spaces from now to the end of the turn, of 64"),
    Part("best", 1, "what the best choice is worth, of 3000"),
    Part("reset", 1, "1 if it is a reset"),
    Part("great", 1, "1 if the best move has six matching symbols"),
    Part("lead", 2, "how far it leads beyond where the leader stands now, of 24 and of 6"),
    Part("to_go", 2, "spaces to the final line after it, of 24 and of 6"),
    Part("attack", 1, "matching cards of a red move, of 4"),
)
TURN_COUNT = sum(part.count for part in TURN)


class Outset(NamedTuple):
    """What a turn's moves have in common."""

    crowd: int
    """The crowd card, as far as it is known."""
    whips: int
    """Whips on cards in hand."""
    recoveries: int
    """Places of cards with a recovery."""
    shields: int
    """Places of cards with a shield."""
    strides: int
    """Spaces ahead from which cornering skips an outer one, a bit for each regular space."""


class Cards(NamedTuple):
    """What the cards of a move bring."""

    matches: int
    matching: int
    """Cards that match, the crowd card included."""
    played: int
    """Cards from the hand."""
    shields: int
    whips: int
    recoveries: int
    lessons: int


@kernel
def encode_plan(view: View, tables: Tables, out: Floats, at: int) -> int:
    """Write the plan; how many spaces it leads."""
    stage = first_stage(view, tables)
    for _ in range(TURNS):
        found = plan_turn(view, tables, stage, out, at)
        stage = next_stage(view, tables, stage, found)
        encode_turn(view, tables, stage, found, out, at + COLOUR_COUNT)
        at += TURN_COUNT
    return stage.progress - int(view.progress[view.seat])


@kernel
def plan_turn(view: View, tables: Tables, stage: Stage, out: Floats, at: int) -> Found:
    """Write what the best move of each colour is worth; the best choice of all."""
    outset = outset_of(view, tables, stage)
    best = Found(IMPOSSIBLE, NONE, NONE, 0, 0, 0, 0)
    for group in range(COLOUR_COUNT):
        found = best_of_colour(view, tables, stage, outset, group * SHADES)
        scaled(out, at + int(tables.symbol_colour[group * SHADES]), found.worth, MOST_WORTH)
        best = better(best, found)
    worth = (stage.damage + stage.attack) * SPACE * lasting(stage) + RESET_WORTH  # CH-12
    return Found(worth, NONE, NONE, 0, 0, 0, best.matches) if worth > best.worth else best


@kernel
def lasting(stage: Stage) -> int:
    """Turns that a cube would still slow."""
    return min(stage.turns - 1, CUBE_TURNS)


@kernel
def better(best: Found, found: Found) -> Found:
    """The choice worth more, the first of equals."""
    return found if found.worth > best.worth else best


@kernel
def outset_of(view: View, tables: Tables, stage: Stage) -> Outset:
    whips, recoveries, shields = 0, 0, 0
    for place in range(HAND):
        card = int(view.hand[place])
        if card != NONE and stage.used >> place & 1 == 0:
            whips += int(tables.card_whip[card])
            recoveries |= (tables.card_recovery[card] > 0) << place
            shields |= (tables.card_shield[card] > 0) << place
    crowd = int(view.crowd[stage.turn]) if stage.turn < CROWD_ROW else NONE
    return Outset(crowd, whips, recoveries, shields, strides_from(tables, stage.progress))


@kernel
def strides_from(tables: Tables, progress: int) -> int:
    """A bit for each of the next regular spaces from which cornering skips an outer space (CH-10)."""
    strides, lap = 0, int(tables.lap)
    space = progress % lap
    for i in range(FORESEEN):
        stride = int(tables.stride[space])
        strides |= (stride - 1) << i
        space += stride
        space -= lap if space >= lap else 0
    return strides


@kernel
def cornered(strides: int, points: int) -> int:
    """How far points lead in a cornering move on an empty track."""
    bits = strides & ((1 << min(points, FORESEEN)) - 1)
    bits -= bits >> 1 & 0x555555555555
    bits = (bits & 0x333333333333) + (bits >> 2 & 0x333333333333)
    bits = bits + (bits >> 4) & 0x0F0F0F0F0F0F
    bits += bits >> 8
    return points + (bits + (bits >> 16) + (bits >> 32) & 63)


@kernel
def best_of_colour(view: View, tables: Tables, stage: Stage, outset: Outset, first: int) -> Found:
    """The best move with one of the symbols from `first` on, which are those of a colour."""
    colour = int(tables.symbol_colour[first])
    tokens = fitting_tokens(tables, stage.tokens, colour, False)
    wilds = fitting_tokens(tables, stage.tokens, colour, True)
    best = Found(IMPOSSIBLE, NONE, NONE, 0, 0, 0, 0)
    for symbol in range(first, first + SHADES):
        places = matching_places(view, tables, symbol) & ~(stage.used | stage.used << HAND)
        cards = cards_of(view, tables, stage, outset, symbol, places, False)
        if cards.matching >= NEEDED:
            best = better(best, weigh(tables, stage, outset, symbol, cards, NONE))
            best = best_with(tables, stage, outset, symbol, cards, tokens, best)
        if wilds != 0:
            cards = cards_of(view, tables, stage, outset, symbol, places, True)
            if cards.matching >= NEEDED:
                best = best_with(tables, stage, outset, symbol, cards, wilds, best)
    return best


@kernel
def fitting_tokens(tables: Tables, tokens: int, colour: int, wild: bool) -> int:
    """Those of the tokens that a move of the colour may carry (CH-15): wild ones, or others."""
    fitting = 0
    for _ in range(TOKENS):
        if tokens == 0:
            break
        token = lowest(tokens)
        tokens &= tokens - 1
        fits = tables.token_colour[token] == NONE or tables.token_colour[token] == colour
        if fits and bool(tables.token_wild[token]) == wild and tables.token_discard[token] == 0:
            fitting |= 1 << token
    return fitting


@kernel
def lowest(bits: int) -> int:
    """The number of the lowest bit, of 32."""
    bit = bits & -bits
    number = int(bit & 0xAAAAAAAA != 0) | int(bit & 0xCCCCCCCC != 0) << 1 | int(bit & 0xF0F0F0F0 != 0) << 2
    return number | int(bit & 0xFF00FF00 != 0) << 3 | int(bit & 0xFFFF0000 != 0) << 4


@kernel
def cards_of(view: View, tables: Tables, stage: Stage, outset: Outset, symbol: int, places: int, wild: bool) -> Cards:
    """The move with the most symbols; none if a wild adds nothing to it (CH-14)."""
    once, crowd = once_played(places), outset.crowd
    played = twice_played(places) + once
    matches = played + twice_played(places)
    if wild:
        if played == PLAYED and once == 0:
            return Cards(0, 0, 0, 0, 0, 0, 0)
        matches += WILD_SYMBOLS - (played == PLAYED)
        played = min(played + 1, PLAYED)
    matching, colour = played, int(tables.symbol_colour[symbol])
    shields, recoveries = int(places & outset.shields != 0), int(places & outset.recoveries != 0) + (colour == YELLOW)
    lessons = 1 + int(tables.face_pleases[view.die, colour] if stage.turn == 0 and view.die != NONE else 0)
    whips = min(PLAYED - played, outset.whips)
    played += whips
    if crowd_matches(tables, crowd, symbol) > 0:
        matching += 1
        matches += crowd_matches(tables, crowd, symbol)
        shields += int(tables.card_shield[crowd])
        recoveries += int(tables.card_recovery[crowd])
        lessons += int(tables.card_learning[crowd])
    if crowd != NONE:
        whips += int(tables.card_whip[crowd])
    return Cards(matches, matching, played, shields, whips, recoveries, lessons)


@kernel
def best_with(
    tables: Tables, stage: Stage, outset: Outset, symbol: int, cards: Cards, tokens: int, best: Found
) -> Found:
    """The best move with one of the tokens, or what is better still."""
    for _ in range(TOKENS):
        if tokens == 0:
            break
        best = better(best, weigh(tables, stage, outset, symbol, cards, lowest(tokens)))
        tokens &= tokens - 1
    return best


@kernel
def weigh(tables: Tables, stage: Stage, outset: Outset, symbol: int, cards: Cards, token: int) -> Found:
    """A move with a token or none: the gain of today and of the turns to come."""
    colour, turns = int(tables.symbol_colour[symbol]), stage.turns
    marker = stage.markers >> MARKER_BITS * colour & 255
    points = cards.matches + int(tables.symbol_number[symbol]) + int(tables.marker_bonus[marker])
    recoveries, whips, lessons, shields, worth = cards.recoveries, cards.whips, cards.lessons, cards.shields, 0
    if token != NONE:
        points += int(tables.token_bonus[token])
        recoveries += int(tables.token_recovery[token])
        whips += int(tables.token_whip[token])
        lessons += int(tables.token_learning[token])
        shields += int(tables.token_shield[token])
        worth -= token_worth(tables, token) if turns > stage.held + 1 else token_worth(tables, token) // 4
    left = damage_left(stage.damage, recoveries)
    points = max(0, points - left)
    spaces = cornered(outset.strides, points) if colour == BLACK else points
    spaces += max(0, min(stage.rival - stage.progress - spaces, whips * WHIP_SPACES))  # CH-13
    worth += spaces * SPACE + lesson_worth(tables, stage.boxed, marker, lessons, turns)
    worth += (stage.damage - left) * SPACE * lasting(stage) + CYCLED * cards.played
    if colour == RED:
        worth += attack_worth(cards.matching, turns)
    if cards.matches >= FAN_SYMBOLS and turns > 1:
        worth += FAN
    if shields > 0:
        worth += (SPACE * stage.attack + SHIELD_WORTH) * lasting(stage)
    return Found(worth, symbol, token, spaces, left, cards.matching, cards.matches)


@kernel
def encode_turn(view: View, tables: Tables, after: Stage, found: Found, out: Floats, at: int) -> None:
    """Write a turn of the plan, behind the worth of moves; `after`: where it leads."""
    lead = after.progress - int(view.progress[view.order[0]])
    left = int(tables.lap) * int(view.laps) - after.progress
    at = scaled(out, at, found.spaces, MOST_SPACES)
    at = scaled(out, at, after.progress - int(view.progress[view.seat]), MOST_WAY)
    at = scaled(out, at, found.worth, MOST_WORTH)
    at = scaled(out, at, found.symbol == NONE, 1)
    at = scaled(out, at, found.matches >= FAN_SYMBOLS, 1)
    at = scaled(out, at, lead, MOST_SPACES)
    at = scaled(out, at, lead, CLOSE)
    at = scaled(out, at, left, MOST_SPACES)
    at = scaled(out, at, left, CLOSE)
    red = found.symbol != NONE and tables.symbol_colour[found.symbol] == RED
    scaled(out, at, found.matching if red else 0, MOST_CARDS)
