"""A whole picture: title, board with what moved, a panel for each seat, and what else lies on the table."""

from importlib import import_module
from importlib.util import find_spec
from textwrap import wrap
from typing import Any

from quadriga.core.geometry import tenth
from quadriga.pictures import stadium
from quadriga.pictures.art import DISPLAY, GOLD, INK, INK_2, LINE, PAGE, PANEL, arrow, at, emblem, rectangle, words
from quadriga.pictures.plain import draw_text
from quadriga.pictures.scene import Scene

TITLE, GAP, PANEL_WIDTH = 44, 14, 340
STORY_LINE, STORY_LETTERS = 20, 48
NARROW = 1.6
"""Boards less wide than so many times their height have the panels at their side."""


def draw(scene: Scene) -> str:
    """A scene as SVG; a game without drawings of its own is shown as text."""
    name = f"quadriga.pictures.{scene.game.meta.name}"
    if not scene.geometry or find_spec(name) is None:
        return draw_text(scene)
    game = import_module(name)
    x, y, width, height = scene.geometry["box"]
    ways = "".join(arrow(way.points, way.faction) for way in game.moved(scene))
    board = at(GAP - x, TITLE + GAP - y, game.ground(scene) + ways + game.pieces(scene))
    if width / height < NARROW:
        return _beside(scene, game, board, width, height)
    return _below(scene, game, board, width, height)


def _beside(scene: Scene, game: Any, board: str, width: float, height: float) -> str:
    panels = [panel(scene, game, seat, PANEL_WIDTH) for seat in _by_place(scene)]
    column, below = "", float(TITLE + GAP)
    for drawn, tall in panels:
        column += at(width + 2 * GAP, below, drawn)
        below += tall + GAP
    column += at(width + 2 * GAP, below, _story(scene, TITLE + height - below))
    extra, tall = game.extra(scene, width)
    bottom = max(TITLE + height + GAP, below)
    total = width + PANEL_WIDTH + 3 * GAP
    return _sheet(scene, game, total, bottom + tall + GAP, board + column + at(GAP, bottom + GAP, extra))


def _below(scene: Scene, game: Any, board: str, width: float, height: float) -> str:
    across = 3 if len(scene.players) in (3, 5, 6) else min(4, max(2, len(scene.players)))
    own = (width - (across - 1) * GAP) / across
    drawn, below = "", TITLE + height + 2 * GAP
    seats = _by_place(scene)
    for first in range(0, len(seats), across):
        row = [panel(scene, game, seat, own) for seat in seats[first : first + across]]
        drawn += "".join(at(GAP + place * (own + GAP), below, one) for place, (one, _) in enumerate(row))
        below += max(tall for _, tall in row) + GAP
    extra, tall = game.extra(scene, width)
    return _sheet(
        scene, game, width + 2 * GAP, below + tall + (GAP if tall else 0), board + drawn + at(GAP, below, extra)
    )


def _story(scene: Scene, room: float) -> str:
    """The last sentences of the log, as many as there is room for."""
    count = int(room // STORY_LINE)
    lines = [line for said in scene.story for line in wrap(said, STORY_LETTERS)][-count:] if count > 0 else []
    return "".join(words(4, 16 + STORY_LINE * number, line, 14, INK_2) for number, line in enumerate(lines))


def _by_place(scene: Scene) -> list[int]:
    return sorted(range(len(scene.players)), key=lambda seat: (scene.places[seat], seat))


def panel(scene: Scene, game: Any, seat: int, width: float) -> tuple[str, float]:
    """A seat: its place, emblems, name, and a line for each chariot; and how tall that is."""
    lines = game.panel(scene, seat)
    height = 42 + 32 * len(lines)
    acting = seat in scene.to_act
    drawn = rectangle(0.5, 0.5, width - 1, height - 1, PANEL, GOLD if acting else LINE, 10, 3 if acting else 1)
    drawn += words(22, 29, str(scene.places[seat]), 22, "#ad4324", 700, "middle", DISPLAY)
    factions = game.emblems(scene, seat)
    for place, faction in enumerate(factions):
        drawn += emblem(faction, 52 + place * 28, 21, 24)
    drawn += words(50 + len(factions) * 28 - 8, 28, _short(scene.players[seat]), 18, weight=700)
    for number, line in enumerate(lines):
        if len(factions) > 1:
            drawn += emblem(factions[number], 22, 56 + 32 * number, 18)
        scale = min(1.0, (width - 52) / 330)
        drawn += at(40, 56 + 32 * number, line, f" scale({scale:.3f})")
    return drawn, height


def _short(name: str) -> str:
    return name if len(name) <= 24 else name[:23] + "…"


def _sheet(scene: Scene, game: Any, width: float, height: float, inside: str) -> str:
    step = scene.say("step", number=scene.step) if scene.step else scene.say("set_up")
    right = scene.say("over") if scene.is_over else game.caption(scene)
    title = words(GAP + 8, 32, scene.game.meta.title, 24, "#6e2438", 700, family=DISPLAY)
    title += words(width - GAP - 8, 31, f"{step} · {right}", 17, INK, 500, "end")
    rule = f'<path d="M{GAP} {TITLE}H{tenth(width - GAP)}" stroke="{GOLD}" stroke-width="2"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {tenth(width)} {tenth(height)}" width="{tenth(width)}" '
        f'height="{tenth(height)}" role="img"><title>{scene.game.meta.title}: {step}</title>{stadium.patterns()}'
        f"{rectangle(0, 0, width, height, PAGE, radius=12)}{title}{rule}{inside}</svg>"
    )
