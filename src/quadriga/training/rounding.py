"""Rounds a trained network's weights to whole numbers, and compensates for the error.

The weights of a layer are rounded one input after the other. Each leaves an error in the layer's sums; the weights of
the inputs not yet rounded, and at last the biases, are changed so that over examples the least error remains (the
method is known as GPTQ). Fewer steps then do: with 31 in place of 127 a network loses little, and its file is smaller.
"""

from typing import Any

import numpy as np

from quadriga.bots.network import SHIFT, UNIT, Layers
from quadriga.training.learning import torch_module

INT8 = 127
"""The largest weight there can be; the smallest is as far below 0."""
DAMPING = 0.01
"""How much weights are held back from large changes, as a part of the mean square of inputs."""
EXAMPLES = 20_000
"""Rows that rounding looks at, at most; of more, some from all over."""


def round_model(model: Any, rows: Any, most: int = INT8) -> Layers:
    """The layers of a model, their weights from -most to most. rows: examples of inputs, in units."""
    torch = torch_module()
    layers: Layers = []
    linear = [part for part in model if hasattr(part, "weight")]
    with torch.no_grad():
        chosen = rows[:: -(-len(rows) // EXAMPLES)]
        values = chosen.to(linear[0].weight.device).double() / UNIT
        for part in linear:
            whole, step, bias = round_layer(part.weight.double(), part.bias.double(), values, most)
            values = (values @ (whole * step[:, None]).T + bias).clamp(min=0)
            biases = (bias / step * UNIT).round().clamp(-(2**30), 2**30)
            scales = (step * (1 << SHIFT)).round()
            arrays = (array.cpu().numpy() for array in (whole.T.contiguous(), biases, scales))
            layers.append(tuple(a.astype(t) for a, t in zip(arrays, (np.int8, np.int32, np.int32), strict=True)))
    return layers


def round_layer(weight: Any, bias: Any, inputs: Any, most: int) -> tuple[Any, Any, Any]:
    """A layer's weights as whole numbers, what one step of each output is, and the biases that go with them.

    The bias counts as the weight of a last input that is always 1, which is not rounded.
    """
    torch, count = torch_module(), weight.shape[1]
    squares = mean_squares(inputs)
    order = torch.cat([squares.diagonal()[:count].argsort(descending=True), torch.tensor([count]).to(inputs.device)])
    left = torch.cat([weight, bias[:, None]], dim=1)[:, order]
    # Row i says how an error at input i is best spread over the inputs from i on.
    spread = torch.linalg.cholesky(torch.linalg.inv(squares[order][:, order]), upper=True)
    step = weight.abs().amax(dim=1).clamp(min=1e-6) / most
    whole = torch.zeros_like(weight)
    for i in range(count):
        rounded = (left[:, i] / step).round().clamp(-most, most)
        whole[:, order[i]] = rounded
        error = (left[:, i] - rounded * step) / spread[i, i]
        left[:, i:] -= error[:, None] * spread[i, i:]
    return whole, step, left[:, count]


def mean_squares(inputs: Any) -> Any:
    """The mean products of all pairs of inputs and of a last one that is always 1, with damping."""
    torch, count = torch_module(), inputs.shape[1]
    extended = torch.cat([inputs, torch.ones_like(inputs[:, :1])], dim=1)
    squares = extended.T @ extended / len(inputs)
    held = DAMPING * squares.diagonal()[:count].mean().clamp(min=1e-6)
    return squares + held * torch.cat([torch.ones(count), torch.tensor([1e-6])]).to(squares).diag()
