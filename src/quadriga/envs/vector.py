"""Many races at once, stepped in one compiled call."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from quadriga import games
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.core.messages import new_log
from quadriga.core.observation import Floats
from quadriga.core.streams import Stream, new_stream, stream_key
from quadriga.envs.learnable import learnable
from quadriga.envs.stepping import Asking, any_ids, reward_kind, step_races


@dataclass(frozen=True)
class Arrays:
    """What is written at every step, a row for each race. Yours, if you hand them in: nothing is copied."""

    observations: Floats
    """What the seat that is asked observes."""
    masks: NDArray[np.int8]
    """1 for each id that it may choose."""
    rewards: Floats
    """A number for each seat: 0 until the race is over."""
    over: NDArray[np.bool_]
    """Whether the step ended the race."""

    @classmethod
    def blank(cls, game: Game, races: int, seats: int) -> Self:
        """Arrays of the right sizes."""
        found = learnable(game)
        return cls(
            np.zeros((races, found.observation_count), np.float32),
            np.zeros((races, found.id_count), np.int8),
            np.zeros((races, seats), np.float32),
            np.zeros(races, np.bool_),
        )

    def require_like(self, other: "Arrays") -> None:
        """Raise InvalidOption unless all arrays could stand in for another's."""
        for name, model in vars(other).items():
            array = getattr(self, name)
            if (array.shape, array.dtype) != (model.shape, model.dtype) or not array.flags.c_contiguous:
                raise InvalidOption(f"{name} must be a contiguous array of {model.dtype}, {model.shape}")


def require_races(races: int) -> None:
    """Raise InvalidOption unless there is a race to step."""
    if races < 1:
        raise InvalidOption(f"there must be a race at least, not {races}")


def fresh_askings(races: int, key: NDArray[np.uint32]) -> NDArray[Any]:
    """What is kept beside so many races before they begin, each with a key of its own."""
    askings = Asking.blanks(races)
    askings["key"] = key
    askings["key"][:, 6] = np.arange(races)
    askings["key"][:, 7] = 0
    return askings


class VectorEnv:
    """Races of one game, number of seats and set of options, each of which asks one seat for an id at every step.

    Rows are races. `asked` says which seat a race asks; its observation and mask are in `arrays`, and so are the
    rewards of the last step. Races that are over begin again at once, unless `again` is False.
    """

    def __init__(
        self,
        game: str | Game,
        races: int,
        seats: int,
        options: Mapping[str, object] | None = None,
        seed: int = 0,
        again: bool = True,
        arrays: Arrays | None = None,
        reward: str = "places",
    ) -> None:
        require_races(races)
        self.game = games.load(game) if isinstance(game, str) else game
        definition, self.learnable = self.game.definition, learnable(self.game)
        self.start = definition.race.blanks(1)
        self.start[0].seats = seats
        for name, number in self.game.meta.numbers(self.game.meta.settle(seats, options or {})).items():
            setattr(self.start[0], name, number)
        model = Arrays.blank(self.game, races, seats)
        self.arrays = arrays or model
        self.arrays.require_like(model)
        self.seats, self.again, self.seed, self._resets = seats, again, seed, 0
        self.rewarding = reward_kind(reward)
        self.races, self.askings = definition.race.blanks(races), Asking.blanks(races)
        self.chains, self.trails = np.zeros((2, races, seats), np.int64)
        self.places = np.zeros((races, seats), np.int64)
        self.asked: NDArray[np.int64] = self.askings["asked"]
        self.ids = np.zeros(races, np.int64)
        self.views = definition.view.blanks(1)
        self.stream, self._chooser = Stream.blank(), Stream.blank()
        self.log = new_log(0)
        self.out = np.empty(definition.most_choices, np.int64)
        self.scratch = np.empty(definition.scratch, np.int64)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> Arrays:
        """Begin every race anew: the same races for the same seed, without one others at every call."""
        self._resets = self._resets + 1 if seed is None else 0
        self.seed = self.seed if seed is None else seed
        key = stream_key(f"{self.seed} {self._resets}".encode())
        self._chooser = new_stream(key, 0)
        self.askings[:] = fresh_askings(len(self.races), key)
        self.places[:] = 0
        return self._step(fresh=True)

    def step(self, ids: ArrayLike) -> Arrays:
        """Give every race the id that its seat chooses; one that is not offered forfeits the race."""
        self.ids[:] = ids
        return self._step(fresh=False)

    def _step(self, fresh: bool) -> Arrays:
        a = self.arrays
        step_races(
            self.races, self.start, self.game.tables, self.askings, self.chains, self.trails, self.places, self.ids,
            fresh, self.again, self.rewarding, self.stream, self.views, self.log, self.out, self.scratch,
            a.observations, a.masks, a.rewards, a.over,
        )  # fmt: skip
        return a

    def random_ids(self) -> NDArray[np.int64]:
        """An id for every race, each that is offered as likely as any other."""
        any_ids(self.askings, self._chooser, self.ids)
        return self.ids

    def view(self, race: int, seat: int | None) -> Any:
        """What a seat (None: a spectator) sees of a race."""
        return self.game.view(self.races[race], seat)
