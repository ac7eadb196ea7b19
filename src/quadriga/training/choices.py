"""Choices to learn from: positions of self-play in which the best-looking choices were played out many times each."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import MOST_PARTS, QUICK, VETERAN, complete, parts, score
from quadriga.bots.evaluator import Evaluator
from quadriga.bots.network import UNIT, Network, observation_of
from quadriga.bots.playouts import Codes, pick, play_out
from quadriga.bots.steady import play_out_steadily
from quadriga.core.dispatch import apply, legal, observe, owing, setup
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.observation import encode_inputs, to_units
from quadriga.core.streams import WORD, Stream, draw, open_stream, stream_key
from quadriga.training.selfplay import MOST_STEPS, best_arms, blank_starts

PLAYOUTS = 24
"""Of each choice: more positions teach more than more playouts."""
EVERY = 12
"""One decision in so many is looked into."""
LEVELS, NOISES = (VETERAN, VETERAN, QUICK), (4, 4, 100)
"""How races are played between the positions: one in three less well than the others."""
MOST_ROWS = 64
"""Positions kept of a race."""
NO_PART, UNPLAYED = -1, 1 << 60


@kernel
def judge_choices(
    race: Any, tables: Any, work: Any, races: Any, views: Any, seat: int, n: int, key: Any, number: int, horizon: int,
    noise: int, winning_lead: int, inner: Stream, log: Any, codes: Codes, listed: Codes, out: Codes, scores: Codes,
    scratch: Codes, network: Network, most_seats: int, steady: bool, arms: Codes, sums: Codes,
) -> int:  # fmt: skip
    """Play the choices with the best scores out; how many there are. views: three, the last is the seat's own."""
    score(race, tables, work, seat, VETERAN, listed, n, scores, scratch)
    kept = best_arms(scores, n, arms)
    for i in range(kept):
        arms[i], sums[i] = listed[arms[i]], 0
    views[2] = views[0]
    observe(race, tables, seat, views[2])
    if steady:
        play_out_steadily(
            views[2], tables, work, races, seat, arms[:kept], sums, key, number, PLAYOUTS, horizon, noise,
            winning_lead, inner, log, codes, out, scores, scratch, views, network, most_seats,
        )  # fmt: skip
    else:
        play_out(
            views[2], tables, work, races, seat, arms[:kept], sums, key, number, PLAYOUTS, horizon, noise,
            winning_lead, inner, log, codes, out, scores, scratch, views, network, most_seats,
        )  # fmt: skip
    return int(kept)


@kernel
def record_choices(  # long: its memory is handed in
    starts: Any, keys: Any, tables: Any, work: Any, races: Any, views: Any, chooser: Stream, stream: Stream,
    inner: Stream, log: Any, codes: Codes, rows_of_codes: Codes, listed: Codes, out: Codes, scores: Codes,
    scratch: Codes, observation: Any, rows: Any, found: Any, values: Any, network: Network, most_seats: int,
    steady: bool, horizon: int, noise: int, winning_lead: int, levels: Codes, noises: Codes, arms: Codes, sums: Codes,
    named: Codes,
) -> int:  # fmt: skip
    """Play a race for each key; some positions as rows of inputs, with the parts of their choices and what all playouts
    of each brought."""
    count, race = 0, races[3]
    for i in range(keys.shape[0]):
        open_stream(chooser, keys[i], WORD)
        races[3] = starts[draw(chooser, starts.shape[0])]
        at = draw(chooser, levels.shape[0])
        open_stream(stream, keys[i], 0)
        setup(race, tables, stream, log, scratch)
        for step in range(1, MOST_STEPS):
            mask = owing(race)
            if mask == 0:
                break
            for seat in range(race.seats):
                codes[seat] = 0
                if mask >> seat & 1:
                    n = legal(race, tables, seat, listed, scratch)
                    code = listed[
                        pick(race, tables, work, seat, levels[at], listed, n, noises[at], chooser, scores, scratch)
                    ]
                    if n > 1 and draw(chooser, EVERY) == 0 and count < rows.shape[0]:
                        kept = judge_choices(
                            race, tables, work, races, views, seat, n, keys[i], step * 4096 + seat * 512, horizon,
                            noise, winning_lead, inner, log, rows_of_codes[:, : race.seats], listed, out, scores,
                            scratch, network, most_seats, steady, arms, sums,
                        )  # fmt: skip
                        width = encode_inputs(views[2], tables, observation, observation.shape[0])
                        to_units(observation, width, UNIT, rows[count])
                        best = 0
                        for arm in range(kept):
                            values[count, arm] = sums[arm]
                            for k in range(parts(race, tables, seat, arms[arm], named)):
                                found[count, arm, k] = named[k]
                            if sums[arm] > sums[best]:
                                best = arm
                        code = arms[best]
                        count += 1
                    codes[seat] = complete(race, tables, work, seat, code, scratch)
            open_stream(stream, keys[i], step)
            apply(race, tables, codes, stream, log, scratch)
    return count


@dataclass(frozen=True)
class JudgedChoices:
    """Rows of inputs (units), for each the parts of its choices, and how often playouts say each of them wins.

    Parts are NO_PART, and values NaN, where there are no more.
    """

    rows: NDArray[np.int16]
    parts: NDArray[np.int16]
    values: NDArray[np.float32]


def room_for(races: int, inputs: int, width: int) -> tuple[NDArray[np.int16], NDArray[np.int16], Codes]:
    """Memory for the judged choices of so many races: rows of inputs, parts, and what playouts brought."""
    most = races * MOST_ROWS
    parts = np.full((most, width, MOST_PARTS), NO_PART, np.int16)
    return np.zeros((most, inputs), np.int16), parts, np.full((most, width), UNPLAYED, np.int64)


def as_chances(rows: NDArray[np.int16], found: NDArray[np.int16], sums: Codes, won: int) -> JudgedChoices:
    """Judged choices from what their playouts brought. won: what playouts bring that are all won."""
    chances = 0.5 + 0.5 * sums / won
    return JudgedChoices(rows, found, np.where(sums == UNPLAYED, np.nan, chances).astype(np.float32))


def record_for(play: Callable[[int], JudgedChoices], seconds: float, most: int) -> JudgedChoices:
    """The choices judged in races for so many seconds, or until there are so many positions."""
    found, end, count = [play(2)], time.monotonic() + seconds, 0
    while time.monotonic() < end and count < most:
        found.append(play(2))
        count += len(found[-1].rows)
    return join(found)


class ChoiceRecorder:
    """Plays races of one game in all settings and judges some of their choices; owns the memory that takes."""

    def __init__(self, game: Game, seed: str, network: Network) -> None:
        definition, observation = game.definition, observation_of(game)
        self.game, self.seed, self.evaluator, self.network = game, seed, Evaluator(game, 0), network
        self.starts, self.width, self.played = blank_starts(game, None), observation.inputs, 0
        self.races, self.views, self.streams = definition.race.blanks(4), definition.view.blanks(3), Stream.blanks(3)
        self.listed = np.zeros(definition.most_choices, np.int64)
        self.observation = np.zeros(self.width, np.float32)

    def record(self, seconds: float, most: int) -> JudgedChoices:
        """Play for so many seconds, or until there are so many positions."""
        return record_for(self.play, seconds, most)

    def play(self, races: int) -> JudgedChoices:
        """The choices judged in so many races more."""
        e, most_seats = self.evaluator, self.game.meta.seats[-1]
        keys = np.array([stream_key(f"{self.seed} {self.played + n}".encode()) for n in range(races)])
        self.played += races
        width = e.evaluation.search_width
        rows, found, sums = room_for(races, self.width, width)
        chooser, stream, inner = self.streams
        count = record_choices(
            self.starts, keys, e.tables, e.work, self.races, self.views, chooser, stream, inner, e.log,
            np.zeros(most_seats, np.int64), np.zeros((3, most_seats), np.int64), self.listed, e.out, e.scores,
            e.scratch, self.observation, rows, found, sums, self.network, most_seats, e.evaluation.steady,
            e.evaluation.network_horizon, e.evaluation.noise, e.evaluation.winning_lead, np.array(LEVELS, np.int64),
            np.array(NOISES, np.int64), np.zeros(width, np.int64), np.zeros(width, np.int64),
            np.zeros(MOST_PARTS, np.int64),
        )  # fmt: skip
        return as_chances(rows[:count], found[:count], sums[:count], PLAYOUTS * e.evaluation.winning_lead)


def join(found: list[JudgedChoices]) -> JudgedChoices:
    """The choices of several recordings in one."""
    names = ("rows", "parts", "values")
    return JudgedChoices(*(np.concatenate([getattr(one, name) for one in found]) for name in names))


def record_choices_to(file: Path, game: Game, seed: str, seconds: float, most: int, network: Network) -> int:
    """Write judged choices to a file that is there whole or not at all; of how many positions."""
    return write_choices(file, ChoiceRecorder(game, seed, network).record(seconds, most))


def write_choices(file: Path, found: JudgedChoices) -> int:
    """Write judged choices; of how many positions."""
    beside = file.with_name(file.name + ".part")
    with beside.open("wb") as out:
        np.savez(out, rows=found.rows, parts=found.parts, values=found.values)
    beside.replace(file)
    return len(found.rows)
