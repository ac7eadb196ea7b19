"""Where the spaces of a track lie on a board: computed once from the edition, drawn by the page and by `pictures`.

A game's folder may hold `geometry.py` with a function `geometry(edition)`: docs/decisions/0008-geometry.md.
Lengths are those of the drawing, angles are in degrees, and y grows downwards.
"""

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module, resources
from importlib.util import find_spec
from math import ceil, cos, pi, radians, sin
from typing import Any

from quadriga.core.game import Game

Json = dict[str, Any]


@dataclass(frozen=True)
class Spot:
    """A place on the board, the heading of a chariot that runs there, and the direction away from the infield."""

    x: float
    y: float
    angle: float
    out: tuple[float, float]

    def to_json(self) -> Json:
        """As the page reads it."""
        return {
            "x": tenth(self.x),
            "y": tenth(self.y),
            "angle": tenth(self.angle),
            "out": [round(n, 4) for n in self.out],
        }


@dataclass(frozen=True)
class Course:
    """An oval: bottom straight to the right, right turn, top straight to the left, left turn."""

    half: float
    """Half the length of the straights."""
    turns: tuple[float, float, float, float]
    """Where the right turn begins and ends, and the left one, counted from the line in the course's own measure."""
    lap: float
    line: float
    """Where the line crosses the bottom straight."""

    def to_json(self) -> Json:
        """As the page reads it."""
        return {"half": self.half, "turns": list(self.turns), "lap": self.lap, "line": self.line}

    def spot(self, along: float, radius: float) -> Spot:
        """The spot at a distance from the line and a radius from the spine of the course."""
        half, line, at = self.half, self.line, along % self.lap
        a, b, c, d = self.turns
        if at < a:
            return Spot(line + (half - line) * at / a, radius, 0, (0, 1))
        if at < b:
            return _bend(half, radius, 90 - 180 * (at - a) / (b - a))
        if at < c:
            return Spot(half - 2 * half * (at - b) / (c - b), -radius, -180, (0, -1))
        if at < d:
            return _bend(-half, radius, -90 - 180 * (at - c) / (d - c))
        return Spot(-half + (line + half) * (at - d) / (self.lap - d), radius, -360, (0, 1))

    def cell(self, start: float, end: float, inner: float, outer: float) -> str:
        """The outline of the piece of track between two distances and two radii."""
        steps = max(2, ceil(abs(end - start) * (self.half / self.lap) * 0.4))
        near = [self.spot(start + (end - start) * i / steps, inner) for i in range(steps + 1)]
        far = [self.spot(end + (start - end) * i / steps, outer) for i in range(steps + 1)]
        return "M" + "L".join(f"{tenth(spot.x)} {tenth(spot.y)}" for spot in near + far) + "Z"


def _bend(centre: float, radius: float, degrees: float) -> Spot:
    out = (cos(radians(degrees)), sin(radians(degrees)))
    return Spot(centre + radius * out[0], radius * out[1], degrees - 90, out)


def ring(half: float, radius: float) -> str:
    """The outline of an oval at one radius."""
    r = tenth(radius)
    return f"M{-half} {r}H{half}A{r} {r} 0 0 0 {half} {-r}H{-half}A{r} {r} 0 0 0 {-half} {r}Z"


def circumference(half: float, radius: float) -> float:
    """The length of that outline."""
    return 4 * half + 2 * pi * radius


def tenth(value: float) -> float:
    """A length as drawings need it."""
    return round(value, 1) + 0.0


def read_sizes(package: str) -> Json:
    """The lengths in a game's `geometry.json`, which the page's build reads, too."""
    sizes: Json = json.loads((resources.files(package) / "geometry.json").read_text(encoding="utf-8"))
    return sizes


@lru_cache(maxsize=16)
def geometry_of(game: Game) -> Json | None:
    """Where everything lies on the board of a game; None for a game that does not say."""
    module = f"{game.definition.package}.geometry"
    if find_spec(module) is None:
        return None
    found: Json = import_module(module).geometry(game.edition)
    return found
