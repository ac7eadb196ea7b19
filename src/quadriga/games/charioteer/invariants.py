"""What always holds of a race."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.games.charioteer.components import FACES, Tables
from quadriga.games.charioteer.state import (
    ATTACK_BOXES,
    COLOURS,
    CROWD_ROW,
    DECK,
    HAND,
    PLAYED,
    RUNNING,
    SEATS,
    STOPPED,
    TOKENS,
    Ints,
    Race,
)

INVARIANTS = (
    "",
    "every card is in exactly one place",
    "every token is in exactly one place",
    "the order names each seat once, the furthest first",
    "every hand is full while a choice is owed",
    "attack boxes hold at most three cubes, damage boxes no fewer than none",
    "markers stand on the skills track, and no two share a place of the bonus box",
    "the table is empty while a choice is owed",
    "turn, die and the race's end are possible",
    "nobody stands before the start, nor a whole lap beyond the last line",
)
(
    CARDS_LOST, TOKENS_LOST, DISORDER, HAND_SHORT, CUBES_WRONG, MARKERS_WRONG, TABLE_FULL, IMPOSSIBLE, LAPS_WRONG,
) = range(1, len(INVARIANTS))  # fmt: skip
COLOUR_COUNT = len(COLOURS)
SIDES = len(FACES)


@kernel
def check(race: Race, tables: Tables, scratch: Ints) -> int:
    """0, or the number of the invariant that does not hold."""
    if race.over < RUNNING or race.over > STOPPED or race.turn < 1 or race.die < 0 or race.die >= SIDES:
        return IMPOSSIBLE
    if not in_order(race):
        return DISORDER
    for seat in range(race.seats):
        if race.attack[seat] < 0 or race.attack[seat] > ATTACK_BOXES or race.damage[seat] < 0:
            return CUBES_WRONG
        if not laps_fit(race, tables, seat):
            return LAPS_WRONG
        if not markers_stand(race, tables, seat):
            return MARKERS_WRONG
        if race.over == RUNNING:
            for place in range(HAND):
                if race.hand[seat, place] == NONE:
                    return HAND_SHORT
            if not table_empty(race, seat):
                return TABLE_FULL
    for seat in range(race.seats, SEATS):
        if not holds_nothing(race, seat):
            return CARDS_LOST
    if not cards_kept(race, tables, scratch):
        return CARDS_LOST
    return 0 if tokens_kept(race, tables) else TOKENS_LOST


@kernel
def laps_fit(race: Race, tables: Tables, seat: int) -> bool:
    """CH-6, CH-18: from the start space on; no move is as long as a lap, and after the last one the race is over."""
    first = int(tables.start) - int(tables.lap)
    return bool(first <= race.progress[seat] < (int(race.laps) + 1) * int(tables.lap))


@kernel
def table_empty(race: Race, seat: int) -> bool:
    """Whether nothing that a seat played lies on the table."""
    for i in range(PLAYED):
        if race.played[seat, i] != NONE or race.stack[seat, i] != NONE:
            return False
    return bool(race.played_token[seat] == NONE and race.stack_token[seat] == NONE)


@kernel
def holds_nothing(race: Race, seat: int) -> bool:
    """Nothing lies at a seat that nobody has."""
    for place in range(HAND):
        if race.hand[seat, place] != NONE:
            return False
    for token in range(TOKENS):
        if race.tokens[seat, token] != 0:
            return False
    return table_empty(race, seat)


@kernel
def in_order(race: Race) -> bool:
    seen = 0
    for i in range(race.seats):
        seat = int(race.order[i])
        if seat < 0 or seat >= race.seats:
            return False
        seen |= 1 << seat
        if i > 0 and race.progress[race.order[i - 1]] < race.progress[seat]:
            return False
    return seen == (1 << int(race.seats)) - 1


@kernel
def markers_stand(race: Race, tables: Tables, seat: int) -> bool:
    taken = 0
    for colour in range(COLOUR_COUNT):
        marker = int(race.marker[seat, colour])
        if marker < 0 or marker >= int(tables.box) + COLOUR_COUNT:
            return False
        if marker >= tables.box:
            if taken >> marker & 1:
                return False
            taken |= 1 << marker
    return True


@kernel
def count_cards(race: Race, scratch: Ints) -> bool:
    """Count the cards outside the draw pile by kind; False if a number is no card or out of place."""
    for kind in range(DECK):
        scratch[kind] = 0
    fine = True
    for slot in range(CROWD_ROW):
        fine &= count_in(scratch, race.crowd[slot])
    for seat in range(race.seats):
        for place in range(HAND):
            fine &= count_in(scratch, race.hand[seat, place])
        for i in range(PLAYED):
            fine &= count_in(scratch, race.played[seat, i]) & count_in(scratch, race.stack[seat, i])
    for i in range(DECK):
        fine &= count_in(scratch, race.discard[i])
        fine &= (race.discard[i] != NONE) == (i < race.discard_count)
    return fine


@kernel
def count_in(scratch: Ints, card: int) -> bool:
    if card < NONE or card >= DECK:
        return False
    if card != NONE:
        scratch[card] += 1
    return True


@kernel
def cards_kept(race: Race, tables: Tables, scratch: Ints) -> bool:
    fine = count_cards(race, scratch)
    for slot in range(CROWD_ROW):
        fine &= race.crowd[slot] != NONE
    for i in range(DECK):
        fine &= race.discard_by[i] == NONE or race.discard[i] != NONE
        fine &= count_in(scratch, race.pile[i])
        fine &= (race.pile[i] != NONE) == (i < race.pile_count)
    for kind in range(DECK):
        fine &= scratch[kind] == tables.card_count[kind]
    return fine


@kernel
def tokens_kept(race: Race, tables: Tables) -> bool:
    """Fan tokens are all somewhere; player tokens leave the game when they are played (CH-15)."""
    for token in range(TOKENS):
        found = int(race.bag[token]) + int(race.fan_discard[token])
        if race.bag[token] < 0 or race.fan_discard[token] < 0:
            return False
        for seat in range(race.seats):
            own = int(race.tokens[seat, token])
            if own < 0 or (tables.token_fan[token] == 0 and own > tables.token_player[token]):
                return False
            found += own + (race.played_token[seat] == token) + (race.stack_token[seat] == token)
        if tables.token_fan[token] > 0 and found != tables.token_fan[token]:
            return False
    return True
