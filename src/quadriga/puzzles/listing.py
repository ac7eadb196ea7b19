"""Choices as they are listed: a list may leave parts of a choice out, such as Charioteer's discards."""

from quadriga.analysis.chances import Codes
from quadriga.core.game import Game
from quadriga.core.messages import KIND_BITS, Action, Slot

KIND = (1 << KIND_BITS) - 1


def listed_code(game: Game, codes: Codes, code: int) -> int | None:
    """The listed choice that a whole one belongs to: parts that the list leaves out are not compared."""
    for slot in open_slots(codes, type(game.unpack(code))):
        code &= ~_bits(slot)
    return code if code in codes else None


def open_slots(codes: Codes, kind: type[Action]) -> tuple[Slot, ...]:
    """The fields of a kind of choice that no listed choice of it has: any value will do."""
    used = 0
    for code in codes:
        used |= int(code) if int(code) & KIND == kind.code else 0
    return tuple(slot for slot in kind.slots if not used & _bits(slot))


def _bits(slot: Slot) -> int:
    """The bits of a field in a choice's code."""
    return ((1 << slot.width * max(slot.most, 1)) - 1) << slot.shift
