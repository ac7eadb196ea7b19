"""What can be worked out from a view of Charioteer, for its observation: spaces to go, moves, a plan, the rivals."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.observation import Block, Floats, Part, flags, nothing, scaled
from quadriga.games.charioteer.choices import NEEDED
from quadriga.games.charioteer.components import SYMBOLS, Tables
from quadriga.games.charioteer.matches import crowd_matches, matching_places, once_played, twice_played
from quadriga.games.charioteer.movement import standing
from quadriga.games.charioteer.plan import TURN, TURN_COUNT, cornered, encode_plan, strides_from
from quadriga.games.charioteer.stages import TURNS
from quadriga.games.charioteer.state import ATTACK_BOXES, BLACK, HAND, SEATS, YELLOW
from quadriga.games.charioteer.view import View
from quadriga.games.charioteer.worth import COLOUR_COUNT, damage_left, turns_left

NEAR, FAR, APART = 16, 48, 64
MOST_SPACES, MOST_TURNS, MOST_ICONS, MOST_MATCHES = 24, 8, 3, 8
MOST_BONUS, MOST_WILDS, MOST_CLIMBED, MOST_CUBES, MOST_SKILL = 32, 6, 48, 8, 9
MOST_PLAYER_TOKENS, MOST_FAN_TOKENS, MOST_PLAYER_BONUS = 5, 6, 24
RIVALS = SEATS - 1

RIVAL = (
    Part("there", 1, "1 for a rival; all else is 0 where there is none"),
    Part("lead", 2, "how far it is ahead of oneself, of 16 and of 64"),
    Part("after", 1, "how far it is ahead after one's own plan, of 24"),
    Part("damage", 1, "cubes in the damage box, of 8"),
    Part("attack", 1, "cubes in the attack boxes, of 3"),
    Part("player_tokens", 1, "player tokens it still has, of 5"),
    Part("fan_tokens", 1, "fan tokens it has, of 6"),
    Part("skill", COLOUR_COUNT, "bonus in green, red, yellow and black, of 9"),
    Part("markers", 1, "sum of its markers' places, of 48"),
    Part("token_bonus", 1, "spaces that its player tokens add, of 24"),
)
OUTLOOK = (
    Part("to_go", 4, "spaces to the final line: the leader's of 16 and of 48, one's own of 16 and of 48"),
    Part("gaps", 2, "spaces to the chariot ahead and to the one behind, of 16; 1 if there is none"),
    Part("turns_left", MOST_TURNS, "how many turns are left after this one, a number for each up to 8"),
    Part("icons", 3, "whips, shields and recoveries on one's cards, of 3"),
    Part("symbols", SYMBOLS, "how often each symbol stands on one's cards, of 8"),
    Part("token_bonus", 1, "spaces that one's own tokens add, of 32"),
    Part("wilds", 1, "wild tokens one has, of 6"),
    Part("markers", 1, "sum of one's own markers' places, of 48"),
    Part("cubes", 1, "cubes in one's own damage box, of 8"),
    Part("moves", SYMBOLS, "spaces that the best cards for each symbol lead this turn without a token, of 24"),
    Block("plan", TURNS, TURN, "for each turn, the best moves of a plan for one's cards and tokens"),
    Block("field", RIVALS, RIVAL, "for each rival, in the order of the race"),
)
RIVAL_COUNT = sum(part.count for part in RIVAL)


@kernel
def encode_outlook(view: View, tables: Tables, out: Floats, at: int) -> int:
    """Write it behind the rest of an observation; the next place."""
    at = encode_way(view, tables, out, at)
    at = encode_hand(view, tables, out, at)
    at = encode_own(view, tables, out, at)
    at = encode_moves(view, tables, out, at)
    planned = encode_plan(view, tables, out, at)
    at += TURNS * TURN_COUNT
    for index in range(view.seats):
        if view.order[index] != view.seat:
            at = encode_rival(view, tables, int(view.order[index]), planned, out, at)
    return nothing(out, at, (SEATS - int(view.seats)) * RIVAL_COUNT)


@kernel
def encode_way(view: View, tables: Tables, out: Floats, at: int) -> int:
    """Spaces to the final line and to the next chariots, and turns left."""
    final, own, index = int(tables.lap) * int(view.laps), int(view.progress[view.seat]), standing(view, view.seat)
    to_go, own_to_go = max(0, final - int(view.progress[view.order[0]])), max(0, final - own)
    at = scaled(out, at, to_go, NEAR)
    at = scaled(out, at, to_go, FAR)
    at = scaled(out, at, own_to_go, NEAR)
    at = scaled(out, at, own_to_go, FAR)
    at = scaled(out, at, int(view.progress[view.order[index - 1]]) - own if index > 0 else NEAR, NEAR)
    is_last = index + 1 >= view.seats
    at = scaled(out, at, NEAR if is_last else own - int(view.progress[view.order[index + 1]]), NEAR)
    return flags(out, at, (1 << min(turns_left(view, tables) - 1, MOST_TURNS)) - 1, MOST_TURNS)


@kernel
def encode_hand(view: View, tables: Tables, out: Floats, at: int) -> int:
    """Icons and symbols of one's cards."""
    whips, shields, recoveries = 0, 0, 0
    for place in range(HAND):
        card = int(view.hand[place])
        if card != NONE:
            whips += int(tables.card_whip[card])
            shields += int(tables.card_shield[card])
            recoveries += int(tables.card_recovery[card])
    at = scaled(out, at, whips, MOST_ICONS)
    at = scaled(out, at, shields, MOST_ICONS)
    at = scaled(out, at, recoveries, MOST_ICONS)
    for symbol in range(SYMBOLS):
        matches = 0
        for place in range(HAND):
            if view.hand[place] != NONE:
                matches += int(tables.card_matches[view.hand[place], symbol])
        at = scaled(out, at, matches, MOST_MATCHES)
    return at


@kernel
def encode_own(view: View, tables: Tables, out: Floats, at: int) -> int:
    """One's tokens, markers and cubes."""
    bonus, wilds = 0, 0
    for token in range(tables.token_kinds):
        bonus += int(view.tokens[token]) * int(tables.token_bonus[token])
        wilds += int(view.tokens[token]) * int(tables.token_wild[token])
    at = scaled(out, at, bonus, MOST_BONUS)
    at = scaled(out, at, wilds, MOST_WILDS)
    at = scaled(out, at, climbed(view, view.seat), MOST_CLIMBED)
    return scaled(out, at, view.damage[view.seat], MOST_CUBES)


@kernel
def climbed(view: View, seat: int) -> int:
    """The sum of a seat's places on the skills track."""
    places = 0
    for colour in range(COLOUR_COUNT):
        places += int(view.marker[seat, colour])
    return places


@kernel
def encode_moves(view: View, tables: Tables, out: Floats, at: int) -> int:
    strides = strides_from(tables, int(view.progress[view.seat]))
    for symbol in range(SYMBOLS):
        points = most_points(view, tables, symbol)
        black = tables.symbol_colour[symbol] == BLACK
        at = scaled(out, at, cornered(strides, points) if black else points, MOST_SPACES)
    return at


@kernel
def most_points(view: View, tables: Tables, symbol: int) -> int:
    """The distance of the move with the most symbols, no icon counted; 0 where there is none (CH-3, CH-4)."""
    places, crowd = matching_places(view, tables, symbol), crowd_matches(tables, view.crowd[0], symbol)
    twice, once = twice_played(places), once_played(places)
    if twice + once + (crowd > 0) < NEEDED:
        return 0
    colour = int(tables.symbol_colour[symbol])
    skill = int(tables.marker_bonus[view.marker[view.seat, colour]])
    damage = damage_left(int(view.damage[view.seat]), int(colour == YELLOW))
    return max(0, 2 * twice + once + crowd + int(tables.symbol_number[symbol]) + skill - damage)


@kernel
def encode_rival(view: View, tables: Tables, seat: int, planned: int, out: Floats, at: int) -> int:
    lead, tokens, bonus = int(view.progress[seat]) - int(view.progress[view.seat]), 0, 0
    for token in range(tables.token_kinds):
        tokens += int(view.player_tokens[seat, token])
        bonus += int(view.player_tokens[seat, token]) * int(tables.token_bonus[token])
    at = scaled(out, at, 1, 1)
    at = scaled(out, at, lead, NEAR)
    at = scaled(out, at, lead, APART)
    at = scaled(out, at, lead - planned, MOST_SPACES)
    at = scaled(out, at, view.damage[seat], MOST_CUBES)
    at = scaled(out, at, view.attack[seat], ATTACK_BOXES)
    at = scaled(out, at, tokens, MOST_PLAYER_TOKENS)
    at = scaled(out, at, view.fan_count[seat], MOST_FAN_TOKENS)
    for colour in range(COLOUR_COUNT):
        at = scaled(out, at, tables.marker_bonus[view.marker[seat, colour]], MOST_SKILL)
    at = scaled(out, at, climbed(view, seat), MOST_CLIMBED)
    return scaled(out, at, bonus, MOST_PLAYER_BONUS)
