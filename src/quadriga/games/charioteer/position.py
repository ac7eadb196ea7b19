"""How a position that a scenario wrote in part becomes a whole one: what nobody placed is dealt."""

from quadriga.core.codec import Names
from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.position import PositionRules
from quadriga.core.streams import Stream, shuffle
from quadriga.games.charioteer.components import FACES, Tables
from quadriga.games.charioteer.invariants import count_cards
from quadriga.games.charioteer.state import ATTACK_BOXES, COLOURS, CROWD_ROW, DECK, HAND, RUNNING, TOKENS, Ints, Race

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


def explain(race: Race, tables: Tables, names: Names) -> str | None:
    """Which card or token is there more often than it exists, or who stands where nobody can."""
    return _excess_card(race, tables, names) or _misplaced_token(race, tables, names) or _lost_seat(race, tables, names)


def _excess_card(race: Race, tables: Tables, names: Names) -> str | None:
    places = [(int(card), f"in the hand of seat {seat}") for seat in range(race.seats) for card in race.hand[seat]]
    places += [(int(card), f"on the table of seat {s}") for s in range(race.seats) for card in race.played[s]]
    places += [(int(card), f"under the discard token of seat {s}") for s in range(race.seats) for card in race.stack[s]]
    for cards, where in ((race.crowd, "crowd row"), (race.pile, "pile"), (race.discard, "discard")):
        places += [(int(card), f"in the {where}") for card in cards]
    for card in sorted({card for card, _ in places if card != NONE}):
        found = [where for one, where in places if one == card]
        if len(found) > tables.card_count[card]:
            return f"the card {names.name('card', card)} is there {len(found)} times, not " + (
                f"{tables.card_count[card]}: {', '.join(found)}"
            )
    return None


def _misplaced_token(race: Race, tables: Tables, names: Names) -> str | None:
    for token, name in enumerate(names.domains["token"]):
        held = [int(race.tokens[seat, token]) for seat in range(race.seats)]
        laid = int((race.played_token == token).sum() + (race.stack_token == token).sum())
        found = sum(held) + laid + int(race.bag[token]) + int(race.fan_discard[token])
        fan = int(tables.token_fan[token])
        if fan and found != fan:
            return f"the token {name} is there {found} times, and the edition has {fan}"
        most = int(tables.token_player[token])
        if not fan and max(held) > most:
            return f"seat {held.index(max(held))} has the token {name} {max(held)} times, and each player has {most}"
    return None


def _lost_seat(race: Race, tables: Tables, names: Names) -> str | None:
    for seat in range(race.seats):
        if race.attack[seat] > ATTACK_BOXES:
            return f"seat {seat} has {race.attack[seat]} cubes in its attack boxes, which hold {ATTACK_BOXES}"
        if race.progress[seat] < int(tables.start) - int(tables.lap):
            return f"seat {seat} has progress {race.progress[seat]}, and the start is {tables.start - tables.lap}"
        if race.progress[seat] >= (race.laps + 1) * tables.lap:
            return f"seat {seat} has progress {race.progress[seat]}, in a race of {race.laps} laps of {tables.lap}"
    return None


POSITION = PositionRules(
    completes=(
        "turn", "order", "marker", "die", "crowd", "pile_count", "discard_count", "hand", "pile", "bag",
    ),
    rest=("crowd", "hand", "pile", "bag"),
    stacks=("pile",),
    explain=explain,
)  # fmt: skip
