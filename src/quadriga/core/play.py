"""Kernels that play any game: random races, one after another, as a match would play them.

Step n of a race draws from the stream (key, n), so that a race whose key comes from a seed can be saved as a record;
the choices themselves come from the stream (key, WORD), which the record does not need.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core.dispatch import apply, check, legal, owing, pick_random, refusal, sample, setup
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.messages import new_log
from quadriga.core.meta import OptionValue
from quadriga.core.streams import WORD, Stream, open_stream

Codes = NDArray[np.int64]

SPARE = 64
"""Places past the end of lists and scratch, so that a list grown too long is found, not lost in other memory."""
UNTOUCHED = -0x5AFE
MOST_SEATS = 8

NO_CHOICE, LONG_LIST, REFUSED, LONG_LOG, LONG_SCRATCH = range(1001, 1006)
"""Faults that are not a broken invariant of a game."""
FAULTS = {
    NO_CHOICE: "a seat owes a choice and has none",
    LONG_LIST: "a list of choices is longer than most_choices",
    REFUSED: "a listed choice is refused",
    LONG_LOG: "a step tells more than most_events",
    LONG_SCRATCH: "more scratch is used than declared",
}


@kernel
def lowest_seat(mask: int) -> int:
    """The first seat of those that are marked."""
    for seat in range(MOST_SEATS):
        if mask >> seat & 1:
            return seat
    return MOST_SEATS


@kernel
def pick(race: Any, tables: Any, seat: int, chooser: Stream, out: Codes, scratch: Codes, checking: bool) -> int:
    """The code a random player chooses, or minus a fault of the list."""
    n = legal(race, tables, seat, out, scratch)
    if n <= 0:
        return -NO_CHOICE
    if n > out.shape[0] - SPARE:
        return -LONG_LIST
    code = int(out[pick_random(race, tables, seat, out, n, chooser)])
    if checking and refusal(race, tables, seat, code, out, scratch):
        return -REFUSED
    return code


@kernel
def fault_of(race: Any, tables: Any, log: NDArray[np.int32], scratch: Codes) -> int:
    """The number of what is wrong after a step, 0 if nothing is."""
    broken = check(race, tables, scratch)
    if broken:
        return broken
    if log.shape[0] > 0 and log[0, 0] >= log.shape[0]:
        return LONG_LOG
    return 0 if scratch[scratch.shape[0] - SPARE] == UNTOUCHED else LONG_SCRATCH


@kernel
def begin_race(
    race: Any, tables: Any, key: NDArray[np.uint32], stream: Stream, log: NDArray[np.int32], scratch: Codes
) -> None:
    """Set up a race that is blank but for its seats and options, from the first stream of its key."""
    open_stream(stream, key, 0)
    setup(race, tables, stream, log, scratch)


@kernel
def play_step(
    race: Any,
    tables: Any,
    codes: Codes,
    key: NDArray[np.uint32],
    step: int,
    stream: Stream,
    log: NDArray[np.int32],
    scratch: Codes,
) -> None:
    """Play the choices of all seats that owe one, from the stream of the step; the log holds this step alone."""
    open_stream(stream, key, step)
    if log.shape[0] > 0:
        log[0, 0] = 0
    apply(race, tables, codes, stream, log, scratch)


@kernel
def play_race(  # long: its memory is handed in, a line for each piece
    race: Any,
    tables: Any,
    key: NDArray[np.uint32],
    chooser: Stream,
    stream: Stream,
    log: NDArray[np.int32],
    codes: Codes,
    out: Codes,
    scratch: Codes,
    history: Codes,
    most_steps: int,
    checking: bool,
    sampling: bool | None = None,
) -> int:
    """Play a race that is blank but for its seats and options. Returns decisions made, or minus a fault.

    `history[step, seat]` keeps the codes chosen, as far as it reaches. Choices are sampled without their whole list
    if asked for and the game can do that; Numba leaves the branch for it out where sampling is None.
    """
    open_stream(chooser, key, WORD)
    begin_race(race, tables, key, stream, log, scratch)
    decisions = 0
    for step in range(1, most_steps + 1):
        if checking:
            fault = fault_of(race, tables, log, scratch)
            if fault:
                return -fault
        mask = owing(race)
        if mask == 0:
            break
        for seat in range(race.seats):
            codes[seat] = 0
            if mask >> seat & 1:
                if sampling is not None:
                    codes[seat] = sample(race, tables, seat, out, chooser, scratch)
                else:
                    codes[seat] = pick(race, tables, seat, chooser, out, scratch, checking)
                if codes[seat] < 0:
                    return int(codes[seat])
                decisions += 1
            if step < history.shape[0]:
                history[step, seat] = codes[seat]
        play_step(race, tables, codes, key, step, stream, log, scratch)
    return decisions


@kernel
def play_races(
    races: Any,
    start: Any,
    tables: Any,
    keys: NDArray[np.uint32],
    chooser: Stream,
    stream: Stream,
    log: NDArray[np.int32],
    codes: Codes,
    out: Codes,
    scratch: Codes,
    history: Codes,
    most_steps: int,
    checking: bool,
    tally: Codes,
    sampling: bool | None = None,
) -> None:
    """Play one race after another from copies of `start`, each with its key.

    tally: decisions, races that ended, races that did not, the first race that broke (-1: none) and its fault.
    """
    for i in range(races.shape[0]):
        races[i] = start[0]
        decisions = play_race(
            races[i], tables, keys[i], chooser, stream, log, codes, out, scratch, history, most_steps, checking,
            sampling,
        )  # fmt: skip
        if decisions < 0:
            tally[3] = i
            tally[4] = -decisions
            return
        tally[0] += decisions
        tally[1 if owing(races[i]) == 0 else 2] += 1


class Player:
    """Plays random races of one game, number of seats and set of options; owns the memory that takes."""

    def __init__(
        self,
        game: Game,
        seats: int,
        options: dict[str, OptionValue],
        most_steps: int = 100_000,
        sampling: bool = False,
    ) -> None:
        definition = game.definition
        self.game, self.most_steps, self.sampling = game, most_steps, True if sampling else None
        self.start = definition.race.blanks(1)
        self.start[0].seats = seats
        for name, number in game.meta.numbers(game.meta.settle(seats, options)).items():
            setattr(self.start[0], name, number)
        self.chooser, self.stream = Stream.blank(), Stream.blank()
        self.log = new_log(0)
        self.codes = np.zeros(seats, np.int64)
        self.out = np.empty(definition.most_choices + SPARE, np.int64)
        self.scratch = np.full(definition.scratch + SPARE, UNTOUCHED, np.int64)
        self.history = np.zeros((0, seats), np.int64)

    def play(
        self, count: int, key: NDArray[np.uint32], checking: bool = False
    ) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Play `count` races, the key's last word counting them; the end of each, and the tally of `play_races`."""
        keys = np.tile(key, (count, 1))
        keys[:, 7] = np.arange(count)
        return self.play_keys(keys, checking)

    def play_keys(self, keys: NDArray[np.uint32], checking: bool = False) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Play a race for each key; the end of each, and the tally of `play_races`."""
        races = self.game.definition.race.blanks(len(keys))
        tally = np.array([0, 0, 0, -1, 0], np.int64)
        self.scratch[-SPARE:] = UNTOUCHED
        log = new_log(self.game.definition.most_events) if checking else self.log
        play_races(
            races, self.start, self.game.tables, keys, self.chooser, self.stream, log, self.codes,
            self.out, self.scratch, self.history, self.most_steps, checking, tally, self.sampling,
        )  # fmt: skip
        return races, tally
