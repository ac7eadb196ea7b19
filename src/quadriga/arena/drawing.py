"""Plots as SVG inside a page: bars, columns, dots and stripes, drawn with the page's own colours."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 440
LABEL, VALUE = 96, 192
"""Room for a bar's name on its left and its figures on its right."""
ROW = 24
LETTER = 7.5
"""What a letter takes, about."""
HEIGHT, FOOT, SIDE = 150, 54, 64
"""Height of columns and dots, room for what stands below them, and for the scale beside them."""


@dataclass(frozen=True)
class Share:
    """A share with its 95 % interval."""

    name: str
    share: float
    low: float
    high: float
    count: int = 0
    """How many it is a share of."""
    is_clear: bool = False
    """Whether it differs from the fair share by more than chance, with all others looked at."""


def percent(share: float) -> str:
    """A share as people read it."""
    return f"{100 * share:.1f} %"


def figure(title: str, drawn: list[str], height: float) -> str:
    """An SVG of the usual width; the title is what is read aloud."""
    inner = "".join(drawn)
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}" '
        f'xmlns="http://www.w3.org/2000/svg">{inner}</svg>'
    )


def text(x: float, y: float, words: str, kind: str = "") -> str:
    """Words at a place; the kinds are the page's classes."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A line of a kind."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def box(x: float, y: float, width: float, height: float, kind: str) -> str:
    """A box of a kind."""
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0):.1f}" height="{max(height, 0):.1f}" class="{kind}"/>'


def nice_top(value: float) -> float:
    """The end of a scale that holds a share: a round one."""
    return next((top for top in (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8) if value <= top), 1.0)


def short(count: int) -> str:
    """A count in few digits."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= unit:
            return (
                f"{count / unit:.1f}".removesuffix(".0") + letter if count < 100 * unit else f"{count // unit}{letter}"
            )
    return str(count)


def tip(drawn: str, words: str) -> str:
    """Something drawn that says more under the pointer."""
    return f"<g><title>{escape(words)}</title>{drawn}</g>"


def bars(
    title: str,
    shares: Sequence[Share],
    fair: float | None = None,
    axis: str = "share of wins",
    fair_name: str = "fair",
) -> str:
    """A bar for each share, with its interval, its count and what would be fair; a star for a clear difference."""
    top = nice_top(max([share.high for share in shares] + [fair or 0.0]))
    span, drawn = WIDTH - LABEL - VALUE, []
    for i, share in enumerate(shares):
        y = i * ROW
        low, high = (LABEL + span * end / top for end in (share.low, share.high))
        bar = box(LABEL, y + 4, span * share.share / top, ROW - 8, "bar")
        drawn += [
            text(LABEL - 8, y + 16, share.name, "end"),
            tip(bar, f"{share.name}: {percent(share.share)} of {share.count:,}"),
            line(low, y + ROW / 2, high, y + ROW / 2, "interval"),
            line(low, y + 8, low, y + 16, "interval") + line(high, y + 8, high, y + 16, "interval"),
            text(LABEL + span + 8, y + 16, percent(share.share) + (" *" if share.is_clear else ""), "strong"),
            text(WIDTH - 40, y + 16, f"{100 * share.low:.1f} – {100 * share.high:.1f}", "end faint"),
            text(WIDTH, y + 16, short(share.count), "end faint"),
        ]
    height = len(shares) * ROW
    if fair is not None:
        at = LABEL + span * fair / top
        drawn += [
            line(at, 0, at, height, "fair"),
            text(at, height + 14, f"{fair_name} {percent(fair)}", "middle faint"),
        ]
    drawn += [text(LABEL, height + 32, axis, "faint"), text(WIDTH, height + 32, "95 % interval, count", "end faint")]
    return figure(title, drawn, height + 40)


def scale(top: float, axis: str) -> list[str]:
    """Lines across with their figures on the left, and what they measure."""
    middle = 8 + HEIGHT / 2
    drawn = [f'<g transform="rotate(-90 12 {middle:.0f})">{text(12, middle, axis, "middle faint")}</g>']
    for part in range(3):
        y = 8 + HEIGHT * (1 - part / 2)
        drawn += [line(SIDE, y, WIDTH, y, "grid"), text(SIDE - 6, y + 4, f"{100 * top * part / 2:g} %", "end faint")]
    return drawn


def feet(names: Sequence[str], counts: Sequence[int], axis: str) -> list[str]:
    """The names below columns or dots with the counts of each, as many as have room, and what they measure."""
    step = (WIDTH - SIDE) / max(len(names), 1)
    widest = max((len(name) for name in names), default=1)
    every = max(1, -(-(widest * 8 + 14) // int(step)))
    drawn, y = [text(SIDE - 6, 8 + HEIGHT + 31, "count", "end faint small")], 8 + HEIGHT
    for i, (name, count) in enumerate(zip(names, counts, strict=True)):
        x = SIDE + step * (i + 0.5)
        drawn += [text(x, y + 16, name, "middle faint")] if i % every == 0 else []
        drawn.append(text(x, y + 31, short(count), "middle faint small"))
    return [*drawn, text((SIDE + WIDTH) / 2, y + 48, axis, "middle faint")]


def columns(title: str, shares: Sequence[tuple[str, int]], across: str, up: str) -> str:
    """A column for each count, as a share of all: how something is spread."""
    total = max(sum(count for _, count in shares), 1)
    top = nice_top(max((count / total for _, count in shares), default=0.0))
    step, drawn = (WIDTH - SIDE) / max(len(shares), 1), scale(top, up)
    for i, (name, count) in enumerate(shares):
        tall = HEIGHT * count / total / top
        column = box(SIDE + step * i + step * 0.1, 8 + HEIGHT - tall, step * 0.8, tall, "bar")
        drawn.append(tip(column, f"{name}: {count:,}, {percent(count / total)}"))
    names, counts = [name for name, _ in shares], [count for _, count in shares]
    return figure(title, drawn + feet(names, counts, across), 8 + HEIGHT + FOOT)


def dots(title: str, shares: Sequence[Share], fair: float, across: str) -> str:
    """A dot with its interval for each share, joined by a line: how wins depend on something."""
    top = nice_top(max([share.high for share in shares] + [fair]))
    step, drawn, path = (WIDTH - SIDE) / max(len(shares), 1), scale(top, "share of wins"), []
    at = 8 + HEIGHT * (1 - fair / top)
    drawn.append(line(SIDE, at, WIDTH, at, "fair"))
    for i, share in enumerate(shares):
        x = SIDE + step * (i + 0.5)
        low, high, middle = (8 + HEIGHT * (1 - min(end / top, 1)) for end in (share.low, share.high, share.share))
        dot = f'<circle cx="{x:.1f}" cy="{middle:.1f}" r="4" class="dot"/>'
        words = f"{share.name}: {percent(share.share)} of {share.count:,}"
        drawn += [line(x, low, x, high, "interval"), tip(dot, words)]
        path.append(f"{x:.1f},{middle:.1f}")
    drawn.insert(0, f'<polyline points="{" ".join(path)}" class="trend"/>')
    names, counts = [share.name for share in shares], [share.count for share in shares]
    return figure(title, drawn + feet(names, counts, across), 8 + HEIGHT + FOOT)


def stripes(title: str, rows: Sequence[tuple[str, Sequence[tuple[str, float]]]]) -> str:
    """A whole for each row, parted into named shares; each part bears its initial."""
    left = max([LABEL, *(8 + LETTER * len(name) for name, _ in rows)])
    span, drawn = WIDTH - left, list[str]()
    for i, (name, parts) in enumerate(rows):
        x, y = left, i * (ROW + 12)
        drawn.append(text(left - 8, y + 21, name, "end"))
        for part, share in parts:
            drawn.append(box(x, y, span * share, ROW + 6, f"part {part}"))
            words = f"{part[0].upper()} {100 * share:.0f} %"
            drawn.append(text(x + span * share / 2, y + 20, words, f"middle on {part}"))
            x += span * share
    return figure(title, drawn, len(rows) * (ROW + 12))
