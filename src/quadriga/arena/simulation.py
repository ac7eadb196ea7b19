"""Races of quick levels by the million, a row for each: what wins, how long it takes, how often the lead changes."""

from collections.abc import Iterator
from functools import lru_cache

import msgspec
from msgspec import Struct

from quadriga import games
from quadriga.arena.crew import Crew, Mark, in_order
from quadriga.arena.notes import Cell, notes_of
from quadriga.arena.quick import FIGURES, LEVELS, REASON, Track
from quadriga.core.errors import InvalidOption, QuadrigaError
from quadriga.core.meta import OptionValue
from quadriga.core.streams import WORD, stream_key

Row = list[Cell]

BLOCK = 50
"""Races that are played, handed over and written together."""


class Simulation(Struct, frozen=True):
    """What is played: the bots sit down in turn, as in a tournament."""

    game: str
    bots: tuple[str, ...]
    games: int
    seats: int
    seed: int = 0
    options: dict[str, OptionValue] = {}
    components: str | None = None

    def levels(self, number: int) -> list[str]:
        """Who sits where in a race."""
        return [self.bots[(seat + number) % len(self.bots)] for seat in range(self.seats)]


def columns(plan: Simulation) -> dict[str, type[Cell]]:
    """The columns of a row with their kinds; those of a seat end with its number."""
    own = {"bot": str, "place": int} | {column.name: column.kind for column in notes_of(games.load(plan.game)).columns}
    figures = dict.fromkeys(("race", *FIGURES), int) | {FIGURES[REASON]: str}
    return figures | {f"{name}_{seat}": kind for seat in range(plan.seats) for name, kind in own.items()}


def check(plan: Simulation) -> None:
    """Raise InvalidOption for bots that do not play inside kernels."""
    for name in plan.bots:
        if name not in LEVELS:
            raise InvalidOption(f"{name!r} cannot be simulated; there are {', '.join(LEVELS)} (the arena takes others)")


def row(track: Track, plan: Simulation, number: int) -> Row:
    """The row of one race."""
    levels, key = plan.levels(number), stream_key(f"simulate {plan.seed} {number}".encode())
    run = track.run(key, levels, [(key, WORD - seat) for seat in range(plan.seats)])
    cells: Row = [number, *(int(figure) for figure in run.figures)]
    cells[1 + REASON] = track.game.definition.reasons[int(run.figures[REASON])]
    for seat, level in enumerate(levels):
        cells += [level, int(run.places[seat])]
        cells += [column.read(track.game, run.race, run.notes[seat], seat) for column in notes_of(track.game).columns]
    return cells


class Blocks:
    """The races of a simulation, as a crew plays them: a block from each number on."""

    def __init__(self, plan: Simulation) -> None:
        self.plan = plan

    def __call__(self, first: int, mark: Mark | None) -> list[Row]:
        """The rows of a block."""
        plan = self.plan
        track = _track(msgspec.json.encode(plan))
        return [row(track, plan, number) for number in range(first, min(first + BLOCK, plan.games))]

    def after_loss(self, first: int, mark: int) -> int:
        """No bot of these takes a process down: somebody else ended it."""
        raise QuadrigaError(f"a process that simulated {self.plan.game} was ended; the same command goes on from there")


@lru_cache(maxsize=4)
def _track(plan: bytes) -> Track:
    told = msgspec.json.decode(plan, type=Simulation)
    return Track(games.load(told.game, told.components), told.seats, told.options, noting=True)


def simulate(plan: Simulation, first: int, crew: Crew) -> Iterator[list[Row]]:
    """The rows of all races from `first` on, in order, a block at a time."""
    blocks = Blocks(plan)
    if first < plan.games:
        row(_track(msgspec.json.encode(plan)), plan, first)  # compiled once, before others need it
    return in_order(crew, blocks, range(first, plan.games, BLOCK))
