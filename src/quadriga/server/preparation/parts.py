"""The parts of a game that are compiled, and which of them are: the rules, and what each level of bots thinks with."""

from quadriga.bots import LEVELS
from quadriga.bots.warmup import is_bot_compiled
from quadriga.core.warmup import is_compiled, note_compiled

RULES = "rules"
PARTS = (RULES, *LEVELS)
"""In the order of need."""


def note_rules(game: str) -> None:
    """Note that the rules of a game have been compiled for tables."""
    note_compiled("core", f"{game}-{RULES}")


def is_part_compiled(game: str, part: str) -> bool:
    """Whether a part of a game has been compiled on this machine."""
    return is_compiled("core", f"{game}-{RULES}") if part == RULES else is_bot_compiled(game, part)
