"""Planted blunders are found, champions' own choices are left alone, and luck is 0 on average."""

import math
from dataclasses import dataclass

import numpy as np
import pytest

from quadriga import bots, games
from quadriga.analysis.analyse import analyse_match
from quadriga.analysis.estimator import Estimator
from quadriga.analysis.grading import grade_of
from quadriga.analysis.results import Grade
from quadriga.analysis.stops import real_choices
from quadriga.bots.network import CHANCE
from quadriga.core.game import Game
from quadriga.core.match import Match, Sitter
from quadriga.core.streams import SEED_BYTES

PLANTED_COST = 0.05
CHECKED = 400
"""Playouts that show that a planted choice costs so much."""
THOUGHT = 1500
"""Champion's playouts for a choice."""
PERIOD = 9
"""A blunder is planted at about every so many-th decision."""
every_game = pytest.mark.parametrize("name", games.NAMES)


@pytest.mark.parametrize(
    ("cost", "error", "grade"),
    [
        (0.0, 0.0, Grade.GOOD),
        (0.019, 0.001, Grade.GOOD),
        (0.03, 0.016, Grade.GOOD),
        (0.03, 0.014, Grade.INACCURACY),
        (0.04, 0.0, Grade.MISTAKE),
        (0.099, 0.02, Grade.MISTAKE),
        (0.11, 0.06, Grade.GOOD),
        (0.11, 0.05, Grade.BLUNDER),
    ],
)
def test_a_cost_counts_only_beyond_two_standard_errors(cost: float, error: float, grade: Grade) -> None:
    assert grade_of(cost, error, is_best=False) is grade


@dataclass(frozen=True)
class Planted:
    match: Match
    where: frozenset[tuple[int, int]]
    """Steps and seats."""


def costs_enough(estimator: Estimator, match: Match, seat: int, good: int, bad: int) -> bool:
    """Whether a choice is worse by at least five points, by playouts of another seed than the analysis uses."""
    view, arms = match.view(seat), np.array([good, bad], np.int64)
    rows = estimator.play_out(view, seat, arms, 0, CHECKED, (), f"planted {match.seq} {seat}", False).rows
    differences = (rows[0, :, 0] - rows[1, :, 0]) / CHANCE
    return bool(differences.mean() - 2 * differences.std() / math.sqrt(CHECKED) >= PLANTED_COST)


def plant(game: Game, seats: int, number: int) -> Planted:
    """A champions' race into which choices that cost at least five points are swapped."""
    random, estimator = np.random.default_rng(number), Estimator(game, 10_000 + number)
    match = Match(game, [Sitter(f"P{n}") for n in range(seats)], {}, number.to_bytes(SEED_BYTES, "big"))
    champions = [bots.make_bot("champion", game, 100 * number + seat) for seat in range(seats)]
    where = set()
    for champion in champions:
        bots.set_budget(champion, iterations=THOUGHT)
    while not match.over:
        choices, real = {}, real_choices(game, match.state)
        for seat in match.to_act():
            chosen = champions[seat].choose(match.view(seat), seat, match.legal_actions(seat))
            if seat in real and random.integers(PERIOD) == 0:
                other = int(random.choice(real[seat]))
                if other != chosen.pack() and costs_enough(estimator, match, seat, chosen.pack(), other):
                    chosen = game.unpack(other)
                    where.add((match.seq + 1, seat))
            choices[seat] = chosen
        match.step(choices)
    return Planted(match, frozenset(where))


@pytest.mark.long
@every_game
def test_planted_blunders_are_found_and_champions_choices_left_alone(name: str) -> None:
    game = games.load(name)
    found = missed = called = own = number = 0
    while found + missed < 60:
        planted = plant(game, game.meta.seats[number % 3], number)
        for decision in analyse_match(planted.match, "standard", seed=number).decisions:
            is_mistake = decision.grade in (Grade.MISTAKE, Grade.BLUNDER)
            if (decision.step, decision.seat) in planted.where:
                found, missed = found + is_mistake, missed + (not is_mistake)
            else:
                called, own = called + is_mistake, own + 1
        number += 1
    print(f"{name}: {found} of {found + missed} planted found, {called} of {own} of champions' own called mistakes")
    assert found / (found + missed) >= 0.95, f"{missed} of {found + missed} planted blunders were missed"
    assert called / own <= 0.02, f"{called} of {own} choices of champions were called mistakes"


@pytest.mark.long
@every_game
def test_luck_is_0_on_average(name: str) -> None:
    """200 races of veterans at quick depth; of each race one seat counts, so that no two are linked."""
    game, luck = games.load(name), []
    for number in range(200):
        seats = game.meta.seats[number % len(game.meta.seats)]
        match = Match(game, [Sitter(f"P{n}") for n in range(seats)], {}, number.to_bytes(SEED_BYTES, "big"))
        players = [bots.make_bot("veteran", game, seats * number + seat) for seat in range(seats)]
        while not match.over:
            match.step({s: players[s].choose(match.view(s), s, match.legal_actions(s)) for s in match.to_act()})
        analysis = analyse_match(match, "quick", seed=number)
        luck.append(analysis.accounts[number % seats].luck)
        for account in analysis.accounts:
            assert account.start + account.skill + account.luck + account.rivals == account.result
    error = np.std(luck) / math.sqrt(len(luck))
    print(f"{name}: mean luck {np.mean(luck):.4f}, standard error {error:.4f}")
    assert abs(np.mean(luck)) <= 3 * error, f"mean luck {np.mean(luck):.4f}, standard error {error:.4f}"
