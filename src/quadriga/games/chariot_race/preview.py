"""What the listed choices would bring as the board stands, for pages that know no rules.

While dice may be thrown again: the speeds they allow. Before the pace is chosen: the speed and the cheapest drive of
each pace. In a drive: every space where it can end, with the ways there and what they cost. All seats see the whole
race (CR-15), so a preview knows nothing that the seat does not.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from quadriga.core.fields import NONE
from quadriga.core.game import Game
from quadriga.core.messages import new_log
from quadriga.core.streams import new_stream
from quadriga.games.chariot_race.dice import set_pace, showing
from quadriga.games.chariot_race.forecast import Toll, resting_space, toll_of
from quadriga.games.chariot_race.state import FATE, MOVE, PACE, PACE_FACE, REROLL

MOST_WAYS = 3
"""Ways to one space that are told apart."""


class Node(NamedTuple):
    """A drive so far: what it met, then where it went."""

    damage: int
    steers: int
    corners: int
    rams: tuple[int, ...]
    caltrops: int
    wrecked: bool
    path: tuple[int, ...]

    @property
    def space(self) -> int:
        return self.path[-1]

    @property
    def met(self) -> tuple[object, ...]:
        """Ways that meet the same at the same cost are one to a player."""
        return self.damage, self.corners, self.rams, self.caltrops, self.wrecked

    @property
    def rank(self) -> tuple[bool, int, int]:
        """Whole chariots first, then the cheapest way."""
        return self.wrecked, self.damage, self.steers


@dataclass(frozen=True)
class Board:
    """The lanes and tolls around a chariot, as plain lists: searches look at them often."""

    ahead: list[int]
    inward: list[int]
    outward: list[int]
    tolls: dict[int, Toll]
    damage: int

    @classmethod
    def around(cls, game: Game, race: Any) -> "Board":
        tables: Any = game.tables
        lanes = (tables.ahead.tolist(), tables.inward.tolist(), tables.outward.tolist())
        return cls(*lanes, {}, int(race.damage[race.mover]))


def preview(game: Game, view: Any, seat: int) -> dict[str, Any]:
    """What a seat's choices would bring in the phase at hand."""
    race = game.imagine(view, new_stream(np.zeros(8, np.uint32), 0))
    if race.phase in (REROLL, FATE):
        return {"speeds": {"low": _speed(game, race, 0), "high": _speed(game, race, showing(race, PACE_FACE))}}
    if race.phase == PACE:
        return {"paces": [_pace(game, race, plus) for plus in range(showing(race, PACE_FACE) + 1)]}
    return {"drives": drives(game, race)} if race.phase == MOVE else {}


def _speed(game: Game, race: Any, plus: int) -> int:
    return int(_paced(game, race, plus).speed[race.mover])


def _paced(game: Game, race: Any, plus: int) -> Any:
    """The race after the mover's dice stand, with so many pace faces used to speed up."""
    after, tables = race.copy(), game.tables
    set_pace(after, tables, plus, new_log(0))  # type: ignore[arg-type]
    return after


def _pace(game: Game, race: Any, plus: int) -> dict[str, Any]:
    """A pace: the speed it gives, and the cheapest drive at that speed."""
    after = _paced(game, race, plus)
    best = min(_ends(game, after), key=lambda node: node.rank)
    speed = int(after.speed[race.mover])
    change = speed - int(race.speed[race.mover])
    return {"plus": plus, "speed": speed, "change": change, "damage": best.damage, "wrecked": best.wrecked}


def drives(game: Game, race: Any) -> list[dict[str, Any]]:
    """Where the mover's drive can end, with up to `MOST_WAYS` ways that differ in what they meet, the best first."""
    by_end: dict[int, list[Node]] = {}
    for node in sorted(_ends(game, race), key=lambda node: node.rank):
        _keep(by_end.setdefault(node.space, []), node)
    return [
        {"end": game.names.name("space", end), "ways": [_way(game, race, node) for node in ways]}
        for end, ways in by_end.items()
    ]


def _ends(game: Game, race: Any) -> list[Node]:
    """Every drive worth telling apart, to its end or its wreck."""
    board = Board.around(game, race)
    wrecks: list[Node] = []
    layer = [Node(0, 0, 0, (), 0, False, (int(race.space[race.mover]),))]
    for _ in range(int(race.left)):
        found: dict[tuple[int, int], list[Node]] = {}
        for node in layer:
            for after in _steps(game, race, board, node):
                if after.wrecked:
                    wrecks.append(after)
                else:
                    _keep(found.setdefault((after.space, after.steers), []), after)
        layer = [node for nodes in found.values() for node in nodes]
    return layer + wrecks


def _steps(game: Game, race: Any, board: Board, node: Node) -> Iterable[Node]:
    """The drives that are one space longer."""
    here = node.space
    yield _enter(game, race, board, node, board.ahead[here], node.steers)
    if node.steers < race.steers:
        for to in (board.inward[here], board.outward[here]):
            if to != NONE:
                yield _enter(game, race, board, node, to, node.steers + 1)


def _enter(game: Game, race: Any, board: Board, node: Node, to: int, steers: int) -> Node:
    toll = board.tolls.get(to) or board.tolls.setdefault(to, toll_of(game, race, to))
    damage = node.damage + toll.corner + toll.ram + toll.caltrop
    wrecked = toll.heap or damage >= board.damage
    return Node(
        damage=board.damage if wrecked else damage,
        steers=steers,
        corners=node.corners + toll.corner,
        rams=node.rams if toll.rival == NONE else (*node.rams, toll.rival),
        caltrops=node.caltrops + (toll.caltrop > 0),
        wrecked=wrecked,
        path=(*node.path, to),
    )


def _keep(known: list[Node], node: Node) -> None:
    """Keep the best few that differ in what they meet."""
    if all(other.met != node.met for other in known):
        known.append(node)
        known.sort(key=lambda other: other.rank)
        del known[MOST_WAYS:]


def _way(game: Game, race: Any, node: Node) -> dict[str, Any]:
    name = game.names.name
    tables: Any = game.tables
    stands = NONE if node.wrecked else resting_space(race, tables, int(race.mover), node.space)
    return {
        "path": [name("space", space) for space in node.path],
        "stands": name("space", int(stands)),
        "damage": node.damage,
        "left": int(race.damage[race.mover]) - node.damage,
        "wrecked": node.wrecked,
        "rams": [name("chariot", chariot) for chariot in node.rams],
        "caltrops": node.caltrops,
        "corners": node.corners,
        "steers": node.steers,
    }
