"""The components: tables that kernels read, and the edition file they are made from."""

from typing import Annotated, Any

from quadriga.core.codec import Names
from quadriga.core.edition import Edition, TomlFile
from quadriga.core.fields import I8, I16, NONE, At, Fields, I8s, I16s, In
from quadriga.games.chariot_race.actions import dice_names
from quadriga.games.chariot_race.meta import META, TRACKS
from quadriga.games.chariot_race.state import CAUSES, CHARIOTS, DICE, FACES, PHASES, SPACES, STEPS
from quadriga.games.chariot_race.track import Track, read_track

BOARDS = CHARIOTS + 1
"""The front side and one alternate board for each chariot."""
VALUES = 32
"""Values a track of a chariot board may have, 0 included."""
SIDES = 6
STANDINGS = ("known", "likely", "inferred", "reconstructed", "stand-in")


class Tables(Fields):
    """The components of one edition."""

    laps: Annotated[I8, "laps to race"]
    caltrops: Annotated[I8, "caltrops in the box"]
    spaces: Annotated[I16, "spaces on the board"]
    lane: Annotated[I8s, SPACES, At("space"), In("lane"), "lane of a space"]
    ahead: Annotated[I16s, SPACES, At("space"), In("space"), "next space of the lane"]
    back: Annotated[I16s, SPACES, At("space"), In("space"), "previous space of the lane"]
    inward: Annotated[I16s, SPACES, At("space"), In("space"), "space a lane change to the inside leads to"]
    outward: Annotated[I16s, SPACES, At("space"), In("space"), "space a lane change to the outside leads to"]
    rank: Annotated[I16s, SPACES, At("space"), "place of its front border among all, from the line"]
    corner: Annotated[I8s, SPACES, At("space"), "safe speed of a numbered space, -1 for the others"]
    heap: Annotated[I8s, (4, SPACES), At("track"), "1 for a space with a stone heap"]
    near: Annotated[I8s, (SPACES, SPACES), At("space"), "1 for a space within a javelin's throw"]
    grid: Annotated[I16s, CHARIOTS, At("place"), In("space"), "space of each grid place"]
    faces: Annotated[I8s, SIDES, In("face"), "faces of the die"]
    start_damage: Annotated[I8s, BOARDS, At("board"), "damage value at the start"]
    most_damage: Annotated[I8s, BOARDS, At("board"), "highest damage value"]
    start_speed: Annotated[I8s, BOARDS, At("board"), "speed at the start"]
    most_speed: Annotated[I8s, BOARDS, At("board"), "highest speed"]
    start_fate: Annotated[I8s, BOARDS, At("board"), "fate at the start"]
    most_fate: Annotated[I8s, BOARDS, At("board"), "highest fate"]
    cap: Annotated[I8s, (BOARDS, VALUES), At("board"), "by damage value: the initial speed it allows"]
    dice: Annotated[I8s, (BOARDS, VALUES), At("board"), "by speed: dice to roll"]


def load_edition(source: TomlFile) -> Edition:
    """The components a file describes; raises InvalidFile with the line and the cause."""
    if source.get(("edition", "game"), str) != META.name:
        source.refuse(("edition", "game"), f"this file is for {source.data['edition']['game']!r}, not {META.name!r}")
    check_standings(source)
    track = read_track(source)
    tables = Tables.blank()
    fill_race(tables, source)
    fill_track(tables, track)
    fill_die(tables, source)
    boards = board_names(source)
    for number, name in enumerate(boards):
        fill_board(tables, number, name, source)
    check_length(tables, track, source)
    return Edition(tables, names_of(track, boards, source), source)


def names_of(track: Track, boards: tuple[str, ...], source: TomlFile) -> Names:
    """What the file calls the numbers, and what the game does."""
    return Names(
        {
            "space": tuple(space.name for space in track.spaces),
            "lane": track.lanes,
            "chariot": boards[1:],
            "board": boards,
            "place": tuple(str(place + 1) for place in range(CHARIOTS)),
            "track": TRACKS,
            "face": FACES,
            "side": tuple(source.data["die"]["faces"]),
            "die": tuple(str(die + 1) for die in range(DICE)),
            "dice": dice_names(),
            "phase": PHASES,
            "cause": CAUSES,
        }
    )


def check_standings(source: TomlFile) -> None:
    """Every part says how far it can be trusted, and why."""
    for path, table in parts_of(source):
        standing = table["standing"]
        named = standing.values() if isinstance(standing, dict) else (standing,)
        for word in named:
            if word not in STANDINGS:
                source.refuse((*path, "standing"), f"standing is one of {', '.join(STANDINGS)}, not {word!r}")
        source.get((*path, "why"), str)


def parts_of(source: TomlFile) -> list[tuple[tuple[str, ...], dict[str, Any]]]:
    """The tables of the file that hold components; each must have a standing."""
    parts: list[tuple[tuple[str, ...], dict[str, Any]]] = []
    for name in ("race", "track", "die"):
        parts.append(((name,), source.get((name,), dict)))
    for name in ("lane", "corners", "half", "grid", "board"):
        for inner in source.get((name,), dict):
            parts.append(((name, inner), source.get((name, inner), dict)))
    for path, table in parts:
        if "standing" not in table:
            source.refuse(path, f"{'.'.join(path)} says no standing")
    return parts


def within(source: TomlFile, path: tuple[str, ...], low: int, high: int) -> int:
    """A whole number of the file that must lie in a range."""
    number = source.get(path, int)
    if not low <= number <= high:
        source.refuse(path, f"{'.'.join(path)} must be from {low} to {high}, not {number}")
    return int(number)


def fill_race(tables: Tables, source: TomlFile) -> None:
    tables.laps = within(source, ("race", "laps"), 1, 9)
    tables.caltrops = within(source, ("race", "caltrops"), 0, 100)


def fill_track(tables: Tables, track: Track) -> None:
    """The board as numbers: front borders become ranks."""
    tables.spaces = len(track.spaces)
    for name in ("lane", "ahead", "back", "inward", "outward", "rank", "corner"):
        getattr(tables, name)[:] = NONE
        getattr(tables, name)[: len(track.spaces)] = [getattr(space, name) for space in track.spaces]
    for number, space in enumerate(track.spaces):
        for sides in range(len(TRACKS)):
            tables.heap[sides, number] = TRACKS[sides].split("-")[space.half] == "B" and space.heap
    for number, near in enumerate(track.within(2)):  # CR-12
        tables.near[number, list(near)] = 1
    tables.grid[:] = track.grid


def fill_die(tables: Tables, source: TomlFile) -> None:
    faces = source.get(("die", "faces"), list)
    if len(faces) != SIDES or any(face not in FACES for face in faces):
        source.refuse(("die", "faces"), f"a die has {SIDES} faces out of {', '.join(FACES)}, not {faces!r}")
    within(source, ("die", "dice"), DICE, DICE)
    tables.faces[:] = [FACES.index(face) for face in faces]


def board_names(source: TomlFile) -> tuple[str, ...]:
    """The front side first, then the chariots as the file lists them."""
    names = tuple(source.get(("board",), dict))
    if names[:1] != ("front",) or len(names) != BOARDS:
        source.refuse(("board", *names[:1]), f"there must be board.front and then {CHARIOTS} alternate boards")
    return names


def fill_board(tables: Tables, number: int, name: str, source: TomlFile) -> None:
    """One chariot board."""
    for track, highest in (("damage", VALUES - 1), ("speed", STEPS - 1), ("fate", VALUES - 1)):
        path = ("board", name, track)
        most = within(source, (*path, "highest"), 1, highest)
        getattr(tables, f"most_{track}")[number] = most
        getattr(tables, f"start_{track}")[number] = within(source, (*path, "start"), int(track == "damage"), most)
    fill_caps(tables, number, ("board", name, "cap"), source)
    fill_dice(tables, number, ("board", name, "dice"), source)


def whole_numbers(source: TomlFile, path: tuple[str, ...], count: int, low: int, high: int) -> list[int]:
    """A list of so many whole numbers, none lower than the one before."""
    numbers: list[Any] = source.get(path, list)
    where = ".".join(path)
    if len(numbers) != count:
        source.refuse(path, f"{where} must have {count} numbers, not {len(numbers)}")
    for before, number in zip([low, *numbers], numbers, strict=False):
        if not isinstance(number, int) or isinstance(number, bool) or not before <= number <= high:
            source.refuse(path, f"{where}: {number!r} must be from {before} to {high}")
    return numbers


def fill_caps(tables: Tables, number: int, path: tuple[str, ...], source: TomlFile) -> None:
    """CR-4: the speed each damage value allows, from 1 upward."""
    most = int(tables.most_damage[number])
    tables.cap[number, 1 : most + 1] = whole_numbers(source, path, most, 0, int(tables.most_speed[number]))


def fill_dice(tables: Tables, number: int, path: tuple[str, ...], source: TomlFile) -> None:
    """CR-5: from the lowest speeds for five, four, three, two dice and one."""
    most = int(tables.most_speed[number])
    lowest = whole_numbers(source, path, DICE, 0, most)
    if lowest[0] != 0 or len(set(lowest)) != DICE:
        source.refuse(path, f"{'.'.join(path)} must begin with 0, and each number be higher than the one before")
    for speed in range(most + 1):
        tables.dice[number, speed] = DICE + 1 - sum(low <= speed for low in lowest)


def check_length(tables: Tables, track: Track, source: TomlFile) -> None:
    """No drive may come round to where it began."""
    fastest = max(int(speed) for speed in tables.most_speed)
    longest = track.longest_drive(fastest)
    if longest >= track.lap:
        longest_shown, lap = longest / track.unit, track.lap / track.unit
        cause = f"at speed {fastest} a drive could be {longest_shown:g} long, and the lap is only {lap:g}"
        source.refuse(("track", "lap"), cause)


def standing_of(source: TomlFile, *path: str) -> str:
    """How far a part of the file can be trusted, for whoever shows it."""
    standing = source.get((*path, "standing"), object)
    return standing if isinstance(standing, str) else max(standing.values(), key=STANDINGS.index)
