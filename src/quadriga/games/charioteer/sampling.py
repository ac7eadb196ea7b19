"""A random move without listing them all: moves are counted, and only those like the one picked are listed.

Counting goes by kinds of card. With p1, p2, p3 ways to take one, two, three matching cards (equal cards once)
and q1, q2 ways to take cards without symbols, the moves without the crowd card are p2 (1 + q1) + p3, and so on.
"""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import put
from quadriga.core.streams import Stream, draw
from quadriga.games.charioteer.actions import DO_MOVE, MOVE_SYMBOL
from quadriga.games.charioteer.choices import (
    BLANK,
    CHOICE_SCRATCH,
    MASKS,
    NEEDED,
    NEVER,
    PLAIN,
    PLAIN_COUNT,
    SORTED,
    WILD_COUNT,
    WILDS,
    can_match,
    list_changed,
    list_crowd_changed,
    list_plain,
    list_resets,
    mark_symbols,
    needed_with_crowd,
    ones,
    sort_cards,
    sort_hand,
    sort_tokens,
)
from quadriga.games.charioteer.components import SYMBOLS, Tables
from quadriga.games.charioteer.state import COLOURS, HAND, Ints, Race

COLOUR_COUNT = len(COLOURS)
UP_TO = CHOICE_SCRATCH
"""Where scratch keeps, for each symbol, the number of moves up to and including it."""
FIRSTS, SECONDS, THIRDS = UP_TO + SYMBOLS, UP_TO + SYMBOLS + 1, UP_TO + SYMBOLS + 2
"""Where scratch marks the places of the sorted hand that hold the first, second, third copy of a kind."""
PLAINS, TURNS = THIRDS + 1, THIRDS + 1 + COLOUR_COUNT
"""Where scratch counts, for each colour, the tokens a move may carry, and the wilds among them apart."""
SAMPLE_SCRATCH = TURNS + COLOUR_COUNT


@kernel
def sample(race: Race, tables: Tables, seat: int, out: Ints, stream: Stream, scratch: Ints) -> int:
    """The code of a random choice, each move as likely as any other; a reset only where there is no move."""
    begin_count(race, tables, seat, scratch)
    total = 0
    for symbol in range(SYMBOLS):
        total += count_moves(race, tables, symbol, scratch)
        scratch[UP_TO + symbol] = total
    if total == 0:
        return out[draw(stream, list_resets(out, 0, scratch))]
    pick = draw(stream, total)
    for symbol in range(SYMBOLS):
        if pick < scratch[UP_TO + symbol]:
            sort_tokens(race, tables, seat, int(tables.symbol_colour[symbol]), scratch)
            return find_move(race, tables, symbol, pick - (scratch[UP_TO + symbol - 1] if symbol else 0), out, scratch)
    return NONE


@kernel
def begin_count(race: Race, tables: Tables, seat: int, scratch: Ints) -> None:
    """Sort the hand and mark what the counting needs."""
    s = scratch
    sort_hand(race, seat, s)
    mark_symbols(tables, s)
    firsts, seconds, thirds, copies = 0, 0, 0, 0
    for i in range(HAND):
        copies = copies + 1 if i > 0 and s[SORTED + i] == s[SORTED + i - 1] else 1
        firsts |= (copies == 1) << i
        seconds |= (copies == 2) << i
        thirds |= (copies == 3) << i
    s[FIRSTS], s[SECONDS], s[THIRDS] = firsts, seconds, thirds
    count_tokens(race, tables, seat, s)


@kernel
def count_tokens(race: Race, tables: Tables, seat: int, scratch: Ints) -> None:
    """By colour of the move: how many kinds of token it may carry, none included, and how many of wild."""
    colourless = 1
    for colour in range(COLOUR_COUNT):
        scratch[PLAINS + colour] = scratch[TURNS + colour] = 0
    for token in range(tables.token_kinds):
        if race.tokens[seat, token] > 0 and tables.token_discard[token] == 0:
            colour = int(tables.token_colour[token])
            if colour == NONE:
                colourless += 1
            else:
                scratch[(TURNS if tables.token_wild[token] else PLAINS) + colour] += 1
    for colour in range(COLOUR_COUNT):
        scratch[PLAINS + colour] += colourless


@kernel
def count_moves(race: Race, tables: Tables, symbol: int, scratch: Ints) -> int:
    """How many moves `list_symbol` would write, after `begin_count`."""
    colour, crowd_needs = int(tables.symbol_colour[symbol]), needed_with_crowd(race, tables, symbol)
    wilds = scratch[TURNS + colour]
    if not can_match(symbol, crowd_needs, wilds, scratch):
        return 0
    moves = scratch[PLAINS + colour] * count_plain(symbol, crowd_needs, scratch)
    return moves + wilds * count_wild(symbol, crowd_needs, race.crowd_wild, scratch) if wilds else moves


@kernel
def find_move(race: Race, tables: Tables, symbol: int, pick: int, out: Ints, scratch: Ints) -> int:
    """The move number `pick` of a symbol: tokens are put to a list made without them."""
    s, base, crowd_needs = scratch, DO_MOVE | put(MOVE_SYMBOL, symbol), needed_with_crowd(race, tables, symbol)
    tokens, wilds = s[PLAIN_COUNT], s[WILD_COUNT]
    plain = tokens * count_plain(symbol, crowd_needs, s)
    sort_cards(symbol, s)
    if pick < plain:
        list_plain(base, NEEDED, crowd_needs, 1, out, 0, s)
        return out[pick // tokens] | s[PLAIN + pick % tokens]
    pick -= plain
    return find_wild(base | s[WILDS + pick % wilds], symbol, crowd_needs, pick // wilds, out, s)


@kernel
def find_wild(base: int, symbol: int, crowd_needs: int, pick: int, out: Ints, scratch: Ints) -> int:
    """The move number `pick` of those with a wild: first the card it changes, then what lies beside it."""
    s = scratch
    for i in range(HAND):
        if s[FIRSTS] >> i & 1:
            moves = count_changed(symbol, i, crowd_needs, s)
            if pick < moves:
                list_changed(base, s[SORTED + i], crowd_needs, out, 0, s)
                return out[pick]
            pick -= moves
    list_crowd_changed(base, out, 0, s)
    return out[pick]


@kernel
def count_plain(symbol: int, crowd_needs: int, scratch: Ints) -> int:
    """Moves without a token: those without the crowd card and those with it."""
    s = scratch
    matching, blank = s[MASKS + symbol], s[BLANK]
    p1, twice, thrice = ones(matching & s[FIRSTS]), ones(matching & s[SECONDS]), ones(matching & s[THIRDS])
    q1, q2 = ones(blank & s[FIRSTS]), ways_two(ones(blank & s[FIRSTS]), ones(blank & s[SECONDS]))
    p2 = ways_two(p1, twice)
    apart = p2 * (1 + q1) + p1 * (p1 - 1) * (p1 - 2) // 6 + twice * (p1 - 1) + thrice
    return apart + with_crowd(crowd_needs, apart, apart + p1 * (1 + q1 + q2))


@kernel
def ways_two(kinds: int, twice: int) -> int:
    """Ways to take two cards of so many kinds, some of which there are twice."""
    return kinds * (kinds - 1) // 2 + twice


@kernel
def with_crowd(crowd_needs: int, apart: int, beside: int) -> int:
    """Moves that include the crowd card: none, as many as without it, or more since it matches."""
    if crowd_needs == NEVER:
        return 0
    return apart if crowd_needs == NEEDED else beside


@kernel
def count_wild(symbol: int, crowd_needs: int, crowd_wild: int, scratch: Ints) -> int:
    """Moves with one kind of wild."""
    moves = 0
    for i in range(HAND):
        if scratch[FIRSTS] >> i & 1:
            moves += count_changed(symbol, i, crowd_needs, scratch)
    if crowd_wild:
        moves += count_plain(symbol, NEEDED - 1, scratch) - count_plain(symbol, NEVER, scratch)
    return moves


@kernel
def count_changed(symbol: int, i: int, crowd_needs: int, scratch: Ints) -> int:
    """Moves in which a wild changes the card at place i: up to two others that fit, without one copy of its kind."""
    s = scratch
    matching, blank = s[MASKS + symbol], s[BLANK]
    twin = 2 << i & s[SECONDS]
    firsts = (s[FIRSTS] & ~(1 << i)) | twin
    seconds = (s[SECONDS] & ~twin) | (twin << 1 & s[THIRDS])
    p1, q1 = ones(matching & firsts), ones(blank & firsts)
    p2, q2 = ways_two(p1, ones(matching & seconds)), ways_two(q1, ones(blank & seconds))
    some = p1 * (1 + q1) + p2
    return some + with_crowd(crowd_needs, some, some + 1 + q1 + q2)
