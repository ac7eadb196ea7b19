"""Choices become ids and ids become choices."""

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from quadriga import games
from quadriga.bots import make_bot
from quadriga.core.errors import IllegalAction, InvalidAction
from quadriga.core.streams import new_stream, stream_key
from quadriga.envs import choice_to_ids, demonstrate, ids_to_choice
from quadriga.envs.vector import VectorEnv
from quadriga.games.charioteer.actions import Move
from tests.envs.positions import Position, every_game, positions


@every_game
def test_every_choice_has_ids_that_lead_back_to_it(name: str) -> None:
    tried = 0
    for at in positions(name, every=11):
        for seat in at.game.to_act(at.state)[:1]:
            codes = at.game.legal_codes(at.state, seat)
            for code in codes[:: max(1, len(codes) // 6)]:
                choice = at.game.unpack(int(code))
                assert ids_to_choice(at.game, at.state, seat, choice_to_ids(at.game, at.state, seat, choice)) == choice
                tried += 1
    assert tried > 50


def test_discards_wilds_and_any_order_of_cards_have_ids() -> None:
    """Whole choices of Charioteer that no list holds, as chains lead to them, with their cards in another order."""
    discarded = wild = turned = 0
    for at in positions("charioteer", every=53):
        tables: Any = at.game.tables
        at.state.tokens[0, (tables.token_discard > 0) | (tables.token_wild > 0)] = 1
        wholes = at.wholes(0)
        for code in wholes[:: max(1, len(wholes) // 12)]:
            choice = at.game.unpack(code)
            assert ids_to_choice(at.game, at.state, 0, choice_to_ids(at.game, at.state, 0, choice)).pack() == code
            discarded += bool(choice.discards)  # type: ignore[attr-defined]
            wild += isinstance(choice, Move) and choice.changed >= 0
            turned += orders_agree(at, choice)
    assert min(discarded, wild, turned) > 10


def orders_agree(at: Position, choice: Any) -> bool:
    """Whether all orders of a choice's cards lead to the same ids; False for one that has no other order."""
    fields = dict(zip((slot.name for slot in choice.slots), choice.values(), strict=True))
    changed = fields.get("changed", -1)
    if len(set(fields["cards"])) < 2 or 0 <= changed < 3:
        return False
    ids = choice_to_ids(at.game, at.state, 0, choice)
    for cards in permutations(fields["cards"]):
        assert choice_to_ids(at.game, at.state, 0, type(choice)(**fields | {"cards": cards})) == ids
    return True


@every_game
def test_demonstrations_are_what_the_environment_shows(name: str) -> None:
    """A bot's choices, fed to an environment id by id: the same observations, masks and races."""
    env = VectorEnv(name, 1, 2, seed=5)
    bots = [make_bot("veteran", env.game, seat) for seat in range(2)]
    for _ in range(25):
        seat, race = int(env.asked[0]), env.races[0]
        view = env.game.view(race, seat)
        choice = bots[seat].choose(view, seat, env.game.legal_actions(race, seat))
        for shown in demonstrate(env.game, race.copy(), seat, choice):
            assert np.array_equal(shown.observation, env.arrays.observations[0])
            assert np.array_equal(shown.action_mask, env.arrays.masks[0])
            assert shown.action_mask[shown.id] == 1
            env.step([shown.id])


def test_what_is_no_choice_is_said() -> None:
    game = games.load("chariots")
    state = game.setup(2, {}, new_stream(stream_key(bytes(32)), 0)).state
    ids = choice_to_ids(game, state, 0, game.legal_actions(state, 0)[0])
    with pytest.raises(InvalidAction, match="more ids are needed"):
        ids_to_choice(game, state, 0, ids[:1])
    with pytest.raises(InvalidAction, match="id 0 is not offered"):
        ids_to_choice(game, state, 0, [*ids, 0])
    with pytest.raises(InvalidAction, match="id 99 is not offered"):
        ids_to_choice(game, state, 0, [99])
    with pytest.raises((IllegalAction, InvalidAction)):
        choice_to_ids(game, state, 0, games.load("charioteer").unpack(2))
