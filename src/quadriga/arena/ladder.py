"""The ladder of a game: every level against the one below it, each figure beside the bar it should reach.

Beside it stands the duel of champion and searcher, with playouts for as many seconds of one core as each is given.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from msgspec import Struct

from quadriga import games
from quadriga.arena.tournament import Plan
from quadriga.bots import WITH_WEIGHTS, level_of
from quadriga.bots.evaluator import evaluation_of
from quadriga.core.errors import InvalidOption
from quadriga.core.meta import OptionValue

LEVELS = ("novice", "greedy", "veteran", "champion")
PEOPLE = ("saver", "brawler", "daredevil")
"""Levels with the errors of people: each stands between greedy and veteran."""
BARS = {2: 0.6, 4: 1.5 / 4}
"""The share that a level should win, by seats: three fifths two-handed, half as much again as is fair of four."""
EVEN = 0.5
"""What a level with the errors of people should win of greedy, and veteran of it, two-handed."""
MOST_EXPLOITED = 0.6
"""What networks that learnt to beat champion's may win of it, two-handed."""


MET, MISSED, UNDECIDED = "met", "missed", "undecided"


class Rung(Struct, frozen=True):
    """A level against a lower one, and the share it should win; or win at most."""

    plan: Plan
    bar: float
    at_most: bool = False

    @property
    def better(self) -> str:
        """The level that should win; it sits alone among the others."""
        return self.plan.bots[0]

    @property
    def worse(self) -> str:
        """The level at all other seats."""
        return self.plan.bots[-1]

    @property
    def name(self) -> str:
        """`veteran-greedy-4` for a veteran among three greedy."""
        better, worse = (level_of(bot) or bot for bot in (self.better, self.worse))
        return f"{'exploiter' if self.at_most else better}-{worse}-{self.plan.seats}"


class Length(Struct, frozen=True):
    """How much is played: races of quick levels and of champion, and champion's playouts for a choice."""

    games: int = 2000
    champion_games: int = 400
    iterations: int = 400


class Duel(Struct, frozen=True):
    """How long champion and searcher think for a choice when they meet, and how often they do."""

    champion_seconds: float
    searcher_seconds: float
    games: int = 400


def playouts(game: str) -> int:
    """Champion's playouts for a choice on a game's ladder."""
    return evaluation_of(games.load(game)).ladder_playouts


def rungs(game: str, length: Length, seed: int = 0, options: Mapping[str, OptionValue] | None = None) -> list[Rung]:
    """All rungs of a game, from the lowest."""
    offered = games.meta(game).seats
    pairs = [(better, worse, seats) for worse, better in pairwise(LEVELS) for seats in BARS if seats in offered]
    found = [_rung(game, better, worse, seats, length, seed, options or {}) for better, worse, seats in pairs]
    found += [_rung(game, level, "greedy", 2, length, seed, options or {}, EVEN) for level in PEOPLE]
    found += [_rung(game, "veteran", level, 2, length, seed, options or {}, EVEN) for level in PEOPLE]
    last = _rung(game, "champion", "greedy", 2, length, seed, options or {})
    return [*found, Rung(last.plan, evaluation_of(games.load(game)).champion_bar)]


def duel_rungs(game: str, duel: Duel, seed: int = 0, options: Mapping[str, OptionValue] | None = None) -> list[Rung]:
    """Champion against searcher, two-handed and among three; with equal time more than is fair is asked for."""
    evaluation = evaluation_of(games.load(game))
    times = (duel.champion_seconds, duel.searcher_seconds)
    pairs = zip(("champion", "searcher"), evaluation.rates, times, strict=True)
    budgets = {name: max(1, round(rate * seconds)) for name, rate, seconds in pairs}
    meta, rungs = games.meta(game), []
    for seats, goal in zip(BARS, evaluation.searcher_bars, strict=True):
        if seats in meta.seats:
            bots, settled = ("champion", *["searcher"] * (seats - 1)), meta.settle(seats, options or {})
            plan = Plan(game, bots, duel.games, seats, seed=seed, options=settled, budgets=budgets)
            rungs.append(Rung(plan, 1 / seats if times[0] == times[1] else goal))
    return rungs


def exploiter_rung(
    game: str, file: Path, length: Length, seed: int = 0, options: Mapping[str, OptionValue] | None = None
) -> Rung:
    """Champion with networks that learnt to beat its own, two-handed, with as many playouts each."""
    rung = _rung(game, f"{WITH_WEIGHTS}{file}", "champion", 2, length, seed, options or {}, MOST_EXPLOITED)
    return Rung(rung.plan, rung.bar, at_most=True)


def _rung(
    game: str,
    better: str,
    worse: str,
    seats: int,
    length: Length,
    seed: int,
    options: Mapping[str, OptionValue],
    bar: float | None = None,
) -> Rung:
    number = length.champion_games if level_of(better) == "champion" else length.games
    bots = (better, *[worse] * (seats - 1))
    settled = games.meta(game).settle(seats, options)
    return Rung(Plan(game, bots, number, seats, length.iterations, seed=seed, options=settled), bar or BARS[seats])


def of_levels(all_rungs: list[Rung], levels: Iterable[str]) -> list[Rung]:
    """The rungs on which these levels should win; all if none is named."""
    asked = set(levels)
    known = (*LEVELS[1:2], *PEOPLE, *LEVELS[2:])
    if unknown := asked - set(known):
        raise InvalidOption(f"{min(unknown)!r} stands above no other level; {', '.join(known)} do")
    return [rung for rung in all_rungs if not asked or rung.better in asked]


def verdict(low: float, high: float, bar: float, at_most: bool = False) -> str:
    """Whether a bar is met, by a 95 % interval: it counts where the whole interval lies on one side."""
    above, below = (MISSED, MET) if at_most else (MET, MISSED)
    return above if low > bar else below if high < bar else UNDECIDED


def figures(rung: Rung, told: Mapping[str, Any]) -> dict[str, Any]:
    """What the figures of a rung's races say of the level that should win."""
    better = told["bots"][rung.better]
    return {
        "bot": rung.better,
        "against": rung.worse,
        "seats": rung.plan.seats,
        "games": told["games"],
        **{name: better[name] for name in ("wins", "share", "low", "high", "ms_per_choice")},
        "bar": rung.bar,
        "at_most": rung.at_most,
        "verdict": verdict(better["low"], better["high"], rung.bar, rung.at_most),
        "faults": told["faulted"],
    }
