"""Gymnasium: one learner among bots."""

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium

from quadriga.bots import Bot, find_maker, warn_of_stand_in
from quadriga.bots.evaluator import Choices
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.envs.table import Observation, Table, require_list


class SeatEnv(gymnasium.Env[Observation, Any]):
    """A seat of a race whose other seats are bots, named by level (or `module:factory`), in the order of the table.

    Without a seat of its own the learner gets another in every race, so that it learns to play from all of them.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(
        self,
        game: str | Game,
        rivals: Sequence[str] = ("greedy",),
        seat: int | None = None,
        options: Mapping[str, object] | None = None,
        reward: str = "places",
        render_mode: str | None = "ansi",
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise InvalidOption(f"there is no render mode {render_mode!r}; there is ansi")
        require_list(rivals)
        self.render_mode = render_mode
        self.table = Table(game, len(rivals) + 1, options, reward)
        if seat is not None and seat not in range(self.table.seats):
            raise InvalidOption(f"there is no seat {seat}; there are {self.table.seats}, from 0")
        self.makers = [find_maker(rival) for rival in rivals]
        warn_of_stand_in(rivals, self.table.game)
        self._own_seat, self.seat = seat, 0
        self.bots: dict[int, Bot] = {}
        self.action_space: Any = self.table.action_space()
        self.observation_space: Any = self.table.observation_space()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new race, as far as the learner's first choice; the same one for the same seed."""
        super().reset(seed=seed)
        self.seat = int(self.np_random.integers(self.table.seats)) if self._own_seat is None else self._own_seat
        others = [seat for seat in range(self.table.seats) if seat != self.seat]
        self.bots = {
            seat: make(self.table.game, int(self.np_random.integers(1 << 31)))
            for seat, make in zip(others, self.makers, strict=True)
        }
        self.table.reset(int(self.np_random.integers(1 << 62)))
        self._let_rivals_choose()
        return self.table.observe(self.seat), {"seat": self.seat}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """An id of the learner, then whatever bots choose before it is asked again."""
        offered = self.table.step(int(action))
        self._let_rivals_choose()
        over, info = self.table.is_over, {"seat": self.seat}
        if over:
            info |= {"place": int(self.table.env.places[0, self.seat]), "forfeit": not offered}
        return self.table.observe(self.seat), self.table.rewards()[self.seat], over, False, info

    def action_masks(self) -> Any:
        """The mask alone, as some learners ask for it."""
        return self.table.observe(self.seat)["action_mask"].astype(bool)

    def _let_rivals_choose(self) -> None:
        """Rivals choose until the learner is asked or the race is over; nobody knows of another's choice."""
        while not self.table.is_over:
            owing = [seat for seat in self.bots if self.table.owes(seat)]
            if not owing:
                break
            for seat in owing:
                self.table.give(seat, self._choice(seat))
            self.table.go_on()

    def _choice(self, seat: int) -> int:
        game, race = self.table.game, self.table.race
        codes = game.legal_codes(race, seat)
        return self.bots[seat].choose(game.view(race, seat), seat, Choices(game, codes)).pack()

    def render(self) -> str:
        """The board as text."""
        return self.table.draw()
