"""How observations are written: every number lies between -1 and 1, and each function gives the next place."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.kernel import kernel

Floats = NDArray[np.float32]
ONE = np.float32(1)


@kernel
def scaled(out: Floats, at: int, value: int, most: int) -> int:
    """A number as a share of the most it can be."""
    share = np.float32(value) / np.float32(most)
    out[at] = min(max(share, -ONE), ONE)
    return at + 1


@kernel
def one_of(out: Floats, at: int, value: int, count: int) -> int:
    """1 at the place of a value and 0 at the others; all 0 for none."""
    for i in range(count):
        out[at + i] = 1.0 if i == value else 0.0
    return at + count


@kernel
def flags(out: Floats, at: int, bits: int, count: int) -> int:
    """A number for each bit."""
    for i in range(count):
        out[at + i] = 1.0 if bits >> i & 1 else 0.0
    return at + count


@kernel
def nothing(out: Floats, at: int, count: int) -> int:
    """Zeros, where there is nothing to tell."""
    for i in range(count):
        out[at + i] = 0.0
    return at + count
