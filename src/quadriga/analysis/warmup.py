"""Compile what analysis needs, by analysing the shortest of views."""

from collections.abc import Callable, Iterator
from functools import partial

from quadriga.analysis.depth import Depth
from quadriga.analysis.estimator import Estimator
from quadriga.analysis.grading import Question, weigh
from quadriga.analysis.reasons import find_reasons
from quadriga.core.game import Game
from quadriga.core.streams import new_stream, stream_key

SHALLOW = Depth(first=1, second=1, batch=1, batches=1, outcomes=1, stretch=1)


def analysis_steps(game: Game) -> Iterator[tuple[str, Callable[[], object]]]:
    """What is to be compiled."""
    yield "analysis", partial(analyse_start, game)


def analyse_start(game: Game) -> None:
    """The first choice of a race, thought over as little as can be."""
    state = game.setup(game.meta.seats[0], {}, new_stream(stream_key(bytes(32)), 0)).state
    seat, estimator = game.to_act(state)[0], Estimator(game, 0)
    codes = game.legal_codes(state, seat)
    question = Question(game.view(state, seat), seat, codes, (), "warm-up")
    weigh(estimator, question, SHALLOW, int(codes[0]))
    find_reasons(estimator, question, (int(codes[0]), int(codes[-1])), 1)
    estimator.judge(state, (), 1)
    choices = {each: [int(game.legal_codes(state, each)[0])] for each in game.to_act(state)}
    estimator.judge_outcomes(state, (), choices, 1, state, 1, "warm-up")
    estimator.judge_setups(int(state.seats), game.meta.settle(int(state.seats), {}), 1, "warm-up")
