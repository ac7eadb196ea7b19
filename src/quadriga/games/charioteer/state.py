"""The state of a race, as one flat record."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import I8, I16, At, Between, EachSeat, Fields, I8s, I16s, In

Ints = NDArray[np.int64]
"""Codes, scratch and parameters, as kernels are handed them."""
Log = NDArray[np.int32]

SEATS = 6
HAND = 8
PLAYED = 3
"""Hand cards in one move, and cards under one discard token."""
CROWD_ROW = 3
DECK = 160
"""Room for cards in the deck, and for kinds of card."""
TOKENS = 31
"""Room for kinds of token."""
GREEN, RED, YELLOW, BLACK = 0, 1, 2, 3
COLOURS = ("green", "red", "yellow", "black")
ATTACK_BOXES = 3

RUNNING, FINISHED, STOPPED = 0, 1, 2


class Open(Fields):
    """What everyone can see (CH-19)."""

    seats: Annotated[I8, Between(0, SEATS), "players at the table"]
    laps: Annotated[I8, Between(0, 5), "laps to run (option)"]
    crowd_wild: Annotated[I8, Between(0, 1), "1 if a wild may change the crowd card (option, CH-14)"]
    limit: Annotated[I16, Between(0, 1000), "turns a lap after which the race is stopped (option, CH-18)"]
    turn: Annotated[I16, Between(0, 5000), "the turn being chosen, from 1"]
    over: Annotated[I8, Between(0, STOPPED), "0 while running, 1 finished, 2 stopped at the limit (CH-18)"]
    progress: Annotated[
        I16s, SEATS, EachSeat(), Between(-128, 1000), "spaces past the line of the first lap, negative before it (CH-6)"
    ]
    order: Annotated[I8s, SEATS, In("seat"), "seats from the leader to the last; in one space inside first (CH-7)"]
    damage: Annotated[I16s, SEATS, EachSeat(), Between(0, 15_000), "cubes in the damage box (CH-11)"]
    attack: Annotated[I8s, SEATS, EachSeat(), Between(0, 9), "cubes in the attack boxes (CH-11)"]
    marker: Annotated[
        I8s,
        (SEATS, len(COLOURS)),
        EachSeat(),
        In("marker"),
        At("colour", 1),
        "place of each marker on the skills track (CH-16)",
    ]
    die: Annotated[I8, In("face"), "what the emperor die shows"]
    crowd: Annotated[I16s, CROWD_ROW, In("card"), "the crowd row; the first is the crowd card"]
    pile_count: Annotated[I16, Between(0, DECK), "cards in the draw pile"]
    discard_count: Annotated[I16, Between(0, DECK), "cards discarded"]
    discard_by: Annotated[I8s, DECK, In("seat"), "who laid a discarded card face down; none: it was played face up"]
    fan_discard: Annotated[I8s, TOKENS, At("token"), Between(0, 120), "fan tokens played, by kind"]
    played: Annotated[I16s, (SEATS, PLAYED), EachSeat(), In("card"), "cards on the table when the race ended"]
    played_token: Annotated[I8s, SEATS, EachSeat(), In("token"), "token on the move when the race ended"]
    stack_token: Annotated[I8s, SEATS, EachSeat(), In("token"), "discard token on the table when the race ended"]


class Race(Open):
    """Everything about a race: what is open, and what CH-19 hides."""

    hand: Annotated[I16s, (SEATS, HAND), EachSeat(), In("card"), "cards in hand, by place"]
    pile: Annotated[I16s, DECK, In("card"), "the draw pile, the top card last"]
    discard: Annotated[I16s, DECK, In("card"), "discarded cards; only those laid face down are hidden"]
    tokens: Annotated[
        I8s,
        (SEATS, TOKENS),
        EachSeat(),
        At("token", 1),
        Between(0, 120),
        "tokens held, by kind; only fan tokens are hidden",
    ]
    bag: Annotated[I8s, TOKENS, At("token"), Between(0, 120), "fan tokens in the bag, by kind"]
    stack: Annotated[I16s, (SEATS, PLAYED), EachSeat(), In("card"), "cards under a discard token when the race ended"]
