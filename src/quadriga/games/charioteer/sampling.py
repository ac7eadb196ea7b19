"""A random move without listing them all: the moves of each symbol are counted, and one symbol is listed.

Counting goes by kinds of card. With p1, p2, p3 ways to take one, two, three matching cards (equal cards once)
and q1, q2 ways to take cards without symbols, the moves without the crowd card are p2 (1 + q1) + p3, and so on.
"""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream, draw
from quadriga.games.charioteer.choices import (
    CHOICE_SCRATCH,
    COUNTS,
    NEEDED,
    NEVER,
    PLAIN_COUNT,
    SORTED,
    WILD_COUNT,
    count_symbols,
    is_new_colour,
    list_resets,
    list_symbol,
    needed_with_crowd,
    sort_hand,
    sort_tokens,
)
from quadriga.games.charioteer.components import SYMBOLS, Tables
from quadriga.games.charioteer.state import HAND, Ints, Race

UP_TO = CHOICE_SCRATCH
"""Where scratch keeps, for each symbol, the number of moves up to and including it."""
COPIES = UP_TO + SYMBOLS
"""Where scratch counts kinds of card: matching ones with one, two, more copies; then those without symbols; strange."""
SAMPLE_SCRATCH = COPIES + 7


@kernel
def sample(race: Race, tables: Tables, seat: int, out: Ints, stream: Stream, scratch: Ints) -> int:
    """The code of a random choice, each move as likely as any other; a reset only where there is no move."""
    sort_hand(race, seat, scratch)
    count_symbols(race, tables, scratch)
    total = 0
    for symbol in range(SYMBOLS):
        if is_new_colour(tables, symbol):
            sort_tokens(race, tables, seat, int(tables.symbol_colour[symbol]), scratch)
        total += count_moves(race, tables, symbol, scratch)
        scratch[UP_TO + symbol] = total
    if total == 0:
        return out[draw(stream, list_resets(out, 0, scratch))]
    pick = draw(stream, total)
    for symbol in range(SYMBOLS):
        if pick < scratch[UP_TO + symbol]:
            before = scratch[UP_TO + symbol - 1] if symbol > 0 else 0
            sort_tokens(race, tables, seat, int(tables.symbol_colour[symbol]), scratch)
            list_symbol(race, tables, symbol, out, 0, scratch)
            return out[pick - before]
    return NONE


@kernel
def count_moves(race: Race, tables: Tables, symbol: int, scratch: Ints) -> int:
    """How many moves `list_symbol` would write."""
    s, wilds = scratch, scratch[WILD_COUNT]
    if s[COUNTS + symbol] + (wilds > 0) < NEEDED:
        return 0
    count_kinds(tables, symbol, s)
    crowd_needs = needed_with_crowd(race, tables, symbol)
    p1, p2, p3 = ways_one(s, 0), ways_two(s, 0), ways_three(s, 0)
    q1, q2 = ways_one(s, 3), ways_two(s, 3)
    apart, beside = p2 * (1 + q1) + p3, p1 * (1 + q1 + q2) + p2 * (1 + q1) + p3
    moves = s[PLAIN_COUNT] * (apart + with_crowd(crowd_needs, apart, beside))
    if wilds > 0:
        changes = s[COPIES + 6] * ways_beside(p1, p2, q1, q2, crowd_needs)
        changes += count_changes(crowd_needs, 0, s) + count_changes(crowd_needs, 3, s)
        moves += wilds * (changes + (beside if race.crowd_wild else 0))
    return moves


@kernel
def count_kinds(tables: Tables, symbol: int, scratch: Ints) -> None:
    """Sort the kinds in hand by what they are to a symbol, and by their copies."""
    s = scratch
    for i in range(7):
        s[COPIES + i] = 0
    copies = 0
    for i in range(HAND):
        copies += 1
        if i + 1 < HAND and s[SORTED + i + 1] == s[SORTED + i]:
            continue
        symbols = int(tables.card_symbols[s[SORTED + i]])
        if symbols >> symbol & 1:
            s[COPIES + min(copies, 3) - 1] += 1
        elif symbols == 0:
            s[COPIES + 3 + min(copies, 3) - 1] += 1
        else:
            s[COPIES + 6] += 1
        copies = 0


@kernel
def ways_one(scratch: Ints, group: int) -> int:
    """Ways to take one card of a group of kinds (0 matching, 3 without symbols)."""
    s = scratch
    return s[COPIES + group] + s[COPIES + group + 1] + s[COPIES + group + 2]


@kernel
def ways_two(scratch: Ints, group: int) -> int:
    """Two different kinds, or two copies of one."""
    s, kinds = scratch, ways_one(scratch, group)
    return kinds * (kinds - 1) // 2 + s[COPIES + group + 1] + s[COPIES + group + 2]


@kernel
def ways_three(scratch: Ints, group: int) -> int:
    """Three kinds, two copies and another kind, or three copies."""
    s, kinds = scratch, ways_one(scratch, group)
    twice, thrice = s[COPIES + group + 1] + s[COPIES + group + 2], s[COPIES + group + 2]
    return kinds * (kinds - 1) * (kinds - 2) // 6 + twice * (kinds - 1) + thrice


@kernel
def with_crowd(crowd_needs: int, apart: int, beside: int) -> int:
    """Moves that include the crowd card: none, as many as without it, or more since it matches."""
    if crowd_needs == NEVER:
        return 0
    return apart if crowd_needs == NEEDED else beside


@kernel
def ways_beside(p1: int, p2: int, q1: int, q2: int, crowd_needs: int) -> int:
    """Ways to lay up to two cards that fit beside a card a wild changes, without the crowd card and with it."""
    some = p1 * (1 + q1) + p2
    return some + with_crowd(crowd_needs, some, 1 + p1 + q1 + p2 + p1 * q1 + q2)


@kernel
def count_changes(crowd_needs: int, group: int, scratch: Ints) -> int:
    """Moves in which a wild changes a card of a group: for each kind, what fits beside it without one copy of it."""
    s, changes = scratch, 0
    for i in range(3):
        kinds = s[COPIES + group + i]
        if kinds == 0:
            continue
        take_one(s, group + i, 1)
        changes += kinds * ways_beside(ways_one(s, 0), ways_two(s, 0), ways_one(s, 3), ways_two(s, 3), crowd_needs)
        take_one(s, group + i, -1)
    return changes


@kernel
def take_one(scratch: Ints, at: int, sign: int) -> None:
    """One copy of a kind goes (or comes back): the kind moves to the next lower number of copies.

    A kind with more than two copies stays there: of those left over no more than two are taken.
    """
    if at % 3 == 2:
        return
    scratch[COPIES + at] -= sign
    if at % 3 == 1:
        scratch[COPIES + at - 1] += sign
