"""Why a choice is not allowed: the whole of it is checked, parts that no list holds included."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of
from quadriga.games.charioteer.actions import (
    CROWD_PART,
    DO_MOVE,
    DO_RESET,
    card_of,
    changed_of,
    discard_of,
    discard_token_of,
    has_crowd,
    symbol_of,
    token_of,
)
from quadriga.games.charioteer.choices import NEEDED
from quadriga.games.charioteer.components import SYMBOLS, Tables
from quadriga.games.charioteer.events import (
    CARD_NOT_HELD,
    CARD_UNMATCHED,
    CHANGED_MISSING,
    CHANGED_WITHOUT_WILD,
    CROWD_NOT_WILD,
    CROWD_UNMATCHED,
    DISCARD_IN_USE,
    DISCARD_TWICE,
    DISCARDS_WITHOUT_TOKEN,
    NO_CARDS,
    NO_SYMBOL,
    NOT_A_CODE,
    NOT_DISCARD_TOKEN,
    NOT_TO_ACT,
    NOTHING_DISCARDED,
    TOKEN_COLOUR,
    TOKEN_DISCARDS,
    TOKEN_NOT_HELD,
    TOO_FEW_MATCHING,
    TOO_MANY_DISCARDS,
    WILD_UNPLACED,
)
from quadriga.games.charioteer.state import HAND, PLAYED, RUNNING, Ints, Race
from quadriga.games.charioteer.turn import MATCHING_CARDS, tally

ALLOWED = 0


@kernel
def refusal(race: Race, tables: Tables, seat: int, code: int, why: Ints, scratch: Ints) -> int:
    """0 if the seat may choose this now, else the number of a refusal, its parameters in `why`."""
    if race.over != RUNNING or seat < 0 or seat >= race.seats:
        return NOT_TO_ACT
    if not is_code(race, tables, seat, code):
        return NOT_A_CODE
    reason = refuse_cards(race, seat, code, why)
    if reason == ALLOWED and kind_of(code) == DO_MOVE:
        reason = refuse_token(race, tables, seat, code, why)
        if reason == ALLOWED:
            reason = refuse_change(race, tables, code, why)
        if reason == ALLOWED:
            reason = refuse_match(race, tables, code, why, scratch)
    if reason == ALLOWED:
        reason = refuse_discards(race, tables, seat, code, why)
    return reason


@kernel
def is_code(race: Race, tables: Tables, seat: int, code: int) -> bool:
    """Whether every number of a code stands for something, and lists are filled from the front."""
    if kind_of(code) != DO_MOVE and kind_of(code) != DO_RESET:
        return False
    for i in range(PLAYED):
        if card_of(code, i) >= tables.kinds or discard_of(code, i) >= HAND:
            return False
        if i > 0 and card_of(code, i) != NONE and card_of(code, i - 1) == NONE:
            return False
        if i > 0 and discard_of(code, i) != NONE and discard_of(code, i - 1) == NONE:
            return False
    tokens_known = token_of(code) < tables.token_kinds and discard_token_of(code) < tables.token_kinds
    return tokens_known and symbol_of(code) < SYMBOLS and changed_of(code) <= CROWD_PART


@kernel
def refuse_cards(race: Race, seat: int, code: int, why: Ints) -> int:
    """One to three cards of the hand, each held as often as it is named."""
    if card_of(code, 0) == NONE:
        return NO_CARDS
    for i in range(PLAYED):
        card = card_of(code, i)
        if card == NONE:
            break
        named = 0
        for j in range(i + 1):
            named += card_of(code, j) == card
        if held(race, seat, card) < named:
            why[0] = i
            why[1] = card
            return CARD_NOT_HELD
    return ALLOWED


@kernel
def held(race: Race, seat: int, card: int) -> int:
    """How often a hand has a kind of card."""
    count = 0
    for place in range(HAND):
        count += race.hand[seat, place] == card
    return count


@kernel
def refuse_token(race: Race, tables: Tables, seat: int, code: int, why: Ints) -> int:
    """CH-15: one token, held, colourless or of the move's colour, and not a discard token."""
    if symbol_of(code) == NONE:
        return NO_SYMBOL
    token = token_of(code)
    if token == NONE:
        return ALLOWED
    colour = int(tables.symbol_colour[symbol_of(code)])
    why[0] = token
    why[1] = colour
    if race.tokens[seat, token] == 0:
        return TOKEN_NOT_HELD
    if tables.token_discard[token] > 0:
        return TOKEN_DISCARDS
    if tables.token_colour[token] != NONE and tables.token_colour[token] != colour:
        return TOKEN_COLOUR
    return ALLOWED


@kernel
def refuse_change(race: Race, tables: Tables, code: int, why: Ints) -> int:
    """CH-14: a wild changes exactly one card of the move; nothing else does."""
    token, changed = token_of(code), changed_of(code)
    wild = token != NONE and tables.token_wild[token]
    why[0] = changed if changed != NONE else token
    if changed == NONE:
        return WILD_UNPLACED if wild else ALLOWED
    if not wild:
        return CHANGED_WITHOUT_WILD
    if changed == CROWD_PART:
        if not race.crowd_wild:
            return CROWD_NOT_WILD
        return ALLOWED if has_crowd(code) else CHANGED_MISSING
    return CHANGED_MISSING if card_of(code, changed) == NONE else ALLOWED


@kernel
def refuse_match(race: Race, tables: Tables, code: int, why: Ints, scratch: Ints) -> int:
    """CH-3: every card with symbols matches, and two cards do."""
    symbol, changed = symbol_of(code), changed_of(code)
    for i in range(PLAYED):
        card = card_of(code, i)
        if card != NONE and i != changed and not fits(tables, card, symbol):
            why[0] = i
            why[1] = card
            why[2] = symbol
            return CARD_UNMATCHED
    if has_crowd(code) and changed != CROWD_PART and not fits(tables, int(race.crowd[0]), symbol):
        why[0] = int(race.crowd[0])
        why[1] = symbol
        return CROWD_UNMATCHED
    tally(tables, int(race.crowd[0]), code, scratch)
    why[0] = symbol
    why[1] = scratch[MATCHING_CARDS]
    return ALLOWED if scratch[MATCHING_CARDS] >= NEEDED else TOO_FEW_MATCHING


@kernel
def fits(tables: Tables, card: int, symbol: int) -> bool:
    """Whether a card carries the symbol or has none at all."""
    symbols = int(tables.card_symbols[card])
    return symbols == 0 or symbols >> symbol & 1 == 1


@kernel
def refuse_discards(race: Race, tables: Tables, seat: int, code: int, why: Ints) -> int:
    """CH-15: as many cards as the discard token allows, each in the hand and not used in the move."""
    token, count = discard_token_of(code), 0
    for i in range(PLAYED):
        count += discard_of(code, i) != NONE
    if token == NONE:
        return DISCARDS_WITHOUT_TOKEN if count > 0 else ALLOWED
    why[0] = token
    if race.tokens[seat, token] == 0:
        return TOKEN_NOT_HELD
    if tables.token_discard[token] == 0:
        return NOT_DISCARD_TOKEN
    if count == 0:
        return NOTHING_DISCARDED
    if count > tables.token_discard[token]:
        why[0] = count
        why[1] = int(tables.token_discard[token])
        return TOO_MANY_DISCARDS
    return refuse_places(race, seat, code, count, why)


@kernel
def refuse_places(race: Race, seat: int, code: int, count: int, why: Ints) -> int:
    """Discards are different places of the hand, and leave the cards of the move in it."""
    for i in range(count):
        place = discard_of(code, i)
        for j in range(i):
            if discard_of(code, j) == place:
                why[0] = place
                return DISCARD_TWICE
        card = int(race.hand[seat, place])
        needed = 0
        for j in range(PLAYED):
            needed += card_of(code, j) == card
        for j in range(i + 1):
            needed += race.hand[seat, discard_of(code, j)] == card
        if needed > held(race, seat, card):
            why[0] = card
            return DISCARD_IN_USE
    return ALLOWED
