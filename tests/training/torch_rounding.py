"""Weights as whole numbers: what rounding changes is made good. Needs PyTorch: test_with_torch.py runs it."""

import numpy as np
import pytest
import torch

from quadriga.bots.network import UNIT
from quadriga.training.learning import make_model, outputs_of, quantise
from quadriga.training.rounding import INT8, round_layer, round_model
from quadriga.training.value_task import forward_rows

INPUTS, OUTPUTS = 40, 9


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def examples(count: int, seed: int) -> torch.Tensor:
    """Rows in units whose inputs hang together, as those of an observation do; the last is always 0."""
    random = np.random.default_rng(seed)
    few = random.random((count, 8)) @ np.random.default_rng(0).random((8, INPUTS))
    rows = (few / 4 + 0.05 * random.random((count, INPUTS))) * UNIT
    rows[:, -1] = 0
    return torch.from_numpy(rows.round().astype(np.int16))


def model() -> torch.nn.Module:
    torch.manual_seed(1)
    made: torch.nn.Module = make_model(INPUTS, (64, 16), OUTPUTS)
    return made


def error(layers: list[tuple[np.ndarray, np.ndarray, np.ndarray]], network: torch.nn.Module) -> float:
    """The mean square of what whole numbers change, on rows that rounding has not seen."""
    rows = examples(2000, 2)
    with torch.no_grad():
        said = outputs_of(network, rows, False).numpy()
    return float(((forward_rows(layers, rows.numpy()) / UNIT - said) ** 2).mean())


@pytest.mark.parametrize("most", [INT8, 31, 7])
def test_weights_are_whole_numbers_within_their_bounds(most: int) -> None:
    layers = round_model(model(), examples(500, 1), most)
    assert [weights.shape for weights, _, _ in layers] == [(INPUTS, 64), (64, 16), (16, OUTPUTS)]
    for arrays in layers:
        assert [array.dtype for array in arrays] == [np.int8, np.int32, np.int32]
        assert int(np.abs(arrays[0].astype(int)).max()) == most


def test_with_all_steps_of_int8_next_to_nothing_changes() -> None:
    network = model()
    layers = round_model(network, examples(2000, 1))
    assert error(layers, network) < 2e-5
    assert error(layers, network) < error(quantise(network), network)


def test_errors_are_made_good_by_later_inputs() -> None:
    """With few steps, a third of the error at most is left that rounding each weight for itself makes."""
    network, inputs = model(), examples(2000, 1).double() / UNIT
    weight, bias = network[0].weight.detach().double(), network[0].bias.detach().double()
    whole, step, changed = round_layer(weight, bias, inputs, 7)
    alone = (weight / step[:, None]).round() * step[:, None]
    unseen = examples(2000, 2).double() / UNIT
    wanted = unseen @ weight.T + bias
    left = (unseen @ (whole * step[:, None]).T + changed - wanted).square().mean()
    assert left < (unseen @ alone.T + bias - wanted).square().mean() / 3


def test_inputs_that_are_never_seen_keep_their_weights_as_far_as_rounding_goes() -> None:
    weight = model()[0].weight.detach().double()
    whole, step, _ = round_layer(weight, torch.zeros(64).double(), examples(500, 1).double() / UNIT, INT8)
    assert (whole[:, -1] - weight[:, -1] / step).abs().max() <= 0.51
