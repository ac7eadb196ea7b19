"""A puzzle as it was mined: how the race got there, who chooses, what is right, and what is known about it."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from quadriga.analysis.results import Reason
from quadriga.core.meta import OptionValue

FORMAT = 1


class Puzzle(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One puzzle. It names no player: seats are numbers."""

    format: int = FORMAT
    game: str
    rules_version: int
    seats: int
    options: dict[str, OptionValue]
    seed: str = ""
    """The seed of the race, 64 hexadecimal digits; empty where the position is written instead."""
    steps: tuple[dict[int, str], ...] = ()
    """The choices that led there."""
    position: dict[str, Any] = {}
    """The fields of the position, where it was not reached from a seed."""
    seat: int
    """Who is to choose."""
    rivals: dict[int, str] = {}
    """What the others chose at the same time."""
    answers: tuple[str, ...]
    """Right choices, as they are listed; the best first."""
    open_fields: tuple[str, ...] = ()
    """Fields of a choice that are not compared with the answers, since lists leave them out."""
    kind: str
    """The kind of the best choice."""
    stage: int
    """The part of the race: 0 its beginning, 1 its middle, 2 its end."""
    chances: tuple[int, ...]
    """The chance to win with each listed choice, in hundredths."""
    chance: float
    """The chance to win with the best choice."""
    following: str
    """The best choice that is not right, as it is listed, …"""
    margin: float
    """… how far it is behind, …"""
    error: float
    """… and the standard error of that."""
    reasons: tuple[Reason, ...] = ()
    """Why the best is better than it."""
    found: dict[str, float]
    """How often bots of each level choose right."""

    @property
    def choices(self) -> int:
        """How many choices there are."""
        return len(self.chances)

    @property
    def difficulty(self) -> float:
        """From 0, every bot finds it, to 1, none does."""
        return difficulty_of(self.found)

    @property
    def stars(self) -> int:
        """The difficulty as one to five stars."""
        return min(5, 1 + int(5 * self.difficulty))

    @property
    def bucket(self) -> tuple[str, int, int]:
        """Puzzles that are alike at a glance: kind of the choice, number of players, part of the race."""
        return self.kind, self.seats, self.stage

    @property
    def signature(self) -> tuple[Any, ...]:
        """Two puzzles with the same are too much alike to be kept both."""
        return (*self.bucket, self.answers, len(self.chances))


def difficulty_of(found: Mapping[str, float]) -> float:
    """The share of bots that do not find it, every level counted alike."""
    return 1 - sum(found.values()) / len(found) if found else 0.5
