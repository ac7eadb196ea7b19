"""The ground of a race: mosaic bands, the infield with its teeth, the spina with a dolphin for each lap, arrows."""

from collections.abc import Iterable
from math import floor
from random import Random
from typing import Any

from quadriga.core.geometry import circumference, ring
from quadriga.pictures.art import GOLD, at, path, rectangle

SAND = ("#e7cf9f", "#dfc28b", "#d3b27a", "#eddcb6", "#e7cf9f")
WALL = ("#a9663f", "#8d4f30", "#a9663f", "#9c5b38")
CROWD = ("#a9663f", "#f4ecdc", "#c9603a", "#8d4f30", "#d7a93f", "#a9663f", "#8b3350", "#7fb0b4", "#8d4f30", "#d9cbb0")
GRASS = ("#8f9d68", "#879660", "#95a36d")
MARBLE, DARK_WALL, WATER, DEEP_WATER, TEETH, LANE = "#f4ecdc", "#8d4f30", "#7fb0b4", "#5d969d", "#7c2b3f", "#8d4f30"


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
    posts = "".join(at(side * (length / 2 - 9), 0, _posts()) for side in (-1, 1))
    dolphins = "".join(at(length * 0.22 + (i - laps / 2 + 0.5) * 30, -5, _dolphin(i < done)) for i in range(laps))
    return (
        f'<g opacity=".22">{rectangle(-length / 2 + 4, -h + 4, length, height, "#20100a", radius=h)}</g>'
        + rectangle(-length / 2, -h, length, height, MARBLE, DARK_WALL, h, 1)
        + rectangle(-length / 2 + 18, -h + 5, length - 36, height - 10, WATER, DEEP_WATER, h - 5, 1)
        + waves
        + posts
        + at(0, h - 4, _obelisk())
        + dolphins
    )


def _posts() -> str:
    return "".join(
        path(f"M{dx - 3.6} {dy + 2}L{dx} {dy - 15}L{dx + 3.6} {dy + 2}Z", GOLD, DARK_WALL, 0.8)
        for dx, dy in ((-5, 5), (0, -2), (5, 5))
    )


def _obelisk() -> str:
    return (
        f'<path d="M-13-2H13V2.5H-13Z" fill="{MARBLE}" stroke="{DARK_WALL}" stroke-width=".7"/>'
        f'<path d="M-9.5-7H9.5V-2H-9.5Z" fill="#d9cbb0" stroke="{DARK_WALL}" stroke-width=".7"/>'
        f'<path d="M-6.500-7-4.2-58 0-67V-7Z" fill="#c9603a"/><path d="M6.5-7 4.2-58 0-67V-7Z" fill="{DARK_WALL}"/>'
        f'<path d="M-4.2-58 0-67 4.2-58 0-56.5Z" fill="{GOLD}"/>'
    )


def _dolphin(done: bool) -> str:
    body = (
        "M-11 1.8C-8.5-5-2-7.6 4-5.4 5.2-6.8 6.8-7.6 8.4-7.8 8-6.6 7.8-5.4 8-4.2 10-2.8 11.4-1 13.4-.4 13.8.2 13.4 1 "
        "12.4 1.1 8-.2 5 1.2 2.5 2.2-1.5 3.8-5.5 4-8.2 3.4-8.8 5-10.4 6.4-12.8 6.8-12.2 5.2-12.4 4.2-13.2 3.2-14.6 2.8"
        "-15.6 1.8-16 .4-13.8.2-12 .8-11 1.8Z"
    )
    fill, turn = (GOLD, 58) if done else (DEEP_WATER, 0)
    return f'<path d="{body}" fill="{fill}" stroke="#0f3566" stroke-width=".9" transform="rotate({turn}) scale(.9)"/>'
