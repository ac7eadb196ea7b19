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

from quadriga.bots.evaluation import GREEDY, QUICK, VETERAN, complete, elapsed, score
from quadriga.bots.evaluator import Evaluator
from quadriga.bots.network import UNIT, Network, no_network, observation_of
from quadriga.bots.playouts import Codes, pick, play_out
from quadriga.core.dispatch import apply, legal, observe, owing, setup, standings
from quadriga.core.fields import NONE
from quadriga.core.fuzz import settings
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.observation import encode_inputs, to_units
from quadriga.core.play import lowest_seat
from quadriga.core.streams import WORD, Stream, draw, open_stream, renumber_stream, stream_key

MOST_STEPS = 5000
WANTED = 25
"""Positions kept of a race: neighbours say the same."""
NOISES = (4, 100, 300)
NOISE_COUNT = len(NOISES)
"""How far seats stray from the best score; each race has one of these."""
AHEAD = 3
"""Stretches from a position to the later one of the same seat that is kept beside it."""
NOT_DUE = 1 << 40
"""What stands in `due` where no later position is waited for: it was written, or there is none to write."""
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
def begin_recorded(
    races: Any, starts: Any, key: Any, tables: Any, chooser: Stream, stream: Stream, log: Any, scratch: Codes
) -> int:
    """Set up the race of a key, of any setting; how far its seats stray from the best score."""
    open_stream(chooser, key, WORD)
    races[0] = starts[draw(chooser, starts.shape[0])]
    noise = NOISES[draw(chooser, NOISE_COUNT)]
    open_stream(stream, key, 0)
    setup(races[0], tables, stream, log, scratch)
    return noise


@kernel
def choose_by_scores(
    race: Any, tables: Any, work: Any, mask: int, level: int, noise: int, chooser: Stream, codes: Codes, listed: Codes,
    scores: Codes, scratch: Codes,
) -> None:  # fmt: skip
    """A choice by the scores of a level for all seats marked."""
    for seat in range(race.seats):
        codes[seat] = 0
    for _ in range(race.seats):
        if mask == 0:
            break
        seat = lowest_seat(mask)
        mask &= mask - 1
        n = legal(race, tables, seat, listed, scratch)
        code = listed[pick(race, tables, work, seat, level, listed, n, noise, chooser, scores, scratch)]
        codes[seat] = complete(race, tables, work, seat, code, scratch)


@kernel
def kept_row(seen: int, rows: int, chooser: Stream) -> int:
    """Where a position is kept after so many others, so that all of a race are as likely; -1: nowhere."""
    if seen < rows:
        return seen
    row = draw(chooser, seen + 1)
    return row if row < rows else -1


@kernel
def write_row(race: Any, tables: Any, seat: int, views: Any, observation: Any, row: Any) -> None:
    """Write what a seat sees as inputs of a network; views[1] holds the view. views: one blank, one to use."""
    views[1] = views[0]
    observe(race, tables, seat, views[1])
    width = encode_inputs(views[1], tables, observation, observation.shape[0])
    to_units(observation, width, UNIT, row)


@kernel
def keep_positions(
    race: Any, tables: Any, seen: int, chooser: Stream, views: Any, observation: Any, rows: Any, places: Any, kept: Any,
    due: Codes,
) -> int:  # fmt: skip
    """Keep some of what the seats of a race see, and which seat it is; how many positions the race has had.

    `kept` has room for the views behind the rows, or none; `due` for when the later position of each is due, or none.
    """
    for seat in range(race.seats):
        row = kept_row(seen, rows.shape[0], chooser)
        seen += 1
        if row >= 0:
            write_row(race, tables, seat, views, observation, rows[row])
            places[row, 0] = seat
            if kept.shape[0] > 0:
                kept[row] = views[1]
            if due.shape[0] > 0:
                due[row] = elapsed(race) + AHEAD
    return seen


@kernel
def look_later(race: Any, tables: Any, views: Any, observation: Any, places: Any, due: Codes, later: Any) -> None:
    """Write the later positions that are due: those of seats of which a position was kept AHEAD stretches before."""
    now = elapsed(race)
    for row in range(due.shape[0]):
        if due[row] <= now:
            write_row(race, tables, int(places[row, 0]), views, observation, later[row])
            due[row] = NOT_DUE


@kernel
def clear_due(due: Codes) -> None:
    """Wait for no later position: a race begins."""
    for row in range(due.shape[0]):
        due[row] = NOT_DUE


@kernel
def write_places(race: Any, tables: Any, seen: int, standing: Codes, places: Any) -> int:
    """Write the places of all seats behind each position of a race that is over, its own seat first; how many there
    are."""
    count = min(seen, places.shape[0])
    standings(race, tables, standing)
    for row in range(count):
        seat = int(places[row, 0])
        for other in range(places.shape[1]):
            places[row, other] = NONE
            if other < race.seats:
                places[row, other] = standing[(seat + other) % race.seats] - 1
    return count


@kernel
def record_scored(  # long: its memory is handed in
    races: Any, starts: Any, keys: Any, tables: Any, work: Any, views: Any, chooser: Stream, stream: Stream, log: Any,
    codes: Codes, listed: Codes, scores: Codes, scratch: Codes, level: int, observation: Any, standing: Codes,
    rows: Any, places: Any, kept: Any, due: Any, counts: Codes, later: Any,
) -> None:  # fmt: skip
    """Play a race for each key in which all seats choose by scores. `rows`, `places`, `kept`, `due`, `counts` and
    `later` have an entry for each race."""
    for i in range(keys.shape[0]):
        noise, seen = begin_recorded(races, starts, keys[i], tables, chooser, stream, log, scratch), 0
        clear_due(due[i])
        for step in range(1, MOST_STEPS):
            mask = owing(races[0])
            if mask == 0:
                break
            choose_by_scores(races[0], tables, work, mask, level, noise, chooser, codes, listed, scores, scratch)
            renumber_stream(stream, step)
            apply(races[0], tables, codes, stream, log, scratch)
            if owing(races[0]) != 0:
                look_later(races[0], tables, views, observation, places[i], due[i], later[i])
                seen = keep_positions(
                    races[0], tables, seen, chooser, views, observation, rows[i], places[i], kept[i], due[i]
                )  # fmt: skip
        counts[i] = write_places(races[0], tables, seen, standing, places[i])


@kernel
def record_searched(  # long: its memory is handed in
    races: Any, starts: Any, keys: Any, tables: Any, work: Any, views: Any, chooser: Stream, stream: Stream, log: Any,
    codes: Codes, listed: Codes, scores: Codes, scratch: Codes, observation: Any, standing: Codes, rows: Any,
    places: Any, kept: Any, due: Any, counts: Codes, playing: Any, inner: Stream, pair: Codes, out: Codes, league: Any,
    members: Codes, horizon: int, playout_noise: int, winning_lead: int, prior: int, arms: Codes, sums: Codes,
) -> None:  # fmt: skip
    """The same, but seats with more than one choice search; each draws one of the league's networks.

    playing: races for playouts; views: three.
    """
    most_seats = places.shape[2]
    for i in range(keys.shape[0]):
        begin_recorded(races, starts, keys[i], tables, chooser, stream, log, scratch)
        race, seen = races[0], 0
        draw_members(race.seats, chooser, members)
        for step in range(1, MOST_STEPS):
            mask = owing(race)
            if mask == 0:
                break
            for seat in range(race.seats):
                codes[seat] = 0
                if mask >> seat & 1:
                    n = legal(race, tables, seat, listed, scratch)
                    code = listed[0]
                    if n > 1:
                        code = search_choice(
                            race, tables, work, playing, views, seat, n, keys[i], step * 4096 + seat * 512, horizon,
                            playout_noise, winning_lead, prior, inner, log, pair[:, : race.seats], listed, out, scores,
                            scratch, league[members[seat]], most_seats, arms, sums,
                        )  # fmt: skip
                    codes[seat] = complete(race, tables, work, seat, code, scratch)
            renumber_stream(stream, step)
            apply(race, tables, codes, stream, log, scratch)
            if owing(race) != 0:
                seen = keep_positions(
                    race, tables, seen, chooser, views, observation, rows[i], places[i], kept[i], due[i]
                )  # fmt: skip
        counts[i] = write_places(race, tables, seen, standing, places[i])


class Kept(NamedTuple):
    """Room for the positions of races, an entry for each race."""

    rows: Any
    """Inputs in units: [race, position, input]."""
    places: Any
    """The place of every seat from 0, oneself first: [race, position, seat]."""
    counts: Any
    """How many positions there are of each race."""
    later: Any
    """What the same seat sees AHEAD stretches later, as `rows`; no room where that is not kept."""
    due: Any
    """NOT_DUE where `later` was written, another number where the race was over before: [race, position]."""


def blank_kept(races: int, wanted: int, inputs: int, seats: int, ahead: bool) -> Kept:
    """Room for so many positions of each race; ahead: whether later positions are kept."""
    rows, places = np.zeros((races, wanted, inputs), np.int16), np.zeros((races, wanted, seats), np.int8)
    looks = wanted if ahead else 0
    later, due = np.zeros((races, looks, inputs), np.int16), np.zeros((races, looks), np.int64)
    return Kept(rows, places, np.zeros(races, np.int64), later, due)


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
        self.seats, self.width, self.wanted = game.meta.seats[-1], observation.inputs, wanted
        self.starts = blank_starts(game, seats)
        self.races, self.views = definition.race.blanks(4), definition.view.blanks(3)
        self.streams = Stream.blanks(3)
        self.listed = np.zeros(definition.most_choices, np.int64)
        self.observation = np.zeros(self.width, np.float32)
        self.played = 0

    def record(self, seconds: float, most: int) -> Positions:
        """Play for so many seconds, or until there are so many positions."""
        found: list[Positions] = []
        end, count = time.monotonic() + seconds, 0
        while not found or (time.monotonic() < end and count < most):
            batch = self.play(2 if self.source.searching else BATCH)
            found.append(Positions(batch.rows, batch.places))
            count += len(batch.rows)
        return Positions(np.concatenate([f.rows for f in found]), np.concatenate([f.places for f in found]))

    def play(self, races: int, with_views: bool = False) -> Sample:
        """The positions of so many races more."""
        kept = self.game.definition.view.blanks(races * self.wanted * with_views).reshape(races, -1)
        rows, places, counts, *_ = self.play_kept(races, kept)
        there = np.arange(self.wanted) < counts[:, None]
        numbers = np.broadcast_to(np.arange(self.played - races, self.played)[:, None], there.shape)[there]
        return Sample(rows[there], places[there], kept[there] if with_views else kept.ravel(), numbers)

    def play_kept(self, races: int, kept: Any = None, ahead: bool = False) -> Kept:
        """So many races more.

        kept: room for the views behind the rows, if these are wanted; ahead: whether later positions are kept.
        """
        e, seats = self.evaluator, self.seats
        chooser, stream, inner = self.streams
        found = blank_kept(races, self.wanted, self.width, seats, ahead and not self.source.searching)
        views = self.game.definition.view.blanks(0).reshape(races, 0) if kept is None else kept
        played = (
            self.races[3:], self.starts, race_keys(self.seed, self.played, races), e.tables, e.work, self.views,
            chooser, stream, e.log, np.zeros(seats, np.int64), self.listed, e.scores, e.scratch,
        )  # fmt: skip
        told = (
            self.observation, np.zeros(seats, np.int64), found.rows, found.places, views, found.due, found.counts
        )  # fmt: skip
        if self.source.searching:
            horizon = e.evaluation.network_horizon if self.league[0].is_there else e.evaluation.horizon
            record_searched(
                *played, *told, self.races[:3], inner, np.zeros((2, seats), np.int64), e.out, self.league,
                np.zeros(seats, np.int64), horizon, e.evaluation.noise, e.evaluation.winning_lead,
                e.evaluation.prior_weight, np.zeros(ARMS, np.int64), np.zeros(ARMS, np.int64),
            )  # fmt: skip
        else:
            record_scored(*played, self.source.level, *told, found.later)
        self.played += races
        return found


def race_keys(seed: str, first: int, count: int) -> NDArray[np.uint32]:
    """The keys of races by their numbers."""
    keys = np.tile(stream_key(f"self-play {seed}".encode()), (count, 1))
    keys[:, -1] = first + np.arange(count)
    return keys


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
