"""Where the turns of a plan begin: what is left of a seat's cards and tokens, and how far its chariot has come."""

from typing import NamedTuple

import numpy as np

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.games.charioteer.choices import ones
from quadriga.games.charioteer.components import Tables
from quadriga.games.charioteer.matches import PLACES, first_places, matching_places
from quadriga.games.charioteer.movement import standing
from quadriga.games.charioteer.state import HAND, PLAYED
from quadriga.games.charioteer.view import View
from quadriga.games.charioteer.worth import COLOUR_COUNT, PACE, turns_left

TURNS = 4
MARKER_BITS = 8
UNREACHABLE = -10_000
"""The progress of a rival that no whip brings nearer."""
TOKEN_BITS = 8


class Stage(NamedTuple):
    """Where a turn of the plan begins."""

    turn: int
    turns: int
    """Turns until the leader comes in or the race is stopped, this one included."""
    progress: int
    rival: int
    """Progress of the chariot ahead, up to which a whip leads."""
    damage: int
    attack: int
    markers: int
    """Places on the skills track, eight bits for each colour."""
    boxed: int
    used: int
    """Places of the hand whose cards have been played."""
    tokens: int
    """Kinds of token held, a bit for each."""
    played: int
    """Tokens played in the plan, each as its kind and one, in eight bits."""
    held: int
    """How many tokens are held."""


class Found(NamedTuple):
    """A choice, what it is worth and what it leads to."""

    worth: int
    symbol: int
    token: int
    spaces: int
    damage: int
    matching: int
    matches: int


@kernel
def first_stage(view: View, tables: Tables) -> Stage:
    seat, markers, boxed, tokens, held = int(view.seat), 0, 0, 0, 0
    for colour in range(COLOUR_COUNT):
        markers |= int(view.marker[seat, colour]) << MARKER_BITS * colour
        boxed += view.marker[seat, colour] >= tables.box
    for token in range(tables.token_kinds):
        held += int(view.tokens[token])
        tokens |= (view.tokens[token] > 0) << token
    index, rival = standing(view, seat), whole(UNREACHABLE)
    if index > 0 and view.turn > 1:  # CH-13
        rival = whole(view.progress[view.order[index - 1]])
    progress, damage, attack = whole(view.progress[seat]), whole(view.damage[seat]), whole(view.attack[seat])
    turns = turns_left(view, tables)
    return Stage(0, turns, progress, rival, damage, attack, markers, boxed, 0, tokens, 0, held)


@kernel
def whole(number: int) -> int:
    """A number of any width as int64: all stages are then of one type."""
    return int(np.int64(number))


@kernel
def next_stage(view: View, tables: Tables, stage: Stage, found: Found) -> Stage:
    """Where the turn after a choice begins."""
    progress, rival = stage.progress + found.spaces, stage.rival + PACE
    turn, turns, played = stage.turn + 1, max(1, stage.turns - 1), stage.played
    if found.symbol == NONE:
        used = stage.used | first_places(PLACES & ~stage.used, PLAYED)
        return Stage(
            turn, turns, progress, rival, 0, 0, stage.markers, stage.boxed, used, stage.tokens, played, stage.held
        )
    used = used_by(view, tables, stage.used, found.symbol)
    marker = MARKER_BITS * int(tables.symbol_colour[found.symbol])
    place = stage.markers >> marker & 255
    markers, boxed = stage.markers, stage.boxed
    if place < tables.box:
        after = place + 1 if place + 1 < tables.box else int(tables.box) + boxed  # CH-16
        markers += (after - place) << marker
        boxed += after >= tables.box
    tokens, held, damage = stage.tokens, stage.held, found.damage + stage.attack
    if found.token != NONE:
        held -= 1
        played = played << TOKEN_BITS | found.token + 1
        tokens ^= (tokens_left(view, found.token, played) == 0) << found.token
    return Stage(turn, turns, progress, rival, damage, 0, markers, boxed, used, tokens, played, held)


@kernel
def used_by(view: View, tables: Tables, used: int, symbol: int) -> int:
    """Places of the hand used after a move: cards with the symbol twice come first, then once, then whips."""
    places, blank, before = matching_places(view, tables, symbol), 0, used
    for place in range(HAND):
        card = int(view.hand[place])
        blank |= int(card != NONE and tables.card_whip[max(card, 0)] > 0) << place
    used |= first_places(places & PLACES & ~used, PLAYED)
    used |= first_places(places >> HAND & ~used, PLAYED - (ones(used) - ones(before)))
    return used | first_places(blank & ~used, PLAYED - (ones(used) - ones(before)))


@kernel
def tokens_left(view: View, token: int, played: int) -> int:
    """Tokens of a kind that are held after those played."""
    left = int(view.tokens[token])
    for _ in range(TURNS):
        left -= played & 255 == token + 1
        played >>= TOKEN_BITS
    return left
