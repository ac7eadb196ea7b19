"""A simulation's folder: rows as they come in, and a page that shows what they say."""

import csv
import html
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from quadriga.arena.ratings import wilson
from quadriga.arena.simulation import COLUMNS, FIGURES, Simulation, header
from quadriga.core.errors import InvalidOption

PLAN, ROWS, PAGE = "simulation.json", "races.csv", "report.html"
BARS = 24
WIDTH, ROW_HEIGHT, LABEL = 640, 22, 150


class Folder:
    """Where a simulation is kept. One that was broken off goes on behind its last whole row."""

    def __init__(self, plan: Simulation, path: Path) -> None:
        self.plan, self.path = plan, path
        path.mkdir(parents=True, exist_ok=True)
        told, rows = path / PLAN, path / ROWS
        if told.exists():
            if msgspec.json.decode(told.read_bytes(), type=Simulation) != plan:
                raise InvalidOption(f"{path} holds another simulation: {told.read_text(encoding='utf-8')}")
        else:
            told.write_bytes(msgspec.json.encode(plan))
            self._write([header(plan)], "w")
        self.played = self._mend(rows)

    def _mend(self, rows: Path) -> int:
        """Cut off a row half written; the number of those that are whole. A line at a time, whatever the length."""
        lines = whole = 0
        with rows.open("rb+") as file:
            for line in file:
                if not line.endswith(b"\n"):
                    break
                lines, whole = lines + 1, whole + len(line)
            file.truncate(whole)
        return lines - 1

    def _write(self, rows: Iterable[Iterable[object]], mode: str) -> None:
        with (self.path / ROWS).open(mode, newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)

    def add(self, rows: list[list[int | str]]) -> None:
        """Keep the rows of a block."""
        self._write(rows, "a")
        self.played += len(rows)

    def report(self) -> Path:
        """Write the page."""
        page = self.path / PAGE
        page.write_text(_page(self.plan, _tally(self.plan, self.path / ROWS)), encoding="utf-8")
        return page


class Tally:
    """What is counted over all races, whatever their number."""

    def __init__(self) -> None:
        self.races = 0
        self.wins: dict[str, Counter[str]] = {"seat": Counter(), "bot": Counter()}
        self.sat: Counter[str] = Counter()
        self.spread: dict[str, Counter[int]] = {figure: Counter() for figure in FIGURES[1:3]}
        self.reasons: Counter[str] = Counter()
        self.sums: dict[str, list[int]] = {}


def _tally(plan: Simulation, rows: Path) -> Tally:
    tally = Tally()
    with rows.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            _count(plan, row, tally)
    return tally


def _count(plan: Simulation, row: dict[str, str], tally: Tally) -> None:
    tally.races += 1
    tally.reasons[row["reason"]] += 1
    for figure, counts in tally.spread.items():
        counts[int(row[figure])] += 1
    for seat in range(plan.seats):
        won = row[f"place_{seat}"] == "1"
        tally.sat[row[f"bot_{seat}"]] += 1
        tally.wins["seat"][f"seat {seat + 1}"] += won
        tally.wins["bot"][row[f"bot_{seat}"]] += won
        for column in COLUMNS[plan.game]:
            sums = tally.sums.setdefault(column, [0, 0, 0, 0])
            sums[0 if won else 2] += int(row[f"{column}_{seat}"])
            sums[1 if won else 3] += 1


def _page(plan: Simulation, tally: Tally) -> str:
    seats = [f"seat {seat + 1}" for seat in range(plan.seats)]
    parts = [
        f"<h1>{html.escape(plan.game)}: {tally.races:,} races</h1>",
        f"<p>{plan.seats} seats; bots {html.escape(', '.join(plan.bots))}; seed {plan.seed}.</p>",
        "<h2>Wins by seat</h2>",
        _shares({seat: (tally.wins["seat"][seat], tally.races) for seat in seats}),
        "<h2>Wins by bot</h2>",
        _shares({bot: (tally.wins["bot"][bot], tally.sat[bot]) for bot in sorted(tally.sat)}),
        "<h2>How races ended</h2>",
        _shares({reason: (count, tally.races) for reason, count in sorted(tally.reasons.items())}),
    ]
    for figure, counts in tally.spread.items():
        parts += [f"<h2>{figure.replace('_', ' ').capitalize()}</h2>", _histogram(counts, tally.races)]
    parts += ["<h2>Winners and others, on average</h2>", _means(tally)]
    style = "body{font:16px sans-serif;max-width:720px;margin:2em auto}rect{fill:#8a3324}line{stroke:#000}"
    title = html.escape(plan.game)
    return f'<!doctype html><meta charset="utf-8"><title>{title}</title><style>{style}</style>' + "\n".join(parts)


def _shares(figures: dict[str, tuple[int, int]]) -> str:
    """Bars with their 95 % intervals."""
    rows = []
    for name, (wins, games) in figures.items():
        share, (low, high) = wins / max(games, 1), wilson(wins, games)
        rows.append((name, share, f"{100 * share:.1f} % ({100 * low:.1f} – {100 * high:.1f})", (low, high)))
    return _bars(rows)


def _histogram(counts: Counter[int], races: int) -> str:
    low, high = min(counts, default=0), max(counts, default=0)
    step = max(1, -(-(high - low + 1) // BARS))
    bins: Counter[int] = Counter()
    for value, count in counts.items():
        bins[low + (value - low) // step * step] += count
    most = max(bins.values(), default=1)
    names = {start: str(start) if step == 1 else f"{start}–{start + step - 1}" for start in range(low, high + 1, step)}
    return _bars([(names[start], bins[start] / most, f"{100 * bins[start] / races:.1f} %", None) for start in names])


def _bars(rows: Sequence[tuple[str, float, str, tuple[float, float] | None]]) -> str:
    span, drawn = WIDTH - LABEL - 170, []
    for i, (name, share, text, interval) in enumerate(rows):
        y = i * ROW_HEIGHT
        drawn.append(f'<text x="0" y="{y + 15}">{html.escape(name)}</text>')
        drawn.append(f'<rect x="{LABEL}" y="{y + 3}" width="{span * share:.1f}" height="{ROW_HEIGHT - 6}"/>')
        if interval:
            low, high = (LABEL + span * end for end in interval)
            drawn.append(f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y + 11}" y2="{y + 11}"/>')
        drawn.append(f'<text x="{LABEL + span + 8}" y="{y + 15}">{text}</text>')
    return f'<svg width="{WIDTH}" height="{len(rows) * ROW_HEIGHT}" role="img">{"".join(drawn)}</svg>'


def _means(tally: Tally) -> str:
    rows = "".join(
        f"<tr><td>{column.replace('_', ' ')}<td>{won / max(wins, 1):.2f}<td>{lost / max(losses, 1):.2f}"
        for column, (won, wins, lost, losses) in tally.sums.items()
    )
    return f"<table><tr><th><th>winners<th>others{rows}</table>"
