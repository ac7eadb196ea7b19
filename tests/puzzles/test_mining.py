"""Puzzles are found where there is one clear answer, and nowhere else."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from quadriga import games
from quadriga.analysis.estimator import Estimator
from quadriga.analysis.grading import Question
from quadriga.arena.executors import SerialExecutor
from quadriga.core.edition import TomlFile
from quadriga.core.exercise import Attempt
from quadriga.core.match import Match, Sitter
from quadriga.core.record import record_of, to_json
from quadriga.core.scenario import first_state, parse_scenario, run
from quadriga.puzzles import mining, races
from quadriga.puzzles.checking import Subject, check_puzzle
from quadriga.puzzles.criteria import find_first_thought, is_promising, is_puzzle
from quadriga.puzzles.examining import Examiner
from quadriga.puzzles.folder import Folder
from quadriga.puzzles.judging import SCREEN, STANDARD, Judgement, judge, judge_of
from quadriga.puzzles.mining import Plan, mine
from quadriga.puzzles.pack import open_shipped
from quadriga.puzzles.puzzle import Puzzle
from quadriga.puzzles.races import Decision, find_decisions, play_race
from quadriga.puzzles.starts import deal_anew
from quadriga.puzzles.writing import write_puzzle

GAMES = ("charioteer", "chariot_race", "chariots")

# The suns stand before the line of the last lap, the moons right behind them. Every step over the line wins at once.
LAST_STEP = """
game = "chariots"
about = "-"
seats = 2
options = { two_chariots = false, laps = 1 }
[position]
stage = "move"
phase = 1
impulse = 1
square = { suns = "5,2", moons = "4,2.5" }
lines = { suns = 0, moons = 0 }
speed = { suns = 5, moons = 5 }
[[then]]
"""


def question_of(text: str, seat: int) -> tuple[Estimator, Question, list[str]]:
    scenario = parse_scenario(TomlFile("planted", text), games.load)
    game, state = scenario.game, first_state(scenario)
    codes = game.legal_codes(state, seat)
    said = [game.describe(game.unpack(int(code))) for code in codes]
    return judge_of(game, 0), Question(game.view(state, seat), seat, codes, (), "planted"), said


def test_choices_with_the_same_effect_are_one_answer() -> None:
    estimator, question, said = question_of(LAST_STEP, 0)
    found = judge(estimator, question, SCREEN)
    assert found is not None
    answers = {said[place] for place in found.answers}
    assert {"step 6,1", "step 6,2", "step 6,3"} & set(said) <= answers
    assert len(answers) > 1
    assert all(text.startswith("step 6,") for text in answers)
    assert found.chance == 1.0
    assert found.is_clear
    assert found.margin > 0.2


def test_a_choice_that_brings_most_at_once_is_no_puzzle() -> None:
    estimator, question, _ = question_of(LAST_STEP, 0)
    obvious = find_first_thought(estimator, question.view, 0, question.codes)
    assert not is_promising(judge(estimator, question, SCREEN), obvious)


def test_choices_that_all_lead_to_the_same_are_no_puzzle() -> None:
    estimator, question, said = question_of(LAST_STEP, 0)
    over = np.array([code for code, text in zip(question.codes, said, strict=True) if "step 6," in text], np.int64)
    assert judge(estimator, Question(question.view, 0, over, (), "same"), SCREEN) is None


def judged(**changes: Any) -> Judgement:
    usual: dict[str, Any] = {
        "answers": (2,), "chance": 0.5, "following": 1, "margin": 0.08, "error": 0.002,
        "chances": (0.3, 0.42, 0.5, 0.2),
    }  # fmt: skip
    return Judgement(**(usual | changes))


@pytest.mark.parametrize(
    ("changes", "obvious", "expected"),
    [
        ({}, {0}, True),
        ({}, {2}, False),
        ({"margin": 0.039}, {0}, False),
        ({"margin": 0.05, "error": 0.01}, {0}, False),
        ({"chance": 0.05}, {0}, False),
        ({"chance": 1.0}, {0}, False),
        ({"answers": (2, 1), "following": 0}, {0}, False),
    ],
)
def test_a_puzzle_has_a_clear_answer_that_is_not_the_first_thought(
    changes: dict[str, Any], obvious: set[int], expected: bool
) -> None:
    assert is_puzzle(judged(**changes), frozenset(obvious)) == expected
    assert not is_puzzle(None, frozenset(obvious))


def test_forced_choices_are_not_looked_at() -> None:
    match = play_race(games.load("chariots"), 0, 0)
    decisions = list(find_decisions(match))
    assert decisions
    assert all(len(decision.codes) >= 4 for decision in decisions)
    assert {decision.stage for decision in decisions} == {0, 1, 2}


# ---------------------------------------------------------------- from decision to puzzle


def planted(game: str) -> tuple[Match, Decision, Attempt]:
    """A race up to the position of the clearest of the shipped puzzles, and the decision there."""
    pack = open_shipped(game)
    assert pack is not None
    clearest = max((pack.read(name) for name in pack.names), key=lambda file: file.data["exercise"]["facts"]["margin"])
    attempt = Attempt(parse_scenario(clearest, games.load))
    scenario = attempt.scenario
    match = Match(attempt.game, [Sitter("Ana")] * scenario.seats, scenario.options, scenario.seed)
    for played in attempt.played:
        match.step(played.choices)
    codes = attempt.game.legal_codes(attempt.state, attempt.seat)
    step = attempt.scenario.steps[-1].do[0]
    assert isinstance(step, dict)
    chosen = {seat: attempt.game.describe(action) for seat, action in step.items()}
    return match, Decision(attempt.state, attempt.seat, codes, len(attempt.played), chosen, 1), attempt


@pytest.mark.parametrize("game", GAMES)
def test_a_planted_puzzle_is_found_and_its_file_says_the_same(game: str) -> None:
    match, decision, attempt = planted(game)
    found = Examiner(attempt.game, 77).examine(decision, match)
    assert found is not None
    assert set(found.answers) == set(attempt.exercise.facts["answers"])
    assert set(found.found) == {
        "wanderer", "novice", "greedy", "saver", "brawler", "daredevil", "veteran", "searcher", "champion",
    }  # fmt: skip
    text = write_puzzle(attempt.game, found, 1)
    scenario = parse_scenario(TomlFile("written", text), games.load)
    assert run(scenario) == []
    again = Attempt(scenario)
    assert again.state.tobytes() == attempt.state.tobytes()
    for answer in found.answers:
        assert again.fork().answer(attempt.game.parse(answer)).is_right
    assert not again.fork().answer(attempt.game.parse(found.following)).is_right
    assert check_puzzle(Subject("written", text), 1, 5).holds


def test_a_wrong_answer_does_not_hold() -> None:
    _, _, attempt = planted("chariot_race")
    text = attempt.scenario.source.text
    facts = attempt.exercise.facts
    swapped = re.sub(r"answers = \[.*?\]\n", f'answers = ["{facts["following"]}"]\n', text, count=1, flags=re.DOTALL)
    assert check_puzzle(Subject("as it is", text), 1, 5).holds
    assert not check_puzzle(Subject("swapped", swapped), 1, 5).holds


# ---------------------------------------------------------------- races of people


@pytest.mark.parametrize("game", GAMES)
def test_nothing_of_people_remains_in_puzzles_from_their_races(game: str) -> None:
    match = play_race(games.load(game), 0, 1)
    kept = 0
    for decision in list(find_decisions(match))[::12]:
        start = deal_anew(match.game, decision, match)
        if start is None:
            continue
        kept += 1
        assert set(start) == {"position", "rivals"}
        assert match.secret_seed().hex() not in json.dumps(start)
        assert set(start["rivals"]) == set(match.game.to_act(decision.state)) - {decision.seat}
    assert kept > 0


def test_records_are_mined_without_names_seeds_and_nonces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = Match(games.load("charioteer"), [Sitter("Zoe 1"), Sitter("Zoe 2")], {}, bytes(32), ["nonce of Zoe"])
    while not named.over:
        named.step({seat: named.legal_actions(seat)[0] for seat in named.to_act()})
    (tmp_path / "race.json").write_text(to_json(record_of(named)))
    (tmp_path / "broken.json").write_text("{}")
    monkeypatch.setattr(mining, "MOST_EXAMINED", 12)
    files = tuple(sorted(str(file) for file in tmp_path.glob("*.json")))
    plan = Plan("charioteer", str(tmp_path / "out"), records=files)
    mined = {one.name: one for one in mine(plan, SerialExecutor())}
    assert sorted(bool(one.problem) for one in mined.values()) == [False, True]
    for puzzle in Folder(tmp_path / "out", "charioteer").puzzles():
        assert puzzle.seed == ""
        assert puzzle.steps == ()
        assert b"Zoe" not in msgspec.json.encode(puzzle)
        assert bytes(32).hex().encode() not in msgspec.json.encode(puzzle)


# ---------------------------------------------------------------- runs


def test_a_broken_off_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mining, "MOST_EXAMINED", 2)
    monkeypatch.setattr(races, "PLAYOUTS", 4)
    plan = Plan("charioteer", str(tmp_path), seed=9)
    run_ = mine(plan, SerialExecutor())
    first = [next(run_).name, next(run_).name]
    assert first == ["9-0", "9-1"]
    (tmp_path / "charioteer" / "9-0.done").unlink()
    again = mine(plan, SerialExecutor())
    assert [next(again).name, next(again).name] == ["9-0", "9-2"]


def test_a_run_ends_with_its_time(tmp_path: Path) -> None:
    assert list(mine(Plan("charioteer", str(tmp_path), ends=0.0), SerialExecutor())) == []


def test_the_same_seed_plays_the_same_race() -> None:
    game = games.load("charioteer")
    one, same, other = (play_race(game, seed, 3) for seed in (1, 1, 2))
    assert one.log == same.log
    assert one.log != other.log


def test_standard_depth_is_checked_at_ten_times_the_playouts() -> None:
    deep = STANDARD.times(10)
    assert (deep.every, deep.some, deep.few) == (240, 960, 4000)


def test_a_puzzle_survives_its_file(tmp_path: Path) -> None:
    puzzle = Puzzle(
        game="chariots", rules_version=1, seats=2, options={}, seed="00", seat=0, answers=("stay",), kind="stay",
        stage=0, chances=(1, 2), chance=0.5, following="step 6,1", margin=0.1, error=0.01, found={"greedy": 0.0},
    )  # fmt: skip
    folder = Folder(tmp_path, "chariots")
    folder.add("r", 1, puzzle)
    folder.add("r", 2, puzzle)
    assert folder.puzzles() == [puzzle, puzzle]
    assert folder.count(9) == 1, "near-duplicates are left out"
