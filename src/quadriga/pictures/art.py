"""Drawings that all games share, in the style of the page: chariots, emblems, cards, coins, dice and plates as SVG."""

import json
import re
from collections.abc import Sequence
from importlib import resources
from math import atan2, degrees, hypot
from xml.sax.saxutils import escape

from quadriga.core.geometry import tenth

ART = json.loads((resources.files(__package__) / "art.json").read_text(encoding="utf-8"))
FACTIONS = ("russata", "albata", "veneta", "prasina", "aurata", "purpurea")
FILL = {
    "russata": "#c22f2b", "albata": "#fbf7ee", "veneta": "#1f5fa8",
    "prasina": "#2e7d43", "aurata": "#e0a91f", "purpurea": "#77379b",
}  # fmt: skip
DEEP = {
    "russata": "#7d1417", "albata": "#5b5248", "veneta": "#0f3566",
    "prasina": "#134823", "aurata": "#74500a", "purpurea": "#431a5c",
}  # fmt: skip
ON = {
    "russata": "#fff3df", "albata": "#5b5248", "veneta": "#eef6ff",
    "prasina": "#f2fbe9", "aurata": "#4a3000", "purpurea": "#fbeeff",
}  # fmt: skip
COLOURS = {"green": "#2e7d43", "red": "#bb2f2a", "yellow": "#a87404", "black": "#2d2427"}
KINDS = {"green": "sprint", "red": "attack", "yellow": "recover", "black": "corner"}
LETTERS = {"G": "green", "R": "red", "Y": "yellow", "B": "black"}
CARD_ICONS = {"recovery": "recover", "shield": "shield", "whip": "whip", "learning": "learning"}
PAGE, PANEL, INK, INK_2, LINE, GOLD, PLATE, CREAM = (
    "#e9d9bb", "#fbf5e7", "#33161d", "#6a4a45", "#d3bd96", "#d7a93f", "#4a1526", "#fdf6e3",
)  # fmt: skip
DISPLAY = "Cinzel, 'Trajan Pro', Georgia, 'DejaVu Serif', serif"
BODY = "'Alegreya Sans', 'Segoe UI', 'Liberation Sans', 'DejaVu Sans', sans-serif"

Point = tuple[float, float]


def at(x: float, y: float, inside: str, more: str = "") -> str:
    """A group moved to a place, turned or scaled by `more`."""
    return f'<g transform="translate({tenth(x)} {tenth(y)}){more}">{inside}</g>'


def words(x: float, y: float, text: str, size: float = 15, fill: str = INK, weight: int = 500,
          anchor: str = "start", family: str = BODY) -> str:  # fmt: skip
    """A line of text."""
    return (
        f'<text x="{tenth(x)}" y="{tenth(y)}" font-family="{family}" font-size="{size}" font-weight="{weight}" '
        f'fill="{fill}" text-anchor="{anchor}">{escape(text)}</text>'
    )


def rectangle(x: float, y: float, width: float, height: float, fill: str, stroke: str = "none",
              radius: float = 8, thick: float = 1.5) -> str:  # fmt: skip
    """A box with round corners."""
    return (
        f'<rect x="{tenth(x)}" y="{tenth(y)}" width="{tenth(width)}" height="{tenth(height)}" rx="{radius}" '
        f'fill="{fill}" stroke="{stroke}" stroke-width="{thick}"/>'
    )


def path(d: str, fill: str = "none", stroke: str = "none", thick: float = 1, more: str = "") -> str:
    """A shape."""
    return f'<path d="{d}" fill="{fill}" stroke="{stroke}" stroke-width="{thick}" {more}/>'


def icon(name: str, x: float, y: float, size: float, fill: str = INK) -> str:
    """A pictogram with its upper left corner at a place."""
    path = f'<path d="{ART["icons"][name]}" fill="{fill}" fill-rule="evenodd"/>'
    return at(x, y, path, f" scale({size / 24:.3f})")


def emblem(faction: str, x: float, y: float, size: float = 24) -> str:
    """A faction's emblem around a place."""
    return at(
        x, y,
        f'<path d="{ART["shapes"][faction]}" fill="{FILL[faction]}" stroke="{DEEP[faction]}" stroke-width="1.4"/>'
        f'<path d="{ART["marks"][faction]}" fill="{ON[faction]}" fill-rule="evenodd"/>',
        f" scale({size / 24:.3f})",
    )  # fmt: skip


def chariot(faction: str, x: float, y: float, angle: float, scale: float = 1, active: bool = False) -> str:
    """A quadriga seen from above, heading along its angle; its emblem stays upright. One to act has a golden halo."""
    fill, deep = FILL[faction], DEEP[faction]
    halo = f'<ellipse cx="4" rx="31" ry="19" fill="{GOLD}" fill-opacity=".75"/>' if active else ""
    horses = "".join(
        f'<path d="{pair["body"]}" fill="{coat}" stroke="#2a150c" stroke-width=".6"/>'
        f'<path d="{pair["cloth"]}{pair["plume"]}" fill="{fill}" stroke="{deep}" stroke-width=".5"/>'
        f'<path d="{pair["mane"]}" fill="{mane}"/>'
        for pair, coat, mane in zip(ART["horses"], ("#6b3c20", "#b8763f"), ("#2a130a", "#4a2412"), strict=True)
    )
    mark = (
        f'<path d="{ART["shapes"][faction]}" fill="{deep}" stroke="{GOLD}" stroke-width="1.5"/>'
        f'<path d="{ART["marks"][faction]}" fill="#fff6e2" fill-rule="evenodd"/>'
    )
    drawn = (
        f'{halo}<path d="M-17-7C-14-13.5 2-13.4 7-13H21C29-13 29 13 21 13H7C2 13.4-14 13.5-17 7Z" fill="#fff6e0" '
        f'fill-opacity=".82"/><path d="M-2 0H14M12.5-10.5V10.5" stroke="#4a2a14" stroke-width="1.6"/>{horses}'
        '<path d="M0-1.5 20-9.3M0-.6 20-3.1M0 .6 20 3.1M0 1.5 20 9.3" stroke="#2a150c" stroke-width=".45" fill="none"/>'
        '<path d="M-14-12.8H-3V-10H-14ZM-14 10H-3V12.8H-14ZM-9.3-10H-7.7V10H-9.3Z" fill="#3b2312" stroke="#3b2312" '
        'stroke-width=".8"/><path d="M-16.5-7.4C-12-10.6-4-10.4-.6-7 2.6-3.4 2.6 3.4-.6 7-4 10.4-12 10.6-16.5 7.4Z" '
        f'fill="{fill}" stroke="{deep}" stroke-width="1.4"/>{at(-7.4, 0, mark, f" rotate({-angle}) scale(.72)")}'
    )
    return at(x, y, drawn, f" rotate({angle}) scale({scale})")


def coin(face: str, x: float, y: float, size: float, spent: bool = False, hidden: bool = False) -> str:
    """A coin of the piecepack around a place; a hidden one lies face down, a spent one is pale."""
    ground, rim, edge = ("#a06a45", "#8d5a3a", "#5a3418") if hidden else ("#eccb7b", "#d9ac4c", "#8a6416")
    if hidden:
        sign = '<path d="M-9 6C-6-8 6-8 9 6M-9 6h18M0-12v5" fill="none" stroke="#5a3418" stroke-width="2.2"/>'
    elif face == "null":
        sign = '<circle r="8.5" fill="none" stroke="#5b3c07" stroke-width="3.2"/>'
        sign += path("M-7 7 7-7", "none", "#5b3c07", 3)
    else:
        sign = words(0, 8.5, {"ace": "A"}.get(face, face), 24, "#4b3004", 800, "middle", DISPLAY)
    drawn = f'<circle r="24" fill="{rim}" stroke="{edge}" stroke-width="1.5"/><circle r="17.5" fill="{ground}"/>{sign}'
    return f'<g opacity="{0.3 if spent else 1}">{at(x, y, drawn, f" scale({size / 52:.3f})")}</g>'


def die(x: float, y: float, size: float, picture: str, fill: str = INK) -> str:
    """A die that shows a pictogram, with its upper left corner at a place."""
    box = rectangle(x, y, size, size, "#fdf5e2", "#b99d70", size / 5, 2)
    return box + icon(picture, x + size * 0.17, y + size * 0.17, size * 0.66, fill)


def card(name: str | None, x: float, y: float, width: float = 66) -> str:
    """A card of Charioteer from its name (None: its back), with its upper left corner at a place."""
    return at(x, y, _back() if name is None else _face(name), f" scale({width / 66:.3f})")


def _back() -> str:
    return (
        rectangle(0.7, 0.7, 64.6, 94.6, "#6e2438", "#b99d70", 7)
        + rectangle(6, 6, 54, 84, "none", "#e8c36a", 4, 1.2)
        + '<path d="M20 60C20 34 46 34 46 60M16 60H50M33 30V40" stroke="#e8c36a" stroke-width="2" fill="none"/>'
    )


def _face(name: str) -> str:
    rows: list[tuple[str, str]] = [(LETTERS[letter], number) for letter, number in re.findall(r"([GRYB])(\d+)", name)]
    lead = COLOURS[rows[0][0]] if rows else None
    rows += [(found, "") for found in re.findall("shield|recovery|whip|learning", name)]
    drawn = rectangle(0.7, 0.7, 64.6, 94.6, "#fdf7e8", lead or "#b99d70", 7)
    if lead:
        drawn += f'<path d="M.7 7Q.7.7 7 .7H12V95.3H7Q.7 95.3.7 89Z" fill="{lead}"/>'
    for i, (what, number) in enumerate(rows):
        y = 48 if len(rows) == 1 else 18 + i * 30
        drawn += at(38.5 if lead else 33, y, sign(what, number) if number else _card_icon(what), " scale(.86)")
    return drawn


def sign(colour: str, number: str) -> str:
    """A symbol: colour, outline and pictogram say the kind of move, the number its worth."""
    return (
        f'<path d="{ART["signs"][colour]}" fill="{COLOURS[colour]}"/>{icon(KINDS[colour], -5, -14, 10, "#fdf7e8")}'
        + words(0, 10.5, number, 16, "#fdf7e8", 700, "middle")
    )


def _card_icon(what: str) -> str:
    return f'<circle r="15.5" fill="#6e2438"/>{icon(CARD_ICONS[what], -10.5, -10.5, 21, "#fdf7e8")}'


def bar(x: float, y: float, width: float, share: float, fill: str) -> str:
    """A bar that is filled by a share."""
    full = max(0.0, min(1.0, share)) * width
    return rectangle(x, y, width, 7, "#eadcc0", radius=3.5) + rectangle(x, y, full, 7, fill, radius=3.5)


def arrow(points: Sequence[Point], faction: str) -> str:
    """A way that a faction's chariot went, with a head just behind where it stands now."""
    ways = [point for i, point in enumerate(points) if i == 0 or point != points[i - 1]]
    if len(ways) < 2:
        return ""
    tip, angle = _behind(ways[-2], ways[-1])
    way = "M" + "L".join(f"{tenth(x)} {tenth(y)}" for x, y in [*ways[:-1], tip])
    line = f'<path d="{way}" fill="none" stroke-linejoin="round" stroke-linecap="round"'
    colour = DEEP[faction]
    head = f'<path d="M-9-9 9 0-9 9-5 0Z" fill="{colour}" stroke="#fff8ea" stroke-width="1.5"/>'
    return (
        f'{line} stroke="#fff8ea" stroke-width="8" stroke-opacity=".75"/>'
        f'{line} stroke="{colour}" stroke-width="4"/>{at(*tip, head, f" rotate({angle:.0f})")}'
    )


CHARIOT_TAIL = 24


def _behind(start: Point, end: Point) -> tuple[Point, float]:
    """A point before the end of the last stretch, where the chariot's tail is, and the direction there."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    share = max(0.3, 1 - CHARIOT_TAIL / length)
    return (start[0] + dx * share, start[1] + dy * share), degrees(atan2(dy, dx))
