"""Charioteer as bots see it: what a move brings now, and what it leaves for the turns to come."""

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import BRAWLER, DAREDEVIL, GREEDY, QUICK, SAVER, Evaluation
from quadriga.core.fields import NONE, Fields, I16s
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, put
from quadriga.games.charioteer.actions import (
    DO_MOVE,
    DO_RESET,
    MOVE_DISCARD_TOKEN,
    MOVE_DISCARDS,
    RESET_DISCARD_TOKEN,
    RESET_DISCARDS,
    card_of,
    changed_of,
    has_crowd,
    symbol_of,
    token_of,
)
from quadriga.games.charioteer.components import SYMBOLS, Tables
from quadriga.games.charioteer.movement import WHIP_SPACES, standing
from quadriga.games.charioteer.state import BLACK, DECK, HAND, PLAYED, RED, TOKENS, YELLOW, Race
from quadriga.games.charioteer.turn import (
    FAN_SYMBOLS,
    MATCHES,
    MATCHING_CARDS,
    RECOVERIES,
    SHIELDS,
    TALLY,
    WHIPS,
    pleases,
    tally,
)
from quadriga.games.charioteer.turn import (
    LESSONS as LEARNT,
)
from quadriga.games.charioteer.worth import (
    COLOUR_COUNT,
    CUBE_TURNS,
    CYCLED,
    FAN,
    SPACE,
    attack_worth,
    boxed_markers,
    damage_left,
    lesson_worth,
    marker_worth,
    token_worth,
    turns_left,
)

Codes = NDArray[np.int64]

MOST_MATCHES = 6
IN_HAND = TALLY
"""Where scratch counts the symbols in hand."""
IDLE = 2
"""A card whose best move falls so many points short of the hand's is better thrown away."""
HOARDED = 120
"""What percentage of its worth a saver wants for a token, up to the end."""
CARD_KEPT = 10
"""What a saver finds a card worth in hand."""
CUBE_JOY = 6
"""How many times their worth a brawler finds cubes for rivals worth."""


class Workspace(Fields):
    """What tokens are worth in hand."""

    token_worth: Annotated[I16s, TOKENS, "what a token is worth while it is kept"]


def prepare(tables: Any, work: Any) -> None:
    """Fill the work of an edition."""
    for token in range(int(tables.token_kinds)):
        work.token_worth[token] = token_worth(tables, token)


@kernel
def spaces_for(race: Race, tables: Tables, seat: int, points: int, colour: int) -> int:
    """How far points lead on an empty track (CH-7, CH-10)."""
    if colour != BLACK:
        return points
    progress = int(race.progress[seat])
    for _ in range(points):
        progress += int(tables.stride[progress % int(tables.lap)])
    return progress - int(race.progress[seat])


@kernel
def whip_for(race: Race, seat: int, spaces: int, whips: int) -> int:
    """CH-13: up to the chariot ahead, nothing for a leader or one that passes."""
    index = standing(race, seat)
    if whips == 0 or index == 0 or race.turn == 1:
        return 0
    gap = int(race.progress[race.order[index - 1]]) - int(race.progress[seat]) - spaces
    return max(0, min(gap, whips * WHIP_SPACES))


@kernel
def count_hand(race: Race, tables: Tables, seat: int, scratch: Codes) -> None:
    for symbol in range(SYMBOLS):
        scratch[IN_HAND + symbol] = tables.card_matches[race.crowd[1], symbol]
        for place in range(HAND):
            if race.hand[seat, place] != NONE:
                scratch[IN_HAND + symbol] += tables.card_matches[race.hand[seat, place], symbol]


@kernel
def hand_worth(race: Race, tables: Tables, seat: int, code: int, scratch: Codes) -> int:
    """The best move that the cards left would make next turn, with the next crowd card."""
    best = 0
    for symbol in range(SYMBOLS):
        matches = int(scratch[IN_HAND + symbol])
        for i in range(PLAYED):
            card = card_of(code, i)
            if card != NONE:
                matches -= int(tables.card_matches[card, symbol])
        skill = int(tables.marker_bonus[race.marker[seat, tables.symbol_colour[symbol]]])
        if matches > 1:
            best = max(best, min(matches, MOST_MATCHES) + int(tables.symbol_number[symbol]) + skill)
    return best * SPACE // 3


@kernel
def cards_in(code: int) -> int:
    count = 0
    for i in range(PLAYED):
        count += card_of(code, i) != NONE
    return count


@kernel
def token_cost(race: Race, tables: Tables, work: Workspace, seat: int, level: int, token: int, turns: int) -> int:
    """A token is kept for a better turn, but not beyond the complete."""
    if token == NONE:
        return 0
    if level == SAVER:
        return HOARDED * int(work.token_worth[token]) // 100
    held = 0
    for kind in range(tables.token_kinds):
        held += int(race.tokens[seat, kind])
    return int(work.token_worth[token]) if turns > held + 1 else int(work.token_worth[token]) // 4


@kernel
def reset_worth(race: Race, tables: Tables, seat: int, level: int, code: int, turns: int, scratch: Codes) -> int:
    """CH-12: all cubes go, nothing else is gained."""
    if level == GREEDY:
        return -SPACE
    cubes = int(race.damage[seat]) + int(race.attack[seat])
    if level == SAVER:
        cubes //= 2  # it seldom thinks of this rule
    worth = cubes * SPACE * min(turns - 1, CUBE_TURNS) + CYCLED * cards_in(code)
    return worth + (0 if level == QUICK else hand_worth(race, tables, seat, code, scratch))


@kernel
def move_worth(
    race: Race, tables: Tables, work: Workspace, seat: int, level: int, code: int, turns: int, scratch: Codes
) -> int:
    symbol, token = symbol_of(code), token_of(code)
    colour = int(tables.symbol_colour[symbol])
    tally(tables, race.crowd[0], code, scratch)
    recoveries = scratch[RECOVERIES] + (colour == YELLOW)
    damage = int(race.damage[seat])
    left = damage_left(damage, recoveries)
    bonus = int(tables.token_bonus[token]) if token != NONE else 0
    skill = int(tables.marker_bonus[race.marker[seat, colour]])
    points = max(0, scratch[MATCHES] + int(tables.symbol_number[symbol]) + bonus + skill - left)
    spaces = spaces_for(race, tables, seat, points, colour)
    spaces += whip_for(race, seat, spaces, scratch[WHIPS])
    if level == GREEDY:
        return spaces * SPACE
    worth = spaces * SPACE - token_cost(race, tables, work, seat, level, token, turns)
    if level == DAREDEVIL:
        worth += spaces * SPACE // 2
    steps = 1 + pleases(race, tables, colour) + scratch[LEARNT]
    boxed, place = boxed_markers(race, tables, seat), int(race.marker[seat, colour])
    worth += lesson_worth(tables, boxed, place, steps, turns)
    worth += (damage - left) * SPACE * min(turns - 1, CUBE_TURNS)
    if colour == RED:
        worth += attack_worth(scratch[MATCHING_CARDS], turns) * (CUBE_JOY if level == BRAWLER else 1)
    if scratch[MATCHES] >= FAN_SYMBOLS and turns > 1:
        worth += FAN
    if scratch[SHIELDS] > 0 and level != DAREDEVIL:
        worth += (SPACE * int(race.attack[seat]) + 30) * min(turns - 1, CUBE_TURNS)
    worth += (-CARD_KEPT if level == SAVER else CYCLED) * cards_in(code)
    return worth + (0 if level == QUICK or turns == 1 else hand_worth(race, tables, seat, code, scratch))


@kernel
def score(
    race: Race,
    tables: Tables,
    work: Workspace,
    seat: int,
    level: int,
    codes: Codes,
    n: int,
    scores: Codes,
    scratch: Codes,
) -> None:
    """What each choice is worth to the seat."""
    turns = min(turns_left(race, tables), 2) if level == BRAWLER else turns_left(race, tables)
    count_hand(race, tables, seat, scratch)
    for i in range(n):
        if kind_of(codes[i]) == DO_RESET:
            scores[i] = reset_worth(race, tables, seat, level, codes[i], turns, scratch)
        else:
            scores[i] = move_worth(race, tables, work, seat, level, codes[i], turns, scratch)


@kernel
def next_move(race: Race, tables: Tables, seat: int, card: int, scratch: Codes) -> int:
    """The best move next turn that a card would be part of, in points; of any card, if none is named."""
    best = 0
    for symbol in range(SYMBOLS):
        if card == NONE or tables.card_matches[card, symbol] > 0:
            skill = int(tables.marker_bonus[race.marker[seat, tables.symbol_colour[symbol]]])
            matches = min(int(scratch[IN_HAND + symbol]), MOST_MATCHES)
            best = max(best, matches + int(tables.symbol_number[symbol]) + skill)
    return best


@kernel
def lay_aside(race: Race, tables: Tables, seat: int, code: int, scratch: Codes) -> int:
    """Count the hand without the cards of a choice; the places those lie at, as bits."""
    count_hand(race, tables, seat, scratch)
    places = 0
    for i in range(PLAYED):
        card = card_of(code, i)
        if card != NONE:
            for symbol in range(SYMBOLS):
                scratch[IN_HAND + symbol] -= int(tables.card_matches[card, symbol])
            for place in range(HAND):
                if race.hand[seat, place] == card and places >> place & 1 == 0:
                    places |= 1 << place
                    break
    return places


@kernel
def discard_token(race: Race, tables: Tables, seat: int) -> int:
    """The discard token that throws most away, or none (CH-15)."""
    best = NONE
    for token in range(tables.token_kinds):
        if race.tokens[seat, token] > 0 and tables.token_discard[token] > 0:
            if best == NONE or tables.token_discard[token] > tables.token_discard[best]:
                best = token
    return best


@kernel
def complete(race: Race, tables: Tables, work: Workspace, seat: int, code: int, scratch: Codes) -> int:
    """CH-15: throw away the cards that fit the others least, once there are enough of them for the token."""
    token, turns = discard_token(race, tables, seat), turns_left(race, tables)
    if token == NONE or turns <= 1:
        return code
    used = lay_aside(race, tables, seat, code, scratch)
    bar, count, thrown = next_move(race, tables, seat, NONE, scratch) - IDLE, 0, 0
    for _ in range(tables.token_discard[token]):
        worst, least = NONE, bar
        for place in range(HAND):
            if race.hand[seat, place] != NONE and (used | thrown) >> place & 1 == 0:
                points = next_move(race, tables, seat, int(race.hand[seat, place]), scratch)
                if points <= least:
                    worst, least = place, points - 1
        if worst == NONE:
            break
        thrown |= 1 << worst
        count += 1
    return code if count < min(2, turns) else with_discards(code, token, thrown)


@kernel
def with_discards(code: int, token: int, places: int) -> int:
    moves, count = kind_of(code) == DO_MOVE, 0
    code |= put(MOVE_DISCARD_TOKEN, token) if moves else put(RESET_DISCARD_TOKEN, token)
    for place in range(HAND):
        if places >> place & 1:
            code |= put(MOVE_DISCARDS, place, count) if moves else put(RESET_DISCARDS, place, count)
            count += 1
    return code


@kernel
def evaluate(race: Race, tables: Tables, work: Workspace, seat: int) -> int:
    """The way gone, skills, tokens, and cubes that will slow the turns to come."""
    turns = turns_left(race, tables)
    worth, boxed = SPACE * int(race.progress[seat]), boxed_markers(race, tables, seat)
    for colour in range(COLOUR_COUNT):
        worth += marker_worth(tables, boxed, int(race.marker[seat, colour]), turns)
    usable = turns
    for token in range(tables.token_kinds):
        held = min(usable, int(race.tokens[seat, token]))
        worth += held * int(work.token_worth[token])
        usable -= held
    cubes = int(race.damage[seat]) + int(race.attack[seat])
    return worth - cubes * SPACE * min(turns, CUBE_TURNS)


@kernel
def elapsed(race: Race) -> int:
    """Turns played."""
    return int(race.turn)


SYMBOL_PART, RESET_PART = 0, SYMBOLS * (PLAYED + 1)
TOKEN_PART = RESET_PART + PLAYED
CROWD_PART = TOKEN_PART + TOKENS
WILD_PART = CROWD_PART + 1
KIND_PART = WILD_PART + 1
PLACE_PART = KIND_PART + DECK
"""Where the numbers of parts begin: symbol and number of cards, token, crowd card, wild, kinds and places of cards."""


@kernel
def parts(race: Race, tables: Tables, seat: int, code: int, parts: Codes) -> int:
    """Write the parts of a choice that a policy network scores; how many."""
    cards, count = has_crowd(code), 1
    for i in range(PLAYED):
        card = card_of(code, i)
        if card != NONE:
            cards += 1
            parts[count], parts[count + 1] = KIND_PART + card, PLACE_PART + place_of_card(race, seat, card)
            count += 2
    if kind_of(code) == DO_RESET:
        parts[0] = RESET_PART + cards - 1
        return count
    parts[0] = SYMBOL_PART + symbol_of(code) * (PLAYED + 1) + cards - 1
    if token_of(code) != NONE:
        parts[count] = TOKEN_PART + token_of(code)
        count += 1
    if has_crowd(code):
        parts[count] = CROWD_PART
        count += 1
    if changed_of(code) != NONE:
        parts[count] = WILD_PART
        count += 1
    return count


@kernel
def place_of_card(race: Race, seat: int, card: int) -> int:
    """The first place of the hand that holds a kind of card."""
    for place in range(HAND):
        if race.hand[seat, place] == card:
            return place
    return 0


EVALUATION = Evaluation(
    race=Race,
    workspace=Workspace,
    prepare=prepare,
    score=score,
    evaluate=evaluate,
    elapsed=elapsed,
    horizon=4,
    noise=150,
    winning_lead=3000,
    search_width=12,
    parts=parts,
    prior_weight=8,
    policy_playouts=16,
    novice_choices=3,
    network_horizon=2,
    network_width=48,
    guided_horizon=3,
    guided_temperature=128,
    guided_width=24,
    complete=complete,
    ladder_playouts=200,
    champion_bar=0.85,
    rates=(27_000, 32_000),
    searcher_bars=(0.65, 0.4),
)
