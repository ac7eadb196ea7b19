"""Choices of Charioteer, id by id: symbol, cards, crowd card, token, the card a wild changes, discards.

Whole choices with discards are on no list, so that this chain looks at the parts itself. Parts in which there is
nothing to choose are passed over.
"""

from quadriga.core.chain import STAGE, WHOLE, Chain, Ids, is_finished
from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, put
from quadriga.games.charioteer.actions import (
    DO_MOVE,
    DO_RESET,
    MOVE_CARDS,
    MOVE_CHANGED,
    MOVE_CROWD,
    MOVE_DISCARD_TOKEN,
    MOVE_DISCARDS,
    MOVE_SYMBOL,
    MOVE_TOKEN,
    RESET_CARDS,
    RESET_DISCARD_TOKEN,
    RESET_DISCARDS,
    card_of,
    changed_of,
    discard_of,
    discard_token_of,
    has_crowd,
    symbol_of,
    token_of,
)
from quadriga.games.charioteer.choices import (
    PLAIN_COUNT,
    WILD_COUNT,
    list_resets,
    list_symbol,
    sort_tokens,
)
from quadriga.games.charioteer.components import SYMBOLS, Tables
from quadriga.games.charioteer.refusals import refuse_discards
from quadriga.games.charioteer.sampling import begin_count, count_moves
from quadriga.games.charioteer.state import HAND, PLAYED, TOKENS, Ints, Race

IDS = (
    Ids(tuple(f"symbol {n}" for n in range(1, SYMBOLS + 1)), "move with that symbol, as the edition lists them (CH-3)"),
    Ids(("reset",), "stand still and shed all damage (CH-12)"),
    Ids(tuple(f"card {n}" for n in range(1, HAND + 1)), "the card at that place of the hand, to play or to discard"),
    Ids(("crowd",), "play the crowd card, too: no more cards of the hand (CH-14)"),
    Ids(("change 1", "change 2", "change 3", "change crowd"), "the card of the move that a wild changes (CH-15)"),
    Ids(
        tuple(f"token {n}" for n in range(1, TOKENS + 1)),
        "the token on the move, later the discard token, as the edition lists them (CH-15)",
    ),
    Ids(("done",), "no more of this part: cards, token, discard token, discards"),
)
RESET_ID = SYMBOLS
PLACE_ID = RESET_ID + 1
CROWD_ID = PLACE_ID + HAND
CHANGED_ID = CROWD_ID + 1
TOKEN_ID = CHANGED_ID + 4
DONE_ID = TOKEN_ID + TOKENS

BEGIN, LAY_CARDS, ADD_TOKEN, CHANGE, ADD_DISCARD_TOKEN, DISCARD = 0, 1, 2, 3, 4, 5


@kernel
def links(race: Race, tables: Tables, seat: int, chain: int, out: Ints, scratch: Ints) -> int:
    """The ids that may follow a chain, a bit for each."""
    stage, code = chain >> STAGE, chain & WHOLE
    if is_finished(chain):
        return 0
    begin_count(race, tables, seat, scratch)
    if stage == BEGIN:
        return find_kinds(race, tables, scratch)
    if stage == ADD_DISCARD_TOKEN:
        return find_discard_tokens(race, tables, seat)
    if stage == DISCARD:
        return find_discards(race, tables, seat, code, out)
    following = 0
    for i in range(list_like(race, tables, seat, code, out, scratch)):
        following |= find_next(race, seat, stage, code, out[i])
    return following


@kernel
def find_kinds(race: Race, tables: Tables, scratch: Ints) -> int:
    following = 1 << RESET_ID
    for symbol in range(SYMBOLS):
        if count_moves(race, tables, symbol, scratch) > 0:
            following |= 1 << symbol
    return following


@kernel
def list_like(race: Race, tables: Tables, seat: int, code: int, out: Ints, scratch: Ints) -> int:
    """The whole choices of the kind and symbol a chain began with."""
    if kind_of(code) == DO_RESET:
        return list_resets(out, 0, scratch)
    symbol = symbol_of(code)
    sort_tokens(race, tables, seat, int(tables.symbol_colour[symbol]), scratch)
    return list_symbol(race, tables, symbol, out, 0, scratch)


@kernel
def find_next(race: Race, seat: int, stage: int, code: int, whole: int) -> int:
    """What comes after an unfinished code on the way to a whole one, as a bit; 0 if that is another way."""
    laid = 0
    for i in range(PLAYED):
        if card_of(code, i) == NONE:
            break
        if card_of(code, i) != card_of(whole, i):
            return 0
        laid += 1
    following = card_of(whole, laid) if laid < PLAYED else NONE
    if stage == LAY_CARDS:
        if following != NONE:
            return 1 << (PLACE_ID + place_of_next(race, seat, code, following))
        return 1 << (CROWD_ID if has_crowd(whole) else DONE_ID) if laid > 0 else 0
    if following != NONE or has_crowd(whole) != has_crowd(code):
        return 0
    if stage == ADD_TOKEN:
        return 1 << (DONE_ID if token_of(whole) == NONE else TOKEN_ID + token_of(whole))
    return 1 << (CHANGED_ID + changed_of(whole)) if token_of(whole) == token_of(code) else 0


@kernel
def place_of_next(race: Race, seat: int, code: int, card: int) -> int:
    """The place of the next copy of a card that the code does not use yet."""
    used = 0
    for i in range(PLAYED):
        used += card_of(code, i) == card
    for place in range(HAND):
        if race.hand[seat, place] == card:
            if used == 0:
                return place
            used -= 1
    return NONE


@kernel
def find_discard_tokens(race: Race, tables: Tables, seat: int) -> int:
    following = 1 << DONE_ID
    for token in range(tables.token_kinds):
        if race.tokens[seat, token] > 0 and tables.token_discard[token] > 0:
            following |= 1 << (TOKEN_ID + token)
    return following


@kernel
def find_discards(race: Race, tables: Tables, seat: int, code: int, why: Ints) -> int:
    """Places behind the last one whose card may go too."""
    count, last = discards_of(code)
    following = 1 << DONE_ID if count > 0 else 0
    for place in range(last + 1, HAND):
        if refuse_discards(race, tables, seat, code | put_discard(code, place, count), why) == 0:
            following |= 1 << (PLACE_ID + place)
    return following


@kernel
def discards_of(code: int) -> tuple[int, int]:
    """How many discards a code has, and the last of their places."""
    count, last = 0, NONE
    for i in range(PLAYED):
        if discard_of(code, i) != NONE:
            count, last = i + 1, discard_of(code, i)
    return count, last


@kernel
def put_discard(code: int, place: int, i: int) -> int:
    return put(MOVE_DISCARDS, place, i) if kind_of(code) == DO_MOVE else put(RESET_DISCARDS, place, i)


@kernel
def link(race: Race, tables: Tables, seat: int, chain: int, choice: int, out: Ints, scratch: Ints) -> int:
    """The chain with one more id."""
    stage, code = chain >> STAGE, chain & WHOLE
    if stage == BEGIN:
        code = DO_RESET if choice == RESET_ID else DO_MOVE | put(MOVE_SYMBOL, choice)
        return code | LAY_CARDS << STAGE
    if stage == LAY_CARDS:
        return link_card(race, tables, seat, code, choice, scratch)
    if stage == ADD_TOKEN and choice != DONE_ID:
        code |= put(MOVE_TOKEN, choice - TOKEN_ID)
        if tables.token_wild[choice - TOKEN_ID]:
            return code | CHANGE << STAGE
    if stage == CHANGE:
        code |= put(MOVE_CHANGED, choice - CHANGED_ID)
    if stage < ADD_DISCARD_TOKEN:
        return to_discards(race, tables, seat, code)
    return link_discard(tables, stage, code, choice)


@kernel
def link_card(race: Race, tables: Tables, seat: int, code: int, choice: int, scratch: Ints) -> int:
    """A card more, or the end of the cards: on to the tokens, if a move has any to choose from."""
    if choice < CROWD_ID:
        card, laid = int(race.hand[seat, choice - PLACE_ID]), 0
        for i in range(PLAYED):
            laid += card_of(code, i) != NONE
        code |= put(MOVE_CARDS, card, laid) if kind_of(code) == DO_MOVE else put(RESET_CARDS, card, laid)
        return code | LAY_CARDS << STAGE
    if kind_of(code) == DO_MOVE:
        code |= put(MOVE_CROWD, 1) if choice == CROWD_ID else 0
        sort_tokens(race, tables, seat, int(tables.symbol_colour[symbol_of(code)]), scratch)
        if scratch[PLAIN_COUNT] > 1 or scratch[WILD_COUNT] > 0:
            return code | ADD_TOKEN << STAGE
    return to_discards(race, tables, seat, code)


@kernel
def to_discards(race: Race, tables: Tables, seat: int, code: int) -> int:
    """On to the discards, if the seat has a token for them; else the choice is whole."""
    has_token = find_discard_tokens(race, tables, seat) != 1 << DONE_ID
    return code | ADD_DISCARD_TOKEN << STAGE if has_token else code


@kernel
def link_discard(tables: Tables, stage: int, code: int, choice: int) -> int:
    """The discard token, a discard more, or the end; full stacks end by themselves."""
    if choice == DONE_ID:
        return code
    if stage == ADD_DISCARD_TOKEN:
        token = choice - TOKEN_ID
        code |= put(MOVE_DISCARD_TOKEN, token) if kind_of(code) == DO_MOVE else put(RESET_DISCARD_TOKEN, token)
        return code | DISCARD << STAGE
    count, _ = discards_of(code)
    code |= put_discard(code, choice - PLACE_ID, count)
    return code if count + 1 == tables.token_discard[discard_token_of(code)] else code | DISCARD << STAGE


@kernel
def follow(race: Race, tables: Tables, seat: int, chain: int, code: int, out: Ints, scratch: Ints) -> int:
    """The id that leads from a chain towards a whole choice, whatever the order of its cards and discards, or none."""
    stage = chain >> STAGE
    if stage == BEGIN:
        return RESET_ID if kind_of(code) == DO_RESET else symbol_of(code)
    if stage == ADD_DISCARD_TOKEN:
        return DONE_ID if discard_token_of(code) == NONE else TOKEN_ID + discard_token_of(code)
    if stage == DISCARD:
        return next_discard(chain & WHOLE, code)
    begin_count(race, tables, seat, scratch)
    for i in range(list_like(race, tables, seat, chain & WHOLE, out, scratch)):
        if is_like(out[i], code):
            following = find_next(race, seat, stage, chain & WHOLE, out[i])
            for number in range(DONE_ID + 1):
                if following >> number & 1:
                    return number
    return NONE


@kernel
def next_discard(code: int, whole: int) -> int:
    """The lowest place to discard behind those of an unfinished code."""
    _, last = discards_of(code)
    lowest = HAND
    for i in range(PLAYED):
        if last < discard_of(whole, i) < lowest:
            lowest = discard_of(whole, i)
    return DONE_ID if lowest == HAND else PLACE_ID + lowest


@kernel
def is_like(listed: int, code: int) -> bool:
    """Whether a choice is a listed one but for the order of its cards, and its discards."""
    if kind_of(code) != kind_of(listed):
        return False
    if kind_of(code) == DO_MOVE:
        if symbol_of(code) != symbol_of(listed) or has_crowd(code) != has_crowd(listed):
            return False
        if token_of(code) != token_of(listed) or changed_card(code) != changed_card(listed):
            return False
    for i in range(PLAYED):
        card, count = card_of(code, i), 0
        for j in range(PLAYED):
            count += (card_of(listed, j) == card) - (card_of(code, j) == card)
        if count != 0:
            return False
    return True


@kernel
def changed_card(code: int) -> int:
    """The card that a wild changes, NONE without one, and a number of its own for the crowd card."""
    changed = changed_of(code)
    if changed == NONE or changed >= PLAYED:
        return NONE if changed == NONE else NONE - 1
    return card_of(code, changed)


CHAIN = Chain(race=Race, ids=IDS, links=links, link=link, follow=follow)
