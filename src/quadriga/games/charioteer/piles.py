"""Cards and tokens on their way: draw pile and discards, hands, crowd row, bag, and the die beside them."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, tell
from quadriga.core.streams import Stream, draw, roll, shuffle
from quadriga.games.charioteer.actions import card_of, discard_of, discard_token_of, token_of
from quadriga.games.charioteer.components import FACES, Tables
from quadriga.games.charioteer.events import (
    BAG_REFILLED,
    CROWD_SLID,
    DISCARDED,
    DISRUPTED,
    DREW,
    EMPEROR_ROLLED,
    REFILLED,
    RESHUFFLED,
)
from quadriga.games.charioteer.state import ATTACK_BOXES, CROWD_ROW, HAND, PLAYED, Ints, Log, Race

SIDES = len(FACES)


@kernel
def stack_deck(race: Race, tables: Tables, stream: Stream) -> None:
    """All cards into the draw pile, shuffled."""
    race.pile_count = 0
    for kind in range(tables.kinds):
        for _ in range(tables.card_count[kind]):
            race.pile[race.pile_count] = kind
            race.pile_count += 1
    shuffle(stream, race.pile, race.pile_count)


@kernel
def draw_card(race: Race, stream: Stream, log: Log) -> int:
    """The top card of the draw pile, made anew from the discards when it is empty (CH-17)."""
    if race.pile_count == 0:
        reshuffle(race, stream, log)
    if race.pile_count == 0:
        return NONE
    race.pile_count -= 1
    card = int(race.pile[race.pile_count])
    race.pile[race.pile_count] = NONE
    return card


@kernel
def reshuffle(race: Race, stream: Stream, log: Log) -> None:
    for i in range(race.discard_count):
        race.pile[i] = race.discard[i]
        race.discard[i] = NONE
        race.discard_by[i] = NONE
    race.pile_count = race.discard_count
    race.discard_count = 0
    shuffle(stream, race.pile, race.pile_count)
    tell(log, RESHUFFLED, EVERYONE, race.pile_count)


@kernel
def discard_card(race: Race, card: int, by: int) -> None:
    """Discard a card; `by` is the seat that laid it face down, if one did."""
    race.discard[race.discard_count] = card
    race.discard_by[race.discard_count] = by
    race.discard_count += 1


@kernel
def fill_hand(race: Race, seat: int, stream: Stream, log: Log, scratch: Ints) -> None:
    """Draw back to a full hand; only the owner sees the cards."""
    for place in range(HAND):
        scratch[place] = NONE
    drawn = 0
    for place in range(HAND):
        if race.hand[seat, place] == NONE:
            card = draw_card(race, stream, log)
            race.hand[seat, place] = card
            scratch[drawn] = card
            drawn += 1
    s = scratch
    tell(log, REFILLED, EVERYONE, seat, drawn)
    tell(log, DREW, seat, seat, s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7])


@kernel
def lay_out(race: Race, seat: int, code: int) -> None:
    """A choice goes from the hand to the table: stack first, since it names places, then the cards by kind."""
    for i in range(PLAYED):
        place = discard_of(code, i)
        if place != NONE:
            race.stack[seat, i] = race.hand[seat, place]
            race.hand[seat, place] = NONE
    for i in range(PLAYED):
        card = card_of(code, i)
        race.played[seat, i] = card
        if card != NONE:
            race.hand[seat, place_of_card(race, seat, card)] = NONE
    race.played_token[seat] = token_of(code)
    race.stack_token[seat] = discard_token_of(code)
    if race.played_token[seat] != NONE:
        race.tokens[seat, race.played_token[seat]] -= 1
    if race.stack_token[seat] != NONE:
        race.tokens[seat, race.stack_token[seat]] -= 1


@kernel
def place_of_card(race: Race, seat: int, card: int) -> int:
    """The first place of a hand that has a card of this kind."""
    for place in range(HAND):
        if race.hand[seat, place] == card:
            return place
    return NONE


@kernel
def clear_table(race: Race, tables: Tables, seat: int, log: Log) -> None:
    """Played cards, tokens and face-down discards are discarded (CH-15, CH-17)."""
    if race.stack[seat, 0] != NONE:
        tell(log, DISCARDED, seat, seat, race.stack[seat, 0], race.stack[seat, 1], race.stack[seat, 2])
    for i in range(PLAYED):
        if race.played[seat, i] != NONE:
            discard_card(race, race.played[seat, i], NONE)
        if race.stack[seat, i] != NONE:
            discard_card(race, race.stack[seat, i], seat)
        race.played[seat, i] = NONE
        race.stack[seat, i] = NONE
    discard_token(race, tables, race.played_token[seat])
    discard_token(race, tables, race.stack_token[seat])
    race.played_token[seat] = NONE
    race.stack_token[seat] = NONE


@kernel
def discard_token(race: Race, tables: Tables, token: int) -> None:
    """Fan tokens go to the fan discard, player tokens out of the game (CH-15)."""
    if token != NONE and tables.token_fan[token] > 0:
        race.fan_discard[token] += 1


@kernel
def slide_crowd(race: Race, stream: Stream, log: Log) -> None:
    """The crowd card goes, the others slide, a new one comes (CH-17)."""
    gone = race.crowd[0]
    discard_card(race, gone, NONE)
    for slot in range(CROWD_ROW - 1):
        race.crowd[slot] = race.crowd[slot + 1]
    race.crowd[CROWD_ROW - 1] = draw_card(race, stream, log)
    tell(log, CROWD_SLID, EVERYONE, gone, race.crowd[CROWD_ROW - 1])


@kernel
def draw_fan(race: Race, tables: Tables, stream: Stream, log: Log) -> int:
    """A fan token from the bag, refilled from the fan discard when it is empty; none if both are (CH-17)."""
    count = bag_count(race, tables)
    if count == 0:
        refill_bag(race, tables, log)
        count = bag_count(race, tables)
    if count == 0:
        return NONE
    left = draw(stream, count)
    for token in range(tables.token_kinds):
        left -= int(race.bag[token])
        if left < 0:
            race.bag[token] -= 1
            return token
    return NONE


@kernel
def bag_count(race: Race, tables: Tables) -> int:
    count = 0
    for token in range(tables.token_kinds):
        count += int(race.bag[token])
    return count


@kernel
def refill_bag(race: Race, tables: Tables, log: Log) -> None:
    count = 0
    for token in range(tables.token_kinds):
        race.bag[token] = race.fan_discard[token]
        race.fan_discard[token] = 0
        count += int(race.bag[token])
    if count > 0:
        tell(log, BAG_REFILLED, EVERYONE, count)


@kernel
def roll_emperor(race: Race, tables: Tables, stream: Stream, log: Log) -> None:
    """Roll the die; a disrupt puts cubes into everybody's attack boxes (CH-11)."""
    race.die = roll(stream, SIDES)
    tell(log, EMPEROR_ROLLED, EVERYONE, race.die)
    cubes = int(tables.disrupt[race.seats])
    if tables.face_colour[race.die] != NONE or cubes == 0:
        return
    for seat in range(race.seats):
        placed = add_cubes(race, seat, cubes)
        tell(log, DISRUPTED, EVERYONE, seat, placed, race.attack[seat])


@kernel
def add_cubes(race: Race, seat: int, cubes: int) -> int:
    """Put cubes into the attack boxes as far as there is room; how many found it (CH-11)."""
    placed = min(cubes, ATTACK_BOXES - int(race.attack[seat]))
    race.attack[seat] += placed
    return placed
