"""Answers to choices in a puzzle. What is right leaves the server only after an answer."""

from typing import Any

from quadriga.core import codec
from quadriga.core.exercise import Attempt
from quadriga.core.messages import Action
from quadriga.puzzles.listing import listed_code
from quadriga.server.output import views
from quadriga.server.output.exercises import make_choice, stage
from quadriga.server.tables.commands import AnyAction
from quadriga.server.tables.table import read_action

Json = dict[str, Any]
RIVAL = "veteran"
"""As which level rivals are shown, and against which one plays on from a puzzle unless another is asked for."""


def begin(attempt: Attempt, table: str) -> Json:
    """The puzzle before an answer: table, position with the solver's choices, and what is asked."""
    exercise = attempt.exercise
    texts = {"title": exercise.title, "intro": exercise.intro, "end": exercise.end, "rules": attempt.scenario.rules}
    return {"table": views.practice_table(attempt, table, RIVAL)} | texts | stage(attempt, table, attempt.seq)


def judge(start: Attempt, table: str, given: AnyAction) -> Json:
    """Whether a choice is right. A right one brings the explanation and the position after it."""
    attempt = start.fork()
    action, before = read_action(attempt.game, given), attempt.seq
    chances = {"chance": _chance_of(attempt, action), "best": _percent(attempt.exercise.facts["chance"])}
    verdict = make_choice(attempt, action)
    found = {"right": verdict.is_right, "say": verdict.say} | chances
    return found | stage(attempt, table, before) | explain(start) if verdict.is_right else found


def explain(start: Attempt) -> Json:
    """The answer: right choices, why they are right, and the chances of all listed choices in hundredths."""
    game, facts = start.game, start.exercise.facts
    answers = [codec.message_to_json(game.parse(text), game.names) for text in facts["answers"]]
    following = codec.message_to_json(game.parse(facts["following"]), game.names)
    ask = start.ask
    assert ask is not None
    return {
        "solution": answers[0],
        "answers": answers,
        "following": following,
        "following_chance": _percent(facts["chance"] - facts["margin"]),
        "best": _percent(facts["chance"]),
        "explanation": ask.right,
    }


def _chance_of(attempt: Attempt, action: Action) -> int | None:
    """The chance to win with a choice in hundredths; None for one that is not listed."""
    codes = attempt.game.legal_codes(attempt.state, attempt.seat)
    code = listed_code(attempt.game, codes, action.pack())
    if code is None:
        return None
    return int(attempt.exercise.facts["chances"][codes.tolist().index(code)])


def _percent(chance: float) -> int:
    return round(100 * chance)
