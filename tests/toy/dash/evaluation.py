"""Dash as bots see it: the way gone counts, and lying down costs a turn."""

from typing import Annotated, Any

from dash.actions import DO_GO, GO_PACE
from dash.components import FACES, Tables
from dash.state import SQUARES, Log, Race
from quadriga.bots.evaluation import Evaluation
from quadriga.core.fields import I16, Fields
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, part

SPACE = 100


class Workspace(Fields):
    """What the die is worth."""

    mean_steps: Annotated[I16, "squares that the die gives on average, in hundredths"]


def prepare(tables: Any, work: Any) -> None:
    """Compute the mean of the die."""
    work.mean_steps = int(tables.steps.sum()) * SPACE // FACES


@kernel
def score(
    race: Race, tables: Tables, work: Workspace, seat: int, level: int, codes: Log, n: int, scores: Log, scratch: Log
) -> None:
    """The faster the better."""
    for i in range(n):
        runs = kind_of(codes[i]) == DO_GO
        scores[i] = part(codes[i], GO_PACE) * SPACE + int(work.mean_steps) if runs else 0


@kernel
def evaluate(race: Race, tables: Tables, work: Workspace, seat: int) -> int:
    """The way gone, less a turn for one who is down."""
    way = int(race.lap[seat]) * SQUARES + int(race.square[seat])
    return way * SPACE - int(race.down[seat]) * (2 * SPACE + int(work.mean_steps))


@kernel
def elapsed(race: Race) -> int:
    """Rounds run."""
    return int(race.rounds)


EVALUATION = Evaluation(
    race=Race,
    workspace=Workspace,
    prepare=prepare,
    score=score,
    evaluate=evaluate,
    elapsed=elapsed,
    horizon=4,
    noise=50,
    winning_lead=600,
    search_width=3,
    prior_weight=1,
    novice_choices=1,
)
