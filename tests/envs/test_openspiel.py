"""OpenSpiel's own bots play whole races."""

from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.bots import uniform_random

import quadriga.envs.openspiel  # noqa: F401  # registers the games
from quadriga import games
from quadriga.core.errors import InvalidOption
from quadriga.envs import openspiel_game
from tests.contract.twins import twins_of
from tests.envs.positions import every_game

SHORT: dict[str, dict[str, object]] = {
    "charioteer": {"laps": 1, "limit": 4},
    "chariot_race": {"limit": 1},
    "chariots": {"laps": 1, "limit": 5},
}


random_outcomes = np.random.RandomState(7)


def rolled(state: Any) -> int:
    """A chance outcome."""
    return int(random_outcomes.choice([outcome for outcome, _ in state.chance_outcomes()]))


def played(state: Any, choose: Any) -> Any:
    while not state.is_terminal():
        state.apply_action(rolled(state) if state.is_chance_node() else int(choose(state)))
    return state


@every_game
def test_ismcts_and_random_bots_play_a_whole_race(name: str) -> None:
    game = openspiel_game(name, 3, SHORT[name], seed=1)
    random = np.random.RandomState(2)
    thinker = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, random), 1.0, 2, random_state=random)
    bots = [thinker, *(uniform_random.UniformRandomBot(seat, random) for seat in (1, 2))]
    end = played(game.new_initial_state(), lambda state: bots[state.current_player()].step(state))
    assert sum(end.returns()) == pytest.approx(0)
    places = games.load(name).places(end.races[0])
    assert np.argmax(end.returns()) == np.argmin(places)


@every_game
def test_a_resampled_state_is_the_same_to_the_player_and_to_nobody_else(name: str) -> None:
    game = openspiel_game(name, 3, seed=3)
    random, unlike, pending = np.random.RandomState(4), 0, 0
    state = game.new_initial_state()
    for _ in range(120):
        if state.is_terminal():
            break
        if state.is_chance_node():
            state.apply_action(rolled(state))
            continue
        player = state.current_player()
        other = state.resample_from_infostate(player, random.random_sample)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)
        assert other.legal_actions() == state.legal_actions()
        assert ((other.chains != 0) == (state.chains != 0)).all()
        unlike += not np.array_equal(other.races, state.races)
        pending += (other.chains != state.chains).any()
        state.apply_action(random.choice(state.legal_actions()))
    assert bool(unlike) == twins_of(name).HIDES
    assert bool(pending) == twins_of(name).HIDES


@every_game
def test_openspiel_plays_at_random_and_serialises_every_state(name: str) -> None:
    options = ",".join(f"{option}={value}" for option, value in SHORT[name].items())
    game = pyspiel.load_game(f"python_quadriga_{name}(players=2,{options})")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@every_game
def test_a_state_follows_from_its_history_and_the_seed(name: str) -> None:
    game, random = openspiel_game(name, 2, seed=5), np.random.RandomState(6)
    state = game.new_initial_state()
    for _ in range(40):
        state.apply_action(rolled(state) if state.is_chance_node() else random.choice(state.legal_actions()))
    again, other = game.new_initial_state(), openspiel_game(name, 2, seed=6).new_initial_state()
    for action in state.history():
        again.apply_action(action)
    assert np.array_equal(again.races, state.races)
    assert np.array_equal(game.deserialize_state(state.serialize()).races, state.races)
    for action in state.history()[:2]:
        other.apply_action(action)
    assert other.path != again.path


@every_game
def test_an_information_state_tensor_tells_information_states_apart(name: str) -> None:
    game, random = openspiel_game(name, 2, seed=8), np.random.RandomState(9)
    state, told = game.new_initial_state(), dict[tuple[float, ...], str]()
    for _ in range(60):
        if not state.is_chance_node() and not state.is_terminal():
            player = state.current_player()
            tensor = tuple(state.information_state_tensor(player))
            assert len(tensor) == game.information_state_tensor_size()
            assert tensor[: game.observation_tensor_size()] == tuple(state.observation_tensor(player))
            text = f"{player} {state.information_state_string(player)}"
            assert told.setdefault(tensor, text) == text
        state.apply_action(rolled(state) if state.is_chance_node() else random.choice(state.legal_actions()))
    assert len(set(told.values())) == len(told) > 10


def test_a_game_by_name_has_its_options() -> None:
    game = pyspiel.load_game("python_quadriga_chariots(players=4,laps=5)")
    assert game.num_players() == 4
    state = game.new_initial_state()
    for outcome in (3, 200):
        assert state.action_to_string(state.current_player(), outcome) == f"draw {outcome}"
        state.apply_action(outcome)
    assert state.races[0].laps == 5
    assert state.action_to_string(state.current_player(), 0) == "coin 2"
    assert "chosen: nothing" in state.observation_string(0)
    with pytest.raises(InvalidOption, match="is for 2 to 4 players"):
        openspiel_game("chariots", 7)
