"""The courses: every rule that matters is in them, every solution is accepted, wrong choices are told why."""

import json
import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from quadriga import games
from quadriga.core.exercise import Attempt
from quadriga.core.messages import Action
from quadriga.core.scenario import Scenario, run
from quadriga.server.practice.library import LESSONS, find_exercise, lesson_names

DOCS = Path(__file__).parents[2] / "docs"
COURSES = [(game, name) for game in games.NAMES for name in lesson_names(game)]
every_lesson = pytest.mark.parametrize(("game", "name"), COURSES)
BLANK_SENTENCES = {"", "…", "..."}


def lesson(game: str, name: str) -> Scenario:
    return find_exercise(LESSONS, game, name)


def attempt_after(scenario: Scenario, choices: list[Action]) -> Attempt:
    attempt = Attempt(scenario)
    for choice in choices:
        assert attempt.answer(choice).is_right
    return attempt


@pytest.mark.parametrize("game", games.NAMES)
def test_a_course_has_eight_to_twelve_lessons_in_order(game: str) -> None:
    names = lesson_names(game)
    assert 8 <= len(names) <= 12
    assert [name[:2] for name in names] == [f"{number:02}" for number in range(1, len(names) + 1)]


@pytest.mark.parametrize("game", games.NAMES)
def test_the_lessons_of_a_game_name_every_rule_or_say_why_not(game: str) -> None:
    page = (DOCS / "rules" / f"{game}.md").read_text(encoding="utf-8")
    known = set(re.findall(r"^#+ (C[HRT]-\d+)", page, re.MULTILINE))
    assert len(known) >= 14
    taught = {rule for name in lesson_names(game) for rule in lesson(game, name).rules}
    folder = resources.files(games.package(game)) / LESSONS
    left_out: dict[str, str] = json.loads((folder / "left_out.json").read_text(encoding="utf-8"))
    assert taught | set(left_out) == known
    assert not taught & set(left_out)
    assert all(len(reason) > 20 for reason in left_out.values())


@every_lesson
def test_a_lesson_holds_as_a_scenario(game: str, name: str) -> None:
    assert [str(difference) for difference in run(lesson(game, name))] == []


@every_lesson
def test_every_choice_is_answered_and_every_right_one_leads_to_the_end(game: str, name: str) -> None:
    scenario = lesson(game, name)
    made: list[Action] = []
    while not attempt_after(scenario, made).is_done:
        begun = attempt_after(scenario, made)
        solution = begun.solution
        verdicts = {choice: attempt_after(scenario, made).answer(choice) for choice in _legal(begun)}
        assert verdicts[solution].is_right
        assert not all(verdict.is_right for verdict in verdicts.values())
        assert begun.ask is not None
        wrong = [verdict.say for verdict in verdicts.values() if not verdict.is_right]
        sentences = [begun.ask.not_yet, *(say for _, say in begun.ask.wrong)]
        assert all(say in sentences for say in wrong)
        assert all(say in wrong for say in sentences), "a sentence that nobody is ever told"
        for choice in [choice for choice, verdict in verdicts.items() if verdict.is_right]:
            _finish(scenario, [*made, choice])
        made.append(solution)


def _legal(attempt: Attempt) -> list[Action]:
    return attempt.game.legal_actions(attempt.state, attempt.seat)


def _finish(scenario: Scenario, made: list[Action]) -> None:
    """The lesson can be gone on with after these choices: by the file's answers, or another that is right."""
    attempt = attempt_after(scenario, made)
    while not attempt.is_done:
        right = [attempt.solution] if attempt.solution in _legal(attempt) else _legal(attempt)
        assert any(attempt.answer(choice).is_right for choice in right), "there is no way on"


@every_lesson
def test_a_lesson_speaks_both_languages_in_short_sentences(game: str, name: str) -> None:
    scenario = lesson(game, name)
    assert scenario.exercise is not None
    texts = [scenario.exercise.title, scenario.exercise.intro, scenario.exercise.end]
    for step in scenario.steps:
        if step.ask is not None:
            texts += [step.ask.say, step.ask.right, step.ask.not_yet, *(say for _, say in step.ask.wrong)]
    for text in texts:
        _check_text(text)


def _check_text(text: dict[str, Any]) -> None:
    if not text:
        return
    assert text["en"] != text["es"] or len(text["en"].split()) == 1
    for sentence in text.values():
        assert sentence.strip() not in BLANK_SENTENCES
        assert len(sentence) <= 240
