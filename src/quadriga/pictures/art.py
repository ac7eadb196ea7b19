"""Drawings that all games share, in the style of the page: chariots, emblems, cards, coins, dice and plates as SVG."""

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from math import atan2, degrees, hypot
from xml.sax.saxutils import escape

from quadriga.core.geometry import tenth

FOLDER = resources.files(__package__) / "art"
"""Drawings as data, which the page reads, too: paths by kind and name, and whole drawings as SVG files."""
PATHS: dict[str, dict[str, str]] = json.loads((FOLDER / "paths.json").read_text(encoding="utf-8"))
FACTIONS = ("russata", "albata", "veneta", "prasina", "aurata", "purpurea")
PALETTE = {
    "russata": "#c22f2b", "russata-deep": "#7d1417", "russata-on": "#fff3df",
    "albata": "#fbf7ee", "albata-deep": "#5b5248", "albata-on": "#5b5248",
    "veneta": "#1f5fa8", "veneta-deep": "#0f3566", "veneta-on": "#eef6ff",
    "prasina": "#2e7d43", "prasina-deep": "#134823", "prasina-on": "#f2fbe9",
    "aurata": "#e0a91f", "aurata-deep": "#74500a", "aurata-on": "#4a3000",
    "purpurea": "#77379b", "purpurea-deep": "#431a5c", "purpurea-on": "#fbeeff",
    "page": "#e9d9bb", "panel": "#fbf5e7", "ink": "#33161d", "ink-2": "#6a4a45", "line": "#d3bd96", "line-2": "#b99d70",
    "gold": "#835a0a", "gold-2": "#d7a93f", "halo": "#fff6e0d0", "porphyry-2": "#8b3350", "terracotta-2": "#c9603a",
    "sand-1": "#e7cf9f", "sand-2": "#dfc28b", "sand-3": "#d3b27a", "sand-4": "#eddcb6",
    "wall": "#a9663f", "wall-2": "#8d4f30", "infield": "#8f9d68", "infield-2": "#879660",
    "marble": "#f4ecdc", "marble-2": "#d9cbb0", "water": "#7fb0b4", "water-2": "#5d969d", "teeth": "#7c2b3f",
}  # fmt: skip
"""Colours by the names that the page's style sheet gives them, as they are by day."""
COLOURS = {"green": "#2e7d43", "red": "#bb2f2a", "yellow": "#a87404", "black": "#2d2427"}
KINDS = {"green": "sprint", "red": "attack", "yellow": "recover", "black": "corner"}
LETTERS = {"G": "green", "R": "red", "Y": "yellow", "B": "black"}
CARD_ICONS = {"recovery": "recover", "shield": "shield", "whip": "whip", "learning": "learning"}
PAGE, PANEL, INK, INK_2, LINE, GOLD = (PALETTE[name] for name in ("page", "panel", "ink", "ink-2", "line", "gold-2"))
PLATE, CREAM = "#4a1526", "#fdf6e3"
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


@cache
def drawing(name: str, **colours: str) -> str:
    """A whole drawing; its colours are those of the palette, or given by name."""
    text = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    inside = re.sub(r'^<svg[^>]*>|</svg>\s*$|\n| class="[^"]*"', "", text)
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours.get(found[1]) or PALETTE[found[1]], inside)


def icon(name: str, x: float, y: float, size: float, fill: str = INK) -> str:
    """A pictogram with its upper left corner at a place."""
    drawn = f'<path d="{PATHS["icons"][name]}" fill="{fill}" fill-rule="evenodd"/>'
    return at(x, y, drawn, f" scale({size / 24:.3f})")


def emblem(faction: str, x: float, y: float, size: float = 24) -> str:
    """A faction's emblem around a place."""
    fill, deep, on = (PALETTE[faction + tone] for tone in ("", "-deep", "-on"))
    return at(
        x, y,
        f'<path d="{PATHS["shapes"][faction]}" fill="{fill}" stroke="{deep}" stroke-width="1.4"/>'
        f'<path d="{PATHS["marks"][faction]}" fill="{on}" fill-rule="evenodd"/>',
        f" scale({size / 24:.3f})",
    )  # fmt: skip


def chariot(faction: str, x: float, y: float, angle: float, scale: float = 1, active: bool = False) -> str:
    """A quadriga seen from above, heading along its angle; its emblem stays upright. One to act has a golden halo."""
    fill, deep = PALETTE[faction], PALETTE[f"{faction}-deep"]
    halo = f'<ellipse cx="4" rx="31" ry="19" fill="{GOLD}" fill-opacity=".75"/>' if active else ""
    mark = (
        f'<path d="{PATHS["shapes"][faction]}" fill="{deep}" stroke="{GOLD}" stroke-width="1.5"/>'
        f'<path d="{PATHS["marks"][faction]}" fill="#fff6e2" fill-rule="evenodd"/>'
    )
    drawn = halo + drawing("chariot", own=fill, deep=deep) + at(-7.4, 0, mark, f" rotate({-angle}) scale(.72)")
    return at(x, y, drawn, f" rotate({angle}) scale({scale})")


def coin(face: str, x: float, y: float, size: float, spent: bool = False, hidden: bool = False) -> str:
    """A coin of the piecepack around a place; a hidden one lies face down, a spent one is pale."""
    if hidden:
        drawn = drawing("hidden_coin")
    elif face == "null":
        drawn = drawing("null_coin")
    else:
        drawn = drawing("coin") + words(0, 8.5, {"ace": "A"}.get(face, face), 24, "#4b3004", 800, "middle", DISPLAY)
    return f'<g opacity="{0.3 if spent else 1}">{at(x, y, drawn, f" scale({size / 52:.3f})")}</g>'


def die(x: float, y: float, size: float, picture: str, fill: str = INK) -> str:
    """A die that shows a pictogram, with its upper left corner at a place."""
    box = rectangle(x, y, size, size, "#fdf5e2", "#b99d70", size / 5, 2)
    return box + icon(picture, x + size * 0.17, y + size * 0.17, size * 0.66, fill)


def card(name: str | None, x: float, y: float, width: float = 66) -> str:
    """A card of Charioteer from its name (None: its back), with its upper left corner at a place."""
    return at(x, y, drawing("card_back") if name is None else _face(name), f" scale({width / 66:.3f})")


def _face(name: str) -> str:
    rows: list[tuple[str, str]] = [(LETTERS[letter], number) for letter, number in re.findall(r"([GRYB])(\d+)", name)]
    lead = COLOURS[rows[0][0]] if rows else None
    rows += [(found, "") for found in re.findall("shield|recovery|whip|learning", name)]
    drawn = rectangle(0.7, 0.7, 64.6, 94.6, "#fdf7e8", lead or "#b99d70", 7)
    if lead:
        drawn += path(PATHS["parts"]["card_band"], lead)
    for i, (what, number) in enumerate(rows):
        y = 48 if len(rows) == 1 else 18 + i * 30
        drawn += at(38.5 if lead else 33, y, sign(what, number) if number else _card_icon(what), " scale(.86)")
    return drawn


def sign(colour: str, number: str) -> str:
    """A symbol: colour, outline and pictogram say the kind of move, the number its worth."""
    return (
        f'<path d="{PATHS["signs"][colour]}" fill="{COLOURS[colour]}"/>{icon(KINDS[colour], -5, -14, 10, "#fdf7e8")}'
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
    colour = PALETTE[f"{faction}-deep"]
    head = path(PATHS["parts"]["arrow_head"], colour, "#fff8ea", 1.5)
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
