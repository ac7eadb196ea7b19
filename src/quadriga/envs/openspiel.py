"""The games as OpenSpiel's own: `pyspiel.load_game("python_quadriga_chariots(players=4)")` after importing this.

Seats that choose at the same time are seen in sequence, id by id. When all have chosen there are two chance nodes with
256 outcomes each. The 65,536 pairs are keys of random streams, by which dice are rolled and cards drawn: a state
follows from its history alone. What a seat does not see is dealt anew by `resample_from_infostate`, which is the
rules' own `imagine`.
"""

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from quadriga import games
from quadriga.core.chain import MOST_IDS
from quadriga.core.fields import NONE
from quadriga.core.messages import new_log
from quadriga.core.streams import new_stream, stream_key
from quadriga.envs.learnable import learnable, learnable_games
from quadriga.envs.stepping import PLACES, clear, encode_choice, next_asked, reward

LONGEST = 100_000
"""Ids and chance nodes that no race exceeds."""
OUTCOMES, DRAWS = 256, 2
"""Outcomes of a chance node, and chance nodes before a step of the race."""
DIGEST = 12
"""Bytes that tell information states apart."""
PREFIX = "python_quadriga_"


def load(game: str, players: int, options: Mapping[str, object] | None = None, seed: int | None = None) -> "RaceGame":
    """A game of OpenSpiel, with the options of the game and the seed of its chance."""
    meta = games.meta(game)
    params = {"players": players, "seed": seed or 0, **meta.settle(players, options or {})}
    found: RaceGame = pyspiel.load_game(PREFIX + meta.name, params)
    return found


class RaceGame(pyspiel.Game):
    """A game with a number of players and options."""

    name: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        chosen = {"players": games.meta(self.name).seats[0], "seed": 0, **(params or {})}
        self.game, self.seats = games.load(self.name), int(chosen["players"])
        self.learnable = learnable(self.game)
        known = {option.name: option for option in self.game.meta.options}
        options = {
            option: chosen[option] for option in known.keys() & chosen.keys() if known[option].applies(self.seats)
        }
        self.start = self.game.definition.race.blanks(1)
        self.start[0].seats = self.seats
        for option, number in self.game.meta.numbers(self.game.meta.settle(self.seats, options)).items():
            setattr(self.start[0], option, number)
        self.seed = int(chosen["seed"])
        self.out = np.empty(self.game.definition.most_choices, np.int64)
        self.scratch = np.empty(self.game.definition.scratch, np.int64)
        self.log = new_log(0)
        super().__init__(TYPES[self.name], self._info(), dict(params or {}))

    def _info(self) -> Any:
        return pyspiel.GameInfo(
            num_distinct_actions=self.learnable.id_count,
            max_chance_outcomes=OUTCOMES,
            num_players=self.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )

    def new_initial_state(self) -> "RaceState":
        """A race before its set-up, which is a chance node."""
        return RaceState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "RaceObserver":
        """What a player observes; with perfect recall, all it has seen."""
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return RaceObserver(self, recall)


def _digest(before: str, view: Any) -> str:
    """Some digits for all that a seat has seen."""
    return hashlib.blake2b(before.encode() + view.tobytes(), digest_size=DIGEST).hexdigest()


class RaceState(pyspiel.State):
    """A race, and what its seats have chosen of their choices."""

    def __init__(self, game: RaceGame) -> None:
        super().__init__(game)
        self.races = game.start.copy()
        self.chains, self.trails = np.zeros((2, game.seats), np.int64)
        self.seen = [""] * game.seats
        self.player = int(pyspiel.PlayerId.CHANCE)
        self.drawn: list[int] = []
        """Outcomes of the chance nodes before the next step."""
        self.path = f"openspiel {game.seed}"
        """What chance has brought so far, as the text of a key."""
        self.begun = False

    # ------------------------------------------------------------ what OpenSpiel asks for

    def current_player(self) -> int:
        """Who chooses an id now."""
        return self.player

    def _legal_actions(self, player: int) -> list[int]:
        offered, count = self._links(player), self.get_game().learnable.id_count
        return [number for number in range(count) if offered >> number & 1]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Half of the key by which dice are rolled and cards drawn."""
        return [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]

    def _apply_action(self, action: int) -> None:
        if self.player == pyspiel.PlayerId.CHANCE:
            self.drawn.append(action)
            if len(self.drawn) < DRAWS:
                return
            self._roll()
        else:
            self._choose(self.player, action)
        self.player = self._next_player()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"draw {action}"
        return self.get_game().learnable.chain.id_names[action]

    def is_terminal(self) -> bool:
        """Whether the race is over."""
        return bool(self.player == pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Rivals beaten less those that have beaten one, as a share; 0 before the end."""
        game, places = self.get_game().game, np.zeros(len(self.chains), np.int64)
        out = np.zeros(len(self.chains), np.float32)
        if self.is_terminal():
            game.kernels.standings(self.races[0], game.tables, places)
            reward(True, places, PLACES, out)
        return [float(number) for number in out]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "RaceState":
        """A race that could lie behind what a player has seen, with choices of rivals that could have been made."""
        resampled, game = self.clone(), self.get_game().game
        resampled.path = f"imagined {sampler()} {sampler()}"
        race = game.imagine(game.view(self.races[0], player), new_stream(stream_key(resampled.path.encode()), 0))
        resampled.races[0] = race
        for seat in range(len(self.chains)):
            if seat != player:
                resampled.seen[seat] = _digest("imagined", game.view(race, seat))
                if self.chains[seat] != 0:
                    codes = game.legal_codes(race, seat)
                    resampled.chains[seat] = codes[min(int(sampler() * len(codes)), len(codes) - 1)]
        return resampled

    def __str__(self) -> str:
        game = self.get_game().game
        if not self.begun:
            return f"before the set-up, drawn: {self.drawn}"
        chosen = [[i for i in range(MOST_IDS) if int(trail) >> i & 1] for trail in self.trails]
        return f"{game.draw(game.view(self.races[0], None))}\nchosen: {chosen}, drawn: {self.drawn}"

    # ------------------------------------------------------------ how it goes on

    def _links(self, seat: int) -> int:
        parent = self.get_game()
        tables, chain = parent.game.tables, int(self.chains[seat])
        return int(parent.learnable.chain.links(self.races[0], tables, seat, chain, parent.out, parent.scratch))

    def _choose(self, seat: int, choice: int) -> None:
        parent = self.get_game()
        tables, chain = parent.game.tables, int(self.chains[seat])
        link = parent.learnable.chain.link
        self.chains[seat] = link(self.races[0], tables, seat, chain, choice, parent.out, parent.scratch)
        self.trails[seat] |= 1 << choice

    def _roll(self) -> None:
        """Set the race up, or play what all have chosen."""
        parent, race = self.get_game(), self.races[0]
        game, chosen = parent.game, self.chains.copy()
        self.path = hashlib.blake2b(f"{self.path} {self.drawn}".encode(), digest_size=DIGEST).hexdigest()
        stream, self.drawn = new_stream(stream_key(self.path.encode()), 0), []
        if self.begun:
            game.kernels.apply(race, game.tables, self.chains, stream, parent.log, parent.scratch)
        else:
            game.kernels.setup(race, game.tables, stream, parent.log, parent.scratch)
        self.begun = True
        clear(self.chains, self.trails)
        for seat, before in enumerate(self.seen):
            self.seen[seat] = _digest(f"{before} {chosen[seat]}", game.view(race, seat))

    def _next_player(self) -> int:
        if self.get_game().game.kernels.owing(self.races[0]) == 0:
            return int(pyspiel.PlayerId.TERMINAL)
        seat = int(next_asked(self.races[0], self.chains))
        return int(pyspiel.PlayerId.CHANCE) if seat == NONE else seat


class RaceObserver:
    """What a player observes: the numbers of the other environments, and as text the board or all it has seen.

    With perfect recall the bits of a digest of all it has seen and chosen follow.
    """

    def __init__(self, game: RaceGame, recall: bool) -> None:
        self.recall, count = recall, game.learnable.observation_count
        self.tensor: NDArray[np.float32] = np.zeros(count + (8 * DIGEST if recall else 0), np.float32)
        self.dict = {"observation": self.tensor[:count]} | ({"history": self.tensor[count:]} if recall else {})

    def set_from(self, state: RaceState, player: int) -> None:
        """Write the numbers of a state."""
        parent = state.get_game()
        self.tensor[:] = 0
        if state.begun:
            count = parent.learnable.observation.encode(
                parent.game.view(state.races[0], player), parent.game.tables, self.tensor
            )
            chain, trail = int(state.chains[player]), int(state.trails[player])
            encode_choice(self.tensor, count, chain, trail, parent.learnable.id_count)
        if self.recall:
            digest = hashlib.blake2b(self.string_from(state, player).encode(), digest_size=DIGEST).digest()
            self.dict["history"][:] = np.unpackbits(np.frombuffer(digest, np.uint8))

    def string_from(self, state: RaceState, player: int) -> str:
        """The board as text; with perfect recall, a digest of all views and choices."""
        parent = state.get_game()
        if not state.begun:
            return "before the set-up"
        names = [name for i, name in enumerate(parent.learnable.chain.id_names) if int(state.trails[player]) >> i & 1]
        chosen = f"seat {player}, chosen: {', '.join(names) or 'nothing'}"
        if self.recall:
            return f"{state.seen[player]} {state.chains[player]} {chosen}"
        return f"{parent.game.draw(parent.game.view(state.races[0], player))}\n{chosen}"


def _game_type(name: str) -> Any:
    meta = games.meta(name)
    return pyspiel.GameType(
        short_name=PREFIX + name,
        long_name=f"{meta.title} (Quadriga)",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=meta.seats[-1],
        min_num_players=meta.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": meta.seats[0], "seed": 0}
        | {option.name: option.default for option in meta.options},
    )


# OpenSpiel holds what is registered until the very end, and only a class outlives the interpreter's own end.
KINDS = {
    name: type(games.meta(name).title.replace(" ", "") + "Game", (RaceGame,), {"name": name})
    for name in learnable_games()
}
TYPES = {name: _game_type(name) for name in KINDS}
for _name, _kind in KINDS.items():
    pyspiel.register_game(TYPES[_name], _kind)
