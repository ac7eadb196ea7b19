"""What is noted of a race of Charioteer: spaces by colour, cubes, tokens, and the luck of the draw."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.arena.notes import AGAIN, BEFORE, RACE, Column, Notes
from quadriga.bots.evaluation import GREEDY
from quadriga.core.fields import NONE
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of
from quadriga.core.streams import Stream, open_stream
from quadriga.games.charioteer.actions import DO_RESET, discard_token_of, symbol_of, token_of
from quadriga.games.charioteer.choices import legal
from quadriga.games.charioteer.evaluation import score
from quadriga.games.charioteer.events import FAN_EARNED, HURT
from quadriga.games.charioteer.state import COLOURS, RUNNING, Race
from quadriga.games.charioteer.turn import apply
from quadriga.games.charioteer.worth import SPACE

Codes = NDArray[np.int64]

COLOUR_COUNT = len(COLOURS)
SKILLS, RESETS, CUBES, EARNED, FANS, OWN, LUCK = range(COLOUR_COUNT, COLOUR_COUNT + 7)
"""Behind the spaces made in each colour."""
WIDTH = LUCK + 1
DRAWS = 4
"""Draws in place of each, for what was to be expected."""
APART = 1 << 24
"""Further than any step: the streams of the other draws."""


@kernel
def longest(race: Race, tables: Any, work: Any, seat: int, out: Codes, scores: Codes, scratch: Codes) -> int:
    """The longest move that a seat is offered, in hundredths of a space; none is 0."""
    n = legal(race, tables, seat, out, scratch)
    score(race, tables, work, seat, GREEDY, out, n, scores, scratch)
    most = 0
    for i in range(n):
        most = max(most, scores[i])
    return most


@kernel
def note_luck(
    races: Any,
    tables: Any,
    work: Any,
    codes: Codes,
    key: Any,
    step: int,
    stream: Stream,
    silence: Any,
    notes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
) -> None:
    """What the cards drawn, the crowd and the emperor offer, less what other draws would have, all of them summed."""
    if races[RACE].over != RUNNING:
        return
    for seat in range(races[RACE].seats):
        notes[seat, LUCK] += DRAWS * longest(races[RACE], tables, work, seat, out, scores, scratch)
    for other in range(1, DRAWS + 1):
        races[AGAIN] = races[BEFORE]
        open_stream(stream, key, step + other * APART)
        apply(races[AGAIN], tables, codes, stream, silence, scratch)
        for seat in range(races[AGAIN].seats):
            notes[seat, LUCK] -= longest(races[AGAIN], tables, work, seat, out, scores, scratch)


@kernel
def note_choice(before: Race, after: Race, tables: Any, seat: int, code: int, notes: Codes) -> None:
    """The spaces of a move go to its colour; tokens are the fans' or the player's own."""
    if kind_of(code) == DO_RESET:
        notes[seat, RESETS] += 1
    else:
        colour = tables.symbol_colour[symbol_of(code)]
        notes[seat, colour] += int(after.progress[seat]) - int(before.progress[seat])
    note_token(tables, seat, token_of(code), notes)
    note_token(tables, seat, discard_token_of(code), notes)


@kernel
def note_token(tables: Any, seat: int, token: int, notes: Codes) -> None:
    if token != NONE:
        notes[seat, FANS if tables.token_fan[token] > 0 else OWN] += 1


@kernel
def note(
    races: Any,
    tables: Any,
    work: Any,
    codes: Codes,
    key: Any,
    step: int,
    stream: Stream,
    log: Any,
    silence: Any,
    notes: Codes,
    out: Codes,
    scores: Codes,
    scratch: Codes,
) -> None:
    """One turn."""
    for seat in range(races[RACE].seats):
        if step == 1:
            notes[seat, SKILLS] = skills_of(races[BEFORE], seat)
        note_choice(races[BEFORE], races[RACE], tables, seat, codes[seat], notes)
    for i in range(1, log[0, 0] + 1):
        if log[i, 0] == HURT:
            notes[log[i, 2], CUBES] += log[i, 3]
        elif log[i, 0] == FAN_EARNED:
            notes[log[i, 2], EARNED] += 1
    note_luck(races, tables, work, codes, key, step, stream, silence, notes, out, scores, scratch)


@kernel
def skills_of(race: Race, seat: int) -> int:
    """The skills card as a number: two bits for the place of each colour's marker at the start."""
    card = 0
    for colour in range(COLOUR_COUNT):
        card |= int(race.marker[seat, colour]) << 2 * colour
    return card


def skills(game: Game, race: Any, noted: Codes, seat: int) -> str:
    """The colours of the skills card by their initials, the best first."""
    places = [int(noted[SKILLS]) >> 2 * colour & 3 for colour in range(len(COLOURS))]
    return "".join(COLOURS[colour][0].upper() for colour in sorted(range(len(COLOURS)), key=lambda c: -places[c]))


NOTES = Notes(
    race=Race,
    width=WIDTH,
    note=note,
    columns=(
        Column("skills", str, skills),
        Column("spaces", int, lambda game, race, noted, seat: int(race.progress[seat])),
        *(
            Column(f"spaces_{name}", int, lambda game, race, noted, seat, colour=colour: int(noted[colour]))  # type: ignore[misc]
            for colour, name in enumerate(COLOURS)
        ),
        Column("resets", int, lambda game, race, noted, seat: int(noted[RESETS])),
        Column("damage", int, lambda game, race, noted, seat: int(noted[CUBES])),
        Column("fans_earned", int, lambda game, race, noted, seat: int(noted[EARNED])),
        Column("tokens", int, lambda game, race, noted, seat: int(noted[FANS])),
        Column("own_tokens", int, lambda game, race, noted, seat: int(noted[OWN])),
        Column("luck", float, lambda game, race, noted, seat: round(int(noted[LUCK]) / DRAWS / SPACE, 2)),
    ),
    stretch="turns",
    words={
        "skills": ("skills card", "The colours of the card from the best skill down: Green, Red, Yellow, Black."),
        "damage": ("damage taken", "Cubes that went into a seat's damage box in the whole race."),
        "tokens": ("fan tokens played", "Fan tokens that a seat played in the whole race."),
        "luck": (
            "luck",
            "After each turn: the longest move that the seat's new cards, the crowd card and its tokens offer, less "
            f"the mean over {DRAWS} other draws from the same piles; in spaces, summed over the race.",
        ),
        "parts": (
            "Distance by colour",
            "Spaces made with green, red, yellow and black moves, as shares of all.",
        ),
    },
    parts=tuple(f"spaces_{name}" for name in COLOURS),
)
