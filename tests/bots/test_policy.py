"""The policy network: scores of choices by their parts, and champion's trust in them."""

import numpy as np
import pytest

from quadriga import games
from quadriga.bots.evaluation import MOST_PARTS, parts
from quadriga.bots.network import UNIT, Networks, network_of, no_network
from quadriga.bots.policy import TEMPERATURE, as_leads, score_choices
from quadriga.bots.search import Champion
from tests.bots.policies import first_decision, fixed_policy

every_game = pytest.mark.parametrize("name", games.NAMES)


@every_game
def test_a_choice_is_worth_the_sum_of_its_parts(name: str) -> None:
    game = games.load(name)
    state, seat = first_decision(game)
    codes, found = game.legal_codes(state, seat).copy(), np.zeros(MOST_PARTS, np.int64)
    named = [set(found[: parts(state, game.tables, seat, code, found)].tolist()) for code in codes]
    assert all(named)
    wanted = sorted(named[1])
    policy = fixed_policy(game, {part: n + 1.0 for n, part in enumerate(wanted)})
    scores = np.zeros(len(codes), np.int64)
    score_choices(game.view(state, seat), state, game.tables, seat, codes, policy, found, scores)
    expected = [UNIT * sum(wanted.index(part) + 1 for part in own if part in wanted) for own in named]
    assert scores.tolist() == expected


def test_a_difference_of_one_is_worth_the_temperature_as_a_chance() -> None:
    assert as_leads(np.array([0, UNIT, -UNIT]), 1000).tolist() == [-2000 * TEMPERATURE, 0, -4000 * TEMPERATURE]


@every_game
def test_champion_that_trusts_its_policy_alone_takes_what_that_prefers(name: str) -> None:
    game = games.load(name)
    state, seat = first_decision(game)
    choices = game.legal_actions(state, seat)
    champion = Champion(game, 3, iterations=1)
    kept = champion.evaluator.score(game.view(state, seat), seat, game.legal_codes(state, seat), 1).argsort()[-3:]
    found = np.zeros(MOST_PARTS, np.int64)
    sets = {int(k): set(found[: parts(state, game.tables, seat, choices[k].pack(), found)].tolist()) for k in kept}
    preferred = next(k for k, own in sets.items() if all(own - sets[o] for o in sets if o != k))
    own = set.difference(sets[preferred], *(sets[o] for o in sets if o != preferred)) or sets[preferred]
    champion.use(Networks(network_of(game)[0], fixed_policy(game, dict.fromkeys(own, 50.0)), no_network()))
    champion.policy_playouts = 10_000
    chosen = champion.choose(game.view(state, seat), seat, choices)
    named = set(found[: parts(state, game.tables, seat, chosen.pack(), found)].tolist())
    assert named & own


def test_a_game_without_parts_has_none() -> None:
    from quadriga.bots.evaluation import no_parts

    assert no_parts(None, None, 0, 5, np.zeros(MOST_PARTS, np.int64)) == 0
