"""The view of Charioteer as numbers. Seats come in their order, oneself first; cards as what is printed on them."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.observation import Block, Floats, Observation, Part, nothing, one_of, scaled
from quadriga.games.charioteer.components import FACES, MARKERS, SYMBOLS, Tables
from quadriga.games.charioteer.movement import standing
from quadriga.games.charioteer.outlook import OUTLOOK, encode_outlook
from quadriga.games.charioteer.state import ATTACK_BOXES, COLOURS, CROWD_ROW, DECK, HAND, SEATS, TOKENS
from quadriga.games.charioteer.view import View

COLOUR_COUNT, SIDES = len(COLOURS), len(FACES)
MOST_LAPS, MOST_DAMAGE, MOST_FANS, MOST_SKILL = 5, 20, 10, 9
PRINTED, STRIDES = 2, 12

SEAT = (
    Part("racing", 1, "1 for a seat that is taken; all else is 0 for one that is not"),
    Part("order", 1, "rivals ahead of it, as a share of all"),
    Part("level", 1, "1 if a rival stands further inside in the same space"),
    Part("progress", 1, "way behind it as a share of the race, a little below 0 at the start"),
    Part("lead", 1, "how far it is ahead of oneself, as a share of a lap"),
    Part("damage", 1, "cubes in the damage box, of 20"),
    Part("attack", 1, "cubes in the attack boxes, of 3"),
    Part("skill", COLOUR_COUNT, "bonus in green, red, yellow and black, of 9"),
    Part("marker", COLOUR_COUNT, "place on the skills track in the four colours, of 32"),
    Part("tokens", 2, "player tokens and fan tokens it has, of 10"),
)
CARD = (
    Part("there", 1, "1 if there is a card"),
    Part("symbols", SYMBOLS, "how often each symbol stands on it, of 2"),
    Part("icons", 4, "shields, whips, recoveries, learning icons, of 2"),
)
LAYOUT = (
    Part("seats", 5, "players, one of 2 to 6"),
    Part("laps", MOST_LAPS, "laps to run, one of 1 to 5"),
    Part("crowd_wild", 1, "option crowd_wild"),
    Part("turn", 1, "turns gone, as a share of the limit"),
    Part("die", SIDES, "what the emperor die shows: sprint, attack, recover, corner, all or disrupt"),
    Part("piles", 3, "cards to draw and discarded, of 160; fan tokens in the bag, of 127"),
    Part("strides", STRIDES, "for the next twelve spaces of oneself: outer spaces that cornering skips there, of 3"),
    Part("tokens", TOKENS, "one's own tokens by kind, as the edition lists them, of 3"),
    Block("rivals", SEATS, SEAT, "for each seat, oneself first"),
    Block("hand", HAND, CARD, "for each place of one's hand"),
    Block("crowd", CROWD_ROW, CARD, "for each card of the crowd row"),
)
SEAT_COUNT = sum(part.count for part in SEAT)
CARD_COUNT = sum(part.count for part in CARD)


@kernel
def encode(view: View, tables: Tables, out: Floats) -> int:
    """Write the view of a seat; how many numbers."""
    at = one_of(out, 0, view.seats - 2, 5)
    at = one_of(out, at, view.laps - 1, MOST_LAPS)
    at = scaled(out, at, view.crowd_wild, 1)
    at = scaled(out, at, view.turn, int(view.limit) * int(view.laps))
    at = one_of(out, at, view.die, SIDES)
    at = scaled(out, at, view.pile_count, DECK)
    at = scaled(out, at, view.discard_count, DECK)
    at = scaled(out, at, view.bag_count, 127)
    for space in range(STRIDES):
        stride = tables.stride[(int(view.progress[view.seat]) + space) % int(tables.lap)]
        at = scaled(out, at, stride - 1, 3)
    for token in range(TOKENS):
        at = scaled(out, at, view.tokens[token], 3)
    for i in range(SEATS):
        at = encode_seat(view, tables, (i + view.seat) % view.seats if i < view.seats else NONE, out, at)
    for place in range(HAND):
        at = encode_card(tables, view.hand[place], out, at)
    for slot in range(CROWD_ROW):
        at = encode_card(tables, view.crowd[slot], out, at)
    return at


@kernel
def encode_seat(view: View, tables: Tables, seat: int, out: Floats, at: int) -> int:
    if seat == NONE:
        return nothing(out, at, SEAT_COUNT)
    index, progress, lap = standing(view, seat), int(view.progress[seat]), int(tables.lap)
    at = scaled(out, at, 1, 1)
    at = scaled(out, at, index, view.seats - 1)
    at = scaled(out, at, index > 0 and view.progress[view.order[index - 1]] == progress, 1)
    at = scaled(out, at, progress, lap * int(view.laps))
    at = scaled(out, at, progress - int(view.progress[view.seat]), lap)
    at = scaled(out, at, view.damage[seat], MOST_DAMAGE)
    at = scaled(out, at, view.attack[seat], ATTACK_BOXES)
    for colour in range(COLOUR_COUNT):
        at = scaled(out, at, tables.marker_bonus[view.marker[seat, colour]], MOST_SKILL)
    for colour in range(COLOUR_COUNT):
        at = scaled(out, at, view.marker[seat, colour], MARKERS)
    tokens = 0
    for token in range(TOKENS):
        tokens += view.player_tokens[seat, token]
    at = scaled(out, at, tokens, MOST_FANS)
    return scaled(out, at, view.fan_count[seat], MOST_FANS)


@kernel
def encode_card(tables: Tables, card: int, out: Floats, at: int) -> int:
    """A card as what is printed on it."""
    if card == NONE:
        return nothing(out, at, CARD_COUNT)
    at = scaled(out, at, 1, 1)
    for symbol in range(SYMBOLS):
        at = scaled(out, at, tables.card_matches[card, symbol], PRINTED)
    at = scaled(out, at, tables.card_shield[card], PRINTED)
    at = scaled(out, at, tables.card_whip[card], PRINTED)
    at = scaled(out, at, tables.card_recovery[card], PRINTED)
    return scaled(out, at, tables.card_learning[card], PRINTED)


OBSERVATION = Observation(view=View, layout=LAYOUT, encode=encode, outlook=OUTLOOK, encode_outlook=encode_outlook)
