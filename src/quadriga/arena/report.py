"""The page of a simulation: what wins, and what winners did, drawn from the rows one at a time."""

from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape
from importlib import resources

from quadriga import games
from quadriga.arena.drawing import Share, bars, columns, dots, percent, stripes
from quadriga.arena.notes import Notes, notes_of
from quadriga.arena.ratings import wilson
from quadriga.arena.simulation import Simulation
from quadriga.core.meta import OptionValue

BINS = 12
SPREAD = ("stretches", "lead_changes")
NAMED = ("skills", "chariot", "grid")
"""Columns of a seat that are told apart by name: which of them wins?"""
COUNTED = ("damage", "tokens", "luck")
"""Columns of a seat that are numbers: do more of them win?"""
KEY = "Whiskers and the fainter figures are 95 % intervals; a dashed line is the fair share."
RANKED = ("bot", "skills", "chariot")
"""Of these the best comes first."""
COLOURS = ("green", "red", "yellow", "black")


class Tally:
    """What is counted over all races, whatever their number."""

    def __init__(self, plan: Simulation, rows: Iterable[dict[str, str]]) -> None:
        self.plan, self.notes, self.races, self.seats = plan, notes_of(games.load(plan.game)), 0, 0
        own = {column.name for column in self.notes.columns}
        self.numbers = [column.name for column in self.notes.columns if column.kind is not str]
        told_apart = ["seat", "bot", *(name for name in NAMED if name in own)]
        self.split: dict[str, Counter[str]] = {name: Counter() for name in told_apart}
        self.sat: dict[str, Counter[str]] = {name: Counter() for name in self.split}
        self.reasons: Counter[str] = Counter()
        self.spread: dict[str, Counter[int]] = {name: Counter() for name in SPREAD}
        self.won: dict[str, Counter[int]] = {name: Counter() for name in COUNTED}
        self.had: dict[str, Counter[int]] = {name: Counter() for name in COUNTED}
        self.sums = {name: {True: 0.0, False: 0.0} for name in self.numbers}
        self.winners = 0
        for row in rows:
            self._add(row)

    def _add(self, row: dict[str, str]) -> None:
        self.races += 1
        self.reasons[row["reason"]] += 1
        for name, counts in self.spread.items():
            counts[int(row[name])] += 1
        for seat in range(self.plan.seats):
            self._add_seat(row, seat, row[f"place_{seat}"] == "1")

    def _add_seat(self, row: dict[str, str], seat: int, won: bool) -> None:
        self.seats += 1
        self.winners += won
        for name, counts in self.sat.items():
            value = str(seat + 1) if name == "seat" else row[f"{name}_{seat}"]
            counts[value] += 1
            self.split[name][value] += won
        for name in COUNTED:
            number = round(float(row[f"{name}_{seat}"]))
            self.had[name][number] += 1
            self.won[name][number] += won
        for name, sums in self.sums.items():
            sums[won] += float(row[f"{name}_{seat}"])

    def mean(self, name: str, won: bool) -> float:
        """What winners, or all others, had on average."""
        return self.sums[name][won] / max(self.winners if won else self.seats - self.winners, 1)


def share(name: str, wins: int, games: int) -> Share:
    """A share with its interval."""
    return Share(name, wins / max(games, 1), *wilson(wins, games))


def bins(counts: Counter[int]) -> list[tuple[str, range]]:
    """Up to a dozen ranges over nearly all that was counted, with their names; the rare ends are lumped together."""
    total, seen, ends = sum(counts.values()), 0, []
    for value in sorted(counts):
        before, seen = seen, seen + counts[value]
        if seen > total * 0.005 and before < total * 0.995:
            ends.append(value)
    low, high = ends[0], ends[-1]
    step = -(-(high - low + 1) // BINS)
    starts = range(low, high + 1, step)
    found = [(_range_name(start, start + step - 1), range(start, start + step)) for start in starts]
    if min(counts) < low:
        found[0] = f"≤{_signed(found[0][1][-1])}", range(min(counts), found[0][1].stop)
    if max(counts) > found[-1][1][-1]:
        found[-1] = f"≥{_signed(found[-1][1][0])}", range(found[-1][1].start, max(counts) + 1)
    return found


def _range_name(low: int, high: int) -> str:
    return _signed(low) if low == high else f"{_signed(low)}…{_signed(high)}"


def _signed(number: int) -> str:
    return str(number).replace("-", "−")


def _card(title: str, drawn: str, words: str = "") -> str:
    told = f"<p>{escape(words)}</p>" if words else ""
    return f"<section><h2>{escape(title)}</h2>{told}{drawn}</section>"


def _split_cards(tally: Tally) -> Iterator[str]:
    """Who wins: seats, bots, and what a seat was dealt."""
    fair = tally.winners / max(tally.seats, 1)
    for name, sat in tally.sat.items():
        if len(sat) > 1:
            title, words = tally.notes.words.get(name, (name, ""))
            prefix = "seat " if name == "seat" else ""
            shares = [share(prefix + value, tally.split[name][value], sat[value]) for value in sorted(sat)]
            if name in RANKED:
                shares.sort(key=lambda one: -one.share)
            yield _card(f"Wins by {title}", bars(f"Wins by {title}", shares, fair), words)


def _spread_cards(tally: Tally) -> Iterator[str]:
    """How long races are, and how open."""
    told = {
        "stretches": ("Length", f"Races by their number of {tally.notes.stretch}."),
        "lead_changes": ("Lead changes", "Races by how often another seat took the lead."),
    }
    for name, counts in tally.spread.items():
        spread = [(label, sum(counts[v] for v in values) / tally.races) for label, values in bins(counts)]
        yield _card(told[name][0], columns(told[name][0], spread), told[name][1])


def _counted_cards(tally: Tally) -> Iterator[str]:
    """How wins depend on damage, tokens and luck, and how those are spread."""
    fair = tally.winners / max(tally.seats, 1)
    for name in COUNTED:
        title, words = tally.notes.words[name]
        ranges = bins(tally.had[name])
        had = [sum(tally.had[name][v] for v in values) for _, values in ranges]
        won = [sum(tally.won[name][v] for v in values) for _, values in ranges]
        shares = [share(label, w, h) for (label, _), w, h in zip(ranges, won, had, strict=True)]
        spread = [(label, h / tally.seats) for (label, _), h in zip(ranges, had, strict=True)]
        yield _card(f"Wins by {title}", dots(f"Wins by {title}", shares, fair), words)
        yield _card(title.capitalize(), columns(title, spread), "How it is spread over all seats.")


def _colour_card(tally: Tally) -> Iterator[str]:
    """Charioteer: the spaces that were made with each colour of move."""
    if f"spaces_{COLOURS[0]}" not in tally.sums:
        return
    rows = []
    for name, won in (("winners", True), ("others", False)):
        means = [max(tally.mean(f"spaces_{colour}", won), 0.0) for colour in COLOURS]
        rows.append((name, [(c, mean / max(sum(means), 1e-9)) for c, mean in zip(COLOURS, means, strict=True)]))
    words = "Spaces made with green, red, yellow and black moves, as shares of all."
    yield _card("Distance by colour", stripes("Distance by colour", rows), words)


def _ending_card(tally: Tally) -> str:
    shares = [share(reason.replace("_", " "), count, tally.races) for reason, count in tally.reasons.most_common()]
    return _card("How races ended", bars("How races ended", shares))


def _means_card(tally: Tally) -> str:
    titles = {name: tally.notes.words.get(name, (name.replace("_", " "), ""))[0] for name in tally.numbers}
    rows = "".join(
        f"<tr><th>{escape(title)}<td>{tally.mean(name, True):.2f}<td>{tally.mean(name, False):.2f}"
        for name, title in titles.items()
    )
    return _card("Winners and others, on average", f"<table><tr><th><td>winners<td>others{rows}</table>")


def _mean_of(counts: Counter[int]) -> float:
    return sum(value * count for value, count in counts.items()) / max(sum(counts.values()), 1)


def _said(value: OptionValue) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def page(plan: Simulation, rows: Iterable[dict[str, str]]) -> str:
    """The whole page, with nothing fetched from elsewhere."""
    tally = Tally(plan, rows)
    notes: Notes = tally.notes
    title = games.meta(plan.game).title
    options = ", ".join(f"{name.replace('_', ' ')} {_said(value)}" for name, value in plan.options.items())
    facts = (
        (f"{tally.races:,}", "races"),
        (f"{_mean_of(tally.spread['stretches']):.1f}", f"{notes.stretch} a race"),
        (f"{_mean_of(tally.spread['lead_changes']):.1f}", "lead changes a race"),
        (percent(tally.winners / max(tally.races, 1)), "had a winner"),
    )
    cards = [*_split_cards(tally), *_colour_card(tally), *_spread_cards(tally), *_counted_cards(tally)]
    style = (resources.files("quadriga.arena") / "report.css").read_text(encoding="utf-8")
    told = "".join(f"<li><b>{figure}</b> {escape(name)}" for figure, name in facts)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{escape(title)}: {tally.races:,} races</title><style>{style}</style>"
        f"<header><h1>{escape(title)}</h1><p>{plan.seats} seats · {escape(', '.join(plan.bots))} · {escape(options)} · "
        f"seed {plan.seed}</p><ul>{told}</ul><p>{KEY}</p></header>"
        f"<main>{''.join([*cards, _ending_card(tally), _means_card(tally)])}</main></html>\n"
    )
