"""Exercises: each choice is judged at once; a right one is made, what others do after it is played."""

import pytest

from dash.game import load
from quadriga.core.edition import TomlFile
from quadriga.core.errors import IllegalAction, InvalidFile
from quadriga.core.exercise import Attempt
from quadriga.core.game import AgainstTheRules
from quadriga.core.scenario import Scenario, parse_scenario, run

HEAD = """
game = "dash"
about = "a dash"
[exercise]
title = { en = "Go", es = "Ve" }
[position]
square = ["e", "a"]
"""
ASK = """
[then.ask]
say = { en = "Go far.", es = "Ve lejos." }
right = { en = "Far enough.", es = "Bastante lejos." }
not_yet = { en = "Not far.", es = "No es lejos." }
"""
STEP = '[[then]]\ndo = { 0 = "go 2", 1 = "go 1" }\ndice = ["one", "one"]\n'


def read(text: str, head: str = HEAD) -> Scenario:
    return parse_scenario(TomlFile("dash.toml", head + text), load)


def attempt(text: str) -> Attempt:
    return Attempt(read(text))


def test_the_choice_of_the_file_is_right_and_any_other_is_not_yet() -> None:
    found = attempt(STEP + ASK)
    assert (found.tasks, found.solved, found.is_done) == (1, 0, False)
    assert found.ask is not None
    assert found.ask.say["es"] == "Ve lejos."
    verdict = found.answer(found.game.parse("go 1"))
    assert (verdict.is_right, verdict.say["en"], found.seq) == (False, "Not far.", 0)
    assert found.solution == found.game.parse("go 2")
    verdict = found.answer(found.game.parse("go 2"))
    assert (verdict.is_right, verdict.say["es"]) == (True, "Bastante lejos.")
    assert found.is_done
    assert found.solved == 1
    assert [{seat: found.game.describe(a) for seat, a in one.choices.items()} for one in found.played] == [
        {0: "go 2", 1: "go 1"}
    ]
    with pytest.raises(IllegalAction):
        found.answer(found.game.parse("go 2"))


def test_a_wrong_choice_has_a_sentence_of_its_own() -> None:
    found = attempt(
        STEP + ASK + 'wrong = [{ choices = [{ kind = "go", pace = 1 }], say = { en = "One!", es = "¡Uno!" } }]'
    )
    assert found.answer(found.game.parse("go 1")).say == {"en": "One!", "es": "¡Uno!"}
    assert found.answer(found.game.parse("go 2")).is_right


def test_several_choices_may_be_right() -> None:
    assert attempt(STEP + ASK + 'accept = ["go 1", "go 2"]').answer(load("dash").parse("go 1")).is_right
    assert attempt(STEP + ASK + 'accept = [{ kind = "go" }]').answer(load("dash").parse("go 1")).is_right


def test_accepted_is_whatever_leads_to_what_must_follow() -> None:
    text = STEP + 'events = [{ kind = "moved", runner = "ant", steps = 2 }]\n' + ASK + 'accept = "follows"'
    # the die adds one: `go 1` makes two steps
    found = attempt(text.replace('"go 2"', '"go 1"'))
    assert run(found.scenario) == []
    assert not found.answer(found.game.parse("go 2")).is_right
    assert found.seq == 0
    assert found.answer(found.game.parse("go 1")).is_right


def test_steps_that_ask_nothing_are_played() -> None:
    found = attempt(STEP + STEP + ASK + STEP)
    assert (found.seq, found.solved) == (1, 0)
    assert found.answer(found.game.parse("go 2")).is_right
    assert (found.seq, found.is_done) == (3, True)


def test_a_choice_against_the_rules_is_refused_and_changes_nothing() -> None:
    found = attempt(STEP + ASK)
    with pytest.raises(AgainstTheRules):
        found.answer(found.game.parse("rise"))
    assert found.seq == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (STEP, "no [[then]] has an `ask`: the exercise asks nothing"),
        ("[[then]]\n" + ASK, "step 1: a step that asks has one choice in `do`, with that of seat 0 in it"),
        ('[[then]]\ndo = ["go 1", "go 2"]\n' + ASK, "a step that asks has one choice in `do`"),
        ('[[then]]\ndo = { 1 = "go 1" }\n' + ASK, "with that of seat 0 in it"),
        (STEP + ASK.replace(', es = "Ve lejos."', ""), "step 1: say: there is no text in 'es'"),
        (
            STEP + ASK.replace('es = "Ve lejos."', 'es = "Ve lejos.", fr = "Va"'),
            "say: 'fr' is no language; there are en, es",
        ),
        (STEP + ASK + 'accept = ["fly 1"]', "'fly' is no action"),
        (STEP + ASK + 'accept = [{ kind = "fly" }]', "'fly' is no choice"),
        (STEP + ASK + 'accept = [{ kind = "go", height = 1 }]', "go has no 'height'"),
        (STEP + ASK + 'accept = "all"', "Invalid enum value 'all'"),
    ],
)
def test_a_mistake_in_the_file_is_named(text: str, said: str) -> None:
    with pytest.raises(InvalidFile) as error:
        read(text)
    assert said in str(error.value)


def test_an_ask_belongs_to_an_exercise() -> None:
    with pytest.raises(InvalidFile) as error:
        read(STEP + ASK, 'game = "dash"\nabout = "a dash"\n')
    assert "step 1: `ask` belongs to an exercise: write a table [exercise]" in str(error.value)
    with pytest.raises(InvalidFile) as error:
        Attempt(read(STEP, 'game = "dash"\nabout = "a dash"\n'))
    assert "it is no exercise" in str(error.value)


def test_the_learner_sits_at_a_seat_that_exists() -> None:
    with pytest.raises(InvalidFile) as error:
        read(STEP + ASK, HEAD.replace("[exercise]", "[exercise]\nseat = 5"))
    assert "there is no seat '5'" in str(error.value)
