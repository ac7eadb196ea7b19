"""What a drive would cost: for bots that weigh it, and for previews.

`forecast` looks at a position, a speed and a number of steers: every space where the drive can end, and the least
damage of a way there. `toll_of` says what one space costs.
"""

from dataclasses import dataclass
from typing import Annotated, Any

from quadriga.core.fields import I16, NONE, At, Fields, I16s, In
from quadriga.core.game import Game
from quadriga.core.kernel import kernel
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import occupant
from quadriga.games.chariot_race.drive import CALTROP_DAMAGE, RAM_DAMAGE, is_free
from quadriga.games.chariot_race.state import DICE, SPACES, Public

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
def corner_toll(tables: Tables, speed: int, space: int) -> int:
    """CR-9: 1 damage for each point of speed above the number of a corner."""
    return max(0, speed - int(tables.corner[space])) if tables.corner[space] != NONE else 0


@kernel
def toll(race: Public, tables: Tables, chariot: int, speed: int, space: int) -> int:
    """CR-9: what entering a space costs at a speed, as the board stands."""
    if tables.heap[race.track, space] == 1:
        return FATAL
    damage = corner_toll(tables, speed, space)
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


@dataclass(frozen=True)
class Toll:
    """What one space of a drive costs."""

    corner: int
    ram: int
    caltrop: int
    heap: bool
    rival: int
    """The chariot that is rammed there, none if the space is free."""


def toll_of(game: Game, race: Any, space: int) -> Toll:
    """What entering a space costs the mover at its speed, part by part, as the board stands."""
    tables: Any = game.tables
    mover = int(race.mover)
    corner = int(corner_toll(tables, int(race.speed[mover]), space))
    rival = int(occupant(race, space, mover))
    ram = RAM_DAMAGE if rival != NONE else 0
    caltrop = CALTROP_DAMAGE if race.caltrop[space] else 0
    return Toll(corner, ram, caltrop, bool(tables.heap[race.track, space]), rival)
