"""What the server says of choices in an exercise, a lesson or a puzzle alike."""

from typing import Any

from quadriga.core import codec
from quadriga.core.exercise import Attempt, Verdict
from quadriga.core.game import AgainstTheRules
from quadriga.core.messages import Action
from quadriga.server.errors import Refused
from quadriga.server.output import views
from quadriga.server.tables.commands import AnyAction
from quadriga.server.tables.table import read_action

Json = dict[str, Any]


def make_choice(attempt: Attempt, action: Action) -> Verdict:
    """Whether a choice is right, which is then made; refused if it is against the rules."""
    try:
        return attempt.answer(action)
    except AgainstTheRules as error:
        words, names = attempt.game.words("en"), attempt.game.names
        refusal, cause = codec.message_to_json(error.refusal, names), words.message("refusals", error.refusal, names)
        raise Refused("refused", refusal, cause=cause) from None


def try_action(attempt: Attempt, given: AnyAction) -> Json:
    """Whether the rules would allow a choice, judged by what the learner can see."""
    game = attempt.game
    refusal = game.why_not(game.view(attempt.state, attempt.seat), attempt.seat, read_action(game, given))
    return {"allowed": refusal is None, "refusal": refusal and codec.message_to_json(refusal, game.names)}


def stage(attempt: Attempt, table: str, after: int) -> Json:
    """Where the exercise stands, and what is asked there."""
    return {
        "view": views.practice_view(attempt, table, after),
        "ask": attempt.ask and attempt.ask.say,
        "task": attempt.solved,
        "tasks": attempt.tasks,
    }
