"""The results of a tournament: kept in a file as they come in, summed up when all are there."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from quadriga.arena.ratings import Rating, rate, wilson
from quadriga.arena.tournament import Outcome, Plan
from quadriga.core.errors import InvalidOption


class Ledger:
    """A file with the plan in its first line and a race in each that follows; a line half written is played again."""

    def __init__(self, plan: Plan, path: Path | None) -> None:
        self.plan, self.path = plan, path
        self.outcomes: dict[int, Outcome] = {}
        if path is None:
            return
        if path.exists() and path.stat().st_size:
            self._read(path)
        self._rewrite(path)

    def _read(self, path: Path) -> None:
        lines = path.read_text(encoding="utf-8").splitlines()
        try:
            same = msgspec.json.decode(lines[0], type=Plan) == self.plan
        except msgspec.DecodeError:
            raise InvalidOption(f"{path} holds no tournament") from None
        if not same:
            raise InvalidOption(f"{path} holds another tournament: {lines[0]}")
        for line in lines[1:]:
            try:
                self._keep(msgspec.json.decode(line, type=Outcome))
            except msgspec.DecodeError:
                continue

    def _keep(self, outcome: Outcome) -> None:
        self.outcomes[outcome.number] = outcome

    def _rewrite(self, path: Path) -> None:
        lines = [self.plan, *self.outcomes.values()]
        path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))

    def add(self, outcome: Outcome) -> None:
        """Keep a race."""
        self._keep(outcome)
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write(msgspec.json.encode(outcome) + b"\n")

    def missing(self) -> list[int]:
        """The numbers of the races still to be played."""
        return [number for number in range(self.plan.games) if number not in self.outcomes]


def summary(plan: Plan, outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """The figures of a tournament; bots of one name are counted together, a share is that of their races."""
    played = sorted(outcomes, key=lambda outcome: outcome.number)
    ratings = _ratings(plan, played)
    names = list(dict.fromkeys(plan.bots))
    return {
        "game": plan.game,
        "seats": plan.seats,
        "games": len(played),
        "bots": {name: _figures(plan, played, name) | {"rating": round(ratings[name].ordinal, 2)} for name in names},
        "ahead": {a: {b: _ahead(plan, played, a, b) for b in names if b != a} for a in names},
        "faults": [
            {"game": outcome.number, "bot": fault.bot, "seat": fault.seat, "why": fault.why}
            for outcome in played
            for fault in outcome.faults
        ],
    }


def _figures(plan: Plan, played: list[Outcome], name: str) -> dict[str, float]:
    sat = wins = choices = 0
    seconds = 0.0
    for outcome in played:
        for seat, bot in enumerate(outcome.seating):
            if plan.bots[bot] == name:
                sat, wins = sat + 1, wins + (outcome.places[seat] == 1)
                seconds, choices = seconds + outcome.seconds[seat], choices + outcome.choices[seat]
    low, high = wilson(wins, sat)
    return {
        "wins": wins,
        "share": round(wins / max(sat, 1), 4),
        "low": round(low, 4),
        "high": round(high, 4),
        "ms_per_choice": round(1000 * seconds / max(choices, 1), 3),
    }


def _ahead(plan: Plan, played: list[Outcome], one: str, other: str) -> dict[str, float]:
    """How often one bot was placed ahead of another at the same table; level is half."""
    met, ahead = 0, 0.0
    for outcome in played:
        for place, bot in zip(outcome.places, outcome.seating, strict=True):
            for rival_place, rival in zip(outcome.places, outcome.seating, strict=True):
                if plan.bots[bot] == one and plan.bots[rival] == other:
                    met += 1
                    ahead += 1.0 if place < rival_place else 0.5 if place == rival_place else 0.0
    low, high = wilson(ahead, met)
    return {"share": round(ahead / max(met, 1), 4), "low": round(low, 4), "high": round(high, 4)}


def _ratings(plan: Plan, played: list[Outcome]) -> dict[str, Rating]:
    """Ratings by name, after each race in turn; of bots of one name at a table the mean counts."""
    ratings = dict.fromkeys(plan.bots, Rating())
    for outcome in played:
        sitters = [plan.bots[bot] for bot in outcome.seating]
        rated = rate([ratings[name] for name in sitters], outcome.places)
        for name in set(sitters):
            own = [after for after, sitter in zip(rated, sitters, strict=True) if sitter == name]
            mean = sum(after.mean for after in own) / len(own)
            ratings[name] = Rating(mean, max(after.spread for after in own))
    return ratings
