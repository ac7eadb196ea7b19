"""Chains for games whose list of choices is short: every choice is a word of ids, and a chain is its beginning.

`links` are the next letters of the listed words that begin as the chain does. A chain is finished as soon as one word
is left, so that nothing is asked twice; what is legal stays the list's affair.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core.dispatch import legal
from quadriga.core.kernel import kernel
from quadriga.envs.learnable import STAGE, spell

LETTER = 6
"""Bits of an id in a chain."""
MASK = (1 << LETTER) - 1

Ints = NDArray[np.int64]


@kernel
def spelt_links(race: Any, tables: Any, seat: int, chain: int, out: Ints, scratch: Ints) -> int:
    """The ids that may follow a chain, a bit for each."""
    length, following = chain >> STAGE, 0
    if chain != 0 and length == 0:
        return 0
    for i in range(legal(race, tables, seat, out, scratch)):
        if begins(race, tables, seat, out[i], chain, length):
            following |= 1 << spell(race, tables, seat, out[i], length)
    return following


@kernel
def begins(race: Any, tables: Any, seat: int, code: int, chain: int, length: int) -> bool:
    """Whether a choice begins with the ids of a chain."""
    for place in range(length):
        if spell(race, tables, seat, code, place) != (chain >> LETTER * place & MASK):
            return False
    return True


@kernel
def spelt_link(race: Any, tables: Any, seat: int, chain: int, choice: int, out: Ints, scratch: Ints) -> int:
    """The chain with one more id: the code of the only choice left, or a longer beginning."""
    length = chain >> STAGE
    letters = (chain & ((1 << LETTER * length) - 1)) | choice << LETTER * length
    left, code = 0, 0
    for i in range(legal(race, tables, seat, out, scratch)):
        if begins(race, tables, seat, out[i], letters, length + 1):
            left, code = left + 1, out[i]
    return code if left == 1 else letters | (length + 1) << STAGE
