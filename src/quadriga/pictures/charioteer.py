"""Charioteer drawn: the ring, the chariots in their rows, crowd cards, emperor die, skills, and a seat's hand."""

from collections.abc import Iterator

from quadriga.core.geometry import read_sizes
from quadriga.pictures import stadium
from quadriga.pictures.art import (
    COLOURS,
    CREAM,
    DISPLAY,
    FACTIONS,
    GOLD,
    KINDS,
    PLATE,
    Point,
    at,
    card,
    chariot,
    die,
    icon,
    path,
    rectangle,
    words,
)
from quadriga.pictures.scene import Json, Moved, Scene

FACES = {
    "sprint": ("sprint", COLOURS["green"]), "attack": ("attack", COLOURS["red"]),
    "recover": ("recover", COLOURS["yellow"]), "corner": ("corner", COLOURS["black"]),
    "all": ("star", "#835a0a"), "disrupt": ("warn", "#a3202a"),
}  # fmt: skip
SIZES = read_sizes("quadriga.games.charioteer")


def ground(scene: Scene) -> str:
    """The ring, the outer spaces of the corners, the infield with what lies on it."""
    course = scene.geometry["course"]
    half, inner, outer, edge = (course[name] for name in ("half", "inner", "outer", "edge"))
    bands = stadium.band(half, edge + 4, edge + 30, "url(#crowd)") + stadium.band(half, outer, edge, "#d3b27a")
    bands += stadium.band(half, inner, outer, "url(#sand)") + _stands(half, outer, edge)
    kerbs = stadium.edge(half, edge + 2) + stadium.infield(half, inner - 2)
    done = max([0, *(progress // scene.geometry["lap"] for progress in scene.view["progress"])])
    spina = at(0, -62, stadium.spina(2 * half - 30, 28, scene.view["laps"], done))
    line = stadium.line(course["line"], inner, outer)
    return bands + _spaces(scene) + kerbs + line + stadium.arrows(scene.geometry["arrows"]) + spina + _signs(scene)


def _stands(half: float, outer: float, edge: float) -> str:
    """The crowd beside the straights, where there are no outer spaces."""
    side = half - 32
    return "".join(
        rectangle(-side, top, 2 * side, edge - outer, "url(#crowd)", radius=0)
        + f'<path d="M{-side} {kerb}H{side}" stroke="{stadium.MARBLE}" stroke-width="5"/>'
        for top, kerb in ((outer + 3, outer + 3), (-edge - 3, -outer - 3))
    )


def _spaces(scene: Scene) -> str:
    drawn = []
    for space in scene.geometry["spaces"].values():
        fill = "#c9603a" if space["outer"] else "none"
        dash = ' stroke-dasharray="7 4"' if space["outer"] else ""
        more = f'fill-opacity=".4" stroke-opacity=".6"{dash}'
        drawn.append(path(space["outline"], fill, stadium.LANE, 1.7, more))
    return "".join(drawn)


def _signs(scene: Scene) -> str:
    """The crowd cards and the emperor die, on plates in the infield."""
    crowd = rectangle(-346, -38, 300, 118, PLATE, GOLD, 12) + words(
        -330, -16, scene.say("crowd"), 17, "#e8c36a", 700, family=DISPLAY
    )
    for place, name in enumerate(scene.view["crowd"]):
        if name:
            crowd += card(name, -330 + place * 70 + (6 if place else 0), -8 + (8 if place else 0), 46 if place else 56)
    face = scene.view["die"]
    emperor = rectangle(20, -38, 326, 118, PLATE, GOLD, 12) + words(
        36, -16, scene.say("emperor"), 17, "#e8c36a", 700, family=DISPLAY
    )
    if face:
        picture, colour = FACES.get(face, ("star", GOLD))
        emperor += die(36, -4, 74, picture, colour)
        emperor += words(128, 42, scene.words.name("face", face), 24, CREAM, 700, family=DISPLAY)
    return crowd + emperor


def _placed(scene: Scene) -> Iterator[tuple[int, Json, float, float]]:
    """Each seat with the heading and the place of its chariot: those ahead stand inside."""
    lap, rows = scene.geometry["lap"], dict[int, list[int]]()
    for seat in scene.view["order"]:
        if seat is not None:
            rows.setdefault(scene.view["progress"][seat] % lap, []).append(seat)
    for number, seats in rows.items():
        space = scene.geometry["spaces"][str(number)]
        gap = min(SIZES["gap"], (space["room"] - SIZES["spare"]) / len(seats))
        for row, seat in enumerate(seats):
            yield seat, space, space["x"] + space["out"][0] * row * gap, space["y"] + space["out"][1] * row * gap


def pieces(scene: Scene) -> str:
    """The chariots."""
    placed = list(_placed(scene))
    scale = 0.8 if len(scene.players) > 4 else 1.12
    return "".join(
        chariot(FACTIONS[seat], x, y, space["angle"], scale, seat in scene.to_act) for seat, space, x, y in placed
    )


def moved(scene: Scene) -> list[Moved]:
    """The spaces that chariots entered, to where they stand now."""
    ends = {seat: (x, y) for seat, _, x, y in _placed(scene)}
    ways: dict[int, list[Point]] = {}
    for event in scene.events:
        if event["kind"] == "entered":
            start = (scene.before or scene.view)["progress"][event["seat"]]
            way = ways.setdefault(event["seat"], [_on(scene, start, event["seat"])])
            way.append(_on(scene, event["progress"], event["seat"]))
    return [Moved(FACTIONS[seat], [*way[:-1], ends[seat]]) for seat, way in ways.items()]


def _on(scene: Scene, progress: int, seat: int) -> Point:
    """A way through a space, beside those of the other seats."""
    space = scene.geometry["spaces"][str(progress % scene.geometry["lap"])]
    aside = min(seat * 11, space["room"] - 30)
    return space["x"] + space["out"][0] * aside, space["y"] + space["out"][1] * aside


def emblems(scene: Scene, seat: int) -> list[str]:
    """The faction of a seat."""
    return [FACTIONS[seat]]


def panel(scene: Scene, seat: int) -> list[str]:
    """Damage, skills and tokens."""
    view, tables = scene.view, scene.game.tables
    hurt = icon("hammer", 0, -9, 16) + words(19, 6, str(view["damage"][seat]), 15, weight=700)
    if view["attack"][seat]:
        hurt += words(34, 6, f"+{view['attack'][seat]}", 15, "#a3202a", 700)
    drawn, names = hurt, scene.game.names.domains["marker"]
    for place, (colour, kind) in enumerate(KINDS.items()):
        bonus = int(tables.marker_bonus[names.index(view["marker"][seat][colour])])  # type: ignore[attr-defined]
        x = 64 + place * 50
        drawn += icon(kind, x, -8, 15, COLOURS[colour]) + words(x + 18, 6, f"+{bonus}", 14, weight=700)
    tokens = sum(view["player_tokens"][seat].values()) + view["fan_count"][seat]
    drawn += icon("coin", 272, -8, 15) + words(291, 6, str(tokens), 14, weight=700)
    return [drawn]


def caption(scene: Scene) -> str:
    """Where the race is."""
    leader = max(scene.view["progress"][: len(scene.players)])
    lap = min(max(0, leader // scene.geometry["lap"]) + 1, scene.view["laps"])
    return f"{scene.say('turn', number=scene.view['turn'])} · {scene.say('lap', lap=lap, laps=scene.view['laps'])}"


def extra(scene: Scene, width: float) -> tuple[str, float]:
    """The hand of the seat, and its tokens."""
    hand = [name for name in scene.view["hand"] if name]
    if scene.seat is None or not hand:
        return "", 0
    drawn = words(0, 18, scene.say("hand"), 17, "#6e2438", 700, family=DISPLAY)
    drawn += "".join(card(name, place * 76, 30, 66) for place, name in enumerate(hand))
    tokens = [scene.words.name("token", name) for name, count in scene.view["tokens"].items() for _ in range(count)]
    for place, token in enumerate(tokens):
        x, y = len(hand) * 76 + 24 + place // 3 * 120, 34 + place % 3 * 32
        drawn += rectangle(x, y, 112, 26, "#eadcc0", "#b99d70", 13) + words(x + 56, y + 18, token, 14, anchor="middle")
    return drawn, 136
