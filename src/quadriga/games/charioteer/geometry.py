"""Where the spaces of Charioteer lie on the board: a ring of regular spaces, and outer ones around the corners."""

from typing import Any

from quadriga.core.edition import Edition
from quadriga.core.geometry import Course, read_sizes

SIZES = read_sizes(__package__)
INNER, WIDTH, OUTER = SIZES["inner"], SIZES["width"], SIZES["outer"]
"""The radius of the infield, the width of the ring, and that of the outer spaces."""
EDGE = INNER + WIDTH + OUTER
LENGTH, MARGIN = SIZES["length"], SIZES["margin"]
ROW, OUTER_ROW = SIZES["row"], SIZES["outer_row"]
"""How far from the inside of its space the first chariot stands."""


def geometry(edition: Edition) -> dict[str, Any]:
    """The spaces of an edition, from the sections its track lists. Chariots on a space stand in a row outwards."""
    corners, lap = _corners(edition)
    course = _course(corners, lap)
    arrows = [course.spot(at, INNER + WIDTH * share) for at in SIZES["arrows"] if at < lap for share in (0.35, 0.72)]
    return {
        "box": [-course.half - EDGE - MARGIN, -EDGE - MARGIN, 2 * (course.half + EDGE + MARGIN), 2 * (EDGE + MARGIN)],
        "lap": lap,
        "course": course.to_json() | {"inner": INNER, "outer": INNER + WIDTH, "edge": EDGE},
        "spaces": {str(number): _space(course, number, corners) for number in range(lap)},
        "arrows": [spot.to_json() for spot in arrows],
    }


def _corners(edition: Edition) -> tuple[list[dict[str, Any]], int]:
    track = edition.source.get(("track",), dict)
    lap, sections = int(track["spaces"]), track["section"]
    ends = [section["first"] - 1 for section in sections[1:]] + [lap - 1]
    listed = [section | {"last": last} for section, last in zip(sections, ends, strict=True)]
    return [section for section in listed if section["kind"] != "straight"], lap


def _course(corners: list[dict[str, Any]], lap: int) -> Course:
    a, b = corners[0], corners[-1]
    half = (b["first"] - a["last"] - 1) * LENGTH / 2
    home = lap - b["last"] - 1
    line = -half + 2 * half * home / (home + a["first"])
    return Course(half, (a["first"], a["last"] + 1, b["first"], b["last"] + 1), lap, line)


def _space(course: Course, number: int, corners: list[dict[str, Any]]) -> dict[str, Any]:
    """The foot of the row of chariots, the way the row goes, and the outline."""
    corner = next((one for one in corners if one["first"] <= number <= one["last"]), None)
    wide = INNER + WIDTH
    if corner is None:
        at, outer, outline = number + 0.5, False, course.cell(number, number + 1, INNER, wide)
    else:
        at, outer = number, "outer" in corner and number % 2 == (corner["outer"] != "even")
        reach = 0.8 if outer else 1
        radii = (wide, EDGE) if outer else (INNER, wide)
        outline = course.cell(number - reach, number + reach, *radii)
    foot = course.spot(at, wide + OUTER_ROW if outer else INNER + ROW)
    return foot.to_json() | {"outline": outline, "outer": outer, "room": OUTER if outer else WIDTH}
