"""Analysis of races, and advice from a view."""

import os
from typing import TYPE_CHECKING

from rich.progress import Progress

from quadriga.analysis.advice import Advice, advise_view
from quadriga.analysis.analyse import analyse_match
from quadriga.analysis.results import (
    Account,
    Analysis,
    Candidate,
    ChanceEvent,
    Decision,
    Grade,
    Position,
    Reason,
)
from quadriga.api.views import View, game_of_view, record_of_view
from quadriga.core.errors import InvalidOption

if TYPE_CHECKING:
    from quadriga.api.race import Race

__all__ = [
    "Account",
    "Advice",
    "Analysis",
    "Candidate",
    "ChanceEvent",
    "Decision",
    "Grade",
    "Position",
    "Reason",
    "advise",
    "analyse",
]


def analyse(
    race: "Race", depth: str = "standard", seed: int = 0, threads: int | None = None, progress: bool = False
) -> Analysis:
    """Analyse a race that is over: chances, grades, luck and skill.

    `depth` is `quick`, `standard` or `deep`. The same race, depth and seed give the same analysis.
    """
    match, is_dealt = race._match, race._has_record
    count = threads or os.cpu_count() or 1
    with Progress(transient=True, disable=not progress) as bar:
        task = bar.add_task("analysing", total=None)
        return analyse_match(
            match, depth, seed, count, lambda done, total: bar.update(task, completed=done, total=total), is_dealt
        )


def advise(view: View, choice: str | None = None, depth: str = "quick", seed: int = 0) -> Advice:
    """Weigh the choices of a seat by its view alone; with a choice, say what that one costs."""
    if view.seat is None:
        raise InvalidOption("advice is for a seat: give the view of one")
    return advise_view(game_of_view(view), record_of_view(view), view.seat, depth, seed, choice)
