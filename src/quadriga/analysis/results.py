"""What an analysis says. Chances are numbers from 0 to 1, whole multiples of 1/65,536, so that sums are exact."""

from dataclasses import dataclass
from enum import StrEnum

Chances = tuple[tuple[float, ...], ...]
"""The chance of each place, for each seat."""


class Grade(StrEnum):
    """How good a choice was, by what the seat knew."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


@dataclass(frozen=True)
class Candidate:
    """A choice that was played out."""

    choice: str
    """In the game's notation."""
    chance: float
    """The seat's chance to win, by what the seat knew."""
    error: float
    """The standard error of that chance."""
    playouts: int
    """Playouts that it rests on."""
    places: tuple[float, ...]
    """The seat's chance of each place, the first place first."""


@dataclass(frozen=True)
class Reason:
    """Something that playouts of one choice had more or less of than those of another."""

    measure: str
    """What was measured, such as `spaces` or `damage`."""
    amount: float
    """How much more of it, on average; below 0: less."""


@dataclass(frozen=True)
class Decision:
    """A choice between at least two things that a seat made."""

    step: int
    """The number of the step in which it was played."""
    seat: int
    """Whose choice it was."""
    choice: str
    """What was chosen, in the game's notation."""
    choices: int
    """How many choices there were."""
    cost: float
    """What it cost in chance to win, by what the seat knew; 0 where none better was found."""
    error: float
    """The standard error of the cost."""
    grade: Grade
    """How good it was, by what the seat knew."""
    candidates: tuple[Candidate, ...]
    """The best choices, the best first, and the one made among them."""
    reasons: tuple[Reason, ...]
    """Why the best is better than the one made: at most two; empty where the cost does not count."""
    before: Chances
    """The chances of all seats before the step, everything known."""
    after: Chances
    """The same after the choices of the step, before chance."""
    skill: float
    """What the choice changed in the seat's own chance to win, everything known."""

    @property
    def best(self) -> Candidate:
        """The best choice that was found."""
        return self.candidates[0]

    @property
    def counts(self) -> bool:
        """Whether the cost counts: at least 2 points, and beyond two standard errors."""
        return self.grade not in (Grade.BEST, Grade.GOOD)


@dataclass(frozen=True)
class ChanceEvent:
    """Something random, with what it changed."""

    step: int
    """The number of the step in which it happened; 0: the set-up."""
    events: tuple[str, ...]
    """The kinds of events by which it was seen."""
    before: Chances
    """The chances to be expected before it."""
    after: Chances
    """The chances after it."""
    luck: tuple[float, ...]
    """What it changed in each seat's chance to win."""


@dataclass(frozen=True)
class Account:
    """Where a seat's result came from: start + skill + luck + rivals = result, exactly."""

    seat: int
    """The seat, from 0."""
    name: str
    """The player's name."""
    start: float
    """The chance to win before the set-up."""
    skill: float
    """What the seat's own choices changed."""
    luck: float
    """What chance changed."""
    rivals: float
    """What the rivals' choices changed."""
    result: float
    """The result: 1 for a win, 0 otherwise."""
    accuracy: float | None
    """From 0 to 100; None for a seat that had nothing to decide."""
    grades: dict[str, int]
    """How many decisions had each grade."""


@dataclass(frozen=True)
class Position:
    """The chances of all seats after a step, everything known."""

    step: int
    """The number of the step; 0: the set-up."""
    chances: Chances
    """The chance of each place, for each seat."""


@dataclass(frozen=True)
class Analysis:
    """The analysis of one race."""

    game: str
    """The name of the game."""
    players: tuple[str, ...]
    """The players' names, by seat."""
    places: tuple[int, ...]
    """The place of each seat at the end."""
    depth: str
    """The name of the depth, or its numbers."""
    seed: int
    """The seed of the playouts."""
    notice: str
    """Why there is no network to judge positions by; empty if there is one."""
    positions: tuple[Position, ...]
    """The chances over the race, by step."""
    decisions: tuple[Decision, ...]
    """Every choice between at least two things, in the order of the race."""
    chance_events: tuple[ChanceEvent, ...]
    """Everything random, in the order of the race."""
    accounts: tuple[Account, ...]
    """One for each seat."""
