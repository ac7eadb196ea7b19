"""`searcher` and `champion`: information-set Monte Carlo over the compiled rules.

For each playout it imagines a race that could lie behind its view, lets the rivals who choose at the same time choose
without knowing its own choice, and plays some stretches on. All choices that it looks into are played out from the
same imagined races; the worse half is dropped again and again until the budget is spent (sequential halving).
Where playouts break off, searcher reads the lead off the position, and champion asks a network for its chance to win.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import VETERAN
from quadriga.bots.evaluator import Evaluator, packed
from quadriga.bots.guided import Guide, guided_playouts, play_out_guided
from quadriga.bots.network import Network, Networks, networks_of, no_network, observation_of
from quadriga.bots.playouts import play_out
from quadriga.bots.policy import as_leads
from quadriga.bots.steady import play_out_steadily
from quadriga.core.game import Game
from quadriga.core.messages import Action
from quadriga.core.streams import stream_key

SECONDS, CHAMPION_SECONDS = 1.0, 0.25
"""That searcher and champion think, unless told otherwise."""
Codes = NDArray[np.int64]

BATCH = 4
"""Playouts of each choice between two looks at the clock."""
CHOICE_PLAYOUTS, FEWEST_CHOICES = 12, 4
"""Champion looks into a choice more for so many playouts more; into so many at least where playouts are guided."""


class Way(NamedTuple):
    """A kind of playouts."""

    play_out: Callable[..., None]
    network: Network
    """Judges their ends; without one the lead does."""
    horizon: int
    noise: int
    guide: tuple[Guide, ...] = ()
    """What guided playouts need besides, if these are."""


class Searcher:
    """Plays its choices out, with a budget of seconds, or of playouts for the same play every time."""

    def __init__(self, game: Game, seed: int, iterations: int | None = None, seconds: float = SECONDS) -> None:
        self.evaluator, self.seed = Evaluator(game, seed), seed
        observation_of(game)  # playouts are compiled with it, with or without a network
        evaluation = self.evaluator.evaluation
        self.ways: tuple[Way, ...] = (Way(play_out, no_network(), evaluation.horizon, evaluation.noise),)
        """How choices are played out; of several ways each has its turn."""
        self.iterations, self.seconds = iterations, seconds
        self.searches = self.playouts = 0
        """Choices that were searched for, and playouts made for them."""
        self.began = 0.0
        """When the choice was asked for: all that is done for it counts as thinking."""

    def set_budget(self, iterations: int | None = None, seconds: float = SECONDS) -> None:
        """Think for so many playouts a choice, or (if None) for so many seconds."""
        self.iterations, self.seconds = iterations, seconds

    def choose(self, view: Any, seat: int, choices: Sequence[Action]) -> Action:
        """The choice whose playouts went best; the only one at once."""
        if len(choices) == 1:
            return choices[0]
        self.began = time.perf_counter()
        codes = packed(choices)
        kept, trust = self._candidates(view, seat, codes)
        best = choices[int(kept[self._best(view, seat, codes[kept], trust)])]
        return self.evaluator.complete_choice(view, seat, best)

    def _candidates(self, view: Any, seat: int, codes: Codes) -> tuple[Codes, Codes]:
        """Which choices are played out, and what is thought of them before, as the sums of some playouts."""
        worth = self.evaluator.score(view, seat, codes, VETERAN)
        kept = np.argsort(-worth, kind="stable")[: self._width()]
        return kept, self.evaluator.evaluation.prior_weight * (worth[kept] - worth[kept[0]])

    def _width(self) -> int:
        """How many choices are played out."""
        return self.evaluator.evaluation.search_width

    def _best(self, view: Any, seat: int, arms: NDArray[np.int64], sums: NDArray[np.int64]) -> int:
        """Sequential halving from sums that say what is thought of each before; equals keep their order."""
        alive = np.arange(len(arms))
        stages = max(1, (len(arms) - 1).bit_length())
        self.searches += 1
        first = 0
        for stage in range(stages):
            first = self._stage(view, seat, arms, sums, alive, first, (stage, stages))
            alive = np.sort(alive[np.argsort(-sums[alive], kind="stable")[: (len(alive) + 1) // 2]])
        return int(alive[0])

    def _stage(
        self,
        view: Any,
        seat: int,
        arms: NDArray[np.int64],
        sums: NDArray[np.int64],
        alive: NDArray[np.int64],
        first: int,
        stage: tuple[int, int],
    ) -> int:
        """Play the choices still alive out, from playout `first` on; the number of the next.

        By the clock, a batch is begun where it will end in time if it takes as long as the one before.
        """
        number, stages = stage
        if self.iterations is not None:
            count = max(1, self.iterations // (stages * len(alive)))
            self._play(view, seat, arms, sums, alive, first, count)
            return first + count
        end, now, took = self.began + self.seconds * (number + 1) / stages, time.perf_counter(), 0.0
        while now + took < end:
            self._play(view, seat, arms, sums, alive, first, BATCH)
            first += BATCH
            now, took = (after := time.perf_counter()), after - now
        return first

    def _play(
        self,
        view: Any,
        seat: int,
        arms: NDArray[np.int64],
        sums: NDArray[np.int64],
        alive: NDArray[np.int64],
        first: int,
        count: int,
    ) -> None:
        """Play some choices out `count` times, from playout `first` on; the ways take turns."""
        turns = len(self.ways)
        for turn, way in enumerate(self.ways):
            before, after = ((number + turns - 1 - turn) // turns for number in (first, first + count))
            if after > before:
                key = stream_key(f"{self.seed} {self.searches}{f' {turn}' if turn else ''}".encode())
                self._play_way(way, view, seat, arms, sums, alive, key, before, after - before)
        self.playouts += count * len(alive)

    def _play_way(
        self,
        way: Way,
        view: Any,
        seat: int,
        arms: NDArray[np.int64],
        sums: NDArray[np.int64],
        alive: NDArray[np.int64],
        key: NDArray[np.uint32],
        first: int,
        count: int,
    ) -> None:
        evaluator, evaluation = self.evaluator, self.evaluator.evaluation
        codes, gained = np.zeros((3, int(view.seats)), np.int64), np.zeros(len(alive), np.int64)
        way.play_out(
            view, evaluator.tables, evaluator.work, evaluator.races, seat, arms[alive], gained, key, first, count,
            way.horizon, way.noise, evaluation.winning_lead, evaluator.stream, evaluator.log, codes,
            evaluator.out, evaluator.scores, evaluator.scratch, evaluator.views, way.network,
            evaluator.game.meta.seats[-1], *way.guide,
        )  # fmt: skip
        sums[alive] += gained


class Champion(Searcher):
    """Searches with its game's networks; without them it plays as searcher does, and `notice` says why.

    With a critic its playouts are guided by the policy, if the game's evaluation says so. Else they are quick, and a
    value network judges them; in a game whose evaluation says that they are mixed every second one is.
    """

    def __init__(self, game: Game, seed: int, iterations: int | None = None, seconds: float = CHAMPION_SECONDS) -> None:
        super().__init__(game, seed, iterations, seconds)
        networks, self.notice = networks_of(game)
        self.use(networks)

    def use(self, networks: Networks) -> None:
        """Play with these networks."""
        evaluation, quick = self.evaluator.evaluation, self._quick_way(networks.value)
        guided = guided_playouts(evaluation, networks)
        self.policy, self.ways, self.policy_playouts = networks.policy, (quick,), evaluation.policy_playouts
        if guided:
            way = Way(play_out_guided, guided.network, guided.horizon, guided.noise, (guided.guide,))
            self.ways = (way, quick) if evaluation.mixed else (way,)
            self.policy_playouts = evaluation.guided_playouts
        self.policy_picks = guided is not None and not evaluation.mixed
        """Whether the policy picks the choices that are played out; else the veteran's scores do."""

    def _quick_way(self, value: Network) -> Way:
        """Quick playouts that a value network judges; searcher's if there is none."""
        evaluation = self.evaluator.evaluation
        if not value.is_there:
            return Way(play_out, value, evaluation.horizon, evaluation.noise)
        horizon = max(evaluation.network_horizon, evaluation.champion_horizon)
        return Way(play_out_steadily if evaluation.steady else play_out, value, horizon, evaluation.noise)

    def _candidates(self, view: Any, seat: int, codes: Codes) -> tuple[Codes, Codes]:
        """Those with the policy's best scores, or the veteran's best with what the policy thinks of them."""
        if not self.policy.is_there:
            return super()._candidates(view, seat, codes)
        kept = np.arange(len(codes)) if self.policy_picks else super()._candidates(view, seat, codes)[0]
        scores = self.evaluator.score_by_policy(view, seat, codes[kept], self.policy)
        if self.policy_picks:
            kept = np.argsort(-scores, kind="stable")[: self._width()]
            scores = scores[kept]
        return kept, self.policy_playouts * as_leads(scores, self.evaluator.evaluation.winning_lead)

    def _width(self) -> int:
        """With networks as many choices are worth a look as the budget has playouts for; the policy picks few well."""
        evaluation, least = self.evaluator.evaluation, super()._width()
        playouts = evaluation.rates[0] * self.seconds if self.iterations is None else self.iterations
        most = evaluation.network_width if self.ways[-1].network.is_there else least
        if self.policy_picks:
            least, most = FEWEST_CHOICES, evaluation.guided_width
        return max(least, min(most, int(playouts) // CHOICE_PLAYOUTS))
