"""The track of an edition file: from front borders to steps, lane changes and touching spaces."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise
from math import lcm
from typing import Any

from quadriga.core.bounds import exact_number
from quadriga.core.edition import TomlFile
from quadriga.core.fields import NONE
from quadriga.games.chariot_race.state import CHARIOTS, SPACES

LANES = 3
HALVES = ("right", "left")


@dataclass(frozen=True)
class Space:
    """A space: where it lies, where steps lead from it, and what is printed on it."""

    name: str
    lane: int
    number: int
    rear: int
    front: int
    rank: int
    ahead: int
    back: int
    inward: int
    outward: int
    corner: int
    half: int
    heap: bool


@dataclass(frozen=True)
class Track:
    """The board: spaces lane by lane, from the inside out."""

    lap: int
    """All lengths are whole numbers of a unit small enough for every border of the file."""
    unit: int
    """How many of those make one of the file's."""
    lanes: tuple[str, ...]
    spaces: tuple[Space, ...]
    grid: tuple[int, ...]

    def touching(self, number: int) -> set[int]:
        """The spaces that touch one: its neighbours in the lane, and those of adjacent lanes that overlap it."""
        space = self.spaces[number]
        beside = {
            other
            for other, candidate in enumerate(self.spaces)
            if abs(candidate.lane - space.lane) == 1 and self._overlap(space, candidate)
        }
        return beside | {space.ahead, space.back}

    def _overlap(self, space: Space, other: Space) -> bool:
        shifts = (-self.lap, 0, self.lap)
        return any(space.rear < other.front + shift and other.rear + shift < space.front for shift in shifts)

    def within(self, steps: int) -> list[set[int]]:
        """For each space those at most so many steps away over touching ones, itself included."""
        touching = [self.touching(number) for number in range(len(self.spaces))]
        reached = [{number} for number in range(len(self.spaces))]
        for _ in range(steps):
            reached = [near.union(*(touching[space] for space in near)) for near in reached]
        return reached

    def longest_drive(self, steps: int) -> int:
        """The furthest that a drive of so many steps can get from its start."""
        reach = [0] * len(self.spaces)
        for _ in range(steps):
            reach = [max(self._gain(space, to) + reach[to] for to in self._steps(space)) for space in self.spaces]
        return max(reach)

    def _steps(self, space: Space) -> list[int]:
        return [to for to in (space.ahead, space.inward, space.outward) if to != NONE]

    def _gain(self, space: Space, to: int) -> int:
        return (self.spaces[to].front - space.front) % self.lap


def read_track(source: TomlFile) -> Track:
    """The track of a file; raises InvalidFile with the line and the cause."""
    lap = exact(source, ("track", "lap"), source.get(("track", "lap"), object))
    lanes = read_lanes(source)
    fronts = [read_fronts(source, lane, lap) for lane in lanes]
    check_fronts(source, lanes, fronts)
    unit = lcm(lap.denominator, *(front.denominator for front in chain(*fronts)))
    spaces = lay_out(int(lap * unit), lanes, [[int(front * unit) for front in borders] for borders in fronts])
    spaces = with_corners(source, lanes, spaces)
    spaces = with_heaps(source, lap, unit, lanes, spaces)
    return Track(int(lap * unit), unit, lanes, tuple(spaces), read_grid(source, spaces))


def exact(source: TomlFile, path: tuple[str, ...], number: Any) -> Fraction:
    """A positive number exactly as it was written: 5.6667 is not the nearest float."""
    value = exact_number(str(number))
    if not value:
        source.refuse(path, f"{'.'.join(path)}: {number!r} is no distance past the line")
    return value


def read_lanes(source: TomlFile) -> tuple[str, ...]:
    lanes = tuple(source.get(("track", "lanes"), list))
    words = {lane for lane in lanes if isinstance(lane, str) and lane.isalpha()}
    if len(words) != LANES or len(lanes) != LANES:
        source.refuse(("track", "lanes"), f"there must be {LANES} lanes with names of letters, from the inside out")
    for lane in source.get(("lane",), dict):
        if lane not in lanes:
            source.refuse(("lane", lane), f"there is no lane {lane!r}; track.lanes names {', '.join(lanes)}")
    return lanes


def read_fronts(source: TomlFile, lane: str, lap: Fraction) -> list[Fraction]:
    """The front borders of a lane, each further on than the one before, the last no further than the lap."""
    path = ("lane", lane, "fronts")
    fronts = [exact(source, path, number) for number in source.get(path, list)]
    if len(fronts) < 2:
        source.refuse(path, f"lane {lane} needs at least two spaces")
    for number, (before, front) in enumerate(pairwise(fronts), 1):
        if front <= before:
            source.refuse(path, f"{lane}{number}: front border {float(front):g} does not lie past {float(before):g}")
    if fronts[-1] > lap:
        source.refuse(path, f"{lane}{len(fronts) - 1}: front border {float(fronts[-1]):g} lies past the lap")
    return fronts


def check_fronts(source: TomlFile, lanes: tuple[str, ...], fronts: list[list[Fraction]]) -> None:
    """CR-2: no two front borders are level."""
    if sum(map(len, fronts)) > SPACES:
        source.refuse(("track", "lanes"), f"the board may have {SPACES} spaces, not {sum(map(len, fronts))}")
    seen: dict[Fraction, str] = {}
    for lane, borders in zip(lanes, fronts, strict=True):
        for number, front in enumerate(borders):
            if front in seen:
                cause = f"{lane}{number}: front border {float(front):g} is level with that of {seen[front]}"
                source.refuse(("lane", lane, "fronts"), cause)
            seen[front] = f"{lane}{number}"


def lay_out(lap: int, lanes: tuple[str, ...], fronts: list[list[int]]) -> list[Space]:
    """All spaces with their steps; numbers printed on them come later."""
    ranks = {front: rank for rank, front in enumerate(sorted(chain(*fronts)))}
    first = [sum(map(len, fronts[:lane])) for lane in range(LANES)]

    def change(lane: int, front: int) -> int:
        """CR-8: the first front border of the lane further ahead."""
        if not 0 <= lane < LANES:
            return NONE
        further = [number for number, other in enumerate(fronts[lane]) if other > front]
        return first[lane] + (further[0] if further else 0)

    spaces = []
    for lane, borders in enumerate(fronts):
        for number, front in enumerate(borders):
            rear = borders[number - 1] if number else borders[-1] - lap
            ahead, back = (number + 1) % len(borders), (number - 1) % len(borders)
            spaces.append(
                Space(
                    f"{lanes[lane]}{number}", lane, number, rear, front, ranks[front],
                    first[lane] + ahead, first[lane] + back, change(lane - 1, front), change(lane + 1, front),
                    NONE, 0, False,
                )
            )  # fmt: skip
    return spaces


def space_numbers(source: TomlFile, path: tuple[str, ...], lane: str, spaces: list[Space]) -> list[int]:
    """The spaces that a list of numbers means in a lane."""
    named = {space.name: number for number, space in enumerate(spaces)}
    numbers = source.get(path, list)
    for number in numbers:
        if f"{lane}{number}" not in named:
            source.refuse(path, f"{'.'.join(path)}: lane {lane} has no space {number!r}")
    return [named[f"{lane}{number}"] for number in numbers]


def with_corners(source: TomlFile, lanes: tuple[str, ...], spaces: list[Space]) -> list[Space]:
    """CR-9: the numbered spaces."""
    spaces = list(spaces)
    for lane in lanes:
        limit = source.get(("corners", "limits", lane), int)
        if not 0 <= limit <= 99:
            source.refuse(("corners", "limits", lane), f"corners.limits.{lane} must be from 0 to 99, not {limit}")
        for number in space_numbers(source, ("corners", "spaces", lane), lane, spaces):
            spaces[number] = changed(spaces[number], corner=limit)
    return spaces


def changed(space: Space, **parts: Any) -> Space:
    return Space(**(vars(space) | parts))


def with_heaps(source: TomlFile, lap: Fraction, unit: int, lanes: tuple[str, ...], spaces: list[Space]) -> list[Space]:
    """CR-14: which half-board a space lies on, by its front border, and the heaps on side B."""
    ends = [exact(source, ("half", half, "to"), source.get(("half", half, "to"), object)) for half in HALVES]
    if ends[0] >= ends[1] or ends[1] != lap:
        source.refuse(("half", "left", "to"), "half.right.to must lie before half.left.to, and that be the lap")
    spaces = [changed(space, half=int(space.front > ends[0] * unit)) for space in spaces]
    for number, half in enumerate(HALVES):
        for lane in source.get(("half", half, "heaps"), dict):
            path = ("half", half, "heaps", lane)
            if lane not in lanes:
                source.refuse(path, f"there is no lane {lane!r}; track.lanes names {', '.join(lanes)}")
            for heap in space_numbers(source, path, lane, spaces):
                if spaces[heap].half != number:
                    source.refuse(path, f"{spaces[heap].name} does not lie on the {half} half")
                spaces[heap] = changed(spaces[heap], heap=True)
    return spaces


def read_grid(source: TomlFile, spaces: list[Space]) -> tuple[int, ...]:
    """CR-1: the spaces of the grid places, place 1 first."""
    named = {space.name: number for number, space in enumerate(spaces)}
    grid: list[int] = []
    for row in source.get(("grid",), dict):
        path = ("grid", row, "places")
        for name in source.get(path, list):
            if not isinstance(name, str) or name not in named:
                source.refuse(path, f"there is no space {name!r}; spaces are named like {spaces[0].name!r}")
            if named[name] in grid or spaces[named[name]].heap:
                source.refuse(path, f"{name} is a grid place already, or has a heap on side B")
            grid.append(named[name])
    if len(grid) != CHARIOTS:
        source.refuse(("grid", *list(source.data["grid"])[:1]), f"the grid has {CHARIOTS} places, not {len(grid)}")
    return tuple(grid)
