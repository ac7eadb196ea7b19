"""What a seat can see (CH-19), and a race that could lie behind it."""

from typing import Annotated

from quadriga.core.fields import I8, NONE, At, I8s, I16s, In
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream, draw, shuffle
from quadriga.games.charioteer.components import Tables
from quadriga.games.charioteer.piles import bag_count
from quadriga.games.charioteer.state import COLOURS, CROWD_ROW, DECK, HAND, PLAYED, SEATS, TOKENS, Ints, Open, Race

COLOUR_COUNT = len(COLOURS)


class View(Open):
    """What one seat, or a spectator, can see."""

    seat: Annotated[I8, In("seat"), "who looks; none: a spectator"]
    hand: Annotated[I16s, HAND, In("card"), "one's own cards, by place"]
    hand_count: Annotated[I8s, SEATS, "cards in each hand"]
    discard: Annotated[I16s, DECK, In("card"), "discarded cards; none where another laid the card face down"]
    tokens: Annotated[I8s, TOKENS, At("token"), "one's own tokens, by kind"]
    player_tokens: Annotated[I8s, (SEATS, TOKENS), At("token", 1), "player tokens each still has, by kind"]
    fan_count: Annotated[I8s, SEATS, "fan tokens each has"]
    bag_count: Annotated[I8, "fan tokens in the bag"]
    stack: Annotated[I16s, PLAYED, In("card"), "one's own cards under a discard token when the race ended"]
    stack_count: Annotated[I8s, SEATS, "cards under each discard token when the race ended"]


@kernel
def observe(race: Race, tables: Tables, seat: int, view: View) -> None:
    """Write what a seat (none: a spectator) can see."""
    copy_open(race, view)
    view.seat = seat
    view.bag_count = bag_count(race, tables)
    for place in range(HAND):
        view.hand[place] = race.hand[seat, place] if seat != NONE else NONE
    for i in range(PLAYED):
        view.stack[i] = race.stack[seat, i] if seat != NONE else NONE
    for token in range(TOKENS):
        view.tokens[token] = race.tokens[seat, token] if seat != NONE else 0
    for i in range(DECK):
        seen = race.discard_by[i] == NONE or race.discard_by[i] == seat
        view.discard[i] = race.discard[i] if seen else NONE
    for other in range(SEATS):
        observe_rival(race, tables, other, view)


@kernel
def observe_rival(race: Race, tables: Tables, other: int, view: View) -> None:
    """How much each seat has; of player tokens also which, since the played ones were seen."""
    view.hand_count[other] = 0
    for place in range(HAND):
        view.hand_count[other] += other < race.seats and race.hand[other, place] != NONE
    view.stack_count[other] = 0
    for i in range(PLAYED):
        view.stack_count[other] += other < race.seats and race.stack[other, i] != NONE
    view.fan_count[other] = 0
    for token in range(TOKENS):
        fan = tables.token_fan[token] > 0
        view.fan_count[other] += race.tokens[other, token] if fan else 0
        view.player_tokens[other, token] = 0 if fan else race.tokens[other, token]


@kernel
def copy_open(source: Open, target: Open) -> None:
    """The open fields of a state or view into another."""
    target.seats = source.seats
    target.laps = source.laps
    target.crowd_wild = source.crowd_wild
    target.limit = source.limit
    target.turn = source.turn
    target.over = source.over
    target.die = source.die
    target.pile_count = source.pile_count
    target.discard_count = source.discard_count
    for slot in range(CROWD_ROW):
        target.crowd[slot] = source.crowd[slot]
    for i in range(DECK):
        target.discard_by[i] = source.discard_by[i]
    for token in range(TOKENS):
        target.fan_discard[token] = source.fan_discard[token]
    for seat in range(SEATS):
        copy_open_seat(source, target, seat)


@kernel
def copy_open_seat(source: Open, target: Open, seat: int) -> None:
    target.progress[seat] = source.progress[seat]
    target.order[seat] = source.order[seat]
    target.damage[seat] = source.damage[seat]
    target.attack[seat] = source.attack[seat]
    target.played_token[seat] = source.played_token[seat]
    target.stack_token[seat] = source.stack_token[seat]
    for colour in range(COLOUR_COUNT):
        target.marker[seat, colour] = source.marker[seat, colour]
    for i in range(PLAYED):
        target.played[seat, i] = source.played[seat, i]


@kernel
def imagine(view: View, tables: Tables, stream: Stream, race: Race, scratch: Ints) -> None:
    """Deal anew what the view does not tell: rivals' hands and stacks, face-down discards, pile, fan tokens, bag."""
    copy_open(view, race)
    gather_unseen(view, tables, race, scratch)
    shuffle(stream, race.pile, int(race.pile_count))
    deal_unseen(view, race)
    imagine_tokens(view, tables, stream, race)


@kernel
def gather_unseen(view: View, tables: Tables, race: Race, scratch: Ints) -> None:
    """All cards the view does not show, into the pile."""
    left = scratch
    for kind in range(DECK):
        left[kind] = tables.card_count[kind]
        race.pile[kind] = NONE
    for place in range(HAND):
        take_away(left, view.hand[place])
    for slot in range(CROWD_ROW):
        take_away(left, view.crowd[slot])
    for i in range(DECK):
        take_away(left, view.discard[i])
    for i in range(PLAYED):
        take_away(left, view.stack[i])
        for seat in range(SEATS):
            take_away(left, view.played[seat, i])
    race.pile_count = 0
    for kind in range(tables.kinds):
        for _ in range(left[kind]):
            race.pile[race.pile_count] = kind
            race.pile_count += 1


@kernel
def take_away(left: Ints, card: int) -> None:
    if card != NONE:
        left[card] -= 1


@kernel
def deal_unseen(view: View, race: Race) -> None:
    """Hands, stacks and face-down discards as the view shows them, filled up from the shuffled pile."""
    for seat in range(SEATS):
        own = seat == view.seat
        for place in range(HAND):
            dealt = NONE if own or place >= view.hand_count[seat] else top(race)
            race.hand[seat, place] = view.hand[place] if own else dealt
        for i in range(PLAYED):
            dealt = NONE if own or i >= view.stack_count[seat] else top(race)
            race.stack[seat, i] = view.stack[i] if own else dealt
    for i in range(DECK):
        hidden = view.discard_by[i] != NONE and view.discard_by[i] != view.seat
        race.discard[i] = top(race) if hidden else view.discard[i]


@kernel
def top(race: Race) -> int:
    """The top card of the pile, which has one."""
    race.pile_count -= 1
    card = int(race.pile[race.pile_count])
    race.pile[race.pile_count] = NONE
    return card


@kernel
def imagine_tokens(view: View, tables: Tables, stream: Stream, race: Race) -> None:
    """Fan tokens not seen: dealt to rivals, the rest in the bag."""
    for token in range(TOKENS):
        race.bag[token] = tables.token_fan[token] - view.fan_discard[token]
        if tables.token_fan[token] > 0:
            race.bag[token] -= view.tokens[token]
        for seat in range(SEATS):
            own = seat == view.seat
            race.tokens[seat, token] = view.tokens[token] if own else view.player_tokens[seat, token]
            if tables.token_fan[token] > 0:
                race.bag[token] -= view.played_token[seat] == token
                race.bag[token] -= view.stack_token[seat] == token
    for seat in range(SEATS):
        if seat != view.seat:
            for _ in range(view.fan_count[seat]):
                take_fan(race, tables, seat, draw(stream, bag_count(race, tables)))


@kernel
def take_fan(race: Race, tables: Tables, seat: int, left: int) -> None:
    """The token number `left` of the bag, to a seat."""
    for token in range(tables.token_kinds):
        left -= int(race.bag[token])
        if left < 0:
            race.bag[token] -= 1
            race.tokens[seat, token] += 1
            return
