"""What a seat can choose, and how kernels read and write the code of a choice."""

from typing import Annotated

from quadriga.core.fields import In
from quadriga.core.kernel import kernel
from quadriga.core.messages import Action, Bits, UpTo, kind_of

PARTS = ("first", "second", "third", "crowd")
"""The cards of a move, as a wild names the one it changes."""
PLACES = ("1", "2", "3", "4", "5", "6", "7", "8")
"""The places of a hand, as a discard names its cards."""
CROWD_PART = 3


class Move(Action, code=1):
    """Cards that share a symbol (CH-3), a token on them (CH-15), and cards under a discard token."""

    symbol: Annotated[int, Bits(4), In("symbol")]
    cards: Annotated[tuple[int, ...], UpTo(3), Bits(8), In("card")] = ()
    crowd: bool = False
    token: Annotated[int, Bits(5), In("token")] = -1
    changed: Annotated[int, Bits(3), In("part")] = -1
    discard_token: Annotated[int, Bits(5), In("token")] = -1
    discards: Annotated[tuple[int, ...], UpTo(3), Bits(4), In("place")] = ()


class Reset(Action, code=2):
    """Any cards, to stand still and shed all damage (CH-12), and cards under a discard token."""

    cards: Annotated[tuple[int, ...], UpTo(3), Bits(8), In("card")] = ()
    discard_token: Annotated[int, Bits(5), In("token")] = -1
    discards: Annotated[tuple[int, ...], UpTo(3), Bits(4), In("place")] = ()


MOVE, RESET = Move.code, Reset.code
SYMBOL = Move.at("symbol")[0]
CARDS = Move.at("cards")[0]
CROWD = Move.at("crowd")[0]
TOKEN = Move.at("token")[0]
CHANGED = Move.at("changed")[0]
DISCARD_TOKEN = Move.at("discard_token")[0]
DISCARDS = Move.at("discards")[0]
RESET_CARDS = Reset.at("cards")[0]
RESET_DISCARD_TOKEN = Reset.at("discard_token")[0]
RESET_DISCARDS = Reset.at("discards")[0]


@kernel
def symbol_of(code: int) -> int:
    """The symbol of a move; none for a reset."""
    return ((code >> SYMBOL) & 15) - 1 if kind_of(code) == MOVE else -1


@kernel
def card_of(code: int, i: int) -> int:
    """The i-th hand card of a move or reset, or none."""
    start = CARDS if kind_of(code) == MOVE else RESET_CARDS
    return ((code >> (start + 8 * i)) & 255) - 1


@kernel
def has_crowd(code: int) -> int:
    """1 if the move includes the crowd card."""
    return (code >> CROWD) & 1 if kind_of(code) == MOVE else 0


@kernel
def token_of(code: int) -> int:
    """The token on the move, or none."""
    return ((code >> TOKEN) & 31) - 1 if kind_of(code) == MOVE else -1


@kernel
def changed_of(code: int) -> int:
    """Which card of the move a wild changes (0-2, the crowd card 3), or none."""
    return ((code >> CHANGED) & 7) - 1 if kind_of(code) == MOVE else -1


@kernel
def discard_token_of(code: int) -> int:
    """The discard token, or none."""
    start = DISCARD_TOKEN if kind_of(code) == MOVE else RESET_DISCARD_TOKEN
    return ((code >> start) & 31) - 1


@kernel
def discard_of(code: int, i: int) -> int:
    """The place in the hand of the i-th discard, or none."""
    start = DISCARDS if kind_of(code) == MOVE else RESET_DISCARDS
    return ((code >> (start + 4 * i)) & 15) - 1
