"""What is counted over the rows of a simulation, whatever their number: over all seats, and for each bot apart."""

from collections import Counter
from collections.abc import Iterable
from math import sqrt

from quadriga import games
from quadriga.arena.notes import Notes, notes_of
from quadriga.arena.simulation import Simulation

SPREAD = ("stretches", "steps", "lead_changes")
"""What is counted of races: how long they are, and how open."""


class Seats:
    """What is counted of some seats: all, or those of one bot."""

    def __init__(self, notes: Notes) -> None:
        own = notes.columns
        self.numbers = [column.name for column in own if column.kind is not str]
        told_apart = ["seat", "bot", *(column.name for column in own if column.is_name or column.kind is str)]
        counted = [name for name in self.numbers if name in notes.words and name not in told_apart]
        self.seats = self.winners = 0
        self.sat: dict[str, Counter[str]] = {name: Counter() for name in told_apart}
        self.split: dict[str, Counter[str]] = {name: Counter() for name in told_apart}
        self.had: dict[str, Counter[int]] = {name: Counter() for name in counted}
        self.won: dict[str, Counter[int]] = {name: Counter() for name in counted}
        self.sums = {name: {True: 0.0, False: 0.0} for name in self.numbers}
        self.squares = dict.fromkeys(self.numbers, 0.0)

    def add(self, row: dict[str, str], seat: int, won: bool) -> None:
        """Count a seat of a race."""
        self.seats += 1
        self.winners += won
        for name, counts in self.sat.items():
            value = str(seat + 1) if name == "seat" else row[f"{name}_{seat}"]
            counts[value] += 1
            self.split[name][value] += won
        for name in self.had:
            number = round(float(row[f"{name}_{seat}"]))
            self.had[name][number] += 1
            self.won[name][number] += won
        for name, sums in self.sums.items():
            value_ = float(row[f"{name}_{seat}"])
            sums[won] += value_
            self.squares[name] += value_ * value_

    @property
    def fair(self) -> float:
        """The share that these seats won in all."""
        return self.winners / max(self.seats, 1)

    def mean(self, name: str, won: bool | None = None) -> float:
        """What winners, all others, or all had on average."""
        if won is None:
            return sum(self.sums[name].values()) / max(self.seats, 1)
        return self.sums[name][won] / max(self.winners if won else self.seats - self.winners, 1)

    def error(self, name: str) -> float:
        """The standard error of the mean of all."""
        spread = self.squares[name] / max(self.seats, 1) - self.mean(name) ** 2
        return sqrt(max(spread, 0.0) / max(self.seats - 1, 1))


class Tally:
    """The figures of a simulation."""

    def __init__(self, plan: Simulation, rows: Iterable[dict[str, str]]) -> None:
        self.plan, self.notes, self.races = plan, notes_of(games.load(plan.game)), 0
        self.all = Seats(self.notes)
        self.bots = {bot: Seats(self.notes) for bot in dict.fromkeys(plan.bots)}
        self.reasons: Counter[str] = Counter()
        self.spread: dict[str, Counter[int]] = {name: Counter() for name in SPREAD}
        for row in rows:
            self._add(row)

    def _add(self, row: dict[str, str]) -> None:
        self.races += 1
        self.reasons[row["reason"]] += 1
        for name, counts in self.spread.items():
            counts[int(row[name])] += 1
        for seat in range(self.plan.seats):
            won = row[f"place_{seat}"] == "1"
            self.all.add(row, seat, won)
            self.bots[row[f"bot_{seat}"]].add(row, seat, won)

    def title(self, name: str) -> str:
        """What a page calls a column."""
        return self.notes.words.get(name, (name.replace("_", " "), ""))[0]
