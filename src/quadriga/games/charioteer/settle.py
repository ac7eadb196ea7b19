"""How a position that a scenario wrote in part becomes a whole one: what nobody placed is dealt."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream, shuffle
from quadriga.games.charioteer.checks import count_cards
from quadriga.games.charioteer.components import FACES, Tables
from quadriga.games.charioteer.state import COLOURS, CROWD_ROW, DECK, HAND, RUNNING, TOKENS, Ints, Race

COLOUR_COUNT = len(COLOURS)
SIDES = len(FACES)
LATER_TURN = 2
"""A turn to which the rules of the first turn do not apply."""


@kernel
def settle(race: Race, tables: Tables, stream: Stream, scratch: Ints) -> None:
    """Places left empty are dealt at random; cards written on the draw pile stay on top of it, in their order."""
    if race.turn == 0:
        race.turn = LATER_TURN
    settle_order(race)
    settle_open(race, tables)
    settle_bag(race, tables)
    count_discards(race)
    gather_rest(race, tables, stream, scratch)
    deal_rest(race)


@kernel
def settle_order(race: Race) -> None:
    """Seats that the order leaves out come last; then by progress, within a space as written."""
    for i in range(race.seats):
        known = False
        for j in range(i):
            known |= race.order[j] == race.order[i]
        if known or race.order[i] == NONE:
            race.order[i] = missing_seat(race, i)
    for i in range(1, race.seats):
        for j in range(i, 0, -1):
            if race.progress[race.order[j]] > race.progress[race.order[j - 1]]:
                behind = race.order[j]
                race.order[j] = race.order[j - 1]
                race.order[j - 1] = behind


@kernel
def missing_seat(race: Race, before: int) -> int:
    """The first seat that the order does not name before this index."""
    for seat in range(race.seats):
        named = False
        for j in range(race.seats):
            named |= j != before and race.order[j] == seat
        if not named:
            return seat
    return NONE


@kernel
def settle_open(race: Race, tables: Tables) -> None:
    """Markers wait on the lowest start space, and a die not rolled yet shows a face that pleases nobody."""
    for seat in range(race.seats):
        for colour in range(COLOUR_COUNT):
            race.marker[seat, colour] = max(0, int(race.marker[seat, colour]))
    for side in range(SIDES):
        if race.die == NONE and tables.face_colour[side] == NONE:
            race.die = side
    race.die = max(0, int(race.die))


@kernel
def settle_bag(race: Race, tables: Tables) -> None:
    """An empty bag holds the fan tokens that are nowhere else."""
    written = False
    for token in range(TOKENS):
        written |= race.bag[token] > 0
    for token in range(TOKENS):
        if written or tables.token_fan[token] == 0:
            continue
        left = int(tables.token_fan[token]) - int(race.fan_discard[token])
        for seat in range(race.seats):
            left -= int(race.tokens[seat, token])
        race.bag[token] = max(left, 0)


@kernel
def count_discards(race: Race) -> None:
    race.discard_count = 0
    for i in range(DECK):
        race.discard_count += race.discard[i] != NONE


@kernel
def gather_rest(race: Race, tables: Tables, stream: Stream, scratch: Ints) -> None:
    """The cards that are nowhere yet, shuffled, go under those written on the pile.

    Where a card is written more often than there are copies, nothing is done: there might be no room for the rest.
    """
    count_cards(race, scratch)
    written = 0
    for i in range(DECK):
        if race.pile[i] != NONE:
            scratch[race.pile[i]] += 1
            written += 1
    if too_many_of_a_kind(tables, scratch):
        return
    rest = 0
    for kind in range(tables.kinds):
        for _ in range(int(tables.card_count[kind]) - scratch[kind]):
            race.discard[race.discard_count + rest] = kind
            rest += 1
    lift_pile(race, written, rest)
    shuffle(stream, race.pile, rest)


@kernel
def too_many_of_a_kind(tables: Tables, counted: Ints) -> bool:
    for kind in range(DECK):
        if counted[kind] > tables.card_count[kind]:
            return True
    return False


@kernel
def lift_pile(race: Race, written: int, rest: int) -> None:
    """Move the written cards up and put the rest, noted behind the discards, below them."""
    for i in range(written - 1, -1, -1):
        race.pile[i + rest] = race.pile[i]
    for i in range(rest):
        race.pile[i] = race.discard[race.discard_count + i]
        race.discard[race.discard_count + i] = NONE
    race.pile_count = written + rest


@kernel
def deal_rest(race: Race) -> None:
    """Fill hands and crowd row from the bottom of the pile."""
    taken = 0
    for seat in range(race.seats):
        for place in range(HAND):
            if race.over == RUNNING and race.hand[seat, place] == NONE:
                race.hand[seat, place] = race.pile[taken]
                taken += 1
    for slot in range(CROWD_ROW):
        if race.crowd[slot] == NONE:
            race.crowd[slot] = race.pile[taken]
            taken += 1
    for i in range(race.pile_count):
        race.pile[i] = race.pile[i + taken] if i + taken < race.pile_count else NONE
    race.pile_count -= taken
