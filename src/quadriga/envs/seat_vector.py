"""Gymnasium's vector environment: many races at once, in each one learner among bots, stepped in one compiled call."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from quadriga.bots.evaluator import Evaluator
from quadriga.bots.thinking import LEVELS, think
from quadriga.core.chain import is_finished, link, links
from quadriga.core.dispatch import apply, legal, observe, owing, setup, standings
from quadriga.core.errors import InvalidOption
from quadriga.core.fields import NONE
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.core.observation import Floats, encode
from quadriga.core.streams import Stream, draw, open_stream, stream_key
from quadriga.envs.stepping import (
    Asking,
    Ints,
    Log,
    Mask,
    clear,
    encode_choice,
    forfeit,
    is_offered,
    open_race,
    open_step,
    reward,
)
from quadriga.envs.table import Observation, Table, require_list
from quadriga.envs.vector import Arrays, fresh_askings, require_races

MOST_STEPS = 100_000
RIVALS = 1 << 31
"""Streams of a race from this number on belong to its rivals: eight for each step."""
PER_STEP = 8


@kernel
def go_on(
    race: Any,
    tables: Any,
    work: Any,
    asking: Asking,
    chain: Ints,
    trail: Ints,
    own: int,
    levels: Ints,
    stream: Stream,
    spare: Any,
    views: Any,
    log: Log,
    out: Ints,
    seen: Ints,
    scores: Ints,
    scratch: Ints,
) -> bool:
    """Let rivals choose, each by its view, and play until the learner is asked; whether the race is over."""
    for _ in range(MOST_STEPS):
        mask = owing(race)
        if mask == 0:
            return True
        for seat in range(chain.shape[0]):
            if mask >> seat & 1 and seat != own and not is_finished(chain[seat]):
                n = legal(race, tables, seat, out, scratch)
                open_stream(stream, asking.key, RIVALS + int(asking.step) * PER_STEP + seat)
                level = levels[seat - (seat > own)]
                chain[seat] = think(
                    race, spare, views, tables, work, seat, level, n, stream, out, seen, scores, scratch
                )
        if mask >> own & 1 and not is_finished(chain[own]):
            return False
        open_step(stream, asking)
        apply(race, tables, chain, stream, log, scratch)
        clear(chain, trail)
    return True


@kernel
def show(race: Any, tables: Any, seat: int, chain: int, trail: int, ids: int, views: Any, observation: Floats) -> None:
    """Write what a seat observes."""
    observe(race, tables, seat, views[0])
    encode_choice(observation, encode(views[0], tables, observation), chain, trail, ids)


@kernel
def step_seats(  # long: the order of a step, and its memory, a line for each piece
    races: Any,
    start: Any,
    tables: Any,
    work: Any,
    askings: Any,
    chains: Ints,
    trails: Ints,
    places: Ints,
    choices: Ints,
    owns: Ints,
    seat: int,
    levels: Ints,
    fresh: bool,
    rewarding: int,
    stream: Stream,
    spare: Any,
    views: Any,
    looks: Any,
    log: Log,
    out: Ints,
    seen: Ints,
    scores: Ints,
    scratch: Ints,
    observations: Floats,
    masks: Mask,
    rewards: Floats,
    over: NDArray[np.bool_],
    lasts: Floats,
    sat: Ints,
) -> None:
    """One id of the learner for every race; those that are over begin again, and all if they are to be fresh.

    seat: the learner's in all races, none for another in every race. lasts and sat: of races that this step ended, the
    last observation and the learner's seat.
    """
    ids = masks.shape[1]
    for i in range(races.shape[0]):
        race, asking, chain, trail, own = races[i], askings[i], chains[i], trails[i], owns[i]
        over[i], sat[i] = False, own
        if not fresh:
            if not is_offered(asking.offered, choices[i]):
                forfeit(places[i], own)
                over[i] = True
            else:
                chain[own] = link(race, tables, own, chain[own], choices[i], out, scratch)
                trail[own] |= 1 << choices[i]
                if is_finished(chain[own]) and go_on(
                    race, tables, work, asking, chain, trail, own, levels, stream, spare, views, log, out, seen,
                    scores, scratch,
                ):  # fmt: skip
                    standings(race, tables, places[i])
                    over[i] = True
        reward(over[i], places[i], rewarding, rewards[i])
        if over[i]:
            show(race, tables, own, 0, 0, ids, looks, lasts[i])
        if fresh or over[i]:
            races[i] = start[0]
            open_race(stream, asking)
            setup(race, tables, stream, log, scratch)
            own = draw(stream, chain.shape[0]) if seat == NONE else seat
            owns[i] = own
            clear(chain, trail)
            go_on(
                race, tables, work, asking, chain, trail, own, levels, stream, spare, views, log, out, seen, scores,
                scratch,
            )  # fmt: skip
        asking.asked, asking.offered = own, links(race, tables, own, chain[own], out, scratch)
        show(race, tables, own, chain[own], trail[own], ids, looks, observations[i])
        for number in range(ids):
            masks[i, number] = asking.offered >> number & 1


class SeatVectorEnv(VectorEnv[Observation, Any, Any]):
    """Races of one game in each of which a learner sits among bots of quick levels, in the order of the table.

    A race that is over begins again in the same step; `final_obs` and `final_info` then tell how it ended.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        game: str | Game,
        num_envs: int = 1,
        rivals: Sequence[str] = ("greedy",),
        seat: int | None = None,
        options: Mapping[str, object] | None = None,
        reward: str = "places",
        render_mode: str | None = None,
    ) -> None:
        require_races(num_envs)
        require_list(rivals)
        self.num_envs, self.render_mode = num_envs, render_mode
        table = Table(game, len(rivals) + 1, options, reward)
        self.game, self.seats, self._start = table.game, table.seats, table.env.start
        if seat is not None and seat not in range(self.seats):
            raise InvalidOption(f"there is no seat {seat}; there are {self.seats}, from 0")
        self._seat, self._rewarding = NONE if seat is None else seat, table.env.rewarding
        self._levels = np.array([_level(rival) for rival in rivals], np.int64)
        self.single_action_space: Any = table.action_space()
        self.single_observation_space: Any = table.observation_space()
        self.action_space: Any = batch_space(self.single_action_space, num_envs)
        self.observation_space: Any = batch_space(self.single_observation_space, num_envs)
        self._allocate()

    def _allocate(self) -> None:
        count, definition, self._arrays = (
            self.num_envs,
            self.game.definition,
            Arrays.blank(self.game, self.num_envs, self.seats),
        )
        self._races, self._askings = definition.race.blanks(count), Asking.blanks(count)
        self._chains, self._trails, self._places = np.zeros((3, count, self.seats), np.int64)
        self.own_seats, self._sat = np.zeros((2, count), np.int64)
        self._lasts = np.zeros_like(self._arrays.observations)
        self._thinker, self._stream = Evaluator(self.game, 0), Stream.blank()
        self._seen = np.zeros(self._thinker.evaluation.novice_choices, np.int64)
        self._spare, self._looks = definition.race.blanks(2), definition.view.blanks(1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """New races, each as far as the learner's first choice; the same ones for the same seed."""
        key = stream_key(f"seats {secrets.randbits(128) if seed is None else seed}".encode())
        self._askings[:] = fresh_askings(self.num_envs, key)
        self._step(np.zeros(self.num_envs, np.int64), fresh=True)
        return self._observation(), self._infos()

    def step(self, actions: Any) -> tuple[Observation, Any, Any, Any, dict[str, Any]]:
        """An id of the learner in every race, then whatever bots choose before it is asked again."""
        ids = np.array(actions, np.int64)
        offered = self._arrays.masks[np.arange(self.num_envs), np.clip(ids, 0, self._arrays.masks.shape[1] - 1)] == 1
        self._step(ids, fresh=False)
        over = self._arrays.over.copy()
        rewards = self._arrays.rewards[np.arange(self.num_envs), self._sat].astype(np.float64)
        infos = self._infos() | (self._endings(over, offered) if over.any() else {})
        return self._observation(), rewards, over, np.zeros(self.num_envs, bool), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """The masks alone, as some learners ask for them."""
        return self._arrays.masks.astype(bool)

    def _observation(self) -> Observation:
        return {"observation": self._arrays.observations.copy(), "action_mask": self._arrays.masks.copy()}

    def _infos(self) -> dict[str, Any]:
        return {"seat": self.own_seats.copy(), "_seat": np.ones(self.num_envs, bool)}

    def _endings(self, over: NDArray[np.bool_], offered: NDArray[np.bool_]) -> dict[str, Any]:
        """How races ended, where they did, laid out as Gymnasium lays it out."""
        final = {"observation": self._lasts.copy(), "action_mask": np.zeros_like(self._arrays.masks)}
        places = self._places[np.arange(self.num_envs), self._sat]
        info = {"seat": self._sat.copy(), "place": np.where(over, places, 0), "forfeit": over & ~offered}
        return {
            "final_obs": final | {f"_{name}": over for name in final},
            "_final_obs": over,
            "final_info": info | {f"_{name}": over for name in info},
            "_final_info": over,
        }

    def _step(self, ids: NDArray[np.int64], fresh: bool) -> None:
        a, own = self._arrays, self._thinker
        step_seats(
            self._races, self._start, self.game.tables, own.work, self._askings, self._chains, self._trails,
            self._places, ids, self.own_seats, self._seat, self._levels, fresh, self._rewarding, self._stream,
            self._spare, own.views, self._looks, own.log, own.out, self._seen, own.scores, own.scratch,
            a.observations, a.masks, a.rewards, a.over, self._lasts, self._sat,
        )  # fmt: skip


def _level(rival: str) -> int:
    if rival not in LEVELS:
        raise InvalidOption(
            f"{rival!r} does not play in many races at once; there are {', '.join(LEVELS)} (seat_env takes others)"
        )
    return LEVELS[rival]
