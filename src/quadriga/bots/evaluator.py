"""How bots evaluate a view: a race that could lie behind it, the scores of choices, and lists of choices as codes."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from quadriga.bots.evaluation import MOST_PARTS, Evaluation, score
from quadriga.bots.network import Network
from quadriga.bots.playouts import complete_choice, pick
from quadriga.bots.policy import score_choices
from quadriga.core.discovery import plug_in
from quadriga.core.errors import InvalidOption
from quadriga.core.game import Game
from quadriga.core.messages import Action, new_log
from quadriga.core.streams import new_stream, stream_key

Codes = NDArray[np.int64]

ROOM = 256
"""Scratch that evaluations may use beyond what the rules need."""


def evaluation_of(game: Game) -> Evaluation:
    """The evaluation of a game, or InvalidOption."""
    module = plug_in(game.definition.package, "evaluation")
    if module is None:
        raise InvalidOption(f"{game.meta.title} has no evaluation for bots; wanderer plays every game")
    found: Evaluation = module.EVALUATION
    return found


@cache
def prepared(game: Game) -> Any:
    """The workspace of a game's edition."""
    evaluation = evaluation_of(game)
    work = evaluation.workspace.blank()
    evaluation.prepare(game.tables, work)
    return work


class Evaluator:
    """Evaluates views of one game; owns the memory that takes."""

    def __init__(self, game: Game, seed: int) -> None:
        definition = game.definition
        self.game, self.tables, self.evaluation = game, game.tables, evaluation_of(game)
        self.work: Any = prepared(game).copy()
        self.key = stream_key((seed % (1 << 128)).to_bytes(32, "little"))
        self.stream = new_stream(self.key, 0)
        self.races, self.views = definition.race.blanks(3), definition.view.blanks(2)
        self.out = np.zeros(definition.most_choices, np.int64)
        self.scores = np.zeros(definition.most_choices, np.int64)
        self.scratch = np.zeros(definition.scratch + ROOM, np.int64)
        self.log = new_log(0)

    def score(self, view: Any, seat: int, codes: Codes, level: int) -> Codes:
        """What each choice is worth at a level; what the view hides plays no part."""
        race = self.game.imagine(view, self.stream)
        score(race, self.tables, self.work, seat, level, codes, len(codes), self.scores, self.scratch)
        return self.scores[: len(codes)]

    def score_by_policy(self, view: Any, seat: int, codes: Codes, policy: Network) -> Codes:
        """The policy's score of each choice."""
        race, found = self.game.imagine(view, self.stream), np.zeros(MOST_PARTS, np.int64)
        score_choices(view, race, self.tables, seat, codes, policy, found, self.scores)
        return self.scores[: len(codes)]

    def pick(self, view: Any, seat: int, codes: Codes, level: int, noise: int) -> int:
        """The index of the choice worth most at a level."""
        race = self.game.imagine(view, self.stream)
        return pick(
            race, self.tables, self.work, seat, level, codes, len(codes), noise, self.stream, self.scores, self.scratch
        )

    def complete_choice(self, view: Any, seat: int, action: Action) -> Action:
        """A choice with the part that its list leaves out, such as Charioteer's discards."""
        race = self.game.imagine(view, self.stream)
        code = complete_choice(race, self.tables, self.work, seat, action.pack(), self.scratch)
        return action if code == action.pack() else self.game.unpack(code)

    def sample_choices(self, view: Any, seat: int, codes: Codes) -> list[int]:
        """A few choices as random play comes upon them."""
        race = self.game.imagine(view, self.stream)
        pick_random = self.game.kernels.pick_random
        return [
            int(pick_random(race, self.tables, seat, codes, len(codes), self.stream))
            for _ in range(self.evaluation.novice_choices)
        ]


class Choices(Sequence[Action]):
    """A list of choices by their codes: each becomes an action when somebody looks at it."""

    def __init__(self, game: Game, codes: Codes) -> None:
        self.game, self.codes = game, codes

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, index: int) -> Action: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Action]: ...

    def __getitem__(self, index: int | slice) -> Action | Sequence[Action]:
        if isinstance(index, slice):
            return Choices(self.game, self.codes[index])
        return self.game.unpack(int(self.codes[index]))

    def __iter__(self) -> Iterator[Action]:
        return (self.game.unpack(int(code)) for code in self.codes)


def packed(choices: Sequence[Action]) -> Codes:
    """The codes of choices."""
    if isinstance(choices, Choices):
        return choices.codes
    return np.array([action.pack() for action in choices], np.int64)
