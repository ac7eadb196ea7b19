"""Two simulations of one game side by side: what differs, and whether by more than chance."""

from collections import Counter
from collections.abc import Iterator
from html import escape
from math import sqrt
from pathlib import Path

import msgspec
from msgspec import Struct

from quadriga import games
from quadriga.arena.comparisons import LEVEL, difference_chance, holm, mean_chance
from quadriga.arena.folder import PLAN, ROWS, read_rows
from quadriga.arena.ratings import CERTAINTY
from quadriga.arena.report import document, said_options
from quadriga.arena.simulation import Simulation
from quadriga.arena.tally import Seats, Tally
from quadriga.core.errors import InvalidOption


class Difference(Struct, frozen=True):
    """A figure of two simulations: a share of wins or a mean, how much the second is above, with its 95 % interval."""

    what: str
    is_share: bool
    first: float
    second: float
    difference: float
    low: float
    high: float
    counts: tuple[int, int]
    chance: float
    """How likely so much is by accident, with all figures looked at (Holm)."""

    @property
    def is_clear(self) -> bool:
        """Whether it is more than chance."""
        return self.chance < LEVEL


def read_tally(path: Path) -> Tally:
    """The figures of a folder, which is left as it is."""
    try:
        plan = msgspec.json.decode((path / PLAN).read_bytes(), type=Simulation)
        tally = Tally(plan, read_rows(path))
    except (OSError, msgspec.DecodeError, KeyError, ValueError):
        raise InvalidOption(f"{path} holds no simulation ({PLAN} and {ROWS})") from None
    if tally.races == 0:
        raise InvalidOption(f"{path} holds no races yet")
    return tally


def compare(first: Tally, second: Tally) -> list[Difference]:
    """All figures that both simulations have, corrected for their number."""
    if first.plan.game != second.plan.game:
        raise InvalidOption(f"{first.plan.game} and {second.plan.game} cannot be compared: they are different games")
    found = [*_race_figures(first, second), *_seat_figures("", first.all, second.all, first)]
    for bot in first.bots:
        if bot in second.bots and (len(first.bots) > 1 or len(second.bots) > 1):
            found += _seat_figures(f"{bot}: ", first.bots[bot], second.bots[bot], first)
    corrected = holm([one.chance for one in found])
    return [msgspec.structs.replace(one, chance=chance) for one, chance in zip(found, corrected, strict=True)]


def _race_figures(first: Tally, second: Tally) -> Iterator[Difference]:
    titles = {
        "stretches": f"{first.notes.stretch} a race",
        "steps": "steps a race",
        "lead_changes": "lead changes a race",
    }
    for name, title in titles.items():
        (mean_a, error_a), (mean_b, error_b) = (_mean_of(tally.spread[name]) for tally in (first, second))
        yield _mean(title, mean_a, mean_b, sqrt(error_a**2 + error_b**2), (first.races, second.races))


def _mean_of(counts: Counter[int]) -> tuple[float, float]:
    total = sum(counts.values())
    mean = sum(value * count for value, count in counts.items()) / total
    spread = sum(count * (value - mean) ** 2 for value, count in counts.items()) / total
    return mean, sqrt(spread / max(total - 1, 1))


def _seat_figures(whose: str, first: Seats, second: Seats, tally: Tally) -> Iterator[Difference]:
    """Wins by what tells seats apart, and the means of what was counted."""
    for name, sat in first.sat.items():
        values = sorted(value for value in sat if second.sat[name][value])
        if len(sat) > 1 or len(second.sat[name]) > 1:
            for value in values:
                wins = first.split[name][value], second.split[name][value]
                counts = sat[value], second.sat[name][value]
                yield _share(f"{whose}wins, {tally.title(name)} {value}", wins, counts)
    for name in first.numbers:
        error = sqrt(first.error(name) ** 2 + second.error(name) ** 2)
        counts = first.seats, second.seats
        yield _mean(f"{whose}{tally.title(name)}", first.mean(name), second.mean(name), error, counts)


def _share(what: str, wins: tuple[int, int], counts: tuple[int, int]) -> Difference:
    a, b = wins[0] / counts[0], wins[1] / counts[1]
    half = CERTAINTY * sqrt(a * (1 - a) / counts[0] + b * (1 - b) / counts[1])
    chance = difference_chance((wins[0], counts[0]), (wins[1], counts[1]))
    return Difference(what, True, a, b, b - a, b - a - half, b - a + half, counts, chance)


def _mean(what: str, a: float, b: float, error: float, counts: tuple[int, int]) -> Difference:
    half = CERTAINTY * error
    return Difference(what, False, a, b, b - a, b - a - half, b - a + half, counts, mean_chance(b - a, error))


def figures(one: Difference) -> tuple[str, ...]:
    """A difference as people read it: both figures, the difference with its interval, counts, and the chance."""
    unit, times = (" %", 100) if one.is_share else ("", 1)
    digits = 1 if one.is_share else 2
    first, second = (f"{times * value:.{digits}f}{unit}" for value in (one.first, one.second))
    low, high = (f"{times * value:+.{digits}f}" for value in (one.low, one.high))
    difference = f"{times * one.difference:+.{digits}f} ({low} to {high})"
    chance = ("< 0.001" if one.chance < 0.001 else f"{one.chance:.3f}") + (" *" if one.is_clear else "")
    return first, second, difference, f"{one.counts[0]:,} / {one.counts[1]:,}", chance


HEADINGS = ("", "first", "second", "difference (95 %)", "counts", "chance")
KEY = (
    "The difference is the second less the first, for shares in points. The chance says how likely so large a "
    "difference is by accident, corrected by Holm's method for all rows; a star marks those below 5 %."
)


def comparison_page(first: Tally, second: Tally, found: list[Difference]) -> str:
    """Two simulations side by side, clear differences first."""
    title = games.meta(first.plan.game).title
    plans = "".join(
        f"<p>{name}: {tally.races:,} races · {tally.plan.seats} seats · {escape(', '.join(tally.plan.bots))} · "
        f"{escape(said_options(tally.plan))} · seed {tally.plan.seed}</p>"
        for name, tally in (("First", first), ("Second", second))
    )
    rows = "".join(
        f"<tr><th>{escape(one.what)}" + "".join(f"<td>{escape(cell)}" for cell in figures(one))
        for one in sorted(found, key=lambda one: one.chance)
    )
    heads = "".join(f"<td>{heading}" for heading in HEADINGS[1:])
    table = f"<section class='wide'><table><tr><th>{heads}{rows}</table></section>"
    return document(f"{title}: two simulations", f"<h1>{escape(title)}</h1>{plans}<p>{KEY}</p>", [table])
