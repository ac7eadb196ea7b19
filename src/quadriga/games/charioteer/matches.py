"""Symbols in a hand that nobody has sorted, as masks: a bit for each place of the hand."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.games.charioteer.choices import ones
from quadriga.games.charioteer.components import Tables
from quadriga.games.charioteer.state import HAND, PLAYED
from quadriga.games.charioteer.view import View

PLACES = (1 << HAND) - 1


@kernel
def matching_places(view: View, tables: Tables, symbol: int) -> int:
    """Places of cards that carry a symbol twice, and in the next eight bits of those that carry it once."""
    twice, once = 0, 0
    for place in range(HAND):
        card = int(view.hand[place])
        if card != NONE:
            matches = int(tables.card_matches[card, symbol])
            twice |= (matches >= 2) << place
            once |= (matches == 1) << place
    return twice | once << HAND


@kernel
def crowd_matches(tables: Tables, crowd: int, symbol: int) -> int:
    """How often a card of the crowd row carries a symbol."""
    return int(tables.card_matches[crowd, symbol]) if crowd != NONE else 0


@kernel
def twice_played(places: int) -> int:
    """Cards with the symbol twice in the move with the most symbols, from the masks of its places."""
    return min(PLAYED, ones(places & PLACES))


@kernel
def once_played(places: int) -> int:
    """Cards with the symbol once in the same move."""
    return min(PLAYED - twice_played(places), ones(places >> HAND & PLACES))


@kernel
def first_places(places: int, count: int) -> int:
    """The first so many of the places marked."""
    taken = 0
    for _ in range(PLAYED):
        if ones(taken) < count:
            taken |= places & -places
            places &= places - 1
    return taken
