"""Exercises over HTTP: the seat's view and no more, each choice answered at once, and what is done is kept."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from quadriga import games
from quadriga.core.exercise import Attempt
from quadriga.server.database import exercise_rows
from quadriga.server.database.guests import data_of
from quadriga.server.errors import Refused
from quadriga.server.output import views
from quadriga.server.practice import answers
from quadriga.server.practice.answers import ExerciseChoice
from quadriga.server.practice.library import LESSONS, exercise_names, find_exercise, lesson_names
from quadriga.server.tables.erasure import forget_guest
from tests.server.house import House, run

Json = dict[str, Any]
GAMES = [game for game in games.NAMES if lesson_names(game)]


def begin(game: str) -> tuple[Any, Json]:
    scenario = find_exercise(LESSONS, game, lesson_names(game)[0])
    return scenario, json.loads(views.encode(answers.begin(scenario, "t")))


def test_every_game_has_lessons() -> None:
    assert {"charioteer", "chariot_race", "chariots"} <= set(GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_an_exercise_sends_what_a_table_would_send_to_the_seat(game: str) -> None:
    scenario, sent = begin(game)
    attempt = Attempt(scenario)
    view, seat = sent["view"], attempt.seat
    shown = json.loads(views.encode(views._write_view(attempt.game, attempt.game.view(attempt.state, seat)).decode()))
    assert view["view"] == json.loads(shown)
    assert set(view) - {"preview"} == {
        "seq", "to_act", "chosen", "places", "result", "paused", "clock", "table", "seat", "after", "steps", "view",
        "choice", "legal",
    }  # fmt: skip
    assert len(view["legal"]) == len(attempt.game.legal_actions(attempt.state, seat)) > 1
    assert sent["table"]["my_seats"] == [seat]
    assert set(sent["ask"]) == set(sent["title"]) == {"en", "es"}


@pytest.mark.parametrize("game", GAMES)
def test_rivals_choices_stay_hidden_and_solutions_come_after_a_wrong_choice_only(game: str) -> None:
    scenario, sent = begin(game)
    assert "solution" not in json.dumps(sent)
    right = scenario.game.describe(Attempt(scenario).solution)
    told = json.loads(views.encode(answers.answer(scenario, "t", ExerciseChoice(action=right))))
    assert told["right"]
    assert "solution" not in told
    for step in told["view"]["steps"]:
        assert {text for seat, text in step["entry"]["choices"].items() if seat != str(sent["view"]["seat"])} <= {"?"}


@pytest.mark.parametrize("game", GAMES)
def test_choices_may_come_in_any_form_and_a_wrong_one_keeps_the_position(game: str) -> None:
    scenario, sent = begin(game)
    attempt = Attempt(scenario)
    wrong = next(a for a in sent["view"]["legal"] if not _is_right(scenario, a))
    told = answers.answer(scenario, "t", ExerciseChoice(action=wrong))
    assert not told["right"]
    assert set(told["say"]) == {"en", "es"}
    assert "view" not in told
    for form in (told["solution"], f"#{attempt.solution.pack():x}", scenario.game.describe(attempt.solution)):
        assert answers.answer(scenario, "t", ExerciseChoice(action=form))["right"]
    with pytest.raises(Refused) as error:
        answers.answer(scenario, "t", ExerciseChoice(action=told["solution"], choices=[wrong]))
    assert error.value.code == "late"


def _is_right(scenario: Any, action: Json) -> bool:
    return bool(answers.answer(scenario, "t", ExerciseChoice(action=action))["right"])


def test_what_the_rules_do_not_allow_is_refused_with_the_reason() -> None:
    scenario, _ = begin("chariots")
    with pytest.raises(Refused) as error:
        answers.answer(scenario, "t", ExerciseChoice(action="step 1,6"))
    assert error.value.code == "refused"
    assert error.value.refusal is not None
    tried = answers.try_choice(scenario, ExerciseChoice(action="step 1,6"))
    assert not tried["allowed"]
    assert tried["refusal"]["kind"] == error.value.refusal["kind"]
    with pytest.raises(Refused) as error:
        answers.answer(scenario, "t", ExerciseChoice(action="fly"))
    assert error.value.code == "invalid_action"


def test_only_exercises_there_are_can_be_asked_for() -> None:
    for collection, game, name in (
        ("lessons", "chariots", "../edition"),
        ("lessons", "chariots", "99-nothing"),
        ("lessons", "chess", "01"),
        ("nothing", "chariots", "01"),
    ):
        with pytest.raises(Refused) as error:
            find_exercise(collection, game, name)
        assert error.value.status == 404
    assert exercise_names(LESSONS, "chariots") == lesson_names("chariots")


def test_what_a_guest_has_done_is_kept_once_shown_to_them_and_forgotten_with_them(tmp_path: Path) -> None:
    async def story(house: House) -> None:
        mark = partial(exercise_rows.mark_done, collection=LESSONS, game="chariots", name="01-a")
        ana, ben, store = house.guest("Ana").id, house.guest("Ben").id, house.services.store
        for now in (1, 2):
            await store.write(partial(mark, guest=ana, now=now))
        await store.write(partial(mark, guest=ben, now=3))
        await store.write(partial(mark, guest="gone", now=3))
        mine = await store.read(partial(data_of, guest=ana))
        row = {"guest": ana, "collection": "lessons", "game": "chariots", "name": "01-a", "at": 1}
        assert mine["exercises"] == [row]
        await forget_guest(house.services.executor, ana)
        for guest, left in ((ana, set()), (ben, {"01-a"})):
            done = partial(exercise_rows.names_done, guest=guest, collection=LESSONS, game="chariots")
            assert await store.read(done) == left

    run(tmp_path, story)
