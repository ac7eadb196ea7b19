"""Races to mine from: played by bots, or finished ones with everything about their players left out."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from quadriga.analysis.chances import Codes
from quadriga.bots import make_bot, set_budget
from quadriga.bots.evaluator import Choices as Listed
from quadriga.core.game import Game
from quadriga.core.match import Choices, Match, Sitter
from quadriga.core.messages import Action
from quadriga.puzzles.criteria import LEAST_CHOICES

SEATS = (2, 2, 3, 3, 4)
"""Numbers of players, each as often as it is written here."""
LEVELS = ("veteran", "champion", "champion")
PLAYOUTS = 80
"""That champion thinks for while it plays races to mine from."""
STAGES = 3


@dataclass(frozen=True)
class Decision:
    """A choice of a seat in a race."""

    state: Any
    seat: int
    codes: Codes
    at: int
    """How many steps led there."""
    chosen: dict[int, str]
    """What the seats chose there."""
    stage: int
    """The part of the race: 0 its beginning, 1 its middle, 2 its end."""


def play_race(game: Game, seed: int, number: int) -> Match:
    """A race of champions and veterans; the same for the same seed and number."""
    name = f"puzzles {game.meta.name} {seed} {number}"
    random = Random(name)
    seats = random.choice([n for n in SEATS if n in game.meta.seats])
    match = Match(game, [Sitter("-")] * seats, {}, hashlib.sha256(name.encode()).digest())
    bots = [make_bot(random.choice(LEVELS), game, random.getrandbits(31)) for _ in range(seats)]
    for bot in bots:
        set_budget(bot, PLAYOUTS)
    while not match.over:
        match.step({seat: _choose(match, seat, bots[seat]) for seat in match.to_act()})
    return match


def _choose(match: Match, seat: int, bot: Any) -> Action:
    codes = match.game.legal_codes(match.state, seat)
    listed = Listed(match.game, codes)
    if len(codes) == 1:
        return listed[0]
    action: Action = bot.choose(match.view(seat), seat, listed)
    return action


def find_decisions(match: Match) -> Iterator[Decision]:
    """All decisions with enough choices, while nobody has left the race; what was taken back is left out."""
    line = match.line
    steps = [(before, seq) for before, seq in pairwise(line) if isinstance(match.log[seq], Choices)]
    for at, (before, seq) in enumerate(steps):
        moment, entry = match.moment(before), match.log[seq]
        if moment.left:
            return
        assert isinstance(entry, Choices)
        for seat in entry.choices:
            codes = match.game.legal_codes(moment.state, seat)
            if len(codes) >= LEAST_CHOICES:
                yield Decision(moment.state, seat, codes, at, entry.choices, STAGES * at // len(steps))
