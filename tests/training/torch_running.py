"""Short runs of `quadriga train`. Needs PyTorch: test_with_torch.py runs it."""

from pathlib import Path

import numpy as np

from quadriga import games
from quadriga.bots.network import read_weights
from quadriga.training.running import Plan, train
from quadriga.training.value_task import widened
from quadriga.training.weights import critic_layers, hidden_of, policy_layers, shipped_weights, value_layers

GAME = games.load("chariots")
START = shipped_weights(GAME)
PLAN = Plan("chariots", 1, 4, 0.5, 2, races=0, rules_version=GAME.meta.rules_version)


def test_a_run_makes_a_value_network_and_a_policy(tmp_path: Path) -> None:
    weights = train(PLAN, tmp_path / "run", False, 1, "cpu", lambda line: None)
    networks = read_weights(GAME, weights)
    assert weights == tmp_path / "run" / "choices" / "weights.npz"
    assert (networks.value.is_there, networks.policy.is_there, networks.critic.is_there) == (True, True, False)


def test_a_value_network_goes_on_and_the_others_stay(tmp_path: Path) -> None:
    plan = Plan(
        "chariots", 1, 4, 0.5, 1, races=0, rules_version=GAME.meta.rules_version, start=str(START), only_value=True
    )
    weights = train(plan, tmp_path / "run", False, 1, "cpu", lambda line: None)
    assert weights == tmp_path / "run" / "round-1" / "weights.npz"
    for layers_of in (policy_layers, critic_layers):
        kept, before = layers_of(weights), layers_of(START)
        assert kept
        assert before
        assert [array.tobytes() for layer in kept for array in layer] == [
            a.tobytes() for layer in before for a in layer
        ]
    value, before = value_layers(weights), widened(value_layers(START))
    assert hidden_of(value) == (512, 64)
    assert not np.array_equal(value[0][0], before[0][0])
