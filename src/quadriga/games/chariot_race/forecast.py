"""What a drive would cost: for clients that show it and bots that weigh it.

`forecast` looks at a position, a speed and a number of steers: every space where the drive can end, the least damage
of a way there, and that way. `cost` follows one given way step by step.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import I16, NONE, At, Fields, I16s, In
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import occupant
from quadriga.games.chariot_race.dice import SPRINT_DAMAGE, SPRINT_SPEED
from quadriga.games.chariot_race.drive import CALTROP_DAMAGE, RAM_DAMAGE, is_free
from quadriga.games.chariot_race.state import (
    DICE,
    PACE_FACE,
    SPACES,
    SPRINT_FACE,
    STEER_FACE,
    STEPS,
    Public,
)

FATAL = 1000
"""Added to the damage of a way that a heap ends."""
NODES = 4096


class Reach(Fields):
    """Where a drive can end. `damage` is -1 for spaces out of reach."""

    damage: Annotated[I16s, SPACES, At("space"), "least damage of a drive that ends on the space, -1 out of reach"]
    wrecks: Annotated[I16s, SPACES, At("space"), "1 where the chariot would be wrecked on entering the space"]
    stands: Annotated[I16s, SPACES, At("space"), In("space"), "where the chariot then stands, none if wrecked"]
    last: Annotated[I16s, SPACES, At("space"), "the node the least way ends with"]
    nodes: Annotated[I16, "nodes in use"]
    node_space: Annotated[I16s, NODES, In("space"), "space of a node"]
    node_steers: Annotated[I16s, NODES, "steers used up to a node"]
    node_damage: Annotated[I16s, NODES, "damage taken up to a node"]
    node_from: Annotated[I16s, NODES, "node before a node, -1 the start"]
    slot: Annotated[I16s, (DICE + 1, SPACES), "by steers used and space: where to look for a node of the layer"]


@kernel
def toll(race: Public, tables: Tables, chariot: int, speed: int, space: int) -> int:
    """CR-9: what entering a space costs at a speed, as the board stands."""
    if tables.heap[race.track, space] == 1:
        return FATAL
    damage = 0
    if tables.corner[space] != NONE:
        damage += max(0, speed - int(tables.corner[space]))
    if occupant(race, space, chariot) != NONE:
        damage += RAM_DAMAGE
    if race.caltrop[space] == 1:
        damage += CALTROP_DAMAGE
    return damage


@kernel
def forecast(
    race: Public, tables: Tables, chariot: int, speed: int, steps: int, steers: int, damage: int, reach: Reach
) -> None:
    """Fill `reach` for a chariot with `damage` points left that has `steps` spaces to drive, at `speed` in corners."""
    for space in range(SPACES):
        reach.damage[space] = NONE
        reach.wrecks[space] = 0
        reach.stands[space] = NONE
        reach.last[space] = NONE
    reach.nodes = 0
    add_node(reach, int(race.space[chariot]), 0, 0, NONE)
    first, end = 0, 1
    for _ in range(steps):
        for node in range(first, end):
            if reach.node_damage[node] < damage:
                spread(race, tables, chariot, speed, steers, node, end, reach)
            else:
                note_end(race, tables, chariot, node, True, reach)
        first, end = end, int(reach.nodes)
    for node in range(first, end):
        note_end(race, tables, chariot, node, bool(reach.node_damage[node] >= damage), reach)


@kernel
def spread(
    race: Public, tables: Tables, chariot: int, speed: int, steers: int, node: int, layer: int, reach: Reach
) -> None:
    """The steps on from a node into the layer that begins at `layer`."""
    here = int(reach.node_space[node])
    used = int(reach.node_steers[node])
    reach_space(race, tables, chariot, speed, int(tables.ahead[here]), used, node, layer, reach)
    if used == steers:
        return
    if tables.inward[here] != NONE:
        reach_space(race, tables, chariot, speed, int(tables.inward[here]), used + 1, node, layer, reach)
    if tables.outward[here] != NONE:
        reach_space(race, tables, chariot, speed, int(tables.outward[here]), used + 1, node, layer, reach)


@kernel
def reach_space(
    race: Public, tables: Tables, chariot: int, speed: int, to: int, used: int, node: int, layer: int, reach: Reach
) -> None:
    """Enter a space with so many steers used: a new node of the layer, or a cheaper way to one it has."""
    damage = int(reach.node_damage[node]) + toll(race, tables, chariot, speed, to)
    at = int(reach.slot[used, to])
    known = layer <= at < reach.nodes and reach.node_space[at] == to and reach.node_steers[at] == used
    if not known:
        add_node(reach, to, used, damage, node)
    elif damage < reach.node_damage[at]:
        reach.node_damage[at] = damage
        reach.node_from[at] = node


@kernel
def add_node(reach: Reach, space: int, steers: int, damage: int, before: int) -> None:
    node = int(reach.nodes)
    if node == NODES:
        return
    reach.nodes += 1
    reach.slot[steers, space] = node
    reach.node_space[node] = space
    reach.node_steers[node] = steers
    reach.node_damage[node] = damage
    reach.node_from[node] = before


@kernel
def note_end(race: Public, tables: Tables, chariot: int, node: int, wrecked: bool, reach: Reach) -> None:
    """A drive may end with this node: keep it if nothing better ends on its space."""
    space = int(reach.node_space[node])
    damage = int(reach.node_damage[node])
    if reach.damage[space] != NONE:
        better = reach.wrecks[space] == 1 and not wrecked
        if not better and (damage >= reach.damage[space] or int(wrecked) > reach.wrecks[space]):
            return
    reach.damage[space] = damage
    reach.wrecks[space] = int(wrecked)
    reach.last[space] = node
    reach.stands[space] = NONE if wrecked else resting_space(race, tables, chariot, space)


@kernel
def resting_space(race: Public, tables: Tables, chariot: int, space: int) -> int:
    """CR-10: the space itself, or the first free one behind if another chariot is on it."""
    if occupant(race, space, chariot) == NONE:
        return space
    for _ in range(SPACES):
        space = int(tables.back[space])
        if is_free(race, tables, space, chariot):
            break
    return space


@kernel
def write_way(reach: Reach, space: int, path: NDArray[np.int16]) -> int:
    """Write the least way to a space, the starting space first; gives its length."""
    length = 0
    node = int(reach.last[space])
    for _ in range(STEPS):
        if node == NONE:
            break
        for i in range(length, 0, -1):
            path[i] = path[i - 1]
        path[0] = reach.node_space[node]
        length += 1
        node = int(reach.node_from[node])
    return length


@dataclass(frozen=True)
class Way:
    """The cheapest drive to one space. A drive that wrecks ends on the space of the wreck."""

    end: str
    stands: str | None
    """Where the chariot then stands: behind the end if it fell back, None if it is wrecked."""
    damage: int
    """What the drive costs, sprints included; for a wreck at least all that the chariot had."""
    wrecked: bool
    path: tuple[str, ...]
    """The starting space first."""


@dataclass(frozen=True)
class Toll:
    """What one step of a drive costs."""

    space: str
    corner: int
    ram: int
    caltrop: int
    heap: bool


def ways(game: Game, position: Any, dice: Sequence[str], plus: int = 0, chariot: str | None = None) -> list[Way]:
    """Where a chariot (the mover, if none is named) can drive with these dice, `plus` of its pace faces used as +1.

    >>> ways(game, view, ["pace", "sprint", "steer"], plus=1)
    """
    number = int(position.mover) if chariot is None else game.names.number("chariot", chariot)
    faces = [game.names.number("face", face) for face in dice]
    tables: Any = game.tables
    board = position.board[number]
    sprints, paces = faces.count(SPRINT_FACE), faces.count(PACE_FACE)
    speed = int(position.speed[number]) + 2 * plus - paces + SPRINT_SPEED * sprints
    speed = min(max(speed, 0), int(tables.most_speed[board]))
    paid = sprints * SPRINT_DAMAGE
    return _ways(game, position, number, speed, speed, faces.count(STEER_FACE), paid)


def ways_on(game: Game, position: Any) -> list[Way]:
    """Where the mover can still drive in the middle of its move."""
    mover = int(position.mover)
    return _ways(game, position, mover, int(position.speed[mover]), int(position.left), int(position.steers), 0)


def _ways(game: Game, position: Any, chariot: int, speed: int, steps: int, steers: int, paid: int) -> list[Way]:
    reach, path = Reach.blank(), np.zeros(STEPS, np.int16)
    left = int(position.damage[chariot]) - paid
    tables: Any = game.tables
    forecast(position, tables, chariot, speed, steps if left > 0 else 0, steers, left, reach)
    found = []
    for end in np.flatnonzero(reach.damage != NONE):
        length = write_way(reach, int(end), path)
        names = tuple(game.names.name("space", int(space)) for space in path[:length])
        stands = game.names.name("space", int(reach.stands[end]))
        damage = min(paid + int(reach.damage[end]), FATAL)
        found.append(Way(names[-1], stands, damage, bool(reach.wrecks[end]), names))
    return found


def tolls(game: Game, position: Any, speed: int, path: Sequence[str]) -> list[Toll]:
    """What each space of a path (without the starting space) costs at a speed, as the board stands."""
    tables: Any = game.tables
    found = []
    for name in path:
        space = game.names.number("space", name)
        limit = int(tables.corner[space])
        corner = max(0, speed - limit) if limit != NONE else 0
        ram = RAM_DAMAGE if occupant(position, space, int(position.mover)) != NONE else 0
        caltrop = CALTROP_DAMAGE if position.caltrop[space] else 0
        found.append(Toll(name, corner, ram, caltrop, bool(tables.heap[position.track, space])))
    return found
