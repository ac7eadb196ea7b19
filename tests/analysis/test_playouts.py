"""Choices are played out and judged as champion does it, from what the seat sees, with its chances of all places."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.analysis import estimator as estimators
from quadriga.analysis.estimator import Estimator
from quadriga.api.race import Race
from quadriga.bots.evaluation import MOST_PARTS, VETERAN, parts
from quadriga.bots.evaluator import evaluation_of
from quadriga.bots.guided import guided_playouts, play_out_guided
from quadriga.bots.network import CHANCE, Networks, networks_of, no_network
from quadriga.core.game import Game
from tests.bots.policies import first_decision, fixed_policy

every_game = pytest.mark.parametrize("name", games.NAMES)
COUNT = 6


def guided_estimator(game: Game, seed: int = 0, policy: Any = None) -> Estimator:
    """One that plays out guided, whatever the game does, by its own policy or another."""
    found, networks = Estimator(game, seed), networks_of(game)[0]
    evaluation = replace(found.evaluator.evaluation, guided=True, steady=False)
    found.guided = guided_playouts(evaluation, networks._replace(policy=policy or networks.policy))
    assert found.guided is not None
    found.playouts = found.guided
    return found


def ask(estimator: Estimator, first: int = 0, count: int = COUNT, label: str = "a", **besides: Any) -> Any:
    """Three choices of the first decision, played out."""
    state, seat = first_decision(estimator.game)
    arms = besides.get("arms", estimator.game.legal_codes(state, seat)[:3].copy())
    view, seeing = estimator.game.view(state, seat), besides.get("seeing", False)
    return estimator.play_out(view, seat, arms, first, count, besides.get("left", ()), label, seeing)


@every_game
def test_choices_are_judged_as_champion_judges_them(name: str) -> None:
    """A playout of champion's with the same random streams ends in the same chance to win."""
    game, own = games.load(name), guided_estimator(games.load(name))
    state, seat = first_decision(game)
    view, codes, e, how = game.view(state, seat), game.legal_codes(state, seat)[:3].copy(), own.evaluator, own.playouts
    arms = np.array([e.complete_choice(view, seat, game.unpack(int(code))).pack() for code in codes], np.int64)
    lead, races, room = 1000 * CHANCE, e.races, np.zeros((3, 2), np.int64)
    for label in "abcdef":
        sums = np.zeros(3, np.int64)
        play_out_guided(
            view, e.tables, e.work, races, seat, codes, sums, own._key(label), 0, 1, how.horizon, how.noise, lead,
            e.stream, e.log, room, e.out, e.scores, e.scratch, e.views, how.network, own.most_seats, how.guide,
        )  # fmt: skip
        wins = (sums + lead) * CHANCE // (2 * lead)
        assert ask(own, 0, 1, label, arms=arms).rows[:, 0, 0] == pytest.approx(wins, abs=2)


@every_game
def test_grades_are_by_champions_judge_where_it_plays_guided(name: str) -> None:
    game = games.load(name)
    found, evaluation, networks = Estimator(game, 0), evaluation_of(game), networks_of(game)[0]
    guided = evaluation.guided and not evaluation.mixed
    judge = networks.critic if guided else networks.value
    assert (found.guided is not None) == guided
    assert np.array_equal(found.playouts.network.weights_1, judge.weights_1)
    assert np.array_equal(found.network.weights_1, networks.value.weights_1)
    assert Estimator(game, 0, as_champion=False).guided is None


@every_game
def test_without_a_critic_choices_are_played_out_quickly(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The policy then has no say, neither in playouts nor about candidates."""
    game, (value, policy, _) = games.load(name), networks_of(games.load(name))[0]
    found, guided = [], ask(guided_estimator(game)).rows
    state, seat = first_decision(game)
    view, codes = game.view(state, seat), game.legal_codes(state, seat).copy()
    for networks in (Networks(value, policy, no_network()), Networks(value, no_network(), no_network())):
        monkeypatch.setattr(estimators, "networks_of", lambda _, it=networks: (it, ""))
        quick = Estimator(game, 0)
        assert quick.guided is None
        found.append(ask(quick).rows)
        best = quick.evaluator.score(view, seat, codes, VETERAN).argmax()
        expected = quick.evaluator.complete_choice(view, seat, game.unpack(int(codes[best]))).pack()
        assert quick.candidates(view, seat, codes)[0] == expected
    assert np.array_equal(*found)
    assert not np.array_equal(found[0], guided)


@every_game
def test_candidates_are_the_policys_best_and_those_named_besides(name: str) -> None:
    game = games.load(name)
    state, seat = first_decision(game)
    view, codes = game.view(state, seat), game.legal_codes(state, seat).copy()
    named = np.zeros(MOST_PARTS, np.int64)
    liked = [int(named[k]) for k in range(parts(state, game.tables, seat, int(codes[-1]), named))]
    own = guided_estimator(game, policy=fixed_policy(game, dict.fromkeys(liked, 5.0)))
    found = own.candidates(view, seat, codes).tolist()
    assert found[0] == own.evaluator.complete_choice(view, seat, game.unpack(int(codes[-1]))).pack()
    assert len(found) <= own.evaluator.evaluation.guided_width
    besides = [found[0], next(code for code in codes.tolist() if code not in found)]
    assert own.candidates(view, seat, codes, besides).tolist() == [*found, besides[1]]


@every_game
def test_the_same_seed_gives_the_same_rows_however_they_are_split(name: str) -> None:
    game = games.load(name)
    own = guided_estimator(game)
    once = ask(own).rows
    split = np.concatenate([ask(own, 0, 2).rows, ask(own, 2, COUNT - 2).rows], axis=1)
    assert np.array_equal(once, split)
    assert np.array_equal(once, ask(guided_estimator(game)).rows)
    assert not np.array_equal(once, ask(guided_estimator(game, seed=1)).rows)
    assert not np.array_equal(once, ask(own, label="b").rows)


@every_game
def test_every_row_is_one_chance_and_equal_choices_have_equal_rows(name: str) -> None:
    own = guided_estimator(games.load(name))
    state, seat = first_decision(own.game)
    codes = own.game.legal_codes(state, seat)
    rows = ask(own, arms=codes[[0, 1, 0]].copy()).rows
    assert np.array_equal(rows[0], rows[2])
    assert not np.array_equal(rows[0], rows[1])
    assert np.array_equal(rows[1:2], ask(own, arms=codes[1:2].copy()).rows)
    assert (rows >= 0).all()
    assert rows.sum(axis=2) == pytest.approx(CHANCE, abs=4)


@every_game
def test_looking_for_reasons_changes_no_row(name: str) -> None:
    own = guided_estimator(games.load(name))
    watched, plain = ask(own, seeing=True), ask(own)
    assert np.array_equal(watched.rows, plain.rows)
    assert watched.seen.any()
    assert plain.seen.shape[2] == 0


@every_game
def test_a_seat_that_resigned_keeps_its_place(name: str) -> None:
    """The last place is nobody else's, and what is left is one chance."""
    begun = Race(name, players=3, seed=2).run("greedy", steps=4)
    begun.resign(0)
    match = begun._match
    left = match.moment(match.seq).left
    while len(match.legal_actions(seat := next(s for s in match.to_act() if s))) < 3:
        begun.run("greedy", steps=1)
    own, arms = guided_estimator(match.game), match.game.legal_codes(match.state, seat)[:3].copy()
    gone = own.play_out(match.view(seat), seat, arms, 0, COUNT, left, "a", False).rows
    there = own.play_out(match.view(seat), seat, arms, 0, COUNT, (), "a", False).rows
    assert not gone[:, :, 2].any()
    assert there[:, :, 2].any()
    assert gone.sum(axis=2) == pytest.approx(CHANCE, abs=4)
