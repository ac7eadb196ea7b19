"""The components: the die, and the names of everything."""

from typing import Annotated

from dash.state import SQUARES
from quadriga.core.codec import Names
from quadriga.core.edition import Edition, TomlFile
from quadriga.core.fields import Fields, I8s

FACES = 4
SLIP = 0


class Tables(Fields):
    """The dice."""

    steps: Annotated[I8s, FACES, "squares a face is worth"]


def load_edition(source: TomlFile) -> Edition:
    squares, faces = source.get(("track", "squares"), list), source.get(("die", "faces"), list)
    if len(squares) != SQUARES:
        source.refuse(("track", "squares"), f"{len(squares)} squares; there are {SQUARES}")
    worth = {"slip": 0, "one": 1, "two": 2}
    for i, face in enumerate(faces):
        if not isinstance(face, str) or face not in worth or i >= FACES:
            source.refuse(("die", "faces", i), f"{face!r} is no face")
    tables = Tables.blank()
    tables.steps[: len(faces)] = [worth[face] for face in faces]
    domains = {"square": map(str, squares), "face": faces, "runner": ("ant", "bee", "cat"), "card": ("oats", "net")}
    return Edition(tables, Names(domains), source)
