"""Races of quick levels inside kernels: choice by choice what the bots themselves would choose, many times as fast."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.arena.notes import AGAIN, BEFORE, BLANK, IMAGINED, RACE, note, notes_of
from quadriga.bots.evaluation import elapsed
from quadriga.bots.evaluator import Evaluator
from quadriga.bots.thinking import LEVELS, think
from quadriga.core.dispatch import legal, owing, standings
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.messages import new_log
from quadriga.core.meta import OptionValue
from quadriga.core.play import begin_race, play_step
from quadriga.core.streams import Stream, open_stream

Codes = NDArray[np.int64]
Key = NDArray[np.uint32]

MOST_STEPS = 100_000
STEPS, STRETCHES, LEAD_CHANGES, REASON = range(4)
FIGURES = ("steps", "stretches", "lead_changes", "reason")


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
    races: Any,
    views: Any,
    tables: Any,
    work: Any,
    key: Key,
    levels: Codes,
    choosers: Any,
    stream: Stream,
    log: NDArray[np.int32],
    silence: NDArray[np.int32],
    codes: Codes,
    out: Codes,
    seen: Codes,
    scores: Codes,
    scratch: Codes,
    places: Codes,
    figures: Codes,
    notes: Codes,
) -> None:
    """A race from a blank one with its seats and options to the end, with its figures and places.

    Notes are taken of each step where there is room for them; that needs a log.
    """
    race = races[RACE]
    begin_race(race, tables, key, stream, silence, scratch)
    ahead, changes = leader(race, tables, places, 0), 0
    for step in range(1, MOST_STEPS):
        mask = owing(race)
        if mask == 0:
            break
        for seat in range(race.seats):
            codes[seat] = 0
            if mask >> seat & 1:
                n = legal(race, tables, seat, out, scratch)
                codes[seat] = think(
                    race, races[BLANK : IMAGINED + 1], views, tables, work, seat, levels[seat], n, choosers[seat], out,
                    seen, scores, scratch,
                )  # fmt: skip
        if log.shape[0] > 0:
            races[BEFORE] = race
        play_step(race, tables, codes, key, step, stream, log, scratch)
        if log.shape[0] > 0:
            note(races, tables, work, codes, key, step, stream, log, silence, notes, out, scores, scratch)
        figures[STEPS] = step
        now = leader(race, tables, places, ahead)
        changes += now != ahead
        ahead = now
    figures[STRETCHES] = elapsed(race)
    figures[LEAD_CHANGES] = changes
    figures[REASON] = standings(race, tables, places)


@dataclass(frozen=True)
class Run:
    """A race that was run: how it ended, its figures, and what was noted of each seat."""

    race: Any
    places: Codes
    figures: Codes
    notes: Codes


class Track:
    """Runs races of one game, number of seats and set of options; owns the memory that takes."""

    def __init__(self, game: Game, seats: int, options: Mapping[str, OptionValue], noting: bool = False) -> None:
        self.game, self.seats, self.evaluator = game, seats, Evaluator(game, 0)
        definition = game.definition
        self.start = definition.race.blanks(AGAIN + 1)
        self.start[RACE].seats = seats
        for name, number in game.meta.numbers(game.meta.settle(seats, options)).items():
            setattr(self.start[RACE], name, number)
        self.views, self.choosers, self.stream = definition.view.blanks(2), Stream.blanks(seats), Stream.blank()
        self.silence = new_log(0)
        self.log = new_log(definition.most_events) if noting else self.silence
        notes = notes_of(game)
        self.width = notes.width if noting else 0
        self.seen = np.zeros(self.evaluator.evaluation.novice_choices, np.int64)

    def run(self, key: Key, levels: Sequence[str], seats: Sequence[tuple[Key, int]]) -> Run:
        """A race of these levels with the dice of a key; each seat chooses by the stream of a key and number."""
        for chooser, (own, number) in zip(self.choosers, seats, strict=True):
            open_stream(chooser, own, number)
        races, evaluator = self.start.copy(), self.evaluator
        run = Run(
            races[RACE], *(np.zeros(shape, np.int64) for shape in (self.seats, len(FIGURES), (self.seats, self.width)))
        )
        run_race(
            races, self.views, evaluator.tables, evaluator.work, key,
            np.array([LEVELS[level] for level in levels], np.int64), self.choosers, self.stream, self.log, self.silence,
            np.zeros(self.seats, np.int64), evaluator.out, self.seen, evaluator.scores, evaluator.scratch, run.places,
            run.figures, run.notes,
        )  # fmt: skip
        return run
