"""The puzzles of a game in one file: a zip of scenario files, the same bytes for the same puzzles."""

import zipfile
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from io import BytesIO
from pathlib import Path
from typing import IO

from quadriga import games
from quadriga.core.bounds import MOST_TOML
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidFile

FILE = "puzzles.zip"
MOST_BYTES = 300_000
"""Bytes of a game's file."""
MOST_PUZZLES = 9_999
DATE = (1980, 1, 1, 0, 0, 0)
"""Of every file inside: the bytes must not depend on when they were packed."""


def name_of(number: int) -> str:
    """The name of a puzzle's scenario file, without its ending."""
    return f"{number:04d}"


def pack(texts: Sequence[str], file: Path) -> None:
    """Write scenario files into one file, numbered from 1; it is there whole or not at all."""
    beside = file.with_name(file.name + ".part")
    with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for number, text in enumerate(texts, 1):
            entry = zipfile.ZipInfo(f"{name_of(number)}.toml", DATE)
            entry.compress_type, entry.create_system, entry.external_attr = zipfile.ZIP_DEFLATED, 3, 0o644 << 16
            archive.writestr(entry, text.encode(), compresslevel=9)
    beside.replace(file)


class Pack:
    """A file of puzzles, read puzzle by puzzle."""

    def __init__(self, source: Path | IO[bytes], name: str) -> None:
        self.name = name
        try:
            self._archive = zipfile.ZipFile(source)
        except zipfile.BadZipFile:
            raise InvalidFile(name, "", "it is no file of puzzles") from None
        self.names = tuple(sorted(info.filename.removesuffix(".toml") for info in self._archive.infolist()))

    def __len__(self) -> int:
        return len(self.names)

    def read(self, name: str) -> TomlFile:
        """A puzzle's scenario file; InvalidFile if there is none, or it is too large."""
        file = f"{self.name}/{name}.toml"
        if name not in self.names:
            raise InvalidFile(self.name, "", f"there is no puzzle {name}; there are {len(self)}")
        with self._archive.open(f"{name}.toml") as entry:
            text = entry.read(MOST_TOML + 1)
        return TomlFile(file, text.decode("utf-8"))


@lru_cache(maxsize=16)
def open_shipped(game: str) -> Pack | None:
    """The puzzles that come with a game; None if there are none."""
    file = resources.files(games.package(game)) / FILE
    if not file.is_file():
        return None
    return Pack(BytesIO(file.read_bytes()), f"{game}/{FILE}")
