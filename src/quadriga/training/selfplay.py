"""Positions to learn from: races in which all seats choose by scores or by search, and how they ended.

Races come from several sources, which count for shares that are the same wherever positions are learnt from or tested.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import GREEDY, QUICK, VETERAN, complete, score
from quadriga.bots.evaluator import Evaluator
from quadriga.bots.network import UNIT, Network, no_network, observation_of
from quadriga.bots.playouts import Codes, pick, play_out
from quadriga.core.dispatch import apply, legal, observe, owing, setup, standings
from quadriga.core.fuzz import settings
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.observation import encode, to_units
from quadriga.core.streams import WORD, Stream, draw, open_stream, stream_key

MOST_STEPS = 5000
WANTED = 25
"""Positions kept of a race, about: neighbours say the same."""
MOST_ROWS = 200
"""Room for positions of a race."""
NOISES = (4, 100, 300)
NOISE_COUNT = len(NOISES)
"""How far seats stray from the best score; each race has one of these."""
DEFAULTS = 6
"""Races with the default options for one with any other setting."""
BATCH = 64
ARMS, PLAYOUTS = 6, 4
"""Choices that self-play by search plays out, and how often each."""
LEAGUE = 4
"""Networks that seats draw from in races by search."""


class Source(NamedTuple):
    """Who plays: by search, or by the scores of a level."""

    name: str
    share: int
    """Of a hundred positions."""
    level: int
    searching: bool = False


SOURCES = (
    Source("search", 20, VETERAN, True),
    Source("quick", 25, QUICK),
    Source("veteran", 25, VETERAN),
    Source("greedy", 30, GREEDY),
)


@kernel
def best_arms(scores: Codes, n: int, arms: Codes) -> int:
    """The indices of the highest scores, in order; how many."""
    count = 0
    for i in range(n):
        at = min(count, arms.shape[0])
        for _ in range(arms.shape[0]):
            if at > 0 and scores[arms[at - 1]] < scores[i]:
                if at < arms.shape[0]:
                    arms[at] = arms[at - 1]
                at -= 1
        if at < arms.shape[0]:
            arms[at] = i
            count = min(count + 1, arms.shape[0])
    return count


@kernel
def search_choice(
    race: Any, tables: Any, work: Any, races: Any, views: Any, seat: int, n: int, key: Any, number: int, horizon: int,
    noise: int, winning_lead: int, prior: int, inner: Stream, log: Any, pair: Codes, codes: Codes, out: Codes,
    scores: Codes, scratch: Codes, network: Network, most_seats: int, arms: Codes, sums: Codes,
) -> int:  # fmt: skip
    """The code that a short search prefers of the n in `codes`. views: three, of which the last is the seat's own."""
    score(race, tables, work, seat, VETERAN, codes, n, scores, scratch)
    kept = best_arms(scores, n, arms)
    top = scores[arms[0]]
    for i in range(kept):
        sums[i] = prior * (scores[arms[i]] - top)
    for i in range(kept):
        arms[i] = codes[arms[i]]
    views[2] = views[0]
    observe(race, tables, seat, views[2])
    play_out(
        views[2], tables, work, races, seat, arms[:kept], sums, key, number, PLAYOUTS, horizon, noise, winning_lead,
        inner, log, pair, out, scores, scratch, views, network, most_seats,
    )  # fmt: skip
    best = 0
    for i in range(kept):
        if sums[i] > sums[best]:
            best = i
    return int(arms[best])


@kernel
def draw_members(seats: int, chooser: Stream, members: Codes) -> None:
    """Which of the league each seat has."""
    for seat in range(seats):
        members[seat] = draw(chooser, LEAGUE)


@kernel
def record_races(  # long: its memory is handed in
    starts: Any, keys: Any, tables: Any, work: Any, races: Any, views: Any, chooser: Stream, stream: Stream,
    inner: Stream, log: Any, codes: Codes, pair: Codes, listed: Codes, out: Codes, scores: Codes, scratch: Codes,
    observation: Any, rows: Any, places: Any, standing: Codes, league: Any, members: Codes, searching: bool,
    horizon: int, noise: int, winning_lead: int, prior: int, arms: Codes, sums: Codes, every: int,
    level: int, kept: Any, numbers: Codes,
) -> int:  # fmt: skip
    """Play a race for each key, keeping some positions as rows of inputs; the places of all seats, oneself first.

    Searching, each seat draws one of the league's networks. `kept` has room for the views behind the rows, or none;
    `numbers` are the races'.
    """
    count, most_seats = 0, places.shape[1]
    for i in range(keys.shape[0]):
        race = races[3]
        open_stream(chooser, keys[i], WORD)
        races[3] = starts[draw(chooser, starts.shape[0])]
        own_noise = NOISES[draw(chooser, NOISE_COUNT)]
        draw_members(race.seats, chooser, members)
        open_stream(stream, keys[i], 0)
        setup(race, tables, stream, log, scratch)
        first = count
        for step in range(1, MOST_STEPS):
            mask = owing(race)
            if mask == 0:
                break
            for seat in range(race.seats):
                codes[seat] = 0
                if mask >> seat & 1:
                    n = legal(race, tables, seat, listed, scratch)
                    if searching and n > 1:
                        code = search_choice(
                            race, tables, work, races, views, seat, n, keys[i], step * 4096 + seat * 512, horizon,
                            noise, winning_lead, prior, inner, log, pair[:, : race.seats], listed, out, scores,
                            scratch, league[members[seat]], most_seats, arms, sums,
                        )  # fmt: skip
                    else:
                        code = listed[
                            pick(race, tables, work, seat, level, listed, n, own_noise, chooser, scores, scratch)
                        ]
                    codes[seat] = complete(race, tables, work, seat, code, scratch)
            open_stream(stream, keys[i], step)
            apply(race, tables, codes, stream, log, scratch)
            for seat in range(race.seats if owing(race) != 0 else 0):
                if draw(chooser, every) == 0 and count < rows.shape[0]:
                    views[1] = views[0]
                    observe(race, tables, seat, views[1])
                    width = encode(views[1], tables, observation)
                    to_units(observation, width, UNIT, rows[count])
                    places[count, 0] = seat
                    numbers[count] = i
                    if kept.shape[0] > 0:
                        kept[count] = views[1]
                    count += 1
        standings(race, tables, standing)
        for row in range(first, count):
            seat = int(places[row, 0])
            for other in range(most_seats):
                places[row, other] = -1
                if other < race.seats:
                    places[row, other] = standing[(seat + other) % race.seats] - 1
    return count


@dataclass(frozen=True)
class Positions:
    """Rows of inputs (units), and for each the place of every seat from 0, oneself first; -1 where none sits."""

    rows: NDArray[np.int16]
    places: NDArray[np.int8]


@dataclass(frozen=True)
class Sample(Positions):
    """Positions with the views behind them, and the number of the race that each is from."""

    views: Any
    numbers: NDArray[np.int64]


class Recorder:
    """Plays races of one game in all settings and keeps positions; owns the memory that takes.

    Networks are those that seats of races by search draw from, the newest last. Races have so many seats, or any number
    of them.
    """

    def __init__(
        self,
        game: Game,
        seed: str,
        source: Source,
        networks: Sequence[Network] = (),
        seats: int | None = None,
        wanted: int = WANTED,
    ) -> None:
        observation = observation_of(game)
        assert observation is not None, f"{game.meta.name} has no observation"
        definition = game.definition
        self.game, self.seed, self.source, self.evaluator = game, seed, source, Evaluator(game, 0)
        self.league = league_of(networks)
        self.seats, self.width, self.wanted = game.meta.seats[-1], observation.count, wanted
        self.starts = blank_starts(game, seats)
        self.races, self.views = definition.race.blanks(4), definition.view.blanks(3)
        self.streams = Stream.blanks(3)
        self.listed = np.zeros(definition.most_choices, np.int64)
        self.observation = np.zeros(self.width, np.float32)
        self.played, self.seen, self.every = 0, 0, 8
        """Races, about how many positions they had, and that one in `every` is kept."""

    def record(self, seconds: float, most: int) -> Positions:
        """Play for so many seconds, or until there are so many positions."""
        self.play(2)  # tells how many positions races have
        found: list[Positions] = []
        end, count = time.monotonic() + seconds, 0
        while not found or (time.monotonic() < end and count < most):
            batch = self.play(2 if self.source.searching else BATCH)
            found.append(Positions(batch.rows, batch.places))
            count += len(batch.rows)
        return Positions(np.concatenate([f.rows for f in found]), np.concatenate([f.places for f in found]))

    def play(self, races: int, with_views: bool = False) -> Sample:
        """The positions of so many races more."""
        e, seats = self.evaluator, self.seats
        chooser, stream, inner = self.streams
        keys = np.array([stream_key(f"{self.seed} {self.played + n}".encode()) for n in range(races)])
        rows = np.zeros((races * MOST_ROWS, self.width), np.int16)
        places = np.zeros((len(rows), seats), np.int8)
        kept = self.game.definition.view.blanks(len(rows) if with_views else 0)
        numbers = np.zeros(len(rows), np.int64)
        horizon = e.evaluation.network_horizon if self.league[0].is_there else e.evaluation.horizon
        count = record_races(
            self.starts, keys, e.tables, e.work, self.races, self.views, chooser, stream, inner, e.log,
            np.zeros(seats, np.int64), np.zeros((2, seats), np.int64), self.listed, e.out, e.scores, e.scratch,
            self.observation, rows, places, np.zeros(seats, np.int64), self.league, np.zeros(seats, np.int64),
            self.source.searching, horizon, e.evaluation.noise, e.evaluation.winning_lead,
            e.evaluation.prior_weight, np.zeros(ARMS, np.int64), np.zeros(ARMS, np.int64), self.every,
            self.source.level, kept, numbers,
        )  # fmt: skip
        first, self.played = self.played, self.played + races
        self.seen += count * self.every
        self.every = max(1, round(self.seen / (self.played * self.wanted)))
        return Sample(rows[:count].copy(), places[:count].copy(), kept[:count].copy(), first + numbers[:count])


def league_of(networks: Sequence[Network]) -> tuple[Network, ...]:
    """The newest networks, the oldest of these as often as it takes."""
    if not networks:
        return (no_network(),) * LEAGUE
    newest = tuple(networks[-LEAGUE:])
    return (newest[0],) * (LEAGUE - len(newest)) + newest


def blank_starts(game: Game, seats: int | None) -> Any:
    """Blank races of all settings (with so many seats), those with the defaults more often."""
    offered = [s for s in settings(game.meta) if seats in (None, s.seats)]
    chosen = [s for s in offered for _ in range(1 if s.options else DEFAULTS)]
    starts = game.definition.race.blanks(len(chosen))
    for start, setting in zip(starts, chosen, strict=True):
        start.seats = setting.seats
        for name, number in game.meta.numbers(game.meta.settle(setting.seats, setting.options)).items():
            setattr(start, name, number)
    return starts


def record_to(file: Path, recorder: Recorder, seconds: float, most: int) -> int:
    """Write positions to a file that is there whole or not at all; how many."""
    positions = recorder.record(seconds, most)
    sources = np.full(len(positions.rows), SOURCES.index(recorder.source), np.int8)
    beside = file.with_name(file.name + ".part")
    with beside.open("wb") as out:
        np.savez(out, rows=positions.rows, places=positions.places, sources=sources)
    beside.replace(file)
    return len(positions.rows)
