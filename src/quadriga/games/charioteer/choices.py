"""The list of a seat's choices: every move with every token, then the resets, equal cards once.

Scratch holds the sorted hand, and for the symbol in hand the cards that may join ("fit"), those only a wild could
turn ("strange"), and the token part of the codes. A choice is then a sum of prepared parts.
"""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, put
from quadriga.core.streams import Stream, draw
from quadriga.games.charioteer.actions import CARDS, CHANGED, CROWD, CROWD_PART, MOVE, RESET, RESET_CARDS, SYMBOL, TOKEN
from quadriga.games.charioteer.components import LANES, SYMBOLS, Tables
from quadriga.games.charioteer.state import HAND, RUNNING, TOKENS, Ints, Race

# Where things lie in scratch.
SORTED = 0  # the hand, ascending by kind
MASKS = SORTED + HAND  # by symbol, the places of the sorted hand that match it, a bit for each
BLANK = MASKS + SYMBOLS  # the places of cards without symbols
FIT = BLANK + 1  # kinds that match or have no symbols, ascending, with copies
FIT_MATCH = FIT + HAND  # 1 where the fit card matches
STRANGE = FIT_MATCH + HAND  # kinds that do not match, ascending, each once
PLAIN = STRANGE + HAND  # token parts of codes, "no token" first
WILDS = PLAIN + TOKENS + 1  # token parts of the wilds
FIT_COUNT = WILDS + TOKENS
STRANGE_COUNT, PLAIN_COUNT, WILD_COUNT = FIT_COUNT + 1, FIT_COUNT + 2, FIT_COUNT + 3
CHOICE_SCRATCH = FIT_COUNT + 4

WITH_CROWD = put(CROWD, 1)
NEEDED = 2
"""Matching cards a move needs (CH-3)."""
NEVER = 9
"""More matching cards than any move has: the crowd card does not fit."""


@kernel
def legal(race: Race, tables: Tables, seat: int, out: Ints, scratch: Ints) -> int:
    """The seat's choices without discards, moves first; 0 for a seat that owes none."""
    if race.over != RUNNING or seat < 0 or seat >= race.seats:
        return 0
    sort_hand(race, seat, scratch)
    mark_symbols(tables, scratch)
    n = 0
    for symbol in range(SYMBOLS):
        if is_new_colour(tables, symbol):
            sort_tokens(race, tables, seat, int(tables.symbol_colour[symbol]), scratch)
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

    The eight places are a byte, so four symbols are marked at once.
    """
    blank = 0
    for lane in range(LANES):
        marks = 0
        for i in range(HAND):
            card = scratch[SORTED + i]
            if card != NONE:
                marks |= int(tables.card_lanes[card, lane]) << i
                blank |= (tables.card_symbols[card] == 0) << i
        for k in range(4):
            scratch[MASKS + 4 * lane + k] = marks >> 8 * k & 255
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
    base = MOVE | put(SYMBOL, symbol)
    n = list_plain(base, crowd_needs, out, n, scratch)
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
    plain, wilds = 1, 0
    scratch[PLAIN] = 0
    for token in range(tables.token_kinds):
        if race.tokens[seat, token] == 0 or tables.token_discard[token] > 0:
            continue
        if tables.token_colour[token] != NONE and tables.token_colour[token] != colour:
            continue
        if tables.token_wild[token]:
            scratch[WILDS + wilds] = put(TOKEN, token)
            wilds += 1
        else:
            scratch[PLAIN + plain] = put(TOKEN, token)
            plain += 1
    scratch[PLAIN_COUNT] = plain
    scratch[WILD_COUNT] = wilds


@kernel
def sort_cards(symbol: int, scratch: Ints) -> None:
    """Part the hand into cards that fit a symbol and strange ones."""
    fit = strange = 0
    matching, blank = scratch[MASKS + symbol], scratch[BLANK]
    for i in range(HAND):
        card = scratch[SORTED + i]
        if (matching | blank) >> i & 1:
            scratch[FIT + fit] = card
            scratch[FIT_MATCH + fit] = matching >> i & 1
            fit += 1
        elif card != NONE and (strange == 0 or scratch[STRANGE + strange - 1] != card):
            scratch[STRANGE + strange] = card
            strange += 1
    scratch[FIT_COUNT] = fit
    scratch[STRANGE_COUNT] = strange


@kernel
def needed_with_crowd(race: Race, tables: Tables, symbol: int) -> int:
    """How many hand cards must match beside the crowd card: fewer if it matches, NEVER enough if it does not fit."""
    symbols = int(tables.card_symbols[race.crowd[0]])
    if symbols == 0:
        return NEEDED
    return NEEDED - 1 if symbols >> symbol & 1 else NEVER


@kernel
def is_repeat(scratch: Ints, i: int, first: int) -> bool:
    """Whether the fit card i was already taken at this place of the move, which began with `first`."""
    return i > first and scratch[FIT + i] == scratch[FIT + i - 1]


@kernel
def list_plain(base: int, crowd_needs: int, out: Ints, n: int, scratch: Ints) -> int:
    """Moves without a wild: one to three cards that fit."""
    s, fit, tokens = scratch, scratch[FIT_COUNT], scratch[PLAIN_COUNT]
    for i in range(fit):
        if is_repeat(s, i, 0):
            continue
        one, match_one = base | put(CARDS, s[FIT + i], 0), s[FIT_MATCH + i]
        n = write_plain(one, match_one, crowd_needs, tokens, out, n, s)
        for j in range(i + 1, fit):
            if is_repeat(s, j, i + 1):
                continue
            two, match_two = one | put(CARDS, s[FIT + j], 1), match_one + s[FIT_MATCH + j]
            n = write_plain(two, match_two, crowd_needs, tokens, out, n, s)
            for k in range(j + 1, fit):
                if not is_repeat(s, k, j + 1):
                    three = two | put(CARDS, s[FIT + k], 2)
                    n = write_plain(three, match_two + s[FIT_MATCH + k], crowd_needs, tokens, out, n, s)
    return n


@kernel
def write_plain(code: int, matching: int, crowd_needs: int, tokens: int, out: Ints, n: int, scratch: Ints) -> int:
    """Write a move with each token, without the crowd card and with it."""
    if n + 2 * tokens > out.shape[0]:
        return n
    if matching >= NEEDED:
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
    """Moves with a wild (CH-14): it changes a strange card beside up to two that fit, or one of those that fit."""
    s, fit = scratch, scratch[FIT_COUNT]
    n = list_turned(base, NONE, NONE, 0, crowd_needs, out, n, s)
    for i in range(fit):
        if is_repeat(s, i, 0):
            continue
        one, match_one = s[FIT + i], s[FIT_MATCH + i]
        n = list_turned(base, one, NONE, match_one, crowd_needs, out, n, s)
        n = write_changes(base, i, NONE, NONE, crowd_needs, crowd_wild, out, n, s)
        for j in range(i + 1, fit):
            if is_repeat(s, j, i + 1):
                continue
            n = list_turned(base, one, s[FIT + j], match_one + s[FIT_MATCH + j], crowd_needs, out, n, s)
            n = write_changes(base, i, j, NONE, crowd_needs, crowd_wild, out, n, s)
            for k in range(j + 1, fit):
                if not is_repeat(s, k, j + 1):
                    n = write_changes(base, i, j, k, crowd_needs, crowd_wild, out, n, s)
    return n


@kernel
def list_turned(
    base: int, one: int, two: int, matching: int, crowd_needs: int, out: Ints, n: int, scratch: Ints
) -> int:
    """A strange card turned, beside none, one or two cards that fit; cards ascending."""
    if matching + 1 < NEEDED and matching + 1 < crowd_needs:
        return n
    for i in range(scratch[STRANGE_COUNT]):
        card = scratch[STRANGE + i]
        at = (1 if NONE < one < card else 0) + (1 if NONE < two < card else 0)
        code = base | put(CHANGED, at) | put(CARDS, card, at)
        if one != NONE:
            code |= put(CARDS, one, 0 if one < card else 1)
        if two != NONE:
            code |= put(CARDS, two, 1 if two < card else 2)
        n = write_wild(code, matching + 1, crowd_needs, out, n)
    return n


@kernel
def write_changes(
    base: int, i: int, j: int, k: int, crowd_needs: int, crowd_wild: int, out: Ints, n: int, scratch: Ints
) -> int:
    """One of the fitting cards i, j, k changed, each kind once; or the crowd card, if that is allowed."""
    s = scratch
    code, matching = base | put(CARDS, s[FIT + i], 0), s[FIT_MATCH + i]
    if j != NONE:
        code, matching = code | put(CARDS, s[FIT + j], 1), matching + s[FIT_MATCH + j]
    if k != NONE:
        code, matching = code | put(CARDS, s[FIT + k], 2), matching + s[FIT_MATCH + k]
    n = write_wild(code | put(CHANGED, 0), matching - s[FIT_MATCH + i] + 1, crowd_needs, out, n)
    if j != NONE and s[FIT + j] != s[FIT + i]:
        n = write_wild(code | put(CHANGED, 1), matching - s[FIT_MATCH + j] + 1, crowd_needs, out, n)
    if k != NONE and s[FIT + k] != s[FIT + j]:
        n = write_wild(code | put(CHANGED, 2), matching - s[FIT_MATCH + k] + 1, crowd_needs, out, n)
    if crowd_wild and matching + 1 >= NEEDED:
        n = write(code | put(CHANGED, CROWD_PART) | WITH_CROWD, out, n)
    return n


@kernel
def write_wild(code: int, matching: int, crowd_needs: int, out: Ints, n: int) -> int:
    """Write a move with its wild, without the crowd card and with it."""
    if matching >= NEEDED:
        n = write(code, out, n)
    return write(code | WITH_CROWD, out, n) if matching >= crowd_needs else n


@kernel
def list_resets(out: Ints, n: int, scratch: Ints) -> int:
    """Any one to three cards (CH-12)."""
    s = scratch
    for i in range(HAND):
        if s[SORTED + i] == NONE or (i > 0 and s[SORTED + i] == s[SORTED + i - 1]):
            continue
        one = RESET | put(RESET_CARDS, s[SORTED + i], 0)
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
def wander(race: Race, tables: Tables, seat: int, codes: Ints, n: int, stream: Stream) -> int:
    """Random play: any move, a reset only where there is no move. Moves come first in the list."""
    low, high = 0, n
    for _ in range(16):
        middle = (low + high) // 2
        if low < high and kind_of(codes[middle]) == MOVE:
            low = middle + 1
        else:
            high = middle
    return draw(stream, low if low > 0 else n)
