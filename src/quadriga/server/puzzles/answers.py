"""Answers to choices in a puzzle. What is right leaves the server only after an answer."""

from typing import Any

from quadriga.core import codec
from quadriga.core.exercise import Attempt
from quadriga.core.game import AgainstTheRules
from quadriga.core.messages import Action
from quadriga.puzzles.listing import listed_code
from quadriga.server.errors import Refused
from quadriga.server.output import views
from quadriga.server.tables.commands import AnyAction
from quadriga.server.tables.table import read_action

Json = dict[str, Any]
RIVAL = "veteran"
"""As which level rivals are shown, and against which one plays on from a puzzle unless another is asked for."""


def begin(attempt: Attempt, table: str) -> Json:
    """The puzzle before an answer: table, position with the solver's choices, and what is asked."""
    exercise = attempt.exercise
    texts = {"title": exercise.title, "intro": exercise.intro, "end": exercise.end, "rules": attempt.scenario.rules}
    return {"table": views.practice_table(attempt, table, RIVAL)} | texts | _stage(attempt, table, attempt.seq)


def judge(start: Attempt, table: str, given: AnyAction) -> Json:
    """Whether a choice is right. A right one brings the explanation and the position after it."""
    attempt = start.fork()
    action, before = read_action(attempt.game, given), attempt.seq
    chances = {"chance": _chance_of(attempt, action), "best": _percent(attempt.exercise.facts["chance"])}
    try:
        verdict = attempt.answer(action)
    except AgainstTheRules as error:
        words, names = attempt.game.words("en"), attempt.game.names
        refusal, cause = codec.message_to_json(error.refusal, names), words.message("refusals", error.refusal, names)
        raise Refused("refused", refusal, cause=cause) from None
    found = {"right": verdict.is_right, "say": verdict.say} | chances
    return found | _stage(attempt, table, before) | explain(start) if verdict.is_right else found


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


def try_choice(attempt: Attempt, given: AnyAction) -> Json:
    """Whether the rules would allow a choice, judged by what the solver can see."""
    game = attempt.game
    refusal = game.why_not(game.view(attempt.state, attempt.seat), attempt.seat, read_action(game, given))
    return {"allowed": refusal is None, "refusal": refusal and codec.message_to_json(refusal, game.names)}


def _chance_of(attempt: Attempt, action: Action) -> int | None:
    """The chance to win with a choice in hundredths; None for one that is not listed."""
    codes = attempt.game.legal_codes(attempt.state, attempt.seat)
    code = listed_code(attempt.game, codes, action.pack())
    if code is None:
        return None
    return int(attempt.exercise.facts["chances"][codes.tolist().index(code)])


def _percent(chance: float) -> int:
    return round(100 * chance)


def _stage(attempt: Attempt, table: str, after: int) -> Json:
    return {
        "view": views.practice_view(attempt, table, after),
        "ask": attempt.ask and attempt.ask.say,
        "task": attempt.solved,
        "tasks": attempt.tasks,
    }
