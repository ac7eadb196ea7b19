"""Advice for a seat from its view alone: while a race runs, nothing else may be known."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from quadriga.analysis.depth import Depth, find_depth
from quadriga.analysis.estimator import Estimator
from quadriga.analysis.grading import Question, weigh
from quadriga.analysis.reasons import find_reasons
from quadriga.analysis.results import Candidate, Chances, Grade, Reason
from quadriga.bots.network import CHANCE
from quadriga.core.errors import NotYourTurn
from quadriga.core.game import Game
from quadriga.core.match import Left
from quadriga.core.streams import new_stream


@dataclass(frozen=True)
class Advice:
    """What playouts from a seat's view say of its choices."""

    seat: int
    """Whose choice it is."""
    candidates: tuple[Candidate, ...]
    """The best choices, the best first, with the one asked about among them."""
    choice: str | None
    """The choice that was asked about, if one was."""
    cost: float
    """What that choice costs in chance to win; 0 where none better was found."""
    error: float
    """The standard error of the cost."""
    grade: Grade
    """The grade of that choice."""
    reasons: tuple[Reason, ...]
    """Why the best is better: than the choice asked about, or else than the second best."""

    @property
    def best(self) -> Candidate:
        """The best choice that was found."""
        return self.candidates[0]


IMAGINED = 24
"""Races that are imagined behind a view to evaluate it."""


def evaluate_view(game: Game, view: Any, seed: int = 0, left: tuple[Left, ...] = ()) -> Chances:
    """The chance of each place for each seat, as far as a view tells: of a seat, or of a spectator."""
    estimator = Estimator(game, seed)
    stream = new_stream(estimator.evaluator.key, 1)
    states = [game.imagine(view, stream) for _ in range(IMAGINED)]
    total = sum(estimator.judge(state, left, 1) for state in states)
    return tuple(tuple(int(chance) / IMAGINED / CHANCE for chance in row) for row in np.asarray(total))


def advise_view(
    game: Game,
    view: Any,
    seat: int,
    depth: str | Depth = "quick",
    seed: int = 0,
    choice: str | None = None,
    left: tuple[Left, ...] = (),
) -> Advice:
    """Weigh the choices of a seat by its view; with a choice, say what it costs. The view is all that is known."""
    numbers, estimator = find_depth(depth), Estimator(game, seed)
    state = game.imagine(view, new_stream(estimator.evaluator.key, 0))
    codes = game.legal_codes(state, seat)
    if not len(codes):
        raise NotYourTurn(f"seat {seat} owes no choice now")
    asked = None
    if choice is not None:
        action = game.parse(choice)
        game.require_one(state, seat, action)
        asked = action.pack()
    question = Question(view, seat, codes, left, f"advice {seat}")
    verdict = weigh(estimator, question, numbers, asked)
    other = asked if asked is not None else next(iter(verdict.codes[1:]), None)
    reasons: tuple[Reason, ...] = ()
    if other is not None and other != verdict.codes[0]:
        reasons = find_reasons(estimator, question, (verdict.codes[0], other), numbers.batch)
    said = None if asked is None else game.describe(game.unpack(asked))
    return Advice(seat, verdict.candidates, said, verdict.cost, verdict.error, verdict.grade, reasons)
