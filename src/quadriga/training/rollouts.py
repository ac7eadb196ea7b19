"""Many races at once in which networks choose: at every step one decision of each race.

Each race waits for the choice of one seat. A step takes that choice by the scores that a policy network gave, plays on
to the next decision, and writes what the seat then asked sees. A race that is over is followed by another, with seats
and options drawn by lot. Choices that are forced, and those of bots (training/rivals.py), are made without being asked
for.
"""

from math import exp, log
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import MOST_PARTS, PART_COUNT, complete, parts
from quadriga.bots.evaluator import Evaluator
from quadriga.bots.network import observation_of
from quadriga.core.dispatch import apply, legal, observe, owing, setup, standings
from quadriga.core.fields import I16, Fields, I16s
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.observation import encode_inputs
from quadriga.core.play import MOST_SEATS, lowest_seat
from quadriga.core.streams import WORD, Stream, draw, next_word, open_stream, stream_key
from quadriga.training.rivals import NEWEST, bots_of, choose_as_bot, seat_bots
from quadriga.training.selfplay import blank_starts

MOST_FORCED = 4000
"""Forced choices in a row: more than there can be."""
MOST_BOT_CHOICES = 32
"""Choices of bots in a step: where a race goes on without the seat that learns, others do not wait for its end."""
LEAST_SHARE = 1e-4
"""Choices less likely than this do not count in the gradient."""

Floats = NDArray[np.float32]
Codes = NDArray[np.int64]


class Turn(Fields):
    """Whose choice a race waits for, who learns from it, and who the rivals are."""

    seat: Annotated[I16, "the seat that is asked"]
    choices: Annotated[I16, "how many choices it has"]
    chosen: Annotated[I16, "the seats that have chosen, a bit for each"]
    learner: Annotated[I16, "the seat that learns, where not all do"]
    rivals: Annotated[I16, "who the rivals of that seat are, the same in all races that follow each other"]
    bots: Annotated[I16s, MOST_SEATS, "the bot that has each seat, from 1; 0: a network has it"]


SEAT, SEATS, LEARNER, ENDED = range(4)
"""What a step tells of a race: the seat that is asked, the seats of its race, the seat that learns where not all do,
and 1 if the race before ended with the step. Where bots go on without that seat, the next of theirs stands for it: it
is not asked, and scores do not count."""


@kernel
def weigh_choices(
    race: Any, tables: Any, seat: int, out: Codes, n: int, scores: Floats, found: Codes, worths: Floats
) -> Any:
    """Write the score of each choice, the sum of its parts' scores; the highest."""
    highest = np.float32(-1e9)
    for i in range(n):
        total = np.float32(0)
        for k in range(parts(race, tables, seat, out[i], found)):
            total += scores[found[k]]
        worths[i] = total
        highest = max(highest, total)
    return highest


@kernel
def sample_index(worths: Floats, n: int, total: Any, stream: Stream) -> int:
    """The index of a choice, each as likely as its share of the total."""
    left = total * (np.float32(next_word(stream)) / np.float32(4294967296))
    for i in range(n):
        left -= worths[i]
        if left < 0:
            return i
    return n - 1


@kernel
def choose_by_scores(
    race: Any, tables: Any, seat: int, out: Codes, n: int, scores: Floats, found: Codes, worths: Floats,
    gradient: Floats, stream: Stream,
) -> int:  # fmt: skip
    """The index of a choice, likelier the higher its score (softmax); worths hold each choice's chance afterwards.

    `gradient` is how the logarithm of that choice's chance changes with the score of each part.
    """
    highest = weigh_choices(race, tables, seat, out, n, scores, found, worths)
    total = np.float32(0)
    for i in range(n):
        worths[i] = exp(worths[i] - highest)
        total += worths[i]
    chosen = sample_index(worths, n, total, stream)
    for part in range(gradient.shape[0]):
        gradient[part] = 0
    for i in range(n):
        worths[i] /= total
        share = np.float32(i == chosen) - worths[i]
        if i == chosen or worths[i] > LEAST_SHARE:
            for k in range(parts(race, tables, seat, out[i], found)):
                gradient[found[k]] += share
    return chosen


@kernel
def begin_race(
    races: Any, starts: Any, tables: Any, turn: Any, bots: Codes, stream: Stream, log: Any, scratch: Codes
) -> None:
    """Set up another race, of any setting."""
    races[0] = starts[draw(stream, starts.shape[0])]
    setup(races[0], tables, stream, log, scratch)
    turn.chosen = 0
    turn.learner = draw(stream, int(races[0].seats))
    seat_bots(turn, int(races[0].seats), bots, stream)


@kernel
def play_to_decision(
    races: Any, starts: Any, tables: Any, work: Any, turn: Any, stream: Stream, codes: Codes, places: Codes,
    log: Any, out: Codes, scratch: Codes, views: Any, spare: Any, bots: Codes, bot_scores: Codes,
) -> int:  # fmt: skip
    """Play on until a seat that is no bot's has more than one choice; 1 if a race ended before, whose places are
    written."""
    ended, by_bots = 0, 0
    for _ in range(MOST_FORCED):
        owed = owing(races[0])
        mask = owed & ~int(turn.chosen)
        if owed == 0:
            for seat in range(places.shape[0]):
                places[seat] = 0
            standings(races[0], tables, places)
            ended = 1
            begin_race(races, starts, tables, turn, bots, stream, log, scratch)
        elif mask == 0:
            apply(races[0], tables, codes, stream, log, scratch)
            turn.chosen = 0
            for seat in range(codes.shape[0]):
                codes[seat] = 0
        else:
            seat = lowest_seat(mask)
            turn.seat, turn.choices = seat, legal(races[0], tables, seat, out, scratch)
            bot, is_open = int(turn.bots[seat]), turn.choices > 1
            if is_open and (bot == 0 or by_bots == MOST_BOT_CHOICES):
                break
            if bot == 0:
                take(races[0], tables, work, turn, out[0], codes, scratch)
            else:
                by_bots += is_open
                codes[seat] = choose_as_bot(
                    races[0], spare, views, tables, work, seat, bots[bot - 1], int(turn.choices), stream, out,
                    bot_scores, scratch,
                )  # fmt: skip
                turn.chosen |= 1 << seat
    return ended


@kernel
def take(race: Any, tables: Any, work: Any, turn: Any, code: int, codes: Codes, scratch: Codes) -> None:
    """Note the choice of the seat that is asked."""
    codes[turn.seat] = complete(race, tables, work, int(turn.seat), code, scratch)
    turn.chosen |= 1 << int(turn.seat)


@kernel
def step_race(
    races: Any, starts: Any, tables: Any, work: Any, turn: Any, stream: Stream, codes: Codes, places: Codes,
    log: Any, out: Codes, scratch: Codes, views: Any, spare: Any, bots: Codes, bot_scores: Codes, found: Codes,
    worths: Floats, fresh: bool, scores: Floats, gradient: Floats, chance: Floats, observation: Floats, asked: Codes,
) -> None:  # fmt: skip
    """One decision of a race (fresh: none, but the first race begins), and what the seat asked next sees."""
    if fresh:
        begin_race(races, starts, tables, turn, bots, stream, log, scratch)
    elif turn.bots[turn.seat] == 0:
        seat, n = int(turn.seat), int(turn.choices)
        chosen = choose_by_scores(races[0], tables, seat, out, n, scores, found, worths, gradient, stream)
        chance[0] = log_of(worths[chosen])
        take(races[0], tables, work, turn, out[chosen], codes, scratch)
    asked[ENDED] = play_to_decision(
        races, starts, tables, work, turn, stream, codes, places, log, out, scratch, views, spare, bots, bot_scores
    )
    asked[SEAT], asked[SEATS], asked[LEARNER] = turn.seat, races[0].seats, turn.learner
    views[1] = views[0]
    observe(races[0], tables, int(turn.seat), views[1])
    encode_inputs(views[1], tables, observation, observation.shape[0])


@kernel
def log_of(share: Any) -> Any:
    """The logarithm of a chance that may be rounded to nothing."""
    return log(max(share, np.float32(1e-9)))


@kernel
def step_races(
    races: Any, starts: Any, tables: Any, work: Any, turns: Any, streams: Any, codes: Any, places: Any, log: Any,
    outs: Any, scratch: Codes, views: Any, spare: Any, bots: Codes, bot_scores: Codes, found: Codes, worths: Floats,
    fresh: bool, scores: Any, gradients: Any, chances: Any, observations: Any, asked: Any,
) -> None:  # fmt: skip
    """One decision of every race."""
    for i in range(races.shape[0]):
        j = i + 1
        step_race(
            races[i:j], starts, tables, work, turns[i], streams[i], codes[i], places[i], log, outs[i], scratch,
            views, spare, bots, bot_scores, found, worths, fresh, scores[i], gradients[i], chances[i:j],
            observations[i], asked[i],
        )  # fmt: skip


def fresh_streams(count: int, seed: str) -> Any:
    """A stream of random words for each race."""
    streams, key = Stream.blanks(count), stream_key(f"rollouts {seed}".encode())
    for number in range(count):
        open_stream(streams[number], key, number & WORD)
    return streams


class Rollouts:
    """Races on the CPU; owns what they need. The arrays are written at every step, a row for each race.

    rivals: who they are in each race (training/rivals.py); networks in all, if None.
    """

    def __init__(self, game: Game, count: int, seed: str, rivals: NDArray[np.int16] | None = None) -> None:
        definition, most_seats = game.definition, game.meta.seats[-1]
        self.game, self.count, self.evaluator = game, count, Evaluator(game, 0)
        self.races, self.turns = definition.race.blanks(count), Turn.blanks(count)
        self.turns["rivals"] = NEWEST if rivals is None else rivals
        self.bots, self._spare = bots_of(game), definition.race.blanks(2)
        self.starts, self.streams = blank_starts(game, None), fresh_streams(count, seed)
        self.codes = np.zeros((count, most_seats), np.int64)
        self.places = np.zeros((count, most_seats), np.int64)
        self.outs = np.zeros((count, definition.most_choices), np.int64)
        self.asked = np.zeros((count, 4), np.int64)
        self.scores = np.zeros((count, PART_COUNT), np.float32)
        self.gradients = np.zeros((count, PART_COUNT), np.float32)
        self.chances = np.zeros(count, np.float32)
        """The logarithm of the chance that the choice taken had."""
        self.observations = np.zeros((count, observation_of(game).inputs), np.float32)
        self._found = np.zeros(MOST_PARTS, np.int64)
        self._worths = np.zeros(definition.most_choices, np.float32)
        self.step(fresh=True)

    def step(self, fresh: bool = False) -> None:
        """Take a choice in every race by `scores`."""
        e = self.evaluator
        step_races(
            self.races, self.starts, e.tables, e.work, self.turns, self.streams, self.codes, self.places, e.log,
            self.outs, e.scratch, e.views, self._spare, self.bots, e.scores, self._found, self._worths, fresh,
            self.scores, self.gradients, self.chances, self.observations, self.asked,
        )  # fmt: skip
