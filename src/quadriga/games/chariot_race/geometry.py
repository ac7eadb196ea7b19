"""Where the spaces of Chariot Race lie on the board: lanes side by side around an oval."""

from typing import Any

from quadriga.core.edition import Edition
from quadriga.core.geometry import Course, read_sizes

SIZES = read_sizes(__package__)
INNER, LANE = SIZES["inner"], SIZES["lane"]
"""The radius of the infield, and the width of a lane."""
HALF, MARGIN = SIZES["half"], SIZES["margin"]
PARTS, TURNS = SIZES["parts"], SIZES["turns"]
"""The lap in equal parts, and which of them bound the turns."""


def geometry(edition: Edition) -> dict[str, Any]:
    """The spaces of an edition, from the front borders its lanes list."""
    lap = edition.source.get(("track", "lap"), int)
    lanes = edition.source.get(("track", "lanes"), list)
    part = lap / PARTS
    a, b, c, d = (turn * part for turn in TURNS)
    course = Course(HALF, (a, b, c, d), lap, 0)
    outer = INNER + len(lanes) * LANE
    middles = [INNER + (lane + 0.5) * LANE for lane in range(len(lanes))]
    return {
        "box": [-HALF - outer - MARGIN, -outer - MARGIN, 2 * (HALF + outer + MARGIN), 2 * (outer + MARGIN)],
        "course": course.to_json() | {"inner": INNER, "outer": outer, "edge": outer},
        "lanes": len(lanes),
        "spaces": {
            name: space for i, lane in enumerate(lanes) for name, space in _lane(edition, course, lane, i).items()
        },
        "arrows": [course.spot(at * part, middle).to_json() for at in SIZES["arrows"] for middle in middles],
    }


def _lane(edition: Edition, course: Course, lane: str, number: int) -> dict[str, dict[str, Any]]:
    fronts = edition.source.get(("lane", lane, "fronts"), list)
    backs = [fronts[-1] - course.lap, *fronts[:-1]]
    inner = INNER + number * LANE
    return {
        f"{lane}{i}": course.spot((front + back) / 2, inner + LANE / 2).to_json()
        | {"outline": course.cell(back, front, inner, inner + LANE), "lane": number}
        for i, (back, front) in enumerate(zip(backs, fronts, strict=True))
    }
