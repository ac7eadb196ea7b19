"""The edition of Chariots: the track as tables for the kernels, checked on loading.

Squares are numbered in running order (CT-5): of two squares on one lap, the larger number is further along.
"""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Annotated, NamedTuple

from quadriga.core.codec import Names
from quadriga.core.edition import Edition, TomlFile
from quadriga.core.fields import I16, NONE, Fields, I8s, I16s, In

SQUARES = 128
CHARIOTS = 4
SPEEDS = 6
IMPULSES = 5
ORTHOGONAL = 6
DIAGONAL = 4

BEFORE_LINE, AFTER_LINE = 1, 2
SIDES = ("right", "up", "left", "down", "up-right", "up-left", "down-left", "down-right")
FIRST_DIAGONAL_SIDE = 4


class Tables(Fields):
    """The track and the printed tables."""

    squares: Annotated[I16, "squares of the track"]
    neighbour: Annotated[I16s, (SQUARES, ORTHOGONAL), In("square"), "orthogonal neighbours of a square"]
    neighbour_side: Annotated[I8s, (SQUARES, ORTHOGONAL), In("side"), "the side on which each of them lies"]
    corner: Annotated[I16s, (SQUARES, DIAGONAL), In("square"), "squares that touch it at a corner"]
    corner_side: Annotated[I8s, (SQUARES, DIAGONAL), In("side"), "the diagonal on which each of them lies"]
    inside: Annotated[I8s, SQUARES, "1 for an inside square of a turn"]
    gate: Annotated[I8s, SQUARES, "1 just before the finish line, 2 just past it, 0 elsewhere"]
    to_line: Annotated[I16s, SQUARES, "fewest steps over the line, for random play and text"]
    start: Annotated[I16s, CHARIOTS, In("square"), "start squares, position one first"]
    moves: Annotated[I8s, (SPEEDS, IMPULSES + 1), "1 where a speed moves in an impulse"]
    control: Annotated[I8s, SPEEDS, "lowest roll that holds control at a speed; 0 always, 6 never"]


class Square(NamedTuple):
    """A square by its centre; y counts half squares, so that all is whole numbers."""

    x: int
    y: int

    @property
    def name(self) -> str:
        half = ".5" if self.y % 2 else ""
        return f"{self.x},{self.y // 2}{half}"


def load_edition(source: TomlFile) -> Edition:
    """Read and check an edition file."""
    track = Track(source)
    tables = Tables.blank()
    track.fill(tables)
    _fill_speeds(tables, source)
    suits = source.get(("chariots", "suits"), list)
    faces = source.get(("die", "faces"), list)
    if len(suits) != CHARIOTS or len(set(suits)) != CHARIOTS:
        source.refuse(("chariots", "suits"), f"{CHARIOTS} different suits are needed")
    if len(faces) != 6:
        source.refuse(("die", "faces"), f"a die has 6 faces, not {len(faces)}")
    names = Names(
        {
            "square": [square.name for square in track.order],
            "side": SIDES,
            "chariot": [str(suit) for suit in suits],
            "face": [str(face) for face in faces],
            "speed": ["2", "3", "4", "5"],
            "coin": ["null", "ace"],
            "null_use": ["diagonal", "inside"],
            "null_action": ["extra", "first"],
            "ace_action": ["driver", "horses"],
            "stage": ["recover", "plot", "swap", "announce", "move", "over"],
            "reason": ["won", "limit"],
        }
    )
    return Edition(tables, names, source)


def _fill_speeds(tables: Tables, source: TomlFile) -> None:
    for speed in range(2, SPEEDS):
        path = ("speeds", str(speed))
        for impulse in source.get((*path, "impulses"), list):
            if impulse not in range(1, IMPULSES + 1):
                source.refuse((*path, "impulses"), f"there is no impulse {impulse!r}; they are 1 to {IMPULSES}")
            tables.moves[speed, impulse] = 1
        if tables.moves[speed].sum() != speed:
            source.refuse((*path, "impulses"), f"speed {speed} must move in {speed} impulses")
        control = source.get((*path, "control"), int)
        if control not in range(7):
            source.refuse((*path, "control"), f"control is a roll from 0 to 6, not {control}")
        tables.control[speed] = control


class Track:
    """The squares of an edition and what follows from where they lie."""

    def __init__(self, source: TomlFile) -> None:
        self.source = source
        self.squares = set(self._read_columns())
        self.first = source.get(("track", "straights", "first"), int)
        self.last = source.get(("track", "straights", "last"), int)
        self.inside = set(self._named("inside"))
        self.starts = list(self._named("starts"))
        self._check()
        self.order = sorted(self.squares, key=self._advance)

    def _read_columns(self) -> Iterable[Square]:
        for x, ys in self.source.get(("track", "columns"), dict).items():
            path = ("track", "columns", x)
            for y in str(ys).split():
                doubled = float(y) * 2 if y.replace(".", "", 1).isdigit() else 0.5
                if not x.isdigit() or doubled != int(doubled):
                    self.source.refuse(path, f"{y!r} is no centre of a square; write 4 or 4.5")
                yield Square(int(x), int(doubled))

    def _named(self, part: str) -> Iterable[Square]:
        path = ("track", part, "squares")
        by_name = {square.name: square for square in self.squares}
        for name in self.source.get(path, list):
            if name not in by_name:
                self.source.refuse(path, f"there is no square {name!r} on the track")
            yield by_name[name]

    def _check(self) -> None:
        if len(self.squares) > SQUARES:
            self.source.refuse(("track", "columns"), f"{len(self.squares)} squares; at most {SQUARES} fit")
        for square in self.inside:
            if self._is_straight(square):
                self.source.refuse(("track", "inside", "squares"), f"{square.name} lies on a straight")
        for square in self.starts:
            if square.x != self.first or not self._is_low(square):
                self.source.refuse(("track", "starts", "squares"), f"{square.name} is not just before the line")
        if len(set(self.starts)) != CHARIOTS:
            self.source.refuse(("track", "starts", "squares"), f"{CHARIOTS} different start squares are needed")
        if set(self._steps_to_line()) != self.squares:
            self.source.refuse(
                ("track", "columns"), "the track does not close: the line cannot be reached from everywhere"
            )

    def fill(self, tables: Tables) -> None:
        """Write the track into the tables."""
        number = {square: i for i, square in enumerate(self.order)}
        to_line = self._steps_to_line()
        tables.squares = len(self.order)
        for array in (tables.neighbour, tables.neighbour_side, tables.corner, tables.corner_side):
            array[:] = NONE
        for square, i in number.items():
            for k, other in enumerate(self.neighbours(square)):
                tables.neighbour[i, k] = number[other]
                tables.neighbour_side[i, k] = _side(square, other)
            for k, other in enumerate(self.corners(square)):
                tables.corner[i, k] = number[other]
                tables.corner_side[i, k] = _side(square, other)
            tables.inside[i] = square in self.inside
            tables.gate[i] = self._gate(square)
            tables.to_line[i] = to_line[square]
        tables.start[:] = [number[square] for square in self.starts]

    def neighbours(self, square: Square) -> list[Square]:
        """Squares that share an edge or half of one."""
        x, y = square
        near = [Square(x + dx, y + dy) for dx in (1, -1) for dy in (-1, 0, 1)]
        return [other for other in (*near, Square(x, y + 2), Square(x, y - 2)) if other in self.squares]

    def corners(self, square: Square) -> list[Square]:
        """Squares that share a corner only."""
        x, y = square
        return [other for dx in (1, -1) for dy in (2, -2) if (other := Square(x + dx, y + dy)) in self.squares]

    def _is_straight(self, square: Square) -> bool:
        return self.first <= square.x <= self.last

    def _is_low(self, square: Square) -> bool:
        middle = min(s.y for s in self.squares) + max(s.y for s in self.squares)
        return 2 * square.y < middle

    def _gate(self, square: Square) -> int:
        if not self._is_low(square):
            return 0
        return {self.first: BEFORE_LINE, self.first + 1: AFTER_LINE}.get(square.x, 0)

    def _section(self, square: Square) -> int:
        """CT-5: sections in running order from the line."""
        if not self._is_straight(square):
            return 1 if square.x > self.last else 3
        if not self._is_low(square):
            return 2
        return 4 if square.x == self.first else 0

    def _advance(self, square: Square) -> tuple[int, int, int, int]:
        """CT-5: how far along a square is; in running order, then the inside first, so negated."""
        section = self._section(square)
        if self._is_straight(square):
            to_turn = self.last + 1 - square.x if self._is_low(square) else square.x - self.first + 1
            return section, -to_turn, -self._lane(square), 0
        to_straight = self._steps(self._goal(section), lambda s: self._section(s) == section)
        outside = self._steps(self._goal(section), lambda s: self._section(s) == section and s not in self.inside)
        rings = self._steps(self.inside, lambda s: not self._is_straight(s))
        return section, -to_straight[square], -rings[square], -outside.get(square, 0)

    def _goal(self, section: int) -> set[Square]:
        straights = (2,) if section == 1 else (0, 4)
        return {square for square in self.squares if self._section(square) in straights}

    def _lane(self, square: Square) -> int:
        column = [s for s in self.squares if s.x == square.x and self._is_low(s) == self._is_low(square)]
        column.sort(key=lambda s: -s.y if self._is_low(square) else s.y)
        return column.index(square) + 1

    def _steps(self, goal: Iterable[Square], allowed: Callable[[Square], bool]) -> dict[Square, int]:
        steps = dict.fromkeys(goal, 0)
        queue = deque(steps)
        while queue:
            square = queue.popleft()
            for other in self.neighbours(square):
                if other not in steps and allowed(other):
                    steps[other] = steps[square] + 1
                    queue.append(other)
        return steps

    def _steps_to_line(self) -> dict[Square, int]:
        """Steps over the line from every square, never crossing it backwards."""
        steps = {s: 1 for s in self.squares if self._gate(s) == BEFORE_LINE}
        queue = deque(steps)
        while queue:
            square = queue.popleft()
            for other in self.neighbours(square):
                crosses = self._gate(square) == BEFORE_LINE and self._gate(other) == AFTER_LINE
                if other not in steps and not crosses:
                    steps[other] = steps[square] + 1
                    queue.append(other)
        return steps


def _side(square: Square, other: Square) -> int:
    dx, dy = other.x - square.x, other.y - square.y
    if abs(dy) < 2:
        return SIDES.index("right" if dx > 0 else "left")
    if dx == 0:
        return SIDES.index("up" if dy > 0 else "down")
    return SIDES.index(f"{'up' if dy > 0 else 'down'}-{'right' if dx > 0 else 'left'}")
