"""The state of a race and what a seat can see of it, as flat records."""

from typing import Annotated

from quadriga.core.fields import I8, I16, Fields, I8s, I16s, In

SEATS = 6
HAND = 8
PLAYED = 3
"""Hand cards in one move, and cards under one discard token."""
CROWD_ROW = 3
DECK = 160
"""Room for cards in the deck, and for kinds of card."""
TOKENS = 31
"""Room for kinds of token."""
COLOURS = 4


class Race(Fields):
    """Everything about a race. "Hidden" fields reach a view only where CH-19 allows."""

    seats: Annotated[I8, "players at the table"]
    laps: Annotated[I8, "laps to run (option)"]
    crowd_wild: Annotated[I8, "1 if a wild may change the crowd card (option, CH-14)"]
    limit: Annotated[I16, "turns a lap after which the race is stopped (option, CH-18)"]
    turn: Annotated[I16, "the turn being chosen, from 1"]
    over: Annotated[I8, "0 while running, 1 finished, 2 stopped at the limit (CH-18)"]
    progress: Annotated[I16s, SEATS, "spaces past the line of the first lap, negative before it (CH-6)"]
    order: Annotated[I8s, SEATS, In("seat"), "seats from the leader to the last; in one space the inside first (CH-7)"]
    damage: Annotated[I16s, SEATS, "cubes in the damage box (CH-11)"]
    attack: Annotated[I8s, SEATS, "cubes in the attack boxes (CH-11)"]
    marker: Annotated[I8s, (SEATS, COLOURS), In("marker"), "where each colour's marker stands on the skills track (CH-16)"]
    die: Annotated[I8, In("face"), "what the emperor die shows"]
    crowd: Annotated[I16s, CROWD_ROW, In("card"), "the crowd row; the first is the crowd card"]
    hand: Annotated[I16s, (SEATS, HAND), In("card"), "cards in hand, by place (hidden)"]
    pile: Annotated[I16s, DECK, In("card"), "the draw pile, the top card last (hidden)"]
    pile_count: Annotated[I16, "cards in the draw pile"]
    discard: Annotated[I16s, DECK, In("card"), "discarded cards (those laid face down are hidden)"]
    discard_by: Annotated[I8s, DECK, In("seat"), "who laid the discarded card face down; none: it was played face up"]
    discard_count: Annotated[I16, "cards discarded"]
    tokens: Annotated[I8s, (SEATS, TOKENS), "tokens held, by kind (fan tokens are hidden)"]
    bag: Annotated[I8s, TOKENS, "fan tokens in the bag, by kind (hidden)"]
    fan_discard: Annotated[I8s, TOKENS, "fan tokens played, by kind"]
    played: Annotated[I16s, (SEATS, PLAYED), In("card"), "cards on the table when the race ended"]
    played_token: Annotated[I8s, SEATS, In("token"), "token on the move when the race ended"]
    stack: Annotated[I16s, (SEATS, PLAYED), In("card"), "cards under a discard token when the race ended (hidden)"]
    stack_token: Annotated[I8s, SEATS, In("token"), "discard token on the table when the race ended"]


class View(Fields):
    """What a seat can see (CH-19), written field by field."""

    seat: Annotated[I8, In("seat"), "who looks; none: a spectator"]
    seats: Annotated[I8, "players at the table"]
    laps: Annotated[I8, "laps to run (option)"]
    crowd_wild: Annotated[I8, "1 if a wild may change the crowd card (option, CH-14)"]
    limit: Annotated[I16, "turns a lap after which the race is stopped (option, CH-18)"]
    turn: Annotated[I16, "the turn being chosen, from 1"]
    over: Annotated[I8, "0 while running, 1 finished, 2 stopped at the limit (CH-18)"]
    progress: Annotated[I16s, SEATS, "spaces past the line of the first lap, negative before it (CH-6)"]
    order: Annotated[I8s, SEATS, In("seat"), "seats from the leader to the last; in one space the inside first (CH-7)"]
    damage: Annotated[I16s, SEATS, "cubes in the damage box (CH-11)"]
    attack: Annotated[I8s, SEATS, "cubes in the attack boxes (CH-11)"]
    marker: Annotated[I8s, (SEATS, COLOURS), In("marker"), "where each colour's marker stands on the skills track (CH-16)"]
    die: Annotated[I8, In("face"), "what the emperor die shows"]
    crowd: Annotated[I16s, CROWD_ROW, In("card"), "the crowd row; the first is the crowd card"]
    hand: Annotated[I16s, HAND, In("card"), "one's own cards, by place"]
    hand_count: Annotated[I8s, SEATS, "cards in each hand"]
    pile_count: Annotated[I16, "cards in the draw pile"]
    discard: Annotated[I16s, DECK, In("card"), "discarded cards; none where another laid the card face down"]
    discard_by: Annotated[I8s, DECK, In("seat"), "who laid the discarded card face down; none: it was played face up"]
    discard_count: Annotated[I16, "cards discarded"]
    tokens: Annotated[I8s, TOKENS, "one's own tokens, by kind"]
    player_tokens: Annotated[I8s, (SEATS, TOKENS), "player tokens each still has, by kind"]
    fan_count: Annotated[I8s, SEATS, "fan tokens each has"]
    bag_count: Annotated[I8, "fan tokens in the bag"]
    fan_discard: Annotated[I8s, TOKENS, "fan tokens played, by kind"]
    played: Annotated[I16s, (SEATS, PLAYED), In("card"), "cards on the table when the race ended"]
    played_token: Annotated[I8s, SEATS, In("token"), "token on the move when the race ended"]
    stack: Annotated[I16s, PLAYED, In("card"), "one's own cards under a discard token when the race ended"]
    stack_count: Annotated[I8s, SEATS, "cards under each discard token when the race ended"]
    stack_token: Annotated[I8s, SEATS, In("token"), "discard token on the table when the race ended"]
