"""Where the squares of Chariots lie on the board, and which way one runs there."""

from math import atan2, degrees
from typing import Any

from quadriga.core.edition import Edition
from quadriga.core.geometry import Spot, read_sizes, tenth

SIZES = read_sizes(__package__)
SIZE, MARGIN = SIZES["size"], SIZES["margin"]
COLUMNS, ROWS = SIZES["columns"], SIZES["rows"]
HALF, EDGE = SIZES["half"], SIZES["edge"]
"""The oval around the squares: half its straights, and its outer radius."""


def geometry(edition: Edition) -> dict[str, Any]:
    """The squares of an edition, the oval around them, and where arrows show the way."""
    straights = edition.source.get(("track", "straights"), dict)
    width, height = COLUMNS * SIZE, ROWS * SIZE
    spaces = {name: _space(name, straights) for name in edition.names.domains["square"]}
    return {
        "box": [-MARGIN, -MARGIN, width + 2 * MARGIN, height + 2 * MARGIN],
        "size": SIZE,
        "centre": [width / 2, height / 2],
        "course": {"half": HALF, "edge": EDGE},
        "spaces": spaces,
        "arrows": [spaces[name] for name in spaces if _has_arrow(name, straights)],
    }


def _space(name: str, straights: dict[str, Any]) -> dict[str, Any]:
    """The centre of a square, and the heading of a chariot that runs there."""
    x, y = map(float, name.split(","))
    right, down = (x - 0.5) * SIZE, (ROWS + 0.5 - y) * SIZE
    return Spot(right, down, _heading(x, y, straights), (0, 1 if y < ROWS / 2 else -1)).to_json() | {
        "outline": _outline(right, down)
    }


def _heading(x: float, y: float, straights: dict[str, Any]) -> float:
    """Along the straights, and around the ends of them in the turns; running is counter-clockwise."""
    first, last = straights["first"], straights["last"]
    middle = (ROWS + 1) / 2
    if first <= x <= last:
        return 0 if y < middle else -180
    centre = last + 0.5 if x > last else first - 0.5
    return -((degrees(atan2(y - middle, x - centre)) + 90 + 360) % 360)


def _outline(x: float, y: float) -> str:
    r = SIZE / 2 - 1.5
    return f"M{tenth(x - r)} {tenth(y - r)}h{2 * r}v{2 * r}h{-2 * r}Z"


def _has_arrow(name: str, straights: dict[str, Any]) -> bool:
    x, y = map(float, name.split(","))
    first, last = straights["first"], straights["last"]
    low = x in (first + 2, last)
    high = x in (first, first + 3, last)
    return low if y < ROWS / 2 else high
