"""Short runs of `quadriga train`. Needs PyTorch: test_with_torch.py runs it."""

from pathlib import Path

from quadriga import games
from quadriga.bots.network import read_weights
from quadriga.training.running import Plan, train
from quadriga.training.weights import shipped_weights

GAME = games.load("chariots")
START = shipped_weights(GAME)
PLAN = Plan("chariots", 1, 4, 0.5, 2, races=0, rules_version=GAME.meta.rules_version)


def test_a_run_makes_a_value_network_and_a_policy(tmp_path: Path) -> None:
    weights = train(PLAN, tmp_path / "run", False, 1, "cpu", lambda line: None)
    networks = read_weights(GAME, weights)
    assert weights == tmp_path / "run" / "choices" / "weights.npz"
    assert (networks.value.is_there, networks.policy.is_there, networks.critic.is_there) == (True, True, False)
