"""PettingZoo, all seats at a time: for games in which seats choose at the same time.

Every seat chooses an id at every step; one that owes no choice, or has finished it, can only wait.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.envs.table import Observation, Table

Step = tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class RaceParallel(ParallelEnv[str, Observation, int]):
    """A race in which all seats choose an id at every step; the last id is to wait."""

    def __init__(
        self, game: str | Game, seats: int, options: Mapping[str, object] | None = None, reward: str = "places"
    ) -> None:
        self.table = Table(game, seats, options, reward)
        meta = self.table.game.meta
        if not meta.simultaneous:
            raise InvalidOption(f"in {meta.title} one seat chooses at a time: use aec_env")
        self.metadata = {"name": f"quadriga_{meta.name}", "render_modes": ["ansi"]}
        self.render_mode = "ansi"
        self.wait = self.table.learnable.id_count
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: self.table.action_space(1) for agent in self.possible_agents}
        self.observation_spaces = {agent: self.table.observation_space(1) for agent in self.possible_agents}

    def action_space(self, agent: str) -> spaces.Discrete:
        """The ids of the game, and to wait."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        """Observation and mask."""
        return self.observation_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """A new race; the same one for the same seed."""
        self.table.reset(seed)
        self.agents = self.possible_agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, int]) -> Step:
        """An id of every seat. One that is not offered forfeits the race."""
        offered = {agent: self._offered(self._seat_of[agent]) for agent in self.agents}
        wrong = [agent for agent in self.agents if not offered[agent] >> int(actions[agent]) & 1]
        ended = self._forfeit(wrong[0]) if wrong else self._choose(actions)
        return self._told(self.agents, ended, wrong[:1])

    def _told(self, agents: list[str], ended: bool, wrong: list[str]) -> Step:
        seats = {agent: self._seat_of[agent] for agent in agents}
        rewards = dict(zip(agents, self.table.rewards() if ended else [0.0] * len(agents), strict=True))
        places = self.table.env.places[0]
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in agents}
        if ended:
            infos = {agent: {"place": int(places[seats[agent]]), "forfeit": agent in wrong} for agent in agents}
        told = self._observations(), rewards, dict.fromkeys(agents, ended), dict.fromkeys(agents, False), infos
        self.agents = [] if ended else agents
        return told

    def _choose(self, actions: dict[str, int]) -> bool:
        """Add the ids of all to what they have chosen; whether that ended the race."""
        for agent, action in actions.items():
            if int(action) != self.wait:
                self.table.link(self._seat_of[agent], int(action))
        self.table.go_on()
        return self.table.is_over

    def _forfeit(self, agent: str) -> bool:
        self.table.forfeit(self._seat_of[agent])
        return True

    def _offered(self, seat: int) -> int:
        return self.table.links(seat) or 1 << self.wait

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._observe(self._seat_of[agent]) for agent in self.agents}

    def _observe(self, seat: int) -> Observation:
        offered = self._offered(seat)
        mask = np.array([offered >> number & 1 for number in range(self.wait + 1)], np.int8)
        return {"observation": self.table.look(seat), "action_mask": mask}

    def render(self) -> str:
        """The board as text."""
        return self.table.draw()

    def close(self) -> None:
        """Nothing is held open."""
