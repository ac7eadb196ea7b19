"""Guided playouts: the policy network chooses in them, and chance as much as the temperature says."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.bots.evaluation import MOST_PARTS, elapsed, parts
from quadriga.bots.evaluator import Evaluator
from quadriga.bots.guided import (
    QUANTILES,
    choose_all_guided,
    gumbel_quantiles,
    make_guide,
    pick_sample,
    play_on_guided,
    play_out_guided,
)
from quadriga.bots.network import UNIT, Network, Networks, networks_of, no_network
from quadriga.bots.playouts import play_out
from quadriga.bots.policy import score_choices
from quadriga.bots.search import CHOICE_PLAYOUTS, FEWEST_CHOICES, Champion, Searcher
from quadriga.bots.steady import play_out_steadily
from quadriga.core.game import Game
from quadriga.core.messages import Action
from quadriga.core.streams import new_stream, stream_key
from tests.bots.policies import first_decision, fixed_policy

every_game = pytest.mark.parametrize("name", games.NAMES)
KEY = stream_key(b"guided")
SALTS = 20_000


def guided_champion(game: Game, seed: int = 0, iterations: int = 24, **fields: Any) -> Champion:
    champion = Champion(game, seed, iterations=iterations)
    champion.evaluator.evaluation = replace(champion.evaluator.evaluation, **{"guided": True, "mixed": False} | fields)
    champion.use(networks_of(game)[0])
    return champion


def played_out_by(searcher: Searcher) -> list[Any]:
    """The kernels that play choices out."""
    return [way.play_out for way in searcher.ways]


def policy_best(game: Game, policy: Network, state: Any, seat: int) -> Action:
    """The choice with the policy's best score, with the part that lists leave out."""
    view, codes = game.view(state, seat), game.legal_codes(state, seat).copy()
    scores = np.zeros(len(codes), np.int64)
    score_choices(view, state, game.tables, seat, codes, policy, np.zeros(MOST_PARTS, np.int64), scores)
    return Evaluator(game, 0).complete_choice(view, seat, game.unpack(int(codes[scores.argmax()])))


def decides(game: Game, state: Any, seat: int) -> bool:
    return seat in game.to_act(state) and len(game.legal_codes(state, seat)) > 1


def sampled(scores: list[int], temperature: int) -> np.ndarray:
    """How often each choice is drawn, by salts."""
    codes, worth = np.arange(len(scores)) * 12_345, np.array(scores, np.int64)
    gumbel = gumbel_quantiles()
    drawn = [pick_sample(codes, len(scores), worth, salt, temperature, gumbel) for salt in range(SALTS)]
    return np.bincount(drawn, minlength=len(scores)) / SALTS


def test_noise_has_the_mean_and_spread_of_the_gumbel_distribution() -> None:
    found = gumbel_quantiles() / UNIT
    assert len(found) == QUANTILES
    assert (np.diff(found) >= 0).all()
    assert found.mean() == pytest.approx(np.euler_gamma, abs=0.01)
    assert found.std() == pytest.approx(np.pi / np.sqrt(6), abs=0.02)


@pytest.mark.parametrize("temperature", [UNIT // 2, UNIT, 4 * UNIT])
def test_choices_are_drawn_as_the_softmax_of_their_scores_says(temperature: int) -> None:
    scores = [0, UNIT, 2 * UNIT, UNIT // 2, -UNIT]
    expected = np.exp(np.array(scores) / temperature)
    assert sampled(scores, temperature) == pytest.approx(expected / expected.sum(), abs=0.015)


def test_without_temperature_the_best_choice_is_always_drawn() -> None:
    assert sampled([0, UNIT, UNIT + 1, UNIT], 0).tolist() == [0, 0, 1, 0]


@every_game
def test_every_seat_takes_the_policys_best_without_temperature(name: str) -> None:
    game = games.load(name)
    e, policy = Evaluator(game, 0), networks_of(game)[0].policy
    state, seat = first_decision(game)
    codes, counts, guide = np.zeros(2, np.int64), np.zeros(2, np.int64), make_guide(policy, False)
    memory = (counts, codes, e.out, e.scores, e.scratch, e.views, guide)
    first = choose_all_guided(state, e.tables, e.work, -1, 0, 7, *memory)
    owing = game.to_act(state)
    assert (first, counts.tolist()) == (owing[0], [int(seat in owing) for seat in range(2)])
    expected = {seat: policy_best(game, policy, state, seat) for seat in owing}
    assert {seat: game.unpack(int(codes[seat])) for seat in owing} == expected
    codes[:] = -1
    choose_all_guided(state, e.tables, e.work, seat, 0, 7, *memory)
    assert codes[seat] == -1


@every_game
def test_a_playout_goes_as_the_policys_best_choices_do(name: str) -> None:
    game = games.load(name)
    e, policy = Evaluator(game, 0), networks_of(game)[0].policy
    state, own = first_decision(game)
    races, stream, until = game.definition.race.blanks(1), new_stream(KEY, 1), elapsed(state) + 1
    races[0] = state
    codes, counts = np.zeros(2, np.int64), np.zeros(2, np.int64)
    play_on_guided(
        races[0], e.tables, e.work, own, until, 0, 7, KEY, 1, stream, e.log, counts, codes, e.out, e.scores, e.scratch,
        e.views, make_guide(policy, False),
    )  # fmt: skip
    steps, stream = 0, new_stream(KEY, 1)
    while game.to_act(state) and not (elapsed(state) >= until and decides(game, state, own)):
        best = {seat: policy_best(game, policy, state, seat) for seat in game.to_act(state)}
        state, steps = game.apply(state, best, stream).state, steps + len(best)
    assert counts.sum() == steps > 0
    assert races[0].tobytes() == state.tobytes()


@every_game
def test_a_playout_is_worth_what_its_end_is(name: str) -> None:
    """The choice that the policy loathes is looked into all the same, and everything is counted."""
    game = games.load(name)
    state, seat = first_decision(game)
    champion = guided_champion(game, guided_temperature=0)
    view, arms = game.view(state, seat), game.legal_codes(state, seat)[:3].copy()
    sums = [np.zeros(3, np.int64) for _ in range(3)]
    alive = np.arange(3)
    champion._play(view, seat, arms, sums[0], alive, 0, 6)
    champion._play(view, seat, arms, sums[1], alive, 0, 2)
    champion._play(view, seat, arms, sums[1], alive, 2, 4)
    champion._play(view, seat, arms, sums[2], alive[1:], 0, 6)
    assert sums[0].tolist() == sums[1].tolist()
    assert sums[0][1:].tolist() == sums[2][1:].tolist()
    assert (abs(sums[0]) <= 6 * 2 * champion.evaluator.evaluation.winning_lead).all()
    assert len(set(sums[0].tolist())) > 1


@every_game
def test_the_same_seed_gives_the_same_choices_and_the_temperature_counts(name: str) -> None:
    game = games.load(name)
    state, seat = first_decision(game)
    view, choices = game.view(state, seat), game.legal_actions(state, seat)
    first, second = (guided_champion(game, 5, guided_horizon=2) for _ in range(2))
    assert [first.choose(view, seat, choices) for _ in range(3)] == [
        second.choose(view, seat, choices) for _ in range(3)
    ]
    found = []
    for temperature in (0, UNIT):
        champion, sums = guided_champion(game, 5, guided_horizon=2, guided_temperature=temperature), np.zeros(2, int)
        champion._play(view, seat, game.legal_codes(state, seat)[:2].copy(), sums, np.arange(2), 0, 20)
        found.append(sums.tolist())
    assert found[0] != found[1]


@every_game
def test_champion_plays_whole_races_with_guided_playouts(name: str) -> None:
    game = games.load(name)
    bots = [guided_champion(game, seed, 6) for seed in range(3)]
    state, step = game.setup(3, {}, new_stream(KEY, 0)).state, 0
    while owing := game.to_act(state):
        choices = {
            seat: bots[seat].choose(game.view(state, seat), seat, game.legal_actions(state, seat)) for seat in owing
        }
        assert [game.refusal(state, seat, choices[seat]) for seat in owing] == [None] * len(owing)
        step += 1
        state = game.apply(state, choices, new_stream(KEY, step)).state
    assert sorted(game.places(state))[0] == 1
    assert all(bot.playouts > 0 and played_out_by(bot) == [play_out_guided] for bot in bots)


@every_game
def test_playouts_are_guided_where_there_are_a_policy_and_a_critic(name: str) -> None:
    game = games.load(name)
    champion = guided_champion(game, guided_horizon=3, guided_temperature=99)
    evaluation, (value, policy, critic) = champion.evaluator.evaluation, networks_of(game)[0]
    assert [(way.play_out, way.horizon, way.noise) for way in champion.ways] == [(play_out_guided, 3, 99)]
    for networks in (Networks(value, policy, no_network()), Networks(value, no_network(), critic)):
        champion.use(networks)
        assert played_out_by(champion) == [play_out_steadily if evaluation.steady else play_out]
        assert (champion.ways[0].noise, champion.ways[0].guide) == (evaluation.noise, ())
    champion = guided_champion(game, guided=False)
    assert played_out_by(champion) == [play_out_steadily if evaluation.steady else play_out]
    champion.use(Networks(no_network(), fixed_policy(game, {}), no_network()))
    assert [way[2:4] for way in champion.ways] == [way[2:4] for way in Searcher(game, 0).ways]
    assert played_out_by(champion) == played_out_by(Searcher(game, 0))


@every_game
def test_mixed_playouts_take_turns_and_add_up(name: str) -> None:
    """The first playout is guided, the second quick, and so on, however they are parted; both judge every choice."""
    game = games.load(name)
    state, seat = first_decision(game)
    view, arms = game.view(state, seat), game.legal_codes(state, seat)[:3].copy()

    def played(champion: Champion, parts: list[int]) -> list[int]:
        sums, first = np.zeros(3, int), 0
        for count in parts:
            champion._play(view, seat, arms, sums, np.arange(3), first, count)
            first += count
        assert champion.playouts == 3 * first
        return [int(total) for total in sums]

    mixed, quick = guided_champion(game, mixed=True), guided_champion(game, guided=False)
    assert played_out_by(mixed) == [play_out_guided, *played_out_by(quick)]
    whole = played(guided_champion(game, mixed=True), [7])
    assert whole == played(guided_champion(game, mixed=True), [1] * 7) == played(mixed, [2, 5])
    halves = [guided_champion(game, mixed=True) for _ in range(2)]
    halves[0].ways = (mixed.ways[0], mixed.ways[0]._replace(play_out=lambda *_: None))
    halves[1].ways = (mixed.ways[1]._replace(play_out=lambda *_: None), mixed.ways[1])
    assert whole == [sum(pair) for pair in zip(*(played(half, [7]) for half in halves), strict=True)]


@every_game
def test_mixed_playouts_look_into_the_veterans_best_choices(name: str) -> None:
    game = games.load(name)
    state, seat = first_decision(game)
    view, codes = game.view(state, seat), game.legal_codes(state, seat).copy()
    mixed, quick = guided_champion(game, mixed=True), guided_champion(game, guided=False)
    assert mixed._candidates(view, seat, codes)[0].tolist() == quick._candidates(view, seat, codes)[0].tolist()


@every_game
@pytest.mark.parametrize(
    ("playouts", "width"), [(1, FEWEST_CHOICES), (5 * CHOICE_PLAYOUTS, 5), (9 * CHOICE_PLAYOUTS, 6)]
)
def test_champion_looks_into_the_choices_with_the_policys_best_scores(name: str, playouts: int, width: int) -> None:
    """A few however short its time, and more with more playouts, up to the game's own width."""
    game = games.load(name)
    state, seat = first_decision(game)
    champion = guided_champion(game, iterations=playouts, guided_width=6)
    value, _, critic = networks_of(game)[0]
    view, codes = game.view(state, seat), game.legal_codes(state, seat).copy()
    named = np.zeros(MOST_PARTS, np.int64)
    last = [int(named[k]) for k in range(parts(state, game.tables, seat, int(codes[-1]), named))]
    champion.use(Networks(value, fixed_policy(game, dict.fromkeys(last, 5.0)), critic))
    kept, trust = champion._candidates(view, seat, codes)
    assert kept[0] == len(codes) - 1
    assert len(kept) == width
    assert trust[0] == 0
    assert (np.diff(trust) <= 0).all()
