"""Races of quick levels by the million, a row for each: what wins, how long it takes, how often the lead changes."""

from collections.abc import Iterator
from functools import lru_cache

import msgspec
from msgspec import Struct

from quadriga import games
from quadriga.arena.executors import Executor, Mark, in_order
from quadriga.arena.notes import Cell, notes_of
from quadriga.arena.quick import FIGURES, REASON, Key, Run, Track
from quadriga.bots.thinking import LEVELS
from quadriga.core.errors import InvalidOption, QuadrigaError
from quadriga.core.game import Game
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


def seating(plan: Simulation, number: int) -> tuple[Key, list[str], list[tuple[Key, int]]]:
    """A race's key, who sits where, and the streams that the seats choose by."""
    key = stream_key(f"simulate {plan.seed} {number}".encode())
    return key, plan.levels(number), [(key, WORD - seat) for seat in range(plan.seats)]


def row(track: Track, plan: Simulation, number: int) -> Row:
    """The row of one race."""
    return cells(track.game, plan, number, track.run(*seating(plan, number)))


def cells(game: Game, plan: Simulation, number: int, run: Run) -> Row:
    """What a row tells of a race that was run."""
    found: Row = [number, *(int(figure) for figure in run.figures)]
    found[1 + REASON] = game.definition.reasons[int(run.figures[REASON])]
    for seat, level in enumerate(plan.levels(number)):
        found += [level, int(run.places[seat])]
        found += [column.read(game, run.race, run.notes[seat], seat) for column in notes_of(game).columns]
    return found


class Blocks:
    """The races of a simulation, as an executor plays them: a block from each number on."""

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


def simulate(plan: Simulation, first: int, executor: Executor) -> Iterator[list[Row]]:
    """The rows of all races from `first` on, in order, a block at a time."""
    blocks = Blocks(plan)
    if first < plan.games:
        row(_track(msgspec.json.encode(plan)), plan, first)  # compiled once, before others need it
    return in_order(executor, blocks, range(first, plan.games, BLOCK))


def simulate_on_gpu(plan: Simulation, first: int) -> Iterator[list[Row]]:
    """The same rows, run on the GPU."""
    from quadriga.arena.gpu_run import BATCH, GpuTrack, Seated

    track = GpuTrack(games.load(plan.game, plan.components), plan.seats, plan.options, noting=True)
    for begin in range(first, plan.games, BATCH):
        numbers = range(begin, min(begin + BATCH, plan.games))
        runs = track.run([Seated(*seating(plan, number)) for number in numbers])
        yield [cells(track.game, plan, number, run) for number, run in zip(numbers, runs, strict=True)]
