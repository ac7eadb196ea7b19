"""What a turn's choices lead to."""

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, kind_of, tell
from quadriga.core.streams import Stream
from quadriga.games.charioteer.actions import (
    CROWD_PART,
    DO_RESET,
    card_of,
    changed_of,
    discard_of,
    discard_token_of,
    has_crowd,
    symbol_of,
    token_of,
)
from quadriga.games.charioteer.components import Tables
from quadriga.games.charioteer.events import (
    ADVANCED,
    ATTACKED,
    BAG_EMPTY,
    BLOCKED,
    CALMED,
    FAN_DRAWN,
    FAN_EARNED,
    HURT,
    LAP_COMPLETED,
    MEASURED,
    MOVED,
    PLACED,
    RECOVERED,
    RESET_SHOWN,
    SHIELDED,
    STACKED,
)
from quadriga.games.charioteer.movement import crack_whip, drive, standing
from quadriga.games.charioteer.piles import (
    add_cubes,
    clear_table,
    draw_fan,
    fill_hand,
    lay_out,
    roll_emperor,
    slide_crowd,
)
from quadriga.games.charioteer.state import (
    COLOURS,
    FINISHED,
    PLAYED,
    RED,
    RUNNING,
    STOPPED,
    YELLOW,
    Ints,
    Log,
    Race,
)

COLOUR_COUNT = len(COLOURS)
WILD_SYMBOLS = 2
FAN_SYMBOLS = 6
MINOR_ATTACK, MAJOR_ATTACK = 3, 4

# What `tally` writes into scratch.
MATCHES, MATCHING_CARDS, SHIELDS, WHIPS, RECOVERIES, LESSONS = 0, 1, 2, 3, 4, 5
TALLY = 6


@kernel
def apply(race: Race, tables: Tables, codes: Ints, stream: Stream, log: Log, scratch: Ints) -> None:
    """A whole turn: reveal, move in the order of the race, then the end of the turn or of the race."""
    for seat in range(race.seats):
        lay_out(race, seat, codes[seat])
        tell_choice(race, seat, codes[seat], log)
    shielded = raise_shields(race, tables, codes, log, scratch)
    laps_before = race.progress[race.order[0]] // tables.lap
    for i in range(race.seats):
        scratch[TALLY + i] = race.order[i]  # CH-5: as the race stood at the reveal
    for i in range(race.seats):
        seat = scratch[TALLY + i]
        if kind_of(codes[seat]) == DO_RESET:
            calm(race, seat, log)
        else:
            carry_out(race, tables, seat, codes[seat], shielded, stream, log, scratch)
    tell_laps(race, tables, laps_before, log)
    end_turn(race, tables, stream, log, scratch)


@kernel
def tell_choice(race: Race, seat: int, code: int, log: Log) -> None:
    """The reveal: everything but the cards under a discard token (CH-2, CH-15)."""
    c = race.played
    if kind_of(code) == DO_RESET:
        tell(log, RESET_SHOWN, EVERYONE, seat, c[seat, 0], c[seat, 1], c[seat, 2])
    else:
        tell(
            log, MOVED, EVERYONE, seat, symbol_of(code), c[seat, 0], c[seat, 1], c[seat, 2],
            race.crowd[0] if has_crowd(code) else NONE, token_of(code), changed_of(code),
        )  # fmt: skip
    cards = 0
    for i in range(PLAYED):
        cards += discard_of(code, i) != NONE
    if cards > 0:
        tell(log, STACKED, EVERYONE, seat, discard_token_of(code), cards)


@kernel
def tally(tables: Tables, crowd_card: int, code: int, out: Ints) -> None:
    """Count what a move brings: symbols, matching cards and icons, wild included (CH-3, CH-14)."""
    for i in range(TALLY):
        out[i] = 0
    symbol, changed = symbol_of(code), changed_of(code)
    for i in range(PLAYED):
        count_card(tables, card_of(code, i), symbol, changed == i, out)
    if has_crowd(code):
        count_card(tables, crowd_card, symbol, changed == CROWD_PART, out)
    token = token_of(code)
    if token != NONE:
        out[SHIELDS] += tables.token_shield[token]
        out[WHIPS] += tables.token_whip[token]
        out[RECOVERIES] += tables.token_recovery[token]
        out[LESSONS] += tables.token_learning[token]


@kernel
def count_card(tables: Tables, card: int, symbol: int, changed: bool, out: Ints) -> None:
    if card == NONE:
        return
    if changed:  # CH-14: it loses all it had
        out[MATCHES] += WILD_SYMBOLS
        out[MATCHING_CARDS] += 1
        return
    matches = int(tables.card_matches[card, symbol])
    out[MATCHES] += matches
    out[MATCHING_CARDS] += matches > 0
    out[SHIELDS] += tables.card_shield[card]
    out[WHIPS] += tables.card_whip[card]
    out[RECOVERIES] += tables.card_recovery[card]
    out[LESSONS] += tables.card_learning[card]


@kernel
def raise_shields(race: Race, tables: Tables, codes: Ints, log: Log, scratch: Ints) -> int:
    """Shields and resets empty the attack boxes and keep them empty all turn (CH-11): a bit for each such seat."""
    shielded = 0
    for seat in range(race.seats):
        if kind_of(codes[seat]) != DO_RESET:
            tally(tables, race.crowd[0], codes[seat], scratch)
            if scratch[SHIELDS] == 0:
                continue
        tell(log, SHIELDED, EVERYONE, seat, race.attack[seat])
        race.attack[seat] = 0
        shielded |= 1 << seat
    return shielded


@kernel
def calm(race: Race, seat: int, log: Log) -> None:
    """A reset: the chariot stays, all damage goes (CH-12)."""
    tell(log, CALMED, EVERYONE, seat, race.damage[seat])
    race.damage[seat] = 0


@kernel
def carry_out(
    race: Race, tables: Tables, seat: int, code: int, shielded: int, stream: Stream, log: Log, scratch: Ints
) -> None:
    """One chariot's move, and what it earns."""
    colour = int(tables.symbol_colour[symbol_of(code)])
    tally(tables, race.crowd[0], code, scratch)
    recover(race, seat, scratch[RECOVERIES] + (colour == YELLOW), log)
    points = distance(race, tables, seat, code, scratch[MATCHES], log)
    began = standing(race, seat)
    drive(race, tables, seat, points, colour, log)
    if scratch[WHIPS] > 0:
        crack_whip(race, tables, seat, began, scratch[WHIPS], colour, log)
    if colour == RED:
        attack(race, seat, scratch[MATCHING_CARDS], shielded, log)
    learn(race, tables, seat, colour, 1 + pleases(race, tables, colour) + scratch[LESSONS], log)
    if scratch[MATCHES] >= FAN_SYMBOLS:
        earn_fan(race, tables, seat, stream, log)


@kernel
def pleases(race: Race, tables: Tables, colour: int) -> int:
    """1 if the emperor wants to see this colour, or all (CH-8)."""
    return int(tables.face_pleases[race.die, colour])


@kernel
def recover(race: Race, seat: int, recoveries: int, log: Log) -> None:
    """One recovery halves the damage box in the player's favour, two empty it (CH-9)."""
    if recoveries == 0:
        return
    before = int(race.damage[seat])
    race.damage[seat] = before // 2 if recoveries == 1 else 0
    tell(log, RECOVERED, EVERYONE, seat, recoveries, before - race.damage[seat], race.damage[seat])


@kernel
def distance(race: Race, tables: Tables, seat: int, code: int, matches: int, log: Log) -> int:
    """The sum of CH-4."""
    symbol, token = symbol_of(code), token_of(code)
    number = int(tables.symbol_number[symbol])
    bonus = int(tables.token_bonus[token]) if token != NONE else 0
    skill = int(tables.marker_bonus[race.marker[seat, tables.symbol_colour[symbol]]])
    damage = int(race.damage[seat])
    points = max(0, matches + number + bonus + skill - damage)
    tell(log, MEASURED, EVERYONE, seat, matches, number, bonus, skill, damage, points)
    return points


@kernel
def attack(race: Race, seat: int, cards: int, shielded: int, log: Log) -> None:
    """Cubes for every rival: one for three matching cards, two for four (CH-9)."""
    if cards < MINOR_ATTACK:
        return
    cubes = 2 if cards >= MAJOR_ATTACK else 1
    for rival in range(race.seats):
        if rival == seat:
            continue
        if shielded >> rival & 1:
            tell(log, BLOCKED, EVERYONE, seat, rival)
        else:
            placed = add_cubes(race, rival, cubes)
            tell(log, ATTACKED, EVERYONE, seat, rival, placed, race.attack[rival])


@kernel
def learn(race: Race, tables: Tables, seat: int, colour: int, steps: int, log: Log) -> None:
    """The marker climbs; in the bonus box it takes the lowest free place for good (CH-8, CH-16)."""
    before, box = int(race.marker[seat, colour]), int(tables.box)
    if before >= box:
        return
    after = before + steps
    if after >= box:
        after = lowest_free_place(race, seat, box)
    race.marker[seat, colour] = after
    tell(log, ADVANCED, EVERYONE, seat, colour, before, after, steps)


@kernel
def lowest_free_place(race: Race, seat: int, box: int) -> int:
    """CH-16: the lowest place of the bonus box on which no marker stands; there is one for each marker."""
    taken = 0
    for colour in range(COLOUR_COUNT):
        if race.marker[seat, colour] >= box:
            taken |= 1 << int(race.marker[seat, colour])
    place = box
    for _ in range(COLOUR_COUNT):
        place += taken >> place & 1
    return place


@kernel
def earn_fan(race: Race, tables: Tables, seat: int, stream: Stream, log: Log) -> None:
    """A fan token for a great move; its face is the owner's secret (CH-8)."""
    token = draw_fan(race, tables, stream, log)
    if token == NONE:
        tell(log, BAG_EMPTY, EVERYONE, seat)
        return
    race.tokens[seat, token] += 1
    tell(log, FAN_EARNED, EVERYONE, seat)
    tell(log, FAN_DRAWN, seat, seat, token)


@kernel
def tell_laps(race: Race, tables: Tables, laps_before: int, log: Log) -> None:
    """The lap shown is the leader's (CH-6)."""
    laps = race.progress[race.order[0]] // tables.lap
    if laps > max(laps_before, 0):
        tell(log, LAP_COMPLETED, EVERYONE, race.order[0], laps)


@kernel
def end_turn(race: Race, tables: Tables, stream: Stream, log: Log, scratch: Ints) -> None:
    """CH-17, in its order; nothing of it when the race is over (CH-18)."""
    if race.progress[race.order[0]] >= int(tables.lap) * int(race.laps):
        race.over = FINISHED
    elif race.turn >= int(race.limit) * int(race.laps):
        race.over = STOPPED
    if race.over != RUNNING:
        tell_places(race, log)
        return
    for seat in range(race.seats):
        clear_table(race, tables, seat, log)
    for seat in range(race.seats):
        take_damage(race, seat, log)
    for seat in range(race.seats):
        fill_hand(race, seat, stream, log, scratch)
    slide_crowd(race, stream, log)
    race.turn += 1
    roll_emperor(race, tables, stream, log)


@kernel
def tell_places(race: Race, log: Log) -> None:
    for i in range(race.seats):
        tell(log, PLACED, EVERYONE, race.order[i], i + 1, race.progress[race.order[i]])


@kernel
def take_damage(race: Race, seat: int, log: Log) -> None:
    """Attack boxes empty into the damage box (CH-11)."""
    if race.attack[seat] == 0:
        return
    race.damage[seat] += race.attack[seat]
    tell(log, HURT, EVERYONE, seat, race.attack[seat], race.damage[seat])
    race.attack[seat] = 0
