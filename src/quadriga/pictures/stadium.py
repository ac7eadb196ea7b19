"""The ground of a race: mosaic bands, the infield with its teeth, the spina with a dolphin for each lap, arrows."""

from collections.abc import Iterable
from math import floor
from random import Random
from typing import Any

from quadriga.core.geometry import circumference, ring
from quadriga.pictures.art import GOLD, PALETTE, at, drawing, path, rectangle


def _tones(*names: str) -> tuple[str, ...]:
    return tuple(PALETTE[name] for name in names)


SAND = _tones("sand-1", "sand-2", "sand-3", "sand-4", "sand-1")
WALL = (*_tones("wall", "wall-2", "wall"), "#9c5b38")
CROWD = _tones(
    "wall", "marble", "terracotta-2", "wall-2", "gold-2", "wall", "porphyry-2", "water", "wall-2", "marble-2"
)
GRASS = (*_tones("infield", "infield-2"), "#95a36d")
MARBLE, DARK_WALL, WATER, DEEP_WATER, TEETH, LANE = _tones("marble", "wall-2", "water", "water-2", "teeth", "wall-2")


def mosaic(name: str, tones: tuple[str, ...], size: float, grout: str, seed: int) -> str:
    """A pattern of tesserae, each a little off its place, so that the repeat is not seen."""
    random, count = Random(seed), 9
    side = count * size
    stones = [f'<rect width="{side}" height="{side}" fill="{grout}"/>']
    for row in range(count):
        for column in range(count):
            x = column * size + random.uniform(0.2, 0.9)
            y = row * size + random.uniform(0.2, 0.9)
            w = size - 1.2
            fill = random.choice(tones)
            stones.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{w:.1f}" fill="{fill}"/>')
    return (
        f'<pattern id="{name}" width="{side}" height="{side}" patternUnits="userSpaceOnUse">{"".join(stones)}</pattern>'
    )


def patterns() -> str:
    """The mosaics that `band` and the boards fill with."""
    return (
        "<defs>"
        + mosaic("sand", SAND, 10, "#c9ab74", 3)
        + mosaic("wall", WALL, 12, "#7d4429", 5)
        + mosaic("crowd", CROWD, 9, DARK_WALL, 7)
        + mosaic("grass", GRASS, 11, "#7f8d59", 9)
        + "</defs>"
    )


def band(half: float, inner: float, outer: float, fill: str) -> str:
    """A band around the oval between two radii."""
    middle = ring(half, (inner + outer) / 2)
    return f'<path d="{middle}" fill="none" stroke="{fill}" stroke-width="{outer - inner}"/>'


def edge(half: float, radius: float) -> str:
    """A marble kerb."""
    return f'<path d="{ring(half, radius)}" fill="none" stroke="{MARBLE}" stroke-width="5"/>'


def teeth(half: float, radius: float) -> str:
    """The toothed border of the infield, as mosaics have it."""
    step = circumference(half, radius) / floor(circumference(half, radius) / 13)
    dash = f'stroke-dasharray="{step / 2:.2f} {step / 2:.2f}"'
    return band(half, radius - 12, radius, MARBLE) + (
        f'<path d="{ring(half, radius - 6)}" fill="none" stroke="{TEETH}" stroke-width="9" {dash}/>'
    )


def infield(half: float, radius: float) -> str:
    """Grass with its border."""
    return f'<path d="{ring(half, radius)}" fill="url(#grass)"/>' + teeth(half, radius - 1) + edge(half, radius)


def line(x: float, top: float, bottom: float) -> str:
    """The finish line: black and white."""
    way = f'd="M{x} {top}V{bottom}" stroke-width="8"'
    return f'<path {way} stroke="{MARBLE}"/><path {way} stroke="#33161d" stroke-dasharray="8"/>'


def arrows(spots: Iterable[dict[str, Any]], size: float = 11) -> str:
    """Pale arrows laid into the track: which way one runs."""
    d = f"M{-size * 0.6:.1f}-{size}L{size * 0.6:.1f} 0L{-size * 0.6:.1f} {size}"
    return "".join(
        at(spot["x"], spot["y"], f'<path d="{d}" fill="none" stroke="#9c5a34" stroke-opacity=".45" stroke-width="5" '
           'stroke-linecap="round" stroke-linejoin="round"/>', f" rotate({spot['angle']})")
        for spot in spots
    )  # fmt: skip


def spina(length: float, height: float, laps: int, done: int) -> str:
    """The barrier in the middle: water, obelisk, turning posts, and a dolphin that turns golden for each lap done."""
    h = height / 2
    waves = "".join(
        path(f"M{-length / 2 + 34 + i * 26:.0f} {i % 2 * 4 - 2}q3.5-3 7 0t7 0", "none", MARBLE, 1, 'opacity=".55"')
        for i in range(int((length - 60) / 26))
    )
    posts = "".join(at(side * (length / 2 - 9), 0, drawing("turning_post")) for side in (-1, 1))
    dolphins = "".join(at(length * 0.22 + (i - laps / 2 + 0.5) * 30, -5, _dolphin(i < done)) for i in range(laps))
    return (
        f'<g opacity=".22">{rectangle(-length / 2 + 4, -h + 4, length, height, "#20100a", radius=h)}</g>'
        + rectangle(-length / 2, -h, length, height, MARBLE, DARK_WALL, h, 1)
        + rectangle(-length / 2 + 18, -h + 5, length - 36, height - 10, WATER, DEEP_WATER, h - 5, 1)
        + waves
        + posts
        + at(0, h - 4, drawing("obelisk"))
        + dolphins
    )


def _dolphin(done: bool) -> str:
    body, turn = (GOLD, 58) if done else (DEEP_WATER, 0)
    return f'<g transform="rotate({turn}) scale(.9)">{drawing("dolphin", body=body)}</g>'
