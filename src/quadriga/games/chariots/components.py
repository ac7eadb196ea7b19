"""The edition of Chariots: the track as tables for the kernels, checked on loading.

Squares are numbered in running order (CT-5): of two squares on one lap, the larger number is further along.
"""

import re
from collections import deque
from collections.abc import Iterable, Set
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
FACES = 6
FAR = 99
"""Steps from a square that leads nowhere."""

BEFORE_LINE, AFTER_LINE = 1, 2
SIDES = ("right", "up", "left", "down", "up-right", "up-left", "down-left", "down-right")
FIRST_DIAGONAL_SIDE = 4

BOTTOM, RIGHT_TURN, TOP, LEFT_TURN, BEFORE = range(5)
"""CT-5: the sections in running order from the line; the last is the column before it."""
COLUMN, CENTRE = re.compile(r"\d{1,2}"), re.compile(r"\d{1,2}(\.[05])?")


class Tables(Fields):
    """The track and the printed tables."""

    squares: Annotated[I16, "squares of the track"]
    neighbour: Annotated[I16s, (SQUARES, ORTHOGONAL), In("square"), "orthogonal neighbours of a square"]
    neighbour_side: Annotated[I8s, (SQUARES, ORTHOGONAL), In("side"), "the side on which each of them lies"]
    corner: Annotated[I16s, (SQUARES, DIAGONAL), In("square"), "squares that touch it at a corner"]
    corner_side: Annotated[I8s, (SQUARES, DIAGONAL), In("side"), "the diagonal on which each of them lies"]
    inside: Annotated[I8s, SQUARES, "1 for an inside square of a turn"]
    gate: Annotated[I8s, SQUARES, "1 just before the finish line, 2 just past it, 0 elsewhere"]
    to_line: Annotated[I16s, SQUARES, "fewest steps over the line, from every square"]
    around: Annotated[I16s, SQUARES, "the same for a chariot that enters no inside square"]
    lap: Annotated[I16, "fewest steps of a lap"]
    around_lap: Annotated[I16, "the same around the turns"]
    reach: Annotated[
        I16s,
        (2, SPEEDS, SQUARES),
        "sixths of a step nearer to the line after a phase on an empty track, without and with control",
    ]
    start: Annotated[I16s, CHARIOTS, In("square"), "start squares, position one first"]
    moves: Annotated[I8s, (SPEEDS, IMPULSES + 1), "1 where a speed moves in an impulse"]
    control: Annotated[I8s, SPEEDS, "lowest roll that holds control at a speed; 0 always, 6 never"]
    holds: Annotated[I8s, SPEEDS, "faces of the die that hold control at a speed"]


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
    names = Names(
        {
            "square": [square.name for square in track.order],
            "side": SIDES,
            "chariot": _texts(source, ("chariots", "suits"), CHARIOTS),
            "face": _texts(source, ("die", "faces"), FACES),
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


def _texts(source: TomlFile, path: tuple[str, ...], count: int) -> list[str]:
    """That many different names."""
    texts: list[str] = source.get(path, list)
    if not all(isinstance(text, str) for text in texts) or len(set(texts)) != count or len(texts) != count:
        source.refuse(path, f"{path[-1]} are {count} different texts, not {texts!r}")
    return texts


def _fill_speeds(tables: Tables, source: TomlFile) -> None:
    for speed in range(2, SPEEDS):
        path = ("speeds", str(speed))
        for impulse in source.get((*path, "impulses"), list):
            if type(impulse) is not int or impulse not in range(1, IMPULSES + 1):
                source.refuse((*path, "impulses"), f"there is no impulse {impulse!r}; they are 1 to {IMPULSES}")
            tables.moves[speed, impulse] = 1
        if tables.moves[speed].sum() != speed:
            source.refuse((*path, "impulses"), f"speed {speed} must move in {speed} impulses")
        control = source.get((*path, "control"), int)
        if control not in range(7):
            source.refuse((*path, "control"), f"control is a roll from 0 to 6, not {control}")
        tables.control[speed] = control
        tables.holds[speed] = FACES - control


class Track:
    """The squares of an edition and what follows from where they lie."""

    def __init__(self, source: TomlFile) -> None:
        self.source = source
        self.squares = self._read_columns()
        self.twice_middle = sum(f((square.y for square in self.squares), default=0) for f in (min, max))
        self.first = source.get(("track", "straights", "first"), int)
        self.last = source.get(("track", "straights", "last"), int)
        self.inside = set(self._named("inside"))
        self.starts = list(self._named("starts"))
        self._check()
        self.order = self._running_order()

    def _read_columns(self) -> set[Square]:
        squares: set[Square] = set()
        for x, ys in self.source.get(("track", "columns"), dict).items():
            path = ("track", "columns", x)
            for y in str(ys).split():
                if not COLUMN.fullmatch(x) or not CENTRE.fullmatch(y):
                    self.source.refuse(path, f"{x},{y} is no centre of a square; write 4 or 4.5")
                square = Square(int(x), round(2 * float(y)))
                if squares & {square, Square(square.x, square.y - 1), Square(square.x, square.y + 1)}:
                    self.source.refuse(path, f"{square.name} lies on another square")
                squares.add(square)
        return squares

    def _named(self, part: str) -> Iterable[Square]:
        path = ("track", part, "squares")
        by_name = {square.name: square for square in self.squares}
        for name in self.source.get(path, list):
            if not isinstance(name, str) or name not in by_name:
                self.source.refuse(path, f"there is no square {name!r} on the track")
            yield by_name[name]

    def _check(self) -> None:
        if len(self.squares) > SQUARES:
            self.source.refuse(("track", "columns"), f"{len(self.squares)} squares; at most {SQUARES} fit")
        if self.first >= self.last:
            self.source.refuse(("track", "straights", "last"), "a straight has at least two columns")
        for square in self.inside:
            if self._is_straight(square):
                self.source.refuse(("track", "inside", "squares"), f"{square.name} lies on a straight")
        for square in self.starts:
            if self._section(square) != BEFORE:
                self.source.refuse(("track", "starts", "squares"), f"{square.name} is not just before the line")
        if len(set(self.starts)) != CHARIOTS or len(self.starts) != CHARIOTS:
            self.source.refuse(("track", "starts", "squares"), f"{CHARIOTS} different start squares are needed")
        if set(self._steps_to_line(set())) != self.squares:
            self.source.refuse(
                ("track", "columns"), "the track does not close: the line cannot be reached from everywhere"
            )

    def _running_order(self) -> list[Square]:
        """CT-5: from the line on; of two squares equally far along, the one nearer to the infield comes later."""
        advance = self._advance_in_turn(RIGHT_TURN, {TOP}) | self._advance_in_turn(LEFT_TURN, {BOTTOM, BEFORE})
        for square in self.squares - set(advance):
            to_turn = self.last + 1 - square.x if self._is_low(square) else square.x - self.first + 1
            advance[square] = (self._section(square), -to_turn, -self._lane(square), 0)
        return sorted(self.squares, key=lambda square: (advance[square], square))

    def _advance_in_turn(self, section: int, next_straight: Set[int]) -> dict[Square, tuple[int, int, int, int]]:
        turn = self._squares_of({section})
        goal = self._squares_of(next_straight)
        to_straight, outside = self._steps(goal, turn), self._steps(goal, turn - self.inside)
        rings = self._steps(self.inside & turn, turn)
        for square in sorted(turn):
            if square not in to_straight:
                self.source.refuse(("track", "columns"), f"from {square.name} no way leads through the turn")
            if square not in rings:
                self.source.refuse(("track", "inside", "squares"), f"the turn of {square.name} has no inside square")
        return {s: (section, -to_straight[s], -rings[s], -outside.get(s, 0)) for s in turn}

    def _squares_of(self, sections: Set[int]) -> set[Square]:
        return {square for square in self.squares if self._section(square) in sections}

    def fill(self, tables: Tables) -> None:
        """Write the track into the tables."""
        number = {square: i for i, square in enumerate(self.order)}
        to_line, around = self._steps_to_line(set()), self._steps_to_line(self.inside)
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
            tables.around[i] = around.get(square, FAR)
        tables.start[:] = [number[square] for square in self.starts]
        past = tables.gate == AFTER_LINE
        tables.lap, tables.around_lap = int(tables.to_line[past].min()), int(tables.around[past].min())
        for control in range(2):
            for speed in range(2, SPEEDS):
                for i in number.values():
                    tables.reach[control, speed, i] = _steps_gained(tables, i, speed, bool(control))

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
        return 2 * square.y < self.twice_middle

    def _gate(self, square: Square) -> int:
        if not self._is_low(square):
            return 0
        return {self.first: BEFORE_LINE, self.first + 1: AFTER_LINE}.get(square.x, 0)

    def _section(self, square: Square) -> int:
        if not self._is_straight(square):
            return RIGHT_TURN if square.x > self.last else LEFT_TURN
        if not self._is_low(square):
            return TOP
        return BEFORE if square.x == self.first else BOTTOM

    def _lane(self, square: Square) -> int:
        column = [s for s in self.squares if s.x == square.x and self._is_low(s) == self._is_low(square)]
        column.sort(key=lambda s: -s.y if self._is_low(square) else s.y)
        return column.index(square) + 1

    def _steps(self, goal: Set[Square], allowed: Set[Square]) -> dict[Square, int]:
        steps = dict.fromkeys(goal, 0)
        queue = deque(steps)
        while queue:
            square = queue.popleft()
            for other in self.neighbours(square):
                if other not in steps and other in allowed:
                    steps[other] = steps[square] + 1
                    queue.append(other)
        return steps

    def _steps_to_line(self, closed: Set[Square]) -> dict[Square, int]:
        """Steps over the line from every square, never crossing it backwards and entering no closed square."""
        steps = {s: 1 for s in self.squares if self._gate(s) == BEFORE_LINE}
        queue = deque(steps)
        while queue:
            square = queue.popleft()
            if square in closed:
                continue
            for other in self.neighbours(square):
                crosses = self._gate(square) == BEFORE_LINE and self._gate(other) == AFTER_LINE
                if other not in steps and not crosses:
                    steps[other] = steps[square] + 1
                    queue.append(other)
        return steps


def _steps_gained(tables: Tables, square: int, steps: int, control: bool) -> int:
    """How much nearer to the line so many steps lead on an empty track, each to the best square open to it, in
    sixths: four of six rolls hold control at a middling speed."""
    gained = 0
    for _ in range(steps):
        open_ = [int(to) for to in tables.neighbour[square] if to >= 0 and (control or not tables.inside[to])]
        if not open_:
            break
        best = max(open_, key=lambda to: _steps_nearer(tables, square, to)[not control])
        free, around = _steps_nearer(tables, square, best)
        gained += 4 * free + 2 * around
        square = best
    return gained


def _steps_nearer(tables: Tables, square: int, to: int) -> tuple[int, int]:
    """How much nearer to the line a step leads: by all squares, and around the turns."""
    crossing = _crossing(tables, square, to)
    ways = ((tables.to_line, int(tables.lap)), (tables.around, int(tables.around_lap)))
    free, around = (int(way[square]) - int(way[to]) + crossing * lap for way, lap in ways)
    return free, around


def _crossing(tables: Tables, square: int, to: int) -> int:
    """1 for a step over the line, -1 for one back over it."""
    gates = (tables.gate[square], tables.gate[to])
    return {(BEFORE_LINE, AFTER_LINE): 1, (AFTER_LINE, BEFORE_LINE): -1}.get(gates, 0)


def _side(square: Square, other: Square) -> int:
    dx, dy = other.x - square.x, other.y - square.y
    if abs(dy) < 2:
        return SIDES.index("right" if dx > 0 else "left")
    if dx == 0:
        return SIDES.index("up" if dy > 0 else "down")
    return SIDES.index(f"{'up' if dy > 0 else 'down'}-{'right' if dx > 0 else 'left'}")
