"""Whole races played inside kernels, a row for each: what wins, how long it takes, how often the lead changes."""

from collections.abc import Callable, Iterator
from functools import cache
from multiprocessing import get_context
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from quadriga import games
from quadriga.bots.teaching import GREEDY, VETERAN, clock
from quadriga.bots.thinking import Desk, pick, whole
from quadriga.core.dispatch import apply, legal, owing, setup, standings, wander
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.meta import OptionValue
from quadriga.core.streams import WORD, Stream, new_stream, open_stream, stream_key

Codes = NDArray[np.int64]

WANDERER, NOVICE = -2, -1
LEVELS = {"wanderer": WANDERER, "novice": NOVICE, "greedy": GREEDY, "veteran": VETERAN}
"""Bots that play inside kernels, by the number under which they do."""
BLOCK = 50
"""Races that are played, handed over and written together."""
MOST_STEPS = 100_000
TIES = 4
STEPS, STRETCHES, LEAD_CHANGES, REASON = range(4)
FIGURES = ("steps", "stretches", "lead_changes", "reason")


class Simulation(Struct, frozen=True):
    """What is played: the bots sit down in turn, as in a tournament."""

    game: str
    bots: tuple[str, ...]
    games: int
    seats: int
    seed: int = 0
    options: dict[str, OptionValue] = {}
    components: str | None = None

    def level(self, number: int, seat: int) -> str:
        """Who sits at a seat in a race."""
        return self.bots[(seat + number) % len(self.bots)]


COLUMNS: dict[str, dict[str, Callable[[Any, int], int]]] = {
    "charioteer": {
        "spaces": lambda race, seat: int(race.progress[seat]),
        "damage": lambda race, seat: int(race.damage[seat]),
        "tokens_left": lambda race, seat: int(race.tokens[seat].sum()),
    },
    "chariot_race": {
        "crossings": lambda race, seat: int(race.lines[race.owner == seat].max()),
        "damage_left": lambda race, seat: int(race.damage[race.owner == seat].max()),
        "wrecks": lambda race, seat: int((race.wreck[race.owner == seat] > 0).sum()),
    },
    "chariots": {
        "laps": lambda race, seat: int(race.best[seat :: int(race.seats)].max()),
        "coins_left": lambda race, seat: int(
            race.null_coin[seat :: int(race.seats)].sum() + race.ace_coin[seat :: int(race.seats)].sum()
        ),
    },
}
"""What is written of each seat at the end of a race, by game."""


@kernel
def choose(
    race: Any,
    tables: Any,
    lore: Any,
    seat: int,
    level: int,
    glances: int,
    chooser: Stream,
    out: Codes,
    seen: Codes,
    scores: Codes,
    scratch: Codes,
) -> int:
    """The code that a level chooses."""
    n = legal(race, tables, seat, out, scratch)
    if level == WANDERER:
        return int(out[wander(race, tables, seat, out, n, chooser)])
    if level == NOVICE:
        for i in range(glances):
            seen[i] = out[wander(race, tables, seat, out, n, chooser)]
        return int(seen[pick(race, tables, lore, seat, GREEDY, seen, glances, TIES, chooser, scores, scratch)])
    code = int(out[pick(race, tables, lore, seat, level, out, n, TIES, chooser, scores, scratch)])
    return whole(race, tables, lore, seat, code, scratch) if level == VETERAN else code


@kernel
def leader(race: Any, tables: Any, places: Codes, before: int) -> int:
    """The seat in front; the one before where nobody is."""
    standings(race, tables, places)
    for seat in range(race.seats):
        if places[seat] == 1:
            return seat
    return before


@kernel
def run_race(  # long: the arguments
    race: Any,
    tables: Any,
    lore: Any,
    key: NDArray[np.uint32],
    levels: Codes,
    glances: int,
    chooser: Stream,
    stream: Stream,
    log: NDArray[np.int32],
    codes: Codes,
    out: Codes,
    seen: Codes,
    scores: Codes,
    scratch: Codes,
    places: Codes,
    figures: Codes,
) -> None:
    """A race from a blank one with its seats and options to the end, with its figures and places."""
    open_stream(chooser, key, WORD)
    open_stream(stream, key, 0)
    setup(race, tables, stream, log, scratch)
    ahead, changes = leader(race, tables, places, 0), 0
    for step in range(1, MOST_STEPS):
        mask = owing(race)
        if mask == 0:
            break
        for seat in range(race.seats):
            if mask >> seat & 1:
                codes[seat] = choose(
                    race, tables, lore, seat, levels[seat], glances, chooser, out, seen, scores, scratch
                )
        open_stream(stream, key, step)
        apply(race, tables, codes, stream, log, scratch)
        figures[STEPS] = step
        now = leader(race, tables, places, ahead)
        changes += now != ahead
        ahead = now
    figures[STRETCHES] = clock(race)
    figures[LEAD_CHANGES] = changes
    figures[REASON] = standings(race, tables, places)


class Track:
    """Plays the races of one simulation; owns the memory that takes."""

    def __init__(self, plan: Simulation) -> None:
        self.plan, self.game = plan, _game(plan.game, plan.components)
        self.desk = Desk(self.game, 0)
        self.start = self.game.definition.race.blanks(1)
        self.start[0].seats = plan.seats
        meta = self.game.meta
        for name, number in meta.numbers(meta.settle(plan.seats, plan.options)).items():
            setattr(self.start[0], name, number)
        self.chooser, self.stream = new_stream(self.desk.key, 0), new_stream(self.desk.key, 0)

    def race(self, number: int) -> list[int | str]:
        """The row of one race."""
        plan, desk = self.plan, self.desk
        seats = range(plan.seats)
        levels = np.array([LEVELS[plan.level(number, seat)] for seat in seats], np.int64)
        places, figures = np.zeros(plan.seats, np.int64), np.zeros(len(FIGURES), np.int64)
        races = self.start.copy()
        run_race(
            races[0], desk.tables, desk.lore, stream_key(f"simulate {plan.seed} {number}".encode()), levels,
            desk.lessons.glances, self.chooser, self.stream, desk.log, np.zeros(plan.seats, np.int64), desk.out,
            np.zeros(desk.lessons.glances, np.int64), desk.scores, desk.scratch, places, figures,
        )  # fmt: skip
        row: list[int | str] = [number, *(int(figure) for figure in figures[:REASON])]
        row += [self.game.definition.reasons[int(figures[REASON])]]
        for seat in seats:
            row += [plan.level(number, seat), int(places[seat])]
            row += [column(races[0], seat) for column in COLUMNS[plan.game].values()]
        return row


def header(plan: Simulation) -> list[str]:
    """The names of a row's columns; those of a seat end with its number."""
    columns = ["bot", "place", *COLUMNS[plan.game]]
    return ["race", *FIGURES, *(f"{column}_{seat}" for seat in range(plan.seats) for column in columns)]


def check(plan: Simulation) -> None:
    """Raise InvalidOption for bots that do not play inside kernels."""
    for name in plan.bots:
        if name not in LEVELS:
            raise InvalidOption(f"{name!r} cannot be simulated; there are {', '.join(LEVELS)} (the arena takes others)")


def simulate(plan: Simulation, first: int, jobs: int) -> Iterator[list[list[int | str]]]:
    """The rows of all races from `first` on, in order, a block at a time."""
    starts = range(first, plan.games, BLOCK)
    if jobs == 1 or len(starts) < 2:
        yield from map(_Block(plan), starts)
        return
    with get_context("spawn").Pool(min(jobs, len(starts))) as pool:
        yield from pool.imap(_Block(plan), starts)


class _Block:
    """The races from a number on, as processes hand them over."""

    def __init__(self, plan: Simulation) -> None:
        self.plan = plan

    def __call__(self, first: int) -> list[list[int | str]]:
        track = _track(self.plan.game, self)
        return [track.race(number) for number in range(first, min(first + BLOCK, self.plan.games))]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Block) and other.plan == self.plan

    def __hash__(self) -> int:
        return hash((self.plan.game, self.plan.bots, self.plan.seed))


@cache
def _track(name: str, block: _Block) -> Track:
    return Track(block.plan)


@cache
def _game(name: str, components: str | None) -> Game:
    return games.load(name, components)
