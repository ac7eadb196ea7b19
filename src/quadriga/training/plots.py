"""A picture of a training run: loss after each epoch, strength after each round."""

import json
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

WIDTH, HEIGHT, SIDE, FOOT = 640, 240, 64, 40
LOG, STRENGTH, PLOT = "log.jsonl", "strength.jsonl", "progress.svg"
COLOURS = ("#b3541e", "#1f6f8b")
Points = Sequence[tuple[float, float]]


def read_lines(file: Path) -> list[dict[str, Any]]:
    """The whole lines of a log; what a kill left half-written is passed over."""
    found = []
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        try:
            found.append(dict(json.loads(line)))
        except ValueError:
            continue
    return found


def draw_folder(folder: Path, rival: str) -> None:
    """Draw the run in a folder so far."""
    logs = sorted(folder.glob(f"round-*/{LOG}"), key=lambda log: int(log.parent.name.partition("-")[2]))
    losses = [line for log in logs for line in read_lines(log)]
    (folder / PLOT).write_text(draw_run(losses, read_lines(folder / STRENGTH), rival), encoding="utf-8")


def draw_run(losses: Sequence[dict[str, Any]], strengths: Sequence[dict[str, Any]], rival: str = "searcher") -> str:
    """An SVG with both plots, one above the other."""
    epochs = [(float(n), line) for n, line in enumerate(losses, 1)]
    lower = [(n, float(line["held_out"])) for n, line in epochs]
    upper = [(n, float(line["loss"])) for n, line in epochs]
    shares = [(float(line["round"]), 100 * float(line["share"])) for line in strengths]
    ends = [(float(line["round"]), 100 * float(line["low"]), 100 * float(line["high"])) for line in strengths]
    drawn = _plot("loss by epoch", {"loss": upper, "held out": lower}, 0)
    drawn += _plot(f"per cent won against {rival} by round, with the 95 % interval", {"share": shares}, HEIGHT, ends)
    return _svg(drawn)


def _svg(drawn: Sequence[str]) -> str:
    """Two plots, one above the other."""
    size = f'viewBox="0 0 {WIDTH} {2 * HEIGHT}" font-family="sans-serif" font-size="12"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(drawn)}</svg>'


def draw_learning(lines: Sequence[dict[str, Any]]) -> str:
    """An SVG of a run of reinforcement learning: its critic's loss, and races won against networks and bots."""
    losses = [(float(line["decisions"]) / 1e6, float(line["critic_loss"])) for line in lines]
    shares = {name: _shares(lines, rivals) for name, rivals in (("first", "against_first"), ("bots", "against_bots"))}
    drawn = _plot("loss of the critic by million decisions", {"loss": losses}, 0)
    drawn += _plot("per cent won against the first networks and against bots, two-handed", shares, HEIGHT)
    return _svg(drawn)


def draw_valuing(lines: Sequence[dict[str, Any]]) -> str:
    """An SVG of a run of a value network: losses on positions before they are learnt from, and how true chances are."""
    at = [float(line["positions"]) / 1e6 for line in lines]
    losses: dict[str, Points] = {
        name: [(x, float(line[name])) for x, line in zip(at, lines, strict=True)] for name in ("own", "wide")
    }
    errors = [(x, 100 * float(line["ece"])) for x, line in zip(at, lines, strict=True)]
    drawn = _plot("loss by million positions", losses, 0)
    drawn += _plot("calibration error, per cent", {"own": errors}, HEIGHT)
    return _svg(drawn)


def _shares(lines: Sequence[dict[str, Any]], rivals: str) -> Points:
    """Per cent won, two-handed, by million decisions; lines without such races are left out."""
    told = [(float(line["decisions"]) / 1e6, line[rivals]["two"]) for line in lines if rivals in line]
    return [(at, 100 * float(two["share"])) for at, two in told if two["races"]]


def _plot(
    title: str, lines: dict[str, Points], top: float, ends: Sequence[tuple[float, float, float]] = ()
) -> list[str]:
    """A line for each name, and the ends of intervals; a scale of the smallest and the largest number."""
    drawn = [f'<text x="{SIDE}" y="{top + 16}">{escape(title)}</text>']
    heights = [y for points in lines.values() for _, y in points] + [y for _, *pair in ends for y in pair]
    if not heights:
        return [*drawn, f'<text x="{SIDE}" y="{top + HEIGHT / 2}">nothing measured yet</text>']
    low, high = min(heights), max(heights)
    last = max(x for points in lines.values() for x, _ in points)

    def place(x: float, y: float) -> tuple[float, float]:
        share = (y - low) / (high - low) if high > low else 0.5
        return SIDE + (WIDTH - 2 * SIDE) * x / last, top + HEIGHT - FOOT - (HEIGHT - FOOT - 32) * share

    for y in (low, high):
        drawn.append(f'<text x="4" y="{place(0, y)[1]:.1f}">{y:.4g}</text>')
    drawn.append(f'<text x="{WIDTH - SIDE}" y="{top + HEIGHT - 16}">{last:g}</text>')
    for colour, (name, points) in zip(COLOURS, lines.items(), strict=False):
        drawn += _line(name, [place(*point) for point in points], colour)
    for x, below, above in ends:
        (at, foot), (_, head) = place(x, below), place(x, above)
        drawn.append(f'<line x1="{at:.1f}" y1="{foot:.1f}" x2="{at:.1f}" y2="{head:.1f}" stroke="{COLOURS[0]}"/>')
    return drawn


def _line(name: str, points: Points, colour: str) -> list[str]:
    if not points:
        return []
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
    x, y = points[-1]
    words = f'<text x="{x + 6:.1f}" y="{y:.1f}" fill="{colour}">{escape(name)}</text>'
    return [f'<polyline points="{path}" fill="none" stroke="{colour}"/>', *dots, words]
