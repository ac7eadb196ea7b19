"""The board as text: each half of the track as three lanes drawn to scale, the chariots' values, the dice."""

from typing import Any

from quadriga.core.edition import Edition
from quadriga.core.fields import NONE
from quadriga.core.text import Catalogue
from quadriga.core.text_board import sign
from quadriga.games.chariot_race.components import standing_of
from quadriga.games.chariot_race.state import CHARIOTS
from quadriga.games.chariot_race.track import HALVES, Space, Track, read_track

WIDTH = 105
"""Characters for half the track."""


def draw_board(view: Any, edition: Edition, words: Catalogue) -> str:
    """Everything on the table, from a view."""
    track = read_track(edition.source)
    lines: list[str] = []
    for half in range(len(HALVES)):
        lines += [*draw_half(view, track, half, words), ""]
    lines.append(words.say("board.legend"))
    lines += ["", *draw_chariots(view, edition, words), "", *draw_turn(view, edition, words)]
    return "\n".join(line.rstrip() for line in lines).rstrip() + "\n"


def chariot_letters(edition: Edition) -> list[str]:
    """A letter for each chariot: the first of its name that no other has."""
    letters: list[str] = []
    for name in edition.names.domains["chariot"]:
        letters.append(next(letter for letter in (*name.upper(), *"ABCDEF") if letter not in letters))
    return letters


def draw_half(view: Any, track: Track, half: int, words: Catalogue) -> list[str]:
    """The lanes of one half, outer lane on top: every space as wide as it is long."""
    spaces = [space for space in track.spaces if space.half == half]
    start = min(space.rear for space in spaces)
    scale = WIDTH / (max(space.front for space in spaces) - start)
    lines = [words.say(f"board.{HALVES[half]}")]
    for lane in reversed(range(len(track.lanes))):
        line = ""
        for space in (space for space in spaces if space.lane == lane):
            begin, end = round((space.rear - start) * scale), round((space.front - start) * scale)
            line = line.ljust(begin) + ("|" + cell(view, track, space))[: end - begin].ljust(end - begin)
        lines.append(f"{words.name('lane', track.lanes[lane]):8}{line}|")
    return lines


def cell(view: Any, track: Track, space: Space) -> str:
    """Number, then limit, heap, caltrop and chariot as there are."""
    number = track.spaces.index(space)
    text = f"{space.number}"
    if space.corner != NONE:
        text += f"({space.corner}"
    if space.heap and view.track >> (1 - space.half) & 1:
        text += "#"
    if view.caltrop[number]:
        text += "*"
    for chariot in range(CHARIOTS):
        if view.space[chariot] == number:
            text += sign(chariot)
    return text


def draw_chariots(view: Any, edition: Edition, words: Catalogue) -> list[str]:
    """A row for each chariot in the race, those ahead in this round's order first."""
    order = [int(chariot) for chariot in view.order if chariot != NONE]
    others = [chariot for chariot in range(CHARIOTS) if chariot not in order and view.owner[chariot] != NONE]
    rows = [words.say("board.head")]
    for chariot in (*order, *others):
        rows.append(draw_chariot(view, edition, chariot, words))
    return rows


def draw_chariot(view: Any, edition: Edition, chariot: int, words: Catalogue) -> str:
    names, board = edition.names, int(view.board[chariot])
    where = names.name("space", int(view.space[chariot])) or words.say("board.wreck" if view.wreck[chariot] else "none")
    lap = max(0, int(view.lines[chariot]))
    name = words.name("chariot", names.name("chariot", chariot))
    row = f"{sign(chariot)} {name:9} {view.owner[chariot] + 1:>6}  {where:10}"
    row += f"{lap:>5} {view.damage[chariot]:>7} {view.speed[chariot]:>6} {view.fate[chariot]:>5}"
    standing = standing_of(edition.source, "board", names.name("board", board))
    mark = "  <" if view.mover == chariot else ""
    return row + (f"  ({words.name('standing', standing)})" if standing == "stand-in" else "") + mark


def draw_turn(view: Any, edition: Edition, words: Catalogue) -> list[str]:
    """The round, what is being chosen, and the dice."""
    names = edition.names
    phase = words.name("phase", names.name("phase", int(view.phase)))
    lines = [words.say("board.round", round=int(view.rounds), phase=phase, supply=int(view.supply))]
    faces = [words.name("face", names.name("face", int(face))) for face in view.dice if face != NONE]
    if faces:
        dice = "  ".join(f"{die}:{face}" for die, face in enumerate(faces, 1))
        lines.append(words.say("board.dice", dice=dice))
    if view.left:
        lines.append(words.say("board.left_to_drive", left=int(view.left), steers=int(view.steers)))
    if view.attacks:
        lines.append(words.say("board.attacks", attacks=int(view.attacks)))
    return lines
