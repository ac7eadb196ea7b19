"""Bots against bots: seats rotated, faults survived, every race the same however many processes play them."""

import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from threading import current_thread, main_thread
from types import FrameType
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from quadriga import games
from quadriga.arena import quick
from quadriga.arena.executors import NOBODY, Executor, Mark, ProcessExecutor, SerialExecutor, hard_time_limit, in_order
from quadriga.bots import Bot, find_maker, level_of, make_bot, set_budget, thinking
from quadriga.bots.evaluator import Choices
from quadriga.bots.warmup import let_choose
from quadriga.core.errors import QuadrigaError
from quadriga.core.game import Game
from quadriga.core.messages import Action
from quadriga.core.meta import OptionValue
from quadriga.core.streams import new_stream, stream_key

FORFEIT, NOVICE = "forfeit", "novice"
"""What becomes of a seat whose bot fails; novice drives on either way."""
TIMED = 200
"""Of so many races of quick levels the first, one for each bot, are played choice by choice to time their thinking."""


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
    budgets: dict[str, int] = {}
    """Playouts for a choice by name of the bot, where they are not `iterations`."""

    def budget_of(self, bot: str) -> tuple[int | None, float | None]:
        """A bot's playouts for a choice, and its seconds where it has no playouts."""
        if bot in self.budgets:
            return self.budgets[bot], None
        return self.iterations, self.seconds

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


class Start(Struct, frozen=True):
    """A race to be played, and the seats whose bots took a process down when it was."""

    number: int
    failed: dict[int, str] = {}


class Stalled(BaseException):
    """A bot took too long. (No bot that catches every Exception catches this.)"""


@contextmanager
def watchdog(seconds: float) -> Iterator[None]:
    """Raise Stalled in whatever runs longer; where the system has no alarms, or not here, nothing is watched."""
    if not hasattr(signal, "setitimer") or current_thread() is not main_thread():
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

    def __init__(self, plan: Plan, game: Game, name: str, seat: int, number: int, mark: Mark | None) -> None:
        self.plan, self.game, self.name, self.seat = plan, game, name, seat
        self.seed = bot_seed(plan, number, seat)
        self.mark = mark
        self.fault: Fault | None = None
        self.seconds, self.choices = 0.0, 0
        self.bot: Bot | None = None

    def sit_down(self, failed: str | None) -> None:
        """Make the bot, unless it is known to take its process down."""
        if failed:
            self._fail(failed)
            return
        try:
            with self._watched():
                self.bot = find_maker(self.name)(self.game, self.seed)
                set_budget(self.bot, *self.plan.budget_of(self.name))
        except BaseException as error:  # errors of foreign bots must not stop the run
            self._fail(f"could not be made: {_told(error)}")

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """A stranger's bot is marked, and has a process that may end with it; our own levels keep to their budgets."""
        if level_of(self.name):
            yield
            return
        with watchdog(self.plan.stall):
            if self.mark is None:
                yield
                return
            self.mark.value = self.seat
            with hard_time_limit(patience(self.plan)):
                yield
            self.mark.value = NOBODY

    def choose(self, state: Any) -> int:
        """The code of the seat's choice; only choices count as thinking."""
        codes = self.game.legal_codes(state, self.seat)
        if len(codes) == 1:
            return int(codes[0])
        view, begin = self.game.view(state, self.seat), time.perf_counter()
        try:
            action = self._ask(view, Choices(self.game, codes))
            code = self._checked(state, codes, action)
        except BaseException as error:  # as above
            self._fail(_told(error))
            return self.choose(state)
        self.seconds += time.perf_counter() - begin
        self.choices += 1
        return code

    def _ask(self, view: Any, choices: Sequence[Action]) -> Action:
        assert self.bot is not None
        if self.fault:
            return self.bot.choose(view, self.seat, choices)
        with self._watched():
            return self.bot.choose(view, self.seat, choices)

    def _checked(self, state: Any, codes: np.ndarray, action: Action) -> int:
        """The code of an action, unless it is not allowed."""
        if isinstance(action, tuple(self.game.kinds.values())) and np.any(codes == (code := action.pack())):
            return code
        self.game.require_one(state, self.seat, action)
        return action.pack()

    def _fail(self, why: str) -> None:
        """Replace the bot by novice; an error of novice itself is not caught."""
        if self.fault:
            raise RuntimeError(f"novice failed after {self.name}: {why}")
        self.fault = Fault(self.name, self.seat, why)
        self.bot = make_bot(NOVICE, self.game, self.seed)


def _told(error: BaseException) -> str:
    """What went wrong, in a line; whoever sits at the keyboard may still stop the run."""
    if isinstance(error, KeyboardInterrupt):
        raise error
    text = str(error).partition("\n")[0][:200]
    return text if isinstance(error, QuadrigaError | Stalled) else f"{type(error).__name__}: {text}"


def patience(plan: Plan) -> float:
    """Seconds after which a process is given up whose bot even the watchdog cannot stop."""
    return 2 * plan.stall + 1


def bot_seed(plan: Plan, number: int, seat: int) -> int:
    """The seed of a seat's bot in a race."""
    return plan.seed * 1_000_003 + number * 16 + seat


@cache
def _game(name: str, components: str | None, levels: frozenset[str]) -> Game:
    """A game whose bots are ready: compiling must not count as thinking."""
    game = games.load(name, components)
    for level in sorted(levels):
        let_choose(game, level)
    return game


def levels_of(plan: Plan) -> frozenset[str]:
    """The levels that play in a plan's races; novice may have to take a place."""
    return frozenset(filter(None, map(level_of, (*plan.bots, NOVICE))))


def play_race(plan: Plan, number: int) -> Outcome:
    """One race of a plan. Races that differ only in who sits where have the same shuffles and dice to draw from."""
    return play_start(plan, Start(number), None)


def play_start(plan: Plan, start: Start, mark: Mark | None) -> Outcome:
    """A race, inside kernels where that is the same and nobody's thinking is to be timed."""
    if is_quick(plan) and start.number % TIMED >= len(plan.bots):
        return run_quickly(plan, start.number)
    return run_choice_by_choice(plan, start, mark)


def is_quick(plan: Plan) -> bool:
    """Whether all bots play inside kernels."""
    return all(bot in thinking.LEVELS for bot in plan.bots)


def race_key(plan: Plan, number: int) -> NDArray[np.uint32]:
    """The key of a race's dice."""
    return stream_key(f"arena {plan.seed} {number // len(plan.bots)}".encode())


def run_quickly(plan: Plan, number: int) -> Outcome:
    """A race inside kernels, with the same choices as the bots would make; nobody is timed."""
    seating = plan.seating(number)
    keys = [(stream_key(bot_seed(plan, number, seat).to_bytes(32, "little")), 0) for seat in range(plan.seats)]
    run = _track(msgspec.json.encode(plan)).run(race_key(plan, number), [plan.bots[bot] for bot in seating], keys)
    return Outcome(number, seating, [int(place) for place in run.places], [0.0] * plan.seats, [0] * plan.seats)


@lru_cache(maxsize=16)
def _track(plan: bytes) -> quick.Track:
    told = msgspec.json.decode(plan, type=Plan)
    return quick.Track(_game(told.game, told.components, frozenset()), told.seats, told.options)


def run_choice_by_choice(plan: Plan, start: Start, mark: Mark | None) -> Outcome:
    """A race of any bots, each asked for its choices, watched and timed."""
    game = _game(plan.game, plan.components, levels_of(plan))
    number, key, seating = start.number, race_key(plan, start.number), plan.seating(start.number)
    seats = [Seat(plan, game, plan.bots[bot], seat, number, mark) for seat, bot in enumerate(seating)]
    for seat in seats:
        seat.sit_down(start.failed.get(seat.seat))
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


class Races:
    """The races of a plan, as an executor does them."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def __call__(self, start: Start, mark: Mark | None) -> Outcome:
        """One race."""
        return play_start(self.plan, start, mark)

    def after_loss(self, start: Start, mark: int) -> Start:
        """The same race, but for the bot that was asked when its process died."""
        if mark == NOBODY or mark in start.failed:
            raise LostRace(f"race {start.number} of {self.plan.game} took its process down while no bot was asked")
        why = f"ended its process, or held it for more than {patience(self.plan):g} s"
        return Start(start.number, start.failed | {mark: why})


class LostRace(QuadrigaError):
    """A race that cannot be played, through no bot's fault."""


def executor_for(bots: Sequence[str], jobs: int) -> Executor:
    """This process alone where one is enough and no stranger could take it down, else processes."""
    return SerialExecutor() if jobs == 1 and all(map(level_of, bots)) else ProcessExecutor(jobs)


def play_with(executor: Executor, plan: Plan, numbers: Iterable[int]) -> Iterator[Outcome]:
    """The races of a plan with these numbers, in their order; what must be compiled is, before others need it."""
    _game(plan.game, plan.components, levels_of(plan))
    if is_quick(plan):
        run_quickly(plan, 0)
    return in_order(executor, Races(plan), map(Start, numbers))


def play(plan: Plan, numbers: Sequence[int], jobs: int) -> Iterator[Outcome]:
    """The races of a plan with these numbers, by as many processes."""
    with executor_for(plan.bots, min(jobs, len(numbers))) as executor:
        yield from play_with(executor, plan, numbers)
