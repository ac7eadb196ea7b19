"""Choices to learn from that champion's search judged: positions of races in which all seats choose by the policy.

The choices that the policy likes best are played out as champion plays them out (bots/guided.py), some times each.
"""

from pathlib import Path
from typing import Any

import numpy as np

from quadriga.bots.evaluation import complete, parts
from quadriga.bots.evaluator import Evaluator
from quadriga.bots.guided import Guide, make_guide, pick_sample, play_out_guided
from quadriga.bots.network import UNIT, Network, Networks, observation_of
from quadriga.bots.playouts import Codes
from quadriga.bots.policy import score_choices
from quadriga.core.dispatch import apply, legal, observe, owing, setup
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.observation import encode_inputs, to_units
from quadriga.core.streams import WORD, Stream, draw, next_word, open_stream, stream_key
from quadriga.training.choices import EVERY, JudgedChoices, as_chances, record_for, room_for, write_choices
from quadriga.training.selfplay import MOST_STEPS, best_arms, blank_starts

PLAYOUTS = 32
"""Of each choice."""
MARGIN = 12 * UNIT
"""Choices whose score is so much lower than the best one's are not looked into: those are bad."""


@kernel
def likeliest(codes: Codes, n: int, scores: Codes, arms: Codes) -> int:
    """Write the codes with the best scores, none of them MARGIN behind the first; how many."""
    found = best_arms(scores, n, arms)
    lowest, kept = scores[arms[0]] - MARGIN, 0
    for i in range(found):
        if scores[arms[i]] >= lowest:
            kept += 1
        arms[i] = codes[arms[i]]
    return kept


@kernel
def judge_arms(  # long: its memory is handed in
    race: Any, tables: Any, work: Any, races: Any, views: Any, seat: int, arms: Codes, key: Any, first: int,
    horizon: int, temperature: int, winning_lead: int, inner: Stream, log: Any, codes: Codes, out: Codes,
    scores: Codes, scratch: Codes, critic: Network, most_seats: int, guide: Guide, values: Any, found: Any,
) -> None:  # fmt: skip
    """Write what the playouts of each choice brought, and the parts of each. views: the last is the seat's own."""
    for arm in range(arms.shape[0]):
        values[arm] = 0
    play_out_guided(
        views[2], tables, work, races, seat, arms, values, key, first, PLAYOUTS, horizon, temperature, winning_lead,
        inner, log, codes, out, scores, scratch, views, critic, most_seats, guide,
    )  # fmt: skip
    for arm in range(arms.shape[0]):
        for k in range(parts(race, tables, seat, arms[arm], guide.found)):
            found[arm, k] = guide.found[k]


@kernel
def record_searched(  # long: its memory is handed in
    starts: Any, keys: Any, tables: Any, work: Any, races: Any, views: Any, chooser: Stream, stream: Stream,
    inner: Stream, log: Any, codes: Codes, rows_of_codes: Codes, listed: Codes, out: Codes, scores: Codes,
    scratch: Codes, rows: Any, found: Any, values: Any, guide: Guide, critic: Network, most_seats: int, horizon: int,
    temperature: int, winning_lead: int, arms: Codes,
) -> int:  # fmt: skip
    """Play a race for each key; some positions as rows of inputs, with the parts of their choices and what all playouts
    of each brought. races: one blank, two for playouts, one to race in; views: the last is the seat's own."""
    count, race, width = 0, races[3], rows.shape[1]
    for i in range(keys.shape[0]):
        open_stream(chooser, keys[i], WORD)
        races[3] = starts[draw(chooser, starts.shape[0])]
        open_stream(stream, keys[i], 0)
        setup(race, tables, stream, log, scratch)
        for step in range(1, MOST_STEPS):
            mask = owing(race)
            if mask == 0:
                break
            for seat in range(race.seats):
                codes[seat] = 0
                if mask >> seat & 1:
                    n, chosen = legal(race, tables, seat, listed, scratch), 0
                    if n > 1:
                        views[2] = views[0]
                        observe(race, tables, seat, views[2])
                        score_choices(views[2], race, tables, seat, listed[:n], guide.policy, guide.found, scores)
                        chosen = pick_sample(listed, n, scores, next_word(chooser), temperature, guide.gumbel)
                        if draw(chooser, EVERY) == 0 and count < rows.shape[0]:
                            encode_inputs(views[2], tables, guide.policy.observation, width)
                            to_units(guide.policy.observation, width, UNIT, rows[count])
                            kept = likeliest(listed, n, scores, arms)
                            if kept > 1:
                                judge_arms(
                                    race, tables, work, races, views, seat, arms[:kept], keys[i],
                                    step * 4096 + seat * 512, horizon, temperature, winning_lead, inner, log,
                                    rows_of_codes[:, : race.seats], out, scores, scratch, critic, most_seats, guide,
                                    values[count], found[count],
                                )  # fmt: skip
                                count += 1
                    codes[seat] = complete(race, tables, work, seat, listed[chosen], scratch)
            open_stream(stream, keys[i], step)
            apply(race, tables, codes, stream, log, scratch)
    return count


class SearchRecorder:
    """Plays races of one game in all settings by its policy and judges some choices; owns the memory that takes."""

    def __init__(self, game: Game, seed: str, networks: Networks) -> None:
        definition = game.definition
        self.game, self.seed, self.evaluator = game, seed, Evaluator(game, 0)
        self.guide = make_guide(networks.policy, self.evaluator.evaluation.steady)
        self.critic, self.width, self.played = networks.critic, observation_of(game).inputs, 0
        self.starts, self.races = blank_starts(game, None), definition.race.blanks(4)
        self.views, self.streams = definition.view.blanks(3), Stream.blanks(3)
        self.listed = np.zeros(definition.most_choices, np.int64)

    def record(self, seconds: float, most: int) -> JudgedChoices:
        """Play for so many seconds, or until there are so many positions."""
        return record_for(self.play, seconds, most)

    def play(self, races: int) -> JudgedChoices:
        """The choices judged in so many races more."""
        e, most_seats = self.evaluator, self.game.meta.seats[-1]
        keys = np.array([stream_key(f"{self.seed} {self.played + n}".encode()) for n in range(races)])
        self.played += races
        width = e.evaluation.guided_width
        rows, found, sums = room_for(races, self.width, width)
        chooser, stream, inner = self.streams
        count = record_searched(
            self.starts, keys, e.tables, e.work, self.races, self.views, chooser, stream, inner, e.log,
            np.zeros(most_seats, np.int64), np.zeros((3, most_seats), np.int64), self.listed, e.out, e.scores,
            e.scratch, rows, found, sums, self.guide, self.critic, most_seats, e.evaluation.guided_horizon,
            e.evaluation.guided_temperature, e.evaluation.winning_lead, np.zeros(width, np.int64),
        )  # fmt: skip
        return as_chances(rows[:count], found[:count], sums[:count], PLAYOUTS * e.evaluation.winning_lead)


def record_searched_to(file: Path, game: Game, seed: str, seconds: float, most: int, networks: Networks) -> int:
    """Write choices that search judged to a file that is there whole or not at all; of how many positions."""
    return write_choices(file, SearchRecorder(game, seed, networks).record(seconds, most))
