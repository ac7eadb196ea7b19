"""Which way each listed step leads, for pages that know no rules."""

from math import cos, radians, sin
from typing import Any

import numpy as np

from quadriga.core.game import Game
from quadriga.core.messages import kind_of, part
from quadriga.core.streams import new_stream
from quadriga.games.chariots.actions import DO_STEP, STEP_TO
from quadriga.games.chariots.geometry import SIZE, geometry
from quadriga.games.chariots.state import MOVE

LEAST = 0.45 * SIZE
"""How far a step leads in a direction that is worth a word: nearly half a square."""


def preview(game: Game, view: Any, seat: int) -> dict[str, Any]:
    """While chariots move: the way of each listed step, in the order of the list; None for other choices."""
    race = game.imagine(view, new_stream(np.zeros(8, np.uint32), 0))
    if race.stage != MOVE:
        return {}
    spaces, name = geometry(game.edition)["spaces"], game.names.name
    start = spaces[name("square", int(race.square[race.order[race.turn]]))]
    codes = game.legal_codes(race, seat).tolist()
    return {
        "steps": [
            _way(start, spaces[name("square", int(part(code, STEP_TO)))]) if kind_of(code) == DO_STEP else None
            for code in codes
        ]
    }


def _way(start: dict[str, Any], to: dict[str, Any]) -> dict[str, str | None]:
    """CT-6: ahead or back, in or out, as a chariot sees it that runs around the infield on its left."""
    x, y, angle = to["x"] - start["x"], to["y"] - start["y"], radians(start["angle"])
    along, across = x * cos(angle) + y * sin(angle), x * sin(angle) - y * cos(angle)
    return {"along": _word(along, "ahead", "back"), "across": _word(across, "in", "out")}


def _word(distance: float, more: str, less: str) -> str | None:
    if abs(distance) < LEAST:
        return None
    return more if distance > 0 else less
