"""Answers to choices in an exercise. Nothing is kept: an exercise and the choices made so far give the position."""

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from quadriga.bots import LEVELS
from quadriga.core import codec
from quadriga.core.exercise import Attempt
from quadriga.core.scenario import Scenario
from quadriga.server.errors import Refused
from quadriga.server.output import views
from quadriga.server.output.exercises import make_choice, stage, try_action
from quadriga.server.tables.commands import AnyAction
from quadriga.server.tables.table import read_action

Json = dict[str, Any]
MOST_CHOICES = 100
"""Choices of a learner in one exercise."""
RIVAL = next(iter(LEVELS))
"""As which level rivals in a lesson are shown: those of the first race after it."""


class ExerciseChoice(Struct, forbid_unknown_fields=True):
    """A choice in an exercise, and all right ones before it."""

    action: AnyAction
    choices: Annotated[list[AnyAction], Meta(max_length=MOST_CHOICES)] = []


def begin(scenario: Scenario, table: str) -> Json:
    """The exercise as it begins: its table, its texts, the position with the learner's choices, what is asked."""
    attempt = Attempt(scenario)
    exercise = attempt.exercise
    return {
        "table": views.practice_table(attempt, table, RIVAL),
        "title": exercise.title,
        "intro": exercise.intro,
        "end": exercise.end,
        "rules": scenario.rules,
    } | stage(attempt, table, -1)


def answer(scenario: Scenario, table: str, given: ExerciseChoice) -> Json:
    """Judge a choice. A right one brings the position after it, with the steps that led there."""
    attempt = resume(scenario, given.choices)
    before, action = attempt.seq, read_action(attempt.game, given.action)
    solution = None if attempt.is_done else attempt.solution
    verdict = make_choice(attempt, action)
    if verdict.is_right:
        return {"right": True, "say": verdict.say} | stage(attempt, table, before)
    assert solution is not None
    return {"right": False, "say": verdict.say, "solution": codec.message_to_json(solution, attempt.game.names)}


def try_choice(scenario: Scenario, given: ExerciseChoice) -> Json:
    """Whether the rules would allow a choice, judged by what the learner can see."""
    attempt = resume(scenario, given.choices)
    if attempt.is_done:
        raise Refused("not_your_turn")
    return try_action(attempt, given.action)


def resume(scenario: Scenario, choices: Sequence[AnyAction]) -> Attempt:
    """The exercise after right choices; refused if one is not."""
    attempt = Attempt(scenario)
    for choice in choices:
        if not attempt.answer(read_action(attempt.game, choice)).is_right:
            raise Refused("late", seq=attempt.seq)
    return attempt
