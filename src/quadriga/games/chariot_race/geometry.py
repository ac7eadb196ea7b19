"""Where the spaces of Chariot Race lie on the board: lanes side by side around an oval."""

from typing import Any

from quadriga.core.edition import Edition
from quadriga.core.geometry import Course

INNER, LANE = 104, 45
"""The radius of the infield, and the width of a lane."""
HALF, MARGIN = 330, 34
PARTS, TURNS = 28, (5, 9, 19, 23)
"""The lap in equal parts, and which of them bound the turns."""
ARROWS = (1.5, 12.5, 25.5)


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
        "course": {"half": HALF, "inner": INNER, "outer": outer, "edge": outer, "line": 0},
        "lanes": len(lanes),
        "spaces": {
            name: space for i, lane in enumerate(lanes) for name, space in _lane(edition, course, lane, i).items()
        },
        "arrows": [course.spot(at * part, middle).to_json() for at in ARROWS for middle in middles],
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
