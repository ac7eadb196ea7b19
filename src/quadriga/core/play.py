"""Kernels that play any game: random races, one after another, as a match would play them.

Step n of a race draws from the stream (key, n), so that any race played here can be saved as a record;
the choices themselves come from a stream of their own, which the record does not need.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core.dispatch import apply, check, legal, owing, setup, wander
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.meta import OptionValue
from quadriga.core.streams import WORD, Stream, open_stream

Codes = NDArray[np.int64]


@kernel
def play_race(
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
) -> int:
    """Play a race that is blank but for its seats and options. Returns decisions made, or minus the broken invariant.

    `history[step, seat]` keeps the codes chosen, as far as it reaches.
    """
    open_stream(stream, key, 0)
    setup(race, tables, stream, log, scratch)
    decisions = 0
    for step in range(1, most_steps + 1):
        mask = owing(race)
        if mask == 0:
            return decisions
        for seat in range(race.seats):
            codes[seat] = 0
            if mask >> seat & 1:
                n = legal(race, tables, seat, out, scratch)
                codes[seat] = out[wander(race, tables, seat, out, n, chooser)]
                decisions += 1
            if step < history.shape[0]:
                history[step, seat] = codes[seat]
        open_stream(stream, key, step)
        apply(race, tables, codes, stream, log, scratch)
        if checking:
            broken = check(race, tables, scratch)
            if broken:
                return -broken
    return decisions


@kernel
def play_races(
    races: Any,
    start: Any,
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
    tally: Codes,
) -> None:
    """Play one race after another from copies of `start`; the key's last word counts them.

    tally: decisions, races that ended, races that did not, the first race that broke (-1: none) and its invariant.
    """
    for i in range(races.shape[0]):
        races[i] = start[0]
        key[7] = i
        decisions = play_race(
            races[i], tables, key, chooser, stream, log, codes, out, scratch, history, most_steps, checking
        )
        if decisions < 0:
            tally[3] = i
            tally[4] = -decisions
            return
        tally[0] += decisions
        tally[1 if owing(races[i]) == 0 else 2] += 1


class Player:
    """Plays random races of one game, number of seats and set of options; owns the memory that takes."""

    def __init__(self, game: Game, seats: int, options: dict[str, OptionValue], most_steps: int = 100_000) -> None:
        definition = game.definition
        self.game, self.most_steps = game, most_steps
        self.start = definition.race.blanks(1)
        self.start[0].seats = seats
        for name, number in game.meta.numbers(game.meta.settle(seats, options)).items():
            setattr(self.start[0], name, number)
        self.chooser, self.stream = Stream.blank(), Stream.blank()
        self.log = np.zeros((0, 12), np.int32)
        self.codes = np.zeros(seats, np.int64)
        self.out = np.empty(definition.most_choices, np.int64)
        self.scratch = np.empty(definition.scratch, np.int64)
        self.history = np.zeros((0, seats), np.int64)

    def play(
        self, count: int, key: NDArray[np.uint32], checking: bool = False
    ) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Play `count` races; the end of each, and the tally of `play_races`."""
        races = self.game.definition.race.blanks(count)
        tally = np.array([0, 0, 0, -1, 0], np.int64)
        open_stream(self.chooser, key, WORD)
        play_races(
            races, self.start, self.game.tables, key.copy(), self.chooser, self.stream, self.log, self.codes,
            self.out, self.scratch, self.history, self.most_steps, checking, tally,
        )  # fmt: skip
        return races, tally
