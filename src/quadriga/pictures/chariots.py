"""Chariots drawn: the squares, the chariots on them, their coins."""

from quadriga.core.geometry import ring
from quadriga.pictures import stadium
from quadriga.pictures.art import DISPLAY, PATHS, Point, at, chariot, coin, icon, path, words
from quadriga.pictures.scene import Json, Moved, Scene

FACTION = {"suns": "aurata", "moons": "albata", "crowns": "purpurea", "arms": "russata"}
ROMAN = ("I", "II", "III", "IV", "V", "VI")


def _faction(name: str) -> str:
    return FACTION.get(name, "veneta")


def _racing(scene: Scene) -> list[str]:
    return list(scene.view["square"])[: scene.view["chariots"]]


def ground(scene: Scene) -> str:
    """The oval, the squares, the line and the spina."""
    geometry = scene.geometry
    half, edge = geometry["course"]["half"], geometry["course"]["edge"]
    x, y = geometry["centre"]
    oval = stadium.band(half, edge - 24, edge, "url(#crowd)") + (
        f'<path d="{ring(half, edge - 26)}" fill="url(#wall)" stroke="{stadium.MARBLE}" stroke-width="5"/>'
    )
    done = max([0, *(scene.view["best"][name] for name in _racing(scene))])
    spina = stadium.spina(440, 34, scene.view["laps"], done)
    return at(x, y, oval) + _squares(scene) + stadium.arrows(geometry["arrows"], 9) + at(x, y + 4, spina)


def _squares(scene: Scene) -> str:
    tables, names = scene.game.tables, scene.game.names.domains["square"]
    starts = scene.game.edition.source.get(("track", "starts", "squares"), list)
    drawn = []
    for number, name in enumerate(names):
        spot = scene.geometry["spaces"][name]
        drawn.append(f'<path d="{spot["outline"]}" fill="url(#sand)" stroke="#b8986a" stroke-width="1.5"/>')
        if tables.inside[number]:  # type: ignore[attr-defined]
            drawn.append(_dashed(spot))
        if tables.gate[number] == 1:  # type: ignore[attr-defined]
            drawn.append(stadium.line(spot["x"] + 25, spot["y"] - 25, spot["y"] + 25))
        if name in starts:
            label = ROMAN[starts.index(name) % len(ROMAN)]
            drawn.append(words(spot["x"], spot["y"] + 6, label, 16, stadium.DARK_WALL, 700, "middle", DISPLAY))
    return "".join(drawn)


def _dashed(spot: Json) -> str:
    return (
        f'<rect x="{spot["x"] - 20}" y="{spot["y"] - 20}" width="40" height="40" rx="3" fill="none" stroke="#ad4324" '
        'stroke-width="3" stroke-dasharray="7 4"/>'
    )


def pieces(scene: Scene) -> str:
    """The chariots; a crashed one is marked."""
    view, drawn = scene.view, []
    mover = view["order"][view["turn"]] if view["stage"] == "move" and not scene.is_over else None
    for name in _racing(scene):
        spot = scene.spot(view["square"][name])
        if spot:
            drawn.append(chariot(_faction(name), spot["x"], spot["y"], spot["angle"], 0.92, name == mover))
            if view["crashed"][name]:
                drawn.append(_crash(spot))
    return "".join(drawn)


def _crash(spot: Json) -> str:
    cross = '<circle r="9" fill="#a3202a" stroke="#fff" stroke-width="1.5"/>'
    cross += path(PATHS["parts"]["cross"], "none", "#fff", 2.5)
    return at(spot["x"] + 15, spot["y"] - 15, cross)


def moved(scene: Scene) -> list[Moved]:
    """The squares that chariots went or were pushed over."""
    ways: dict[str, list[Point]] = {}
    for event in scene.events:
        if event["kind"] in ("stepped", "pushed"):
            ways.setdefault(event["chariot"], []).extend(_point(scene, event[end]) for end in ("start", "to"))
    return [Moved(_faction(name), way) for name, way in ways.items()]


def _point(scene: Scene, square: str) -> Point:
    spot = scene.geometry["spaces"][square]
    return spot["x"], spot["y"]


def emblems(scene: Scene, seat: int) -> list[str]:
    """The factions of a seat's chariots."""
    return [_faction(name) for name in _own(scene, seat)]


def _own(scene: Scene, seat: int) -> list[str]:
    return [name for number, name in enumerate(_racing(scene)) if number % scene.view["seats"] == seat]


def panel(scene: Scene, seat: int) -> list[str]:
    """A line for each chariot: lap, coins laid, coins kept."""
    return [_line(scene, name) for name in _own(scene, seat)]


def _line(scene: Scene, name: str) -> str:
    view = scene.view
    lap = min(max(0, view["lines"][name]) + 1, view["laps"])
    drawn = words(0, 6, scene.say("lap", lap=lap, laps=view["laps"]), 14)
    for phase, speed in enumerate(view["plot"][name]):
        if speed or view["stage"] not in ("plot", "recover"):
            drawn += coin(str(speed), 120 + phase * 28, 0, 26, hidden=not speed)
    if view["crashed"][name] or view["stunned"][name]:
        drawn += words(210, 6, scene.say("crashed"), 14, "#a3202a", 700)
    elif view["speed"][name] and view["stage"] == "move":
        drawn += icon("speed", 208, -9, 17) + words(229, 6, str(view["speed"][name]), 15, weight=700)
    for place, kept in enumerate(("null", "ace")):
        drawn += coin(kept, 292 + place * 27, 0, 24, spent=not view[f"{kept}_coin"][name])
    return drawn


def caption(scene: Scene) -> str:
    """Where the race is."""
    return scene.say("round", number=scene.view["rounds"])


def extra(scene: Scene, width: float) -> tuple[str, float]:
    """Nothing more lies on the table."""
    return "", 0
