"""Luck and skill add up, to the last digit, in every record; analyses can be repeated; secrets stay secret."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.analysis.analyse import analyse_match
from quadriga.analysis.depth import Depth
from quadriga.analysis.estimator import Estimator, certain
from quadriga.analysis.measures import renew
from quadriga.analysis.results import Analysis
from quadriga.analysis.stops import Passage, passages, real_choices
from quadriga.api.games import Game
from quadriga.api.race import Race
from quadriga.bots.network import CHANCE
from quadriga.core.errors import IllegalAction, InvalidOption
from quadriga.core.match import Match, Sitter
from quadriga.core.record import read_record, replay
from quadriga.core.streams import new_stream, stream_key
from tests.make import RECORDS

FILES = sorted(RECORDS.glob("*/*.json"))
TINY = Depth(first=1, second=1, batch=2, batches=1, outcomes=4, stretch=4)
every_game = pytest.mark.parametrize("name", games.NAMES)


def check(analysis: Analysis, match: Match) -> None:
    """All that holds of every analysis."""
    result = match.result()
    assert result is not None
    for account in analysis.accounts:
        assert account.start + account.skill + account.luck + account.rivals == account.result
        assert account.result == (result.places[account.seat] == 1)
        assert sum(account.grades.values()) == sum(one.seat == account.seat for one in analysis.decisions)
        assert account.luck == sum(event.luck[account.seat] for event in analysis.chance_events)
    for decision in analysis.decisions:
        assert decision.choices > 1
        assert decision.choice in [candidate.choice for candidate in decision.candidates]
        assert decision.counts == (decision.cost >= 0.02 and decision.cost > 2 * decision.error)
        assert sum(map(sum, decision.before)) == pytest.approx(len(match.sitters), abs=0.01)
    for position in analysis.positions:
        wins = sum(chances[0] for chances in position.chances)
        assert wins <= 1.001
        if analysis.game != "chariot_race":  # where all chariots may be wrecked
            assert wins >= 0.999


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_record_adds_up(file: Path) -> None:
    match = replay(read_record(file), games.load)
    analysis = analyse_match(match, TINY)
    check(analysis, match)
    assert analysis.notice == ""
    assert analysis.positions[-1].chances[0][0] == (analysis.places[0] == 1)


def race(name: str, players: int, seed: int, level: str = "greedy") -> Race:
    options = {"laps": 1} if name != "chariot_race" else {}
    return Race(name, players=players, options=options, seed=seed).run(level)


@every_game
def test_the_same_seed_gives_the_same_analysis_on_any_number_of_threads(name: str) -> None:
    match = race(name, 3, 4)._match
    once = analyse_match(match, TINY, seed=5, threads=1)
    assert analyse_match(match, TINY, seed=5, threads=3) == once
    assert analyse_match(match, TINY, seed=6, threads=3) != once


@every_game
def test_a_race_that_is_on_is_refused(name: str) -> None:
    running = Race(name, players=2, seed=1).run("greedy", steps=3)
    with pytest.raises(IllegalAction, match="the race is not over"):
        analyse_match(running._match, TINY)


def test_an_unknown_depth_is_refused() -> None:
    with pytest.raises(InvalidOption, match="there is no depth 'abysmal'; there are quick, standard, deep"):
        analyse_match(race("chariots", 2, 1)._match, "abysmal")


@every_game
def test_resigning_costs_the_seat_its_chance_and_helps_the_rivals(name: str) -> None:
    begun = Race(name, players=3, seed=2).run("greedy", steps=4)
    begun.resign(1)
    before = begun.step
    match = begun.run("greedy")._match
    analysis = analyse_match(match, TINY)
    check(analysis, match)
    at = [position.step for position in analysis.positions].index(before)
    gone = analysis.positions[at].chances[1]
    assert list(gone) == [0, 0, 1]
    assert analysis.positions[at - 1].chances[1][0] > 0.05
    assert not [one for one in analysis.decisions if one.seat == 1 and one.step > before]


def test_the_last_of_those_who_stay_wins() -> None:
    begun = Race("charioteer", players=3, seed=2).run("greedy", steps=4)
    begun.resign(0)
    begun.resign(2)
    analysis = analyse_match(begun._match, TINY)
    check(analysis, begun._match)
    assert [account.result for account in analysis.accounts] == [0, 1, 0]


@every_game
def test_a_race_from_a_position_has_no_luck_of_a_set_up(name: str) -> None:
    match = Race(name, players=2, seed=3).view(0).imagine(seed=1).run("greedy")._match
    analysis = analyse_match(match, TINY, is_dealt=False)
    check(analysis, match)
    assert set(analysis.chance_events[0].luck) == {0.0}


def test_what_was_taken_back_is_left_out() -> None:
    match = Match(games.load("charioteer"), [Sitter("A"), Sitter("B")], {"laps": 1}, bytes(32))
    played = Race._of(match)
    played.run("greedy", steps=3)
    match.take_back(1)
    played.run("greedy")
    analysis = analyse_match(match, TINY)
    check(analysis, match)
    assert not [one for one in analysis.decisions if one.step in (2, 3)]


def test_an_edition_of_ones_own_is_judged_by_playouts_to_the_end() -> None:
    edition = Game("chariots").edition.replace("control = 6", "control = 5")
    match = Race(Game("chariots", edition), players=2, options={"laps": 1}, seed=1).run("greedy")._match
    analysis = analyse_match(match, TINY)
    check(analysis, match)
    assert "standard edition" in analysis.notice


@every_game
def test_the_account_of_a_step_without_chance_has_no_luck(name: str) -> None:
    match = race(name, 3, 7)._match
    analysis = analyse_match(match, TINY)
    random = {event.step for event in analysis.chance_events}
    for decision in analysis.decisions:
        if decision.step not in random:
            after = next(p for p in analysis.positions if p.step >= decision.step)
            assert decision.after == after.chances


OUTCOMES, WAYS = 80, 12


def judge_end(estimator: Estimator, state: Any) -> Any:
    """The chances to win of a position, by those of the result if the race is over."""
    result = estimator.game.result(state)
    judged = estimator.judge(state, (), WAYS) if result is None else certain(result.places)
    return judged[:, 0] / CHANCE


def check_means(expected: Any, found: list[Any]) -> None:
    """What came about is on average what was to be expected."""
    error = np.std(found, axis=0) * np.sqrt(1 / len(found) + 1 / (8 * len(found))) + 1e-3
    assert (np.abs(np.mean(found, axis=0) - expected) <= 4 * error).all(), (expected, np.mean(found, axis=0), error)


@every_game
def test_what_chance_brings_is_on_average_what_was_expected(name: str) -> None:
    """So that luck has no bias, whatever the network thinks: a random step of a race is played many times."""
    game, match, estimator = games.load(name), race(name, 3, 11)._match, Estimator(games.load(name), 7)
    random = [one for one in passages(match) if one.start and one.choices and not one.is_redeal]
    chosen = next(one for one in random[len(random) // 3 :] if is_random(estimator, one))
    assert chosen.start is not None
    state, codes = chosen.start.state, {seat: [code] for seat, code in chosen.choices.items()}
    expected, _ = estimator.judge_outcomes(state, (), codes, 8 * OUTCOMES, chosen.end.state, WAYS, "after")
    found = []
    for number in range(OUTCOMES):
        stream = new_stream(stream_key(f"outcome {number}".encode()), 1)
        before = renewed(game, state, number)
        after = game.apply(before, {seat: game.unpack(code) for seat, (code,) in codes.items()}, stream).state
        while game.to_act(after) and not real_choices(game, after):
            only = {seat: game.legal_actions(after, seat)[0] for seat in game.to_act(after)}
            after = game.apply(after, only, stream).state
        found.append(judge_end(estimator, after))
    check_means(expected[:, 0] / CHANCE, found)


def renewed(game: Any, state: Any, number: int) -> Any:
    """The position with what nobody has seen in another order: what a pile holds is chance, too."""
    copies = game.definition.race.blanks(1)
    copies[0] = state
    renew(copies[0], game.tables, new_stream(stream_key(f"pile {number}".encode()), 0))
    return copies[0]


def is_random(estimator: Estimator, passage: Passage) -> bool:
    assert passage.start is not None
    codes = {seat: [code] for seat, code in passage.choices.items()}
    return estimator.judge_outcomes(passage.start.state, (), codes, 1, passage.end.state, 1, "first")[1]


@every_game
def test_set_ups_are_on_average_what_was_expected(name: str) -> None:
    game, estimator = games.load(name), Estimator(games.load(name), 7)
    options = game.meta.settle(3, {})
    expected = estimator.judge_setups(3, options, 8 * OUTCOMES, "set-up")
    starts = [
        game.setup(3, options, new_stream(stream_key(f"{number}".encode()), 0)).state for number in range(OUTCOMES)
    ]
    check_means(expected[:, 0] / CHANCE, [judge_end(estimator, start) for start in starts])


@every_game
def test_chances_of_a_position_are_those_of_all_views_balanced(name: str) -> None:
    game = games.load(name)
    state = Race(name, players=4, seed=1).run("greedy", steps=5)._match.state
    judged = Estimator(game, 0).judge(state, (), 8)
    assert judged.shape == (4, 4)
    assert abs(judged[:, 0].sum() - CHANCE) < 10
    assert np.abs(judged.sum(axis=1) - CHANCE).max() < CHANCE // 50


def test_the_only_choice_is_no_decision() -> None:
    match = race("chariots", 4, 1)._match
    decisions = analyse_match(match, TINY).decisions
    listed = {
        (seq, seat): match.game.legal_codes(match.state_after(seq), seat)
        for seq in range(match.seq)
        for seat in range(4)
    }
    single = {(seq + 1, seat) for (seq, seat), codes in listed.items() if len(codes) == 1}
    assert single
    assert not single & {(decision.step, decision.seat) for decision in decisions}
