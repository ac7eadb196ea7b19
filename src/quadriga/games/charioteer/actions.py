"""What a seat can choose, and how kernels read and write the code of a choice."""

from typing import Annotated

from quadriga.core.fields import NONE, In
from quadriga.core.kernel import kernel
from quadriga.core.messages import Action, Bits, UpTo, kind_of, part

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


DO_MOVE, DO_RESET = Move.code, Reset.code
MOVE_SYMBOL = Move.at("symbol")
MOVE_CARDS = Move.at("cards")
MOVE_CROWD = Move.at("crowd")
MOVE_TOKEN = Move.at("token")
MOVE_CHANGED = Move.at("changed")
MOVE_DISCARD_TOKEN = Move.at("discard_token")
MOVE_DISCARDS = Move.at("discards")
RESET_CARDS = Reset.at("cards")
RESET_DISCARD_TOKEN = Reset.at("discard_token")
RESET_DISCARDS = Reset.at("discards")


@kernel
def symbol_of(code: int) -> int:
    """The symbol of a move; none for a reset."""
    return part(code, MOVE_SYMBOL) if kind_of(code) == DO_MOVE else NONE


@kernel
def card_of(code: int, i: int) -> int:
    """The i-th hand card of a move or reset, or none."""
    return part(code, MOVE_CARDS, i) if kind_of(code) == DO_MOVE else part(code, RESET_CARDS, i)


@kernel
def has_crowd(code: int) -> int:
    """1 if the move includes the crowd card."""
    return part(code, MOVE_CROWD) if kind_of(code) == DO_MOVE else 0


@kernel
def token_of(code: int) -> int:
    """The token on the move, or none."""
    return part(code, MOVE_TOKEN) if kind_of(code) == DO_MOVE else NONE


@kernel
def changed_of(code: int) -> int:
    """Which card of the move a wild changes (0 to 2, CROWD_PART), or none."""
    return part(code, MOVE_CHANGED) if kind_of(code) == DO_MOVE else NONE


@kernel
def discard_token_of(code: int) -> int:
    """The discard token, or none."""
    return part(code, MOVE_DISCARD_TOKEN) if kind_of(code) == DO_MOVE else part(code, RESET_DISCARD_TOKEN)


@kernel
def discard_of(code: int, i: int) -> int:
    """The place in the hand of the i-th discard, or none."""
    return part(code, MOVE_DISCARDS, i) if kind_of(code) == DO_MOVE else part(code, RESET_DISCARDS, i)
