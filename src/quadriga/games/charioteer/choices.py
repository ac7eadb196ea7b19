"""The list of a seat's choices: every move with every token, then the resets, equal cards once.

Scratch holds the sorted hand, and for the symbol at hand the cards that fit a move (they match or have no symbols)
and the token part of the codes. A choice is then a sum of prepared parts.
"""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, put
from quadriga.core.streams import Stream, draw
from quadriga.games.charioteer.actions import (
    CROWD_PART,
    DO_MOVE,
    DO_RESET,
    MOVE_CARDS,
    MOVE_CHANGED,
    MOVE_CROWD,
    MOVE_SYMBOL,
    MOVE_TOKEN,
    RESET_CARDS,
)
from quadriga.games.charioteer.components import SYMBOLS, Tables
from quadriga.games.charioteer.state import HAND, RUNNING, TOKENS, Ints, Race

# Where things lie in scratch.
SORTED = 0  # the hand, ascending by kind
MASKS = SORTED + HAND  # by symbol, the places of the sorted hand that match it, a bit for each
BLANK = MASKS + SYMBOLS  # the places of cards without symbols
FIT = BLANK + 1  # kinds that fit the symbol, ascending, with copies
FIT_MATCH = FIT + HAND  # 1 where the fit card matches
FIT_COUNT = FIT_MATCH + HAND
REST = FIT_COUNT + 1  # the same without one copy of a kind, laid out alike
PLAIN = REST + 2 * HAND + 1  # token parts of codes, "no token" first
WILDS = PLAIN + TOKENS + 1  # token parts of the wilds
PLAIN_COUNT, WILD_COUNT = WILDS + TOKENS, WILDS + TOKENS + 1
HELD = WILD_COUNT + 1  # kinds of token that the seat holds and a move may carry
HELD_COUNT = HELD + TOKENS
CHOICE_SCRATCH = HELD_COUNT + 1

WITH_CROWD = put(MOVE_CROWD, 1)
NEEDED = 2
"""Matching cards a move needs (CH-3)."""
MOST_RESETS = HAND + HAND * (HAND - 1) // 2 + HAND * (HAND - 1) * (HAND - 2) // 6
NEVER = 9
"""More matching cards than any move has: the crowd card does not fit."""


@kernel
def legal(race: Race, tables: Tables, seat: int, out: Ints, scratch: Ints) -> int:
    """The seat's choices without discards, moves first; 0 for a seat that owes none."""
    if race.over != RUNNING or seat < 0 or seat >= race.seats:
        return 0
    sort_hand(race, seat, scratch)
    mark_symbols(tables, scratch)
    find_tokens(race, tables, seat, scratch)
    n = 0
    for symbol in range(SYMBOLS):
        if is_new_colour(tables, symbol):
            sort_found_tokens(tables, int(tables.symbol_colour[symbol]), scratch)
        n = list_symbol(race, tables, symbol, out, n, scratch)
    return list_resets(out, n, scratch)


@kernel
def sort_hand(race: Race, seat: int, scratch: Ints) -> None:
    for i in range(HAND):
        card = int(race.hand[seat, i])
        at = i
        for j in range(i - 1, -1, -1):
            if scratch[SORTED + j] <= card:
                break
            scratch[SORTED + j + 1] = scratch[SORTED + j]
            at = j
        scratch[SORTED + at] = card


@kernel
def mark_symbols(tables: Tables, scratch: Ints) -> None:
    """Note by symbol which places of the sorted hand match it, and which have no symbols.

    The eight places are a byte, so that one number marks four symbols.
    """
    low = middle = high = blank = 0
    for i in range(HAND):
        card = scratch[SORTED + i]
        if card != NONE:
            low |= int(tables.card_lanes[card, 0]) << i
            middle |= int(tables.card_lanes[card, 1]) << i
            high |= int(tables.card_lanes[card, 2]) << i
            blank |= (tables.card_symbols[card] == 0) << i
    for k in range(4):
        scratch[MASKS + k] = low >> 8 * k & 255
        scratch[MASKS + 4 + k] = middle >> 8 * k & 255
        scratch[MASKS + 8 + k] = high >> 8 * k & 255
    scratch[BLANK] = blank


@kernel
def ones(places: int) -> int:
    """How many of the eight places are marked."""
    pairs = places - (places >> 1 & 0x55)
    fours = (pairs & 0x33) + (pairs >> 2 & 0x33)
    return fours + (fours >> 4) & 15


@kernel
def is_new_colour(tables: Tables, symbol: int) -> bool:
    return symbol == 0 or tables.symbol_colour[symbol] != tables.symbol_colour[symbol - 1]


@kernel
def list_symbol(race: Race, tables: Tables, symbol: int, out: Ints, n: int, scratch: Ints) -> int:
    """The moves with one symbol, after `sort_tokens` for its colour."""
    wilds, crowd_needs = scratch[WILD_COUNT], needed_with_crowd(race, tables, symbol)
    if not can_match(symbol, crowd_needs, wilds, scratch):
        return n
    sort_cards(symbol, scratch)
    base = DO_MOVE | put(MOVE_SYMBOL, symbol)
    n = list_plain(base, NEEDED, crowd_needs, scratch[PLAIN_COUNT], out, n, scratch)
    for i in range(wilds):
        n = list_wild(base | scratch[WILDS + i], crowd_needs, race.crowd_wild, out, n, scratch)
    return n


@kernel
def can_match(symbol: int, crowd_needs: int, wilds: int, scratch: Ints) -> bool:
    """Whether hand, crowd card and a wild together have two cards that match."""
    return ones(scratch[MASKS + symbol]) + (crowd_needs < NEEDED) + (wilds > 0) >= NEEDED


@kernel
def sort_tokens(race: Race, tables: Tables, seat: int, colour: int, scratch: Ints) -> None:
    """The tokens a move of this colour may carry (CH-15), as parts of a code."""
    find_tokens(race, tables, seat, scratch)
    sort_found_tokens(tables, colour, scratch)


@kernel
def find_tokens(race: Race, tables: Tables, seat: int, scratch: Ints) -> None:
    """The tokens that the seat holds and a move of some colour may carry: few of all kinds."""
    held = 0
    for token in range(tables.token_kinds):
        scratch[HELD + held] = token
        held += race.tokens[seat, token] > 0 and tables.token_discard[token] == 0
    scratch[HELD_COUNT] = held


@kernel
def sort_found_tokens(tables: Tables, colour: int, scratch: Ints) -> None:
    """Those of them that a move of this colour may carry, wilds apart."""
    plain, wilds = 1, 0
    scratch[PLAIN] = 0
    for i in range(scratch[HELD_COUNT]):
        token = scratch[HELD + i]
        if tables.token_colour[token] != NONE and tables.token_colour[token] != colour:
            continue
        if tables.token_wild[token]:
            scratch[WILDS + wilds] = put(MOVE_TOKEN, token)
            wilds += 1
        else:
            scratch[PLAIN + plain] = put(MOVE_TOKEN, token)
            plain += 1
    scratch[PLAIN_COUNT] = plain
    scratch[WILD_COUNT] = wilds


@kernel
def sort_cards(symbol: int, scratch: Ints) -> None:
    """The cards of the hand that fit a symbol."""
    fit, matching, blank = 0, scratch[MASKS + symbol], scratch[BLANK]
    for i in range(HAND):  # written in any case, since a branch here would be guessed wrong half of the time
        scratch[FIT + fit] = scratch[SORTED + i]
        scratch[FIT_MATCH + fit] = matching >> i & 1
        fit += (matching | blank) >> i & 1
    scratch[FIT_COUNT] = fit


@kernel
def needed_with_crowd(race: Race, tables: Tables, symbol: int) -> int:
    """How many hand cards must match beside the crowd card: fewer if it matches, NEVER enough if it does not fit."""
    symbols = int(tables.card_symbols[race.crowd[0]])
    if symbols == 0:
        return NEEDED
    return NEEDED - 1 if symbols >> symbol & 1 else NEVER


@kernel
def is_repeat(scratch: Ints, cards: int, i: int, first: int) -> bool:
    """Whether card i of a sorted row was already taken at this place of the move, for which `first` came first."""
    return i > first and scratch[cards + i] == scratch[cards + i - 1]


@kernel
def list_plain(base: int, needs: int, crowd_needs: int, tokens: int, out: Ints, n: int, scratch: Ints) -> int:
    """Moves of one to three cards that fit, with each of the first tokens."""
    s, fit, least = scratch, scratch[FIT_COUNT], min(needs, crowd_needs)
    for i in range(fit):
        if is_repeat(s, FIT, i, 0):
            continue
        one, match_one = base | put(MOVE_CARDS, s[FIT + i], 0), s[FIT_MATCH + i]
        if match_one >= least:
            n = write_plain(one, match_one, needs, crowd_needs, tokens, out, n, s)
        for j in range(i + 1, fit):
            match_two = match_one + s[FIT_MATCH + j]
            if match_two + 1 < least or is_repeat(s, FIT, j, i + 1):
                continue
            two = one | put(MOVE_CARDS, s[FIT + j], 1)
            if match_two >= least:
                n = write_plain(two, match_two, needs, crowd_needs, tokens, out, n, s)
            for k in range(j + 1, fit):
                match_three = match_two + s[FIT_MATCH + k]
                if match_three >= least and not is_repeat(s, FIT, k, j + 1):
                    three = two | put(MOVE_CARDS, s[FIT + k], 2)
                    n = write_plain(three, match_three, needs, crowd_needs, tokens, out, n, s)
    return n


@kernel
def write_plain(
    code: int, matching: int, needs: int, crowd_needs: int, tokens: int, out: Ints, n: int, scratch: Ints
) -> int:
    """Write a move with each token, without the crowd card and with it."""
    if n + 2 * tokens > out.shape[0]:
        return n
    if matching >= needs:
        for i in range(tokens):
            out[n + i] = code | scratch[PLAIN + i]
        n += tokens
    if matching >= crowd_needs:
        for i in range(tokens):
            out[n + i] = code | WITH_CROWD | scratch[PLAIN + i]
        n += tokens
    return n


@kernel
def list_wild(base: int, crowd_needs: int, crowd_wild: int, out: Ints, n: int, scratch: Ints) -> int:
    """Moves with a wild (CH-14): each kind in hand may be the one it changes, and the crowd card if that is agreed."""
    for i in range(HAND):
        if scratch[SORTED + i] != NONE and not is_repeat(scratch, SORTED, i, 0):
            n = list_changed(base, scratch[SORTED + i], crowd_needs, out, n, scratch)
    return list_crowd_changed(base, out, n, scratch) if crowd_wild else n


@kernel
def list_crowd_changed(base: int, out: Ints, n: int, scratch: Ints) -> int:
    """The crowd card is changed, so one other card must match."""
    return list_plain(base | WITH_CROWD | put(MOVE_CHANGED, CROWD_PART), NEEDED - 1, NEVER, 1, out, n, scratch)


@kernel
def list_changed(base: int, card: int, crowd_needs: int, out: Ints, n: int, scratch: Ints) -> int:
    """A card of the hand is changed, alone or beside one or two others that fit."""
    s, rest = scratch, leave_out(card, scratch)
    n = write_changed(base, card, NONE, NONE, 1, crowd_needs, out, n)
    for i in range(rest):
        if is_repeat(s, REST, i, 0):
            continue
        one, matching = s[REST + i], 1 + s[REST + HAND + i]
        n = write_changed(base, card, one, NONE, matching, crowd_needs, out, n)
        for j in range(i + 1, rest):
            if not is_repeat(s, REST, j, i + 1):
                n = write_changed(base, card, one, s[REST + j], matching + s[REST + HAND + j], crowd_needs, out, n)
    return n


@kernel
def leave_out(card: int, scratch: Ints) -> int:
    """The cards that fit, without one copy of a kind; how many they are."""
    rest, left_out = 0, False
    for i in range(scratch[FIT_COUNT]):
        if not left_out and scratch[FIT + i] == card:
            left_out = True
        else:
            scratch[REST + rest] = scratch[FIT + i]
            scratch[REST + HAND + rest] = scratch[FIT_MATCH + i]
            rest += 1
    return rest


@kernel
def write_changed(base: int, card: int, one: int, two: int, matching: int, crowd_needs: int, out: Ints, n: int) -> int:
    """Write a move whose wild changes a card, cards ascending, without the crowd card and with it."""
    if matching < NEEDED and matching < crowd_needs:
        return n
    at = (1 if NONE < one < card else 0) + (1 if NONE < two < card else 0)
    code = base | put(MOVE_CHANGED, at) | put(MOVE_CARDS, card, at)
    if one != NONE:
        code |= put(MOVE_CARDS, one, 0 if one < card else 1)
    if two != NONE:
        code |= put(MOVE_CARDS, two, 1 if two < card else 2)
    if matching >= NEEDED:
        n = write(code, out, n)
    return write(code | WITH_CROWD, out, n) if matching >= crowd_needs else n


@kernel
def list_resets(out: Ints, n: int, scratch: Ints) -> int:
    """Any one to three cards (CH-12), ascending."""
    if n + MOST_RESETS > out.shape[0] or not is_plain_hand(scratch):
        return list_resets_with_copies(out, n, scratch)
    for i in range(HAND):
        one = DO_RESET | put(RESET_CARDS, scratch[SORTED + i], 0)
        out[n] = one
        n += 1
        for j in range(i + 1, HAND):
            two = one | put(RESET_CARDS, scratch[SORTED + j], 1)
            out[n] = two
            for k in range(j + 1, HAND):
                out[n + k - j] = two | put(RESET_CARDS, scratch[SORTED + k], 2)
            n += HAND - j
    return n


@kernel
def is_plain_hand(scratch: Ints) -> bool:
    """Whether a hand is full and has no two cards of a kind: nearly every hand is."""
    plain = scratch[SORTED] != NONE
    for i in range(1, HAND):
        plain &= scratch[SORTED + i] != scratch[SORTED + i - 1]
    return plain


@kernel
def list_resets_with_copies(out: Ints, n: int, scratch: Ints) -> int:
    """The same for any hand: equal cards once."""
    s = scratch
    for i in range(HAND):
        if s[SORTED + i] == NONE or (i > 0 and s[SORTED + i] == s[SORTED + i - 1]):
            continue
        one = DO_RESET | put(RESET_CARDS, s[SORTED + i], 0)
        n = write(one, out, n)
        for j in range(i + 1, HAND):
            if j > i + 1 and s[SORTED + j] == s[SORTED + j - 1]:
                continue
            two = one | put(RESET_CARDS, s[SORTED + j], 1)
            n = write(two, out, n)
            for k in range(j + 1, HAND):
                if not (k > j + 1 and s[SORTED + k] == s[SORTED + k - 1]):
                    n = write(two | put(RESET_CARDS, s[SORTED + k], 2), out, n)
    return n


@kernel
def write(code: int, out: Ints, n: int) -> int:
    if n < out.shape[0]:
        out[n] = code
        n += 1
    return n


@kernel
def pick_random(race: Race, tables: Tables, seat: int, codes: Ints, n: int, stream: Stream) -> int:
    """Random play: any move, a reset only where there is no move. Moves come first in the list."""
    moves = count_listed_moves(codes, n)
    return draw(stream, moves if moves > 0 else n)


@kernel
def count_listed_moves(codes: Ints, n: int) -> int:
    """How many of the listed choices are moves: all but the resets of a hand without copies, in nearly every list."""
    low, high = 0, n
    usual = n - MOST_RESETS
    if usual >= 0 and kind_of(codes[usual]) == DO_RESET and (usual == 0 or kind_of(codes[usual - 1]) == DO_MOVE):
        return usual
    for _ in range(16):
        middle = (low + high) // 2
        if low < high and kind_of(codes[middle]) == DO_MOVE:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def owing(race: Race) -> int:
    """Everyone chooses at once (CH-2)."""
    return (1 << int(race.seats)) - 1 if race.over == RUNNING else 0
