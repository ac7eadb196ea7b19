"""Bots against bots: seats rotated, faults survived, every race the same however many processes play them."""

import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from multiprocessing import get_context
from types import FrameType
from typing import Any

import numpy as np
from msgspec import Struct

from quadriga import games
from quadriga.bots import LEVELS, Bot, find_maker, make_bot, set_budget
from quadriga.bots.thinking import Choices
from quadriga.bots.warmup import let_choose
from quadriga.core.errors import QuadrigaError
from quadriga.core.game import Game
from quadriga.core.messages import Action
from quadriga.core.meta import OptionValue
from quadriga.core.streams import new_stream, stream_key

FORFEIT, NOVICE = "forfeit", "novice"
"""What becomes of a seat whose bot fails; novice drives on either way."""


class Plan(Struct, frozen=True):
    """What is played."""

    game: str
    bots: tuple[str, ...]
    games: int
    seats: int
    iterations: int | None = None
    seconds: float | None = None
    seed: int = 0
    on_fault: str = FORFEIT
    stall: float = 30.0
    """Seconds after which a bot that has not chosen has failed."""
    options: dict[str, OptionValue] = {}
    components: str | None = None

    def seating(self, number: int) -> list[int]:
        """Which bot sits where in a race: everybody sits everywhere in turn."""
        return [(seat + number) % len(self.bots) for seat in range(self.seats)]


class Fault(Struct, frozen=True):
    """A bot that failed: who, where, and how."""

    bot: str
    seat: int
    why: str


class Outcome(Struct, frozen=True):
    """How one race went, seat by seat."""

    number: int
    seating: list[int]
    places: list[int]
    seconds: list[float]
    choices: list[int]
    faults: list[Fault] = []


class Stalled(Exception):
    """A bot took too long."""


@contextmanager
def watchdog(seconds: float) -> Iterator[None]:
    """Raise Stalled in whatever runs longer; where the system has no alarms nothing is watched."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def bark(number: int, frame: FrameType | None) -> None:
        raise Stalled(f"took more than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, bark)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Seat:
    """A bot at its seat, its clock, and what it did wrong."""

    def __init__(self, plan: Plan, game: Game, name: str, seat: int, seed: int) -> None:
        self.plan, self.game, self.name, self.seat, self.seed = plan, game, name, seat, seed
        self.fault: Fault | None = None
        self.seconds, self.choices = 0.0, 0
        self.bot: Bot | None = None
        try:
            with watchdog(plan.stall):
                self.bot = find_maker(name)(game, seed)
                set_budget(self.bot, plan.iterations, plan.seconds)
        except Exception as error:  # whatever a stranger's bot does must not stop the run
            self._fail(f"could not be made: {_told(error)}")

    def choose(self, state: Any) -> int:
        """The code of the seat's choice; only choices count as thinking."""
        codes = self.game.legal_codes(state, self.seat)
        if len(codes) == 1:
            return int(codes[0])
        view, begin = self.game.view(state, self.seat), time.perf_counter()
        try:
            action = self._ask(view, Choices(self.game, codes))
            code = self._checked(state, codes, action)
        except Exception as error:  # as above
            self._fail(_told(error))
            return self.choose(state)
        self.seconds += time.perf_counter() - begin
        self.choices += 1
        return code

    def _ask(self, view: Any, choices: Sequence[Action]) -> Action:
        assert self.bot is not None
        if self.fault:
            return self.bot.choose(view, self.seat, choices)
        with watchdog(self.plan.stall):
            return self.bot.choose(view, self.seat, choices)

    def _checked(self, state: Any, codes: np.ndarray, action: Action) -> int:
        """The code of an action, unless it is not allowed."""
        if isinstance(action, tuple(self.game.kinds.values())) and np.any(codes == (code := action.pack())):
            return code
        self.game.require_one(state, self.seat, action)
        return action.pack()

    def _fail(self, why: str) -> None:
        """Novice goes on; a novice that fails is our own fault and is not caught."""
        if self.fault:
            raise RuntimeError(f"novice failed after {self.name}: {why}")
        self.fault = Fault(self.name, self.seat, why)
        self.bot = make_bot(NOVICE, self.game, self.seed)


def _told(error: Exception) -> str:
    text = str(error).partition("\n")[0][:200]
    return text if isinstance(error, QuadrigaError | Stalled) else f"{type(error).__name__}: {text}"


@cache
def _game(name: str, components: str | None, levels: frozenset[str]) -> Game:
    """A game whose bots are ready: compiling must not count as thinking."""
    game = games.load(name, components)
    for level in sorted(levels):
        let_choose(game, level)
    return game


def play_race(plan: Plan, number: int) -> Outcome:
    """One race of a plan. Races that differ only in who sits where have the same shuffles and dice to draw from."""
    game = _game(plan.game, plan.components, frozenset({*plan.bots, NOVICE} & set(LEVELS)))
    deal = number // len(plan.bots)
    key = stream_key(f"arena {plan.seed} {deal}".encode())
    seating = plan.seating(number)
    seats = [
        Seat(plan, game, plan.bots[bot], seat, plan.seed * 1_000_003 + number * 16 + seat)
        for seat, bot in enumerate(seating)
    ]
    state = game.setup(plan.seats, plan.options, new_stream(key, 0)).state
    places = _play(game, state, seats, key)
    if plan.on_fault == FORFEIT:
        places = _without(places, [seat.seat for seat in seats if seat.fault])
    return Outcome(
        number,
        seating,
        places,
        [round(seat.seconds, 6) for seat in seats],
        [seat.choices for seat in seats],
        [seat.fault for seat in seats if seat.fault],
    )


def _play(game: Game, state: Any, seats: list[Seat], key: np.ndarray) -> list[int]:
    """From the first choice to the places."""
    step, log = 0, np.zeros((0, 12), np.int32)
    scratch = np.empty(game.definition.scratch, np.int64)
    while owing := game.to_act(state):
        codes = np.zeros(len(seats), np.int64)
        for seat in owing:
            codes[seat] = seats[seat].choose(state)
        step += 1
        game.kernels.apply(state, game.tables, codes, new_stream(key, step), log, scratch)
    return list(game.places(state))


def _without(places: list[int], gone: list[int]) -> list[int]:
    """Places with those who forfeited behind all others; where all did, nobody wins."""
    if not gone:
        return places
    stayed = sorted(place for seat, place in enumerate(places) if seat not in gone)
    last = max(2, len(stayed) + 1)
    return [last if seat in gone else 1 + stayed.index(place) for seat, place in enumerate(places)]


def play(plan: Plan, numbers: Sequence[int], jobs: int) -> Iterator[Outcome]:
    """The races of a plan with these numbers, as they come in."""
    if jobs == 1 or len(numbers) < 2:
        for number in numbers:
            yield play_race(plan, number)
        return
    with get_context("spawn").Pool(min(jobs, len(numbers))) as pool:
        yield from pool.imap_unordered(_Race(plan), numbers, chunksize=1)


class _Race:
    """`play_race` of one plan, as processes hand it over."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __call__(self, number: int) -> Outcome:
        return play_race(self.plan, number)
