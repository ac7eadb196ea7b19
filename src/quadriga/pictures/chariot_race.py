"""Chariot Race drawn: the lanes, corners, heaps and caltrops, the chariots, their boards and the dice."""

from quadriga.pictures import stadium
from quadriga.pictures.art import (
    DISPLAY,
    GOLD,
    PATHS,
    PLATE,
    Point,
    at,
    bar,
    chariot,
    die,
    drawing,
    icon,
    path,
    rectangle,
    words,
)
from quadriga.pictures.scene import Moved, Scene

FACTION = {
    "green": "prasina", "purple": "purpurea", "yellow": "aurata", "red": "russata", "blue": "veneta", "brown": "albata",
}  # fmt: skip
FACES = {"pace": "pace", "sprint": "sprint", "steer": "steer", "attack": "javelin", "fortuna": "fortuna"}
TRACKS = (("damage", "shield", "#3e6b2c"), ("speed", "speed", "#ad4324"), ("fate", "fortuna", GOLD))
DIE = 50


def _faction(name: str) -> str:
    return FACTION.get(name, "albata")


def _racing(scene: Scene) -> list[str]:
    return [name for name, owner in scene.view["owner"].items() if owner is not None]


def ground(scene: Scene) -> str:
    """The lanes with their corners and heaps, the infield and the spina."""
    course = scene.geometry["course"]
    half, inner, outer = course["half"], course["inner"], course["outer"]
    bands = stadium.band(half, outer + 4, outer + 32, "url(#crowd)") + stadium.band(half, inner, outer, "url(#sand)")
    kerbs = stadium.edge(half, outer + 2) + stadium.infield(half, inner - 2)
    done = max([0, *(scene.view["lines"][name] - 1 for name in _racing(scene))])
    spina = at(0, -44, stadium.spina(620, 36, 2, done))
    line = stadium.line(course["line"], inner, outer)
    return bands + _spaces(scene) + kerbs + line + stadium.arrows(scene.geometry["arrows"]) + spina


def _spaces(scene: Scene) -> str:
    tables, names = scene.game.tables, scene.game.names.domains["space"]
    side = scene.game.names.domains["track"].index(scene.view["track"])
    drawn = []
    for number, name in enumerate(names):
        spot, limit = scene.geometry["spaces"][name], int(tables.corner[number])  # type: ignore[attr-defined]
        fill = 'fill="#c9603a" fill-opacity=".55"' if limit >= 0 else 'fill="none"'
        drawn.append(
            f'<path d="{spot["outline"]}" {fill} stroke="{stadium.LANE}" stroke-opacity=".6" stroke-width="1.8"/>'
        )
        if limit >= 0:
            drawn.append(_limit(spot["x"], spot["y"], limit))
        if tables.heap[side][number]:  # type: ignore[attr-defined]
            drawn.append(at(spot["x"], spot["y"], drawing("heap")))
        if scene.view["caltrop"][name]:
            drawn.append(at(spot["x"] + 2, spot["y"] - 2, _CALTROP, " scale(.92)"))
    return "".join(drawn)


def _limit(x: float, y: float, limit: int) -> str:
    return words(x, y + 9, str(limit), 26, "#6b2410", 800, "middle", DISPLAY) + words(
        x - 1, y + 8, str(limit), 26, "#fff3df", 800, "middle", DISPLAY
    )


_CALTROP = path(PATHS["icons"]["caltrop"], "#2a1c16", "#fff1d6", 0.8)


def pieces(scene: Scene) -> str:
    """The chariots, and the dice of the one that moves."""
    mover = None if scene.is_over else scene.view["mover"]
    drawn = [
        chariot(_faction(name), spot["x"], spot["y"], spot["angle"], 1.02, name == mover)
        for name in _racing(scene)
        if (spot := scene.spot(scene.view["space"][name]))
    ]
    return "".join(drawn) + (_dice(scene, mover) if mover else "")


def _dice(scene: Scene, mover: str) -> str:
    faces = [face for face in scene.view["dice"] if face]
    wide = max(len(faces), 3) * (DIE + 6)
    owner = scene.players[scene.view["owner"][mover]]
    title = f"{scene.words.name('chariot', mover)} · {owner}"
    plate = rectangle(-wide / 2 - 14, -2, wide + 28, 84 if faces else 30, PLATE, GOLD, 12)
    plate += words(0, 18, title, 16, "#e8c36a", 700, "middle", DISPLAY)
    left = -len(faces) * (DIE + 6) / 2 + 3
    return plate + "".join(die(left + place * (DIE + 6), 26, DIE, FACES[face]) for place, face in enumerate(faces))


def moved(scene: Scene) -> list[Moved]:
    """The spaces that chariots drove over, and where they fell back to."""
    ways: dict[str, list[Point]] = {}
    for event in scene.events:
        if event["kind"] in ("stepped", "fell_back"):
            way = ways.setdefault(event["chariot"], [_point(scene, event["start"])])
            way.append(_point(scene, event["to"]))
    return [Moved(_faction(name), way) for name, way in ways.items()]


def _point(scene: Scene, space: str) -> Point:
    spot = scene.geometry["spaces"][space]
    return spot["x"], spot["y"]


def emblems(scene: Scene, seat: int) -> list[str]:
    """The factions of a seat's chariots."""
    return [_faction(name) for name in _own(scene, seat)]


def _own(scene: Scene, seat: int) -> list[str]:
    return [name for name in _racing(scene) if scene.view["owner"][name] == seat]


def panel(scene: Scene, seat: int) -> list[str]:
    """The board of each chariot: damage left, speed, fate, lap."""
    return [_board(scene, name) for name in _own(scene, seat)]


def _board(scene: Scene, name: str) -> str:
    view = scene.view
    if view["wreck"][name]:
        return words(0, 6, scene.say("wrecked"), 14, "#a3202a", 700)
    drawn, side = "", view["board"][name]
    number = scene.game.names.domains["board"].index(side) if side else 0
    for place, (what, picture, fill) in enumerate(TRACKS):
        most = int(getattr(scene.game.tables, f"most_{what}")[number])
        x = place * 82
        drawn += icon(picture, x, -8, 16) + words(x + 36, 6, str(view[what][name]), 15, weight=700, anchor="end")
        drawn += bar(x + 41, -3, 32, view[what][name] / most, fill)
    lap = min(2, max(1, view["lines"][name]))
    return drawn + words(258, 6, scene.say("lap", lap=lap, laps=2), 13)


def caption(scene: Scene) -> str:
    """Where the race is."""
    return scene.say("round", number=scene.view["rounds"])


def extra(scene: Scene, width: float) -> tuple[str, float]:
    """Nothing more lies on the table."""
    return "", 0
