"""One race for environments in Python: what a seat observes, and the ids it is offered."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from quadriga.core.chain import is_finished
from quadriga.core.errors import InvalidOption
from quadriga.core.fields import NONE
from quadriga.core.game import Game
from quadriga.envs.stepping import clear, encode_choice, forfeit, next_asked, open_step, reward
from quadriga.envs.vector import VectorEnv

Observation = dict[str, NDArray[Any]]


def require_list(rivals: Sequence[str]) -> None:
    """Raise InvalidOption for a name in place of a list of names: a text is a sequence of letters."""
    if isinstance(rivals, str):
        raise InvalidOption(f"rivals are a list of bots, such as [{rivals!r}], not the text {rivals!r}")


class Table:
    """One race, and the spaces of its environments."""

    def __init__(
        self, game: str | Game, seats: int, options: Mapping[str, object] | None = None, reward: str = "places"
    ) -> None:
        self.env = VectorEnv(game, 1, seats, options, seed=secrets.randbits(64), again=False, reward=reward)
        self.game, self.learnable, self.seats = self.env.game, self.env.learnable, seats
        self.race = self.env.races[0]

    def action_space(self, more: int = 0) -> spaces.Discrete:
        """The ids, and so many more."""
        return spaces.Discrete(self.learnable.id_count + more)

    def observation_space(self, more: int = 0) -> spaces.Dict:
        """Observation and mask."""
        size = (self.learnable.observation_count,)
        return spaces.Dict(
            {
                "observation": spaces.Box(-1.0, 1.0, size, np.float32),
                "action_mask": spaces.MultiBinary(self.learnable.id_count + more),
            }
        )

    @property
    def asked(self) -> int:
        """The seat that is asked for an id, -1 when the race is over."""
        return int(self.env.asked[0])

    @property
    def is_over(self) -> bool:
        return self.asked == NONE

    def reset(self, seed: int | None) -> None:
        """A new race: the same one for the same seed, without one any."""
        self.env.reset(seed)

    def step(self, choice: int) -> bool:
        """One id for the seat that is asked; whether it was offered."""
        offered = 0 <= choice < self.learnable.id_count and bool(self.env.arrays.masks[0, choice])
        self.env.step(choice)
        return offered

    def observe(self, seat: int) -> Observation:
        """What a seat observes; its mask is empty while another is asked."""
        if seat == self.asked:
            arrays = self.env.arrays
            return {"observation": arrays.observations[0].copy(), "action_mask": arrays.masks[0].copy()}
        return {"observation": self.look(seat), "action_mask": np.zeros(self.learnable.id_count, np.int8)}

    def look(self, seat: int) -> NDArray[np.float32]:
        """The observation of any seat."""
        env, view = self.env, self.env.views[0]
        out = np.zeros(self.learnable.observation_count, np.float32)
        self.game.kernels.observe(self.race, self.game.tables, seat, view)
        count = self.learnable.observation.encode(view, self.game.tables, out)
        chain, trail = int(env.chains[0, seat]), int(env.trails[0, seat])
        encode_choice(out, count, chain, trail, self.learnable.id_count)
        return out

    def links(self, seat: int) -> int:
        """The ids that a seat may add to its own choice, a bit for each; 0 for one that owes none or has finished."""
        env, chain = self.env, int(self.env.chains[0, seat])
        if not self.owes(seat):
            return 0
        return int(self.learnable.chain.links(self.race, self.game.tables, seat, chain, env.out, env.scratch))

    def owes(self, seat: int) -> bool:
        """Whether a seat owes a choice and has not finished it."""
        return (
            not self.is_over
            and bool(self.game.kernels.owing(self.race) >> seat & 1)
            and not is_finished(int(self.env.chains[0, seat]))
        )

    def link(self, seat: int, choice: int) -> None:
        """Add an id that was offered to the choice of a seat, whoever is asked."""
        env, chain = self.env, int(self.env.chains[0, seat])
        tables, trails = self.game.tables, self.env.trails
        env.chains[0, seat] = self.learnable.chain.link(self.race, tables, seat, chain, choice, env.out, env.scratch)
        trails[0, seat] |= 1 << choice

    def give(self, seat: int, code: int) -> None:
        """The whole choice of a seat at once."""
        self.env.chains[0, seat] = code

    def go_on(self) -> None:
        """After `link` and `give`: play the choices if all are in, and ask the next seat."""
        env, asking = self.env, self.env.askings[0]
        if next_asked(self.race, env.chains[0]) == NONE:
            open_step(env.stream, asking)
            self.game.kernels.apply(self.race, self.game.tables, env.chains[0], env.stream, env.log, env.scratch)
            clear(env.chains[0], env.trails[0])
            if self.game.kernels.owing(self.race) == 0:
                self.game.kernels.standings(self.race, self.game.tables, env.places[0])
                self._end()
                return
        self._ask(next_asked(self.race, env.chains[0]))

    def forfeit(self, seat: int) -> None:
        """End the race: a seat chose what was not offered."""
        forfeit(self.env.places[0], seat)
        self._end()

    def _end(self) -> None:
        self.env.asked[0] = NONE
        reward(True, self.env.places[0], self.env.rewarding, self.env.arrays.rewards[0])

    def _ask(self, seat: int) -> None:
        env, count = self.env, self.learnable.id_count
        env.asked[0] = seat
        offered = env.askings["offered"][0] = self.links(seat)
        env.arrays.masks[0] = [offered >> number & 1 for number in range(count)]
        env.arrays.observations[0] = self.look(seat)

    def rewards(self) -> list[float]:
        """The rewards of the last step, by seat."""
        return [float(number) for number in self.env.arrays.rewards[0]]

    def draw(self) -> str:
        """The board as text, as everybody sees it."""
        return self.game.draw(self.game.view(self.race, None))
