"""PettingZoo, one seat after the other (AEC)."""

from collections.abc import Mapping
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv

from quadriga.core.fields import NONE
from quadriga.core.game import Game
from quadriga.envs.table import Observation, Table


class RaceAEC(AECEnv[str, Observation, int]):
    """A race in which the seat that is asked chooses an id; what others have chosen stays secret until all have."""

    def __init__(
        self, game: str | Game, seats: int, options: Mapping[str, object] | None = None, reward: str = "places"
    ) -> None:
        super().__init__()
        self.table = Table(game, seats, options, reward)
        self.metadata = {"name": f"quadriga_{self.table.game.meta.name}", "render_modes": ["ansi"]}
        self.render_mode = "ansi"
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.action_spaces = {agent: self.table.action_space() for agent in self.possible_agents}
        self.observation_spaces = {agent: self.table.observation_space() for agent in self.possible_agents}

    def action_space(self, agent: str) -> spaces.Discrete:
        """The ids of the game."""
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        """Observation and mask."""
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new race; the same one for the same seed."""
        self.table.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Observation:
        """What a seat observes; its mask is empty while another is asked."""
        return self.table.observe(self._seat_of[agent])

    def step(self, action: int | None) -> None:
        """The id of the seat that is asked; None takes a seat away after the race."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        offered = self.table.step(NONE if action is None else int(action))
        if self.table.is_over:
            self._end(agent, offered)
        else:
            self._select()

    def _end(self, agent: str, offered: bool) -> None:
        self.rewards = dict(zip(self.possible_agents, self.table.rewards(), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)
        for seat, other in enumerate(self.possible_agents):
            self.infos[other] = {
                "place": int(self.table.env.places[0, seat]),
                "forfeit": other == agent and not offered,
            }
        self._accumulate_rewards()
        self._deads_step_first()

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[self.table.asked]

    def render(self) -> str:
        """The board as text."""
        return self.table.draw()

    def close(self) -> None:
        """Nothing is held open."""
