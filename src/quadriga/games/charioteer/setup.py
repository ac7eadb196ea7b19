"""The set-up: deck, start, skills cards, tokens, hands and crowd (CH-1)."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, tell
from quadriga.core.streams import Stream, draw
from quadriga.games.charioteer.components import Tables
from quadriga.games.charioteer.events import (
    CROWD_SET,
    FIRST_PLAYER,
    SKILLS_DEALT,
)
from quadriga.games.charioteer.piles import (
    draw_card,
    fill_hand,
    roll_emperor,
    stack_deck,
)
from quadriga.games.charioteer.state import (
    COLOURS,
    CROWD_ROW,
    DECK,
    HAND,
    PLAYED,
    SEATS,
    Ints,
    Log,
    Race,
)

COLOUR_COUNT = len(COLOURS)


@kernel
def setup(race: Race, tables: Tables, stream: Stream, log: Log, scratch: Ints) -> None:
    """CH-1, as far as the first choice."""
    clear(race)
    stack_deck(race, tables, stream)
    line_up(race, tables, draw(stream, int(race.seats)))
    tell(log, FIRST_PLAYER, EVERYONE, race.order[0])
    deal_skills(race, tables, stream, log, scratch)
    deal_tokens(race, tables)
    for seat in range(race.seats):
        fill_hand(race, seat, stream, log, scratch)
    for slot in range(CROWD_ROW):
        race.crowd[slot] = draw_card(race, stream, log)
    tell(log, CROWD_SET, EVERYONE, race.crowd[0], race.crowd[1], race.crowd[2])
    race.turn = 1
    roll_emperor(race, tables, stream, log)


@kernel
def clear(race: Race) -> None:
    """Nobody and nothing anywhere."""
    for i in range(DECK):
        race.pile[i] = NONE
        race.discard[i] = NONE
        race.discard_by[i] = NONE
    for seat in range(SEATS):
        race.order[seat] = NONE
        race.played_token[seat] = NONE
        race.stack_token[seat] = NONE
        for place in range(HAND):
            race.hand[seat, place] = NONE
        for i in range(PLAYED):
            race.played[seat, i] = NONE
            race.stack[seat, i] = NONE


@kernel
def line_up(race: Race, tables: Tables, first: int) -> None:
    """All on the start space, the first player inside, then clockwise."""
    for i in range(race.seats):
        race.order[i] = (first + i) % int(race.seats)
        race.progress[i] = int(tables.start) - int(tables.lap)


@kernel
def deal_skills(race: Race, tables: Tables, stream: Stream, log: Log, scratch: Ints) -> None:
    """A skills card each: the first colour on the highest start space."""
    for card in range(tables.skills_cards):
        scratch[card] = card
    for seat in range(race.seats):
        other = seat + draw(stream, int(tables.skills_cards) - seat)
        card = scratch[other]
        scratch[other] = scratch[seat]
        for rank in range(COLOUR_COUNT):
            race.marker[seat, tables.skills_card[card, rank]] = COLOUR_COUNT - 1 - rank
        c = tables.skills_card
        tell(log, SKILLS_DEALT, EVERYONE, seat, c[card, 0], c[card, 1], c[card, 2], c[card, 3])


@kernel
def deal_tokens(race: Race, tables: Tables) -> None:
    for token in range(tables.token_kinds):
        race.bag[token] = tables.token_fan[token]
        for seat in range(race.seats):
            race.tokens[seat, token] = tables.token_player[token]
