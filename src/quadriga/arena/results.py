"""The results of a tournament: kept in a file as they come in, counted as they are kept, whatever their number."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from quadriga.arena.ratings import MODEL, rate, wilson
from quadriga.arena.tournament import Outcome, Plan
from quadriga.core.errors import InvalidOption

SHOWN_FAULTS = 100
"""Faults that are kept to be told; the others are counted."""


class Counts:
    """What is counted of the bots of one name."""

    def __init__(self) -> None:
        self.sat = self.wins = self.choices = 0
        self.seconds = 0.0
        self.rating = MODEL.rating()
        self.met: dict[str, int] = {}
        self.ahead: dict[str, float] = {}


class Tally:
    """The figures of a tournament, race by race in their order; bots of one name are counted together."""

    def __init__(self, plan: Plan) -> None:
        self.plan, self.games, self.faulted = plan, 0, 0
        self.counts = {name: Counts() for name in plan.bots}
        self.faults: list[dict[str, Any]] = []

    def add(self, outcome: Outcome) -> None:
        """Count a race."""
        self.games += 1
        sitters = [self.plan.bots[bot] for bot in outcome.seating]
        for seat, name in enumerate(sitters):
            self._count(self.counts[name], sitters, seat, outcome)
        self._rate(sitters, outcome.places)
        for fault in outcome.faults:
            self.faulted += 1
            if len(self.faults) < SHOWN_FAULTS:
                self.faults.append({"game": outcome.number, "bot": fault.bot, "seat": fault.seat, "why": fault.why})

    def _count(self, counts: Counts, sitters: list[str], seat: int, outcome: Outcome) -> None:
        counts.sat += 1
        counts.wins += outcome.places[seat] == 1
        counts.seconds += outcome.seconds[seat]
        counts.choices += outcome.choices[seat]
        for other, rival in enumerate(sitters):
            if rival != sitters[seat]:
                lead = outcome.places[other] - outcome.places[seat]
                counts.met[rival] = counts.met.get(rival, 0) + 1
                counts.ahead[rival] = counts.ahead.get(rival, 0.0) + (1.0 if lead > 0 else 0.5 if lead == 0 else 0.0)

    def _rate(self, sitters: list[str], places: list[int]) -> None:
        """Ratings by name; of bots of one name at a table the mean counts."""
        rated = rate([self.counts[name].rating for name in sitters], places)
        for name in set(sitters):
            own = [after for after, sitter in zip(rated, sitters, strict=True) if sitter == name]
            mean = sum(after.mu for after in own) / len(own)
            self.counts[name].rating = MODEL.rating(mu=mean, sigma=max(after.sigma for after in own))

    def figures(self) -> dict[str, Any]:
        """All figures; a share is that of the races a bot sat in, `ahead` how often it was placed before another."""
        return {
            "games": self.games,
            "bots": {name: _figures(counts) for name, counts in self.counts.items()},
            "game": self.plan.game,
            "seats": self.plan.seats,
            "ahead": {name: _ahead(counts) for name, counts in self.counts.items()},
            "faulted": self.faulted,
            "faults": self.faults,
        }


def _figures(counts: Counts) -> dict[str, float]:
    return {
        "wins": counts.wins,
        **_share(counts.wins, counts.sat),
        "rating": round(counts.rating.ordinal(), 2),
        "ms_per_choice": round(1000 * counts.seconds / max(counts.choices, 1), 3),
    }


def _ahead(counts: Counts) -> dict[str, dict[str, float]]:
    """Level is half."""
    return {rival: _share(counts.ahead[rival], met) for rival, met in counts.met.items()}


def _share(wins: float, games: int) -> dict[str, float]:
    low, high = wilson(wins, games)
    return {"share": round(wins / max(games, 1), 4), "low": round(low, 4), "high": round(high, 4)}


def summary(plan: Plan, outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """The figures of races that are at hand."""
    tally = Tally(plan)
    for outcome in sorted(outcomes, key=lambda outcome: outcome.number):
        tally.add(outcome)
    return tally.figures()


class Ledger:
    """A file with the plan in its first line and a race in each that follows, in their order.

    What follows the last whole line in order is played again.
    """

    def __init__(self, plan: Plan, path: Path | None) -> None:
        self.plan, self.path, self.tally = plan, path, Tally(plan)
        if path is None:
            return
        whole = self._read(path) if path.exists() and path.stat().st_size else 0
        if whole:
            os.truncate(path, whole)
        else:
            path.write_bytes(msgspec.json.encode(plan) + b"\n")

    @property
    def played(self) -> int:
        """The races that need not be played any more."""
        return self.tally.games

    def _read(self, path: Path) -> int:
        """Count the races of the file; the bytes that hold them, 0 if not even the plan is whole."""
        with path.open("rb") as file:
            first = file.readline()
            if not first.endswith(b"\n") and msgspec.json.encode(self.plan).startswith(first):
                return 0
            self._check(path, first)
            whole = len(first)
            for line in file:
                if not self._counted(line):
                    break
                whole += len(line)
        return whole

    def _check(self, path: Path, line: bytes) -> None:
        try:
            same = msgspec.json.decode(line, type=Plan) == self.plan
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise InvalidOption(f"{path} holds no tournament") from None
        if not same:
            raise InvalidOption(f"{path} holds another tournament: {line.decode().strip()}")

    def _counted(self, line: bytes) -> bool:
        """Count the next race, if the line holds it."""
        try:
            outcome = msgspec.json.decode(line, type=Outcome)
        except msgspec.DecodeError:
            return False
        if outcome.number != self.played or not line.endswith(b"\n"):
            return False
        self.tally.add(outcome)
        return True

    def add(self, outcome: Outcome) -> None:
        """Keep the next race."""
        self.tally.add(outcome)
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write(msgspec.json.encode(outcome) + b"\n")

    def missing(self) -> range:
        """The numbers of the races still to be played."""
        return range(self.played, self.plan.games)
