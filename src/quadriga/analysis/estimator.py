"""Estimates chances of one game: of whole positions, and of choices from a view. Owns the memory that takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.analysis.chances import FOREVER, Codes, judge_often, judge_outcomes, judge_setups
from quadriga.analysis.measures import measures_of
from quadriga.analysis.playouts import play_arms
from quadriga.bots.evaluation import VETERAN
from quadriga.bots.evaluator import Evaluator
from quadriga.bots.guided import Playouts, guided_playouts, no_guide
from quadriga.bots.network import CHANCE, Network, networks_of, observation_of
from quadriga.core.game import Game
from quadriga.core.match import Left
from quadriga.core.messages import new_log
from quadriga.core.meta import OptionValue
from quadriga.core.streams import stream_key

Matrix = NDArray[np.int64]
"""Chances: a row for each seat, a column for each place, in whole numbers of CHANCE."""


@dataclass(frozen=True)
class Sample:
    """What playouts of choices brought."""

    rows: NDArray[np.int64]
    """By choice and playout: the seat's chance of each place."""
    seen: NDArray[np.int64]
    """By choice and playout: the game's measures; of length 0 if they were not asked for."""


class Estimator:
    """Estimates for one thread.

    as_champion: whether choices are played out as champion does it, where all its playouts are guided. Else they are by
    quick playouts and the value network: among the players there are, not among those who all choose well.
    """

    def __init__(self, game: Game, seed: int, as_champion: bool = True) -> None:
        self.game, self.seed, self.evaluator = game, seed, Evaluator(game, seed)
        self.measures = measures_of(game)
        observation_of(game)
        networks, self.notice = networks_of(game)
        evaluation, self.network = self.evaluator.evaluation, networks.value
        guided = as_champion and not evaluation.mixed
        self.guided = guided_playouts(evaluation, networks) if guided else None
        horizon = evaluation.network_horizon if self.network.is_there else FOREVER
        self.playouts = self.guided or Playouts(no_guide(), self.network, horizon, evaluation.noise)
        self.stretches = 1 if self.network.is_there else FOREVER
        """That a position is played on before it is judged."""
        self.most_seats = game.meta.seats[-1]
        self.races = game.definition.race.blanks(3)
        self.log = new_log(game.definition.most_events)

    # ------------------------------------------------------------ knowing everything

    def judge(self, state: Any, left: Sequence[Left], count: int) -> Matrix:
        """The chances of a position, from playouts to the end of its stretch; to that of the race without a network."""
        seats = int(state.seats)
        sums = np.zeros((seats, seats), np.int64)
        self.races[0] = state
        memory = self._judging(seats, left, sums)
        judge_often(self.races, *self._heads(), self._way(state), count, self.stretches, *memory)
        return _rounded(sums, count)

    def _way(self, state: Any) -> NDArray[np.uint32]:
        """The key of the dice that all positions of a stretch meet when they are played on."""
        return self._key(f"stretch {int(self.evaluator.evaluation.elapsed(state))}")

    def judge_outcomes(
        self,
        state: Any,
        left: Sequence[Left],
        choices: Mapping[int, Sequence[int]],
        count: int,
        towards: Any,
        ways: int,
        label: str,
    ) -> tuple[Matrix, bool]:
        """The mean chances after choices and chance, and whether chance had a part; of several choices one is drawn.

        towards: the position that came about, which is judged by `ways` playouts; the outcomes meet the same dice.
        """
        seats = int(state.seats)
        arms, counts = _table(choices, seats)
        sums = np.zeros((seats, seats), np.int64)
        self.races[0] = state
        random = judge_outcomes(
            self.races, *self._heads(), arms, counts, self._key(label), count, self.stretches,
            self._way(towards), ways, *self._judging(seats, left, sums)
        )  # fmt: skip
        return _rounded(sums, count), random > 0

    def judge_setups(self, seats: int, options: Mapping[str, OptionValue], count: int, label: str) -> Matrix:
        """The mean chances after a set-up."""
        blank: Any = self.game.definition.race.blanks(1)
        blank[0].seats = seats
        for name, number in self.game.meta.numbers(options).items():
            setattr(blank[0], name, number)
        sums = np.zeros((seats, seats), np.int64)
        self.races[0] = blank[0]
        judge_setups(
            self.races, *self._heads(), self._key(label), count, self.stretches, *self._judging(seats, (), sums)
        )
        return _rounded(sums, count)

    # ------------------------------------------------------------ knowing what a seat knows

    def candidates(self, view: Any, seat: int, codes: Codes, besides: Sequence[int] = ()) -> Codes:
        """The choices worth a closer look, with the parts that lists leave out, and those named besides."""
        evaluator, evaluation = self.evaluator, self.evaluator.evaluation
        if self.guided:
            worth = evaluator.score_by_policy(view, seat, codes, self.guided.guide.policy)
            width = evaluation.guided_width
        else:
            worth, width = evaluator.score(view, seat, codes, VETERAN), evaluation.search_width
        kept = np.argsort(-worth, kind="stable")[:width]
        actions = [evaluator.complete_choice(view, seat, self.game.unpack(int(codes[i]))) for i in kept]
        found = dict.fromkeys([*(action.pack() for action in actions), *besides])
        return np.array(list(found), np.int64)

    def play_out(
        self, view: Any, seat: int, arms: Codes, first: int, count: int, left: Sequence[Left], label: str, seeing: bool
    ) -> Sample:
        """Play choices out from a view, from playout `first` on; with `seeing` measures are taken."""
        seats = int(view.seats)
        rows = np.zeros((len(arms), count, seats), np.int64)
        seen = np.zeros((len(arms), count, len(self.measures.measures) if seeing else 0), np.int64)
        self.races[0] = np.zeros(1, self.races.dtype)[0]
        how, log = self.playouts, self.log if seeing else self.evaluator.log
        memory = self._memory(seats, left, how.noise, how.network, log, np.zeros((3, seats), np.int64))
        play_arms(
            view, *self._heads(), self.races, seat, arms, rows, seen, self._key(label), first, count, how.horizon,
            how.guide, *memory,
        )  # fmt: skip
        return Sample(rows, seen)

    # ------------------------------------------------------------ within

    def _heads(self) -> tuple[Any, Any]:
        return self.evaluator.tables, self.evaluator.work

    def _key(self, label: str) -> NDArray[np.uint32]:
        return stream_key(f"analysis {self.seed} {label}".encode())

    def _memory(
        self,
        seats: int,
        left: Sequence[Left],
        noise: int,
        network: Network,
        log: NDArray[np.int32],
        codes: Codes,
    ) -> tuple[Any, ...]:
        e = self.evaluator
        return (
            _fixed(seats, left), noise, e.stream, log, codes, e.out, e.scores, e.scratch, e.views, network,
            self.most_seats, np.zeros(seats, np.int64), np.zeros((seats, seats), np.int64),
        )  # fmt: skip

    def _judging(self, seats: int, left: Sequence[Left], sums: Matrix) -> tuple[Any, ...]:
        """The memory of kernels that judge positions, by quick playouts with next to no noise."""
        codes = np.zeros(seats, np.int64)
        return *self._memory(seats, left, 1, self.network, self.evaluator.log, codes), sums


def _fixed(seats: int, left: Sequence[Left]) -> Codes:
    """The places (from 0) of those who left, the later one ahead, -1 for the others; room; and how many left."""
    fixed = np.full(2 * seats + 1, -1, np.int64)
    for back, gone in enumerate(left):
        fixed[gone.seat] = seats - 1 - back
    fixed[2 * seats] = len(left)
    return fixed


def _table(choices: Mapping[int, Sequence[int]], seats: int) -> tuple[Codes, Codes]:
    arms = np.zeros((seats, max(map(len, choices.values()))), np.int64)
    counts = np.ones(seats, np.int64)
    for seat, codes in choices.items():
        arms[seat, : len(codes)], counts[seat] = codes, len(codes)
    return arms, counts


def _rounded(sums: Matrix, count: int) -> Matrix:
    """A mean, rounded to whole numbers of CHANCE once and for all."""
    return (sums + count // 2) // count


def certain(places: Sequence[int]) -> Matrix:
    """The chances of a race that is over."""
    seats = len(places)
    out = np.zeros((seats, seats), np.int64)
    for seat, place in enumerate(places):
        out[seat, min(place, seats) - 1] = CHANCE
    return out
