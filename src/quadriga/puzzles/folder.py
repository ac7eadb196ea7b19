"""The folder of a mining run: a file for each puzzle, and a mark for each race that is done."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from quadriga.core.errors import InvalidFile
from quadriga.puzzles.puzzle import FORMAT, Puzzle
from quadriga.puzzles.selection import select


class Folder:
    """The puzzles of one game that were found so far."""

    def __init__(self, path: Path, game: str) -> None:
        self.path, self.game = path / game, game
        self.path.mkdir(parents=True, exist_ok=True)

    def add(self, race: str, number: int, puzzle: Puzzle) -> None:
        """Write a puzzle; its file is there whole or not at all."""
        place = self.path / f"{race}-{number}.json"
        beside = place.with_name(place.name + ".part")
        beside.write_bytes(encode([puzzle]))
        beside.replace(place)

    def finish(self, race: str) -> None:
        """Note that a race is done."""
        (self.path / f"{race}.done").touch()

    def races(self) -> frozenset[str]:
        """The races that are done."""
        return frozenset(file.name.removesuffix(".done") for file in self.path.glob("*.done"))

    def puzzles(self) -> list[Puzzle]:
        """All puzzles of the folder, in the same order every time."""
        return [puzzle for file in sorted(self.path.glob("*.json")) for puzzle in read_puzzles(file, self.game)]

    def count(self, wanted: int) -> int:
        """How many puzzles would be chosen if so many are wanted."""
        return len(select(self.puzzles(), wanted))


def encode(puzzles: list[Puzzle]) -> bytes:
    """A puzzle a line."""
    return b"".join(msgspec.json.encode(puzzle) + b"\n" for puzzle in puzzles)


def read_puzzles(file: Path, game: str) -> Iterator[Puzzle]:
    """The puzzles in a file with one a line; InvalidFile for anything else, or another game's."""
    for number, line in enumerate(file.read_bytes().splitlines(), 1):
        try:
            puzzle = msgspec.json.decode(line, type=Puzzle)
        except msgspec.DecodeError as error:
            raise InvalidFile(str(file), f"line {number}", f"is no puzzle: {error}") from None
        if puzzle.format != FORMAT or puzzle.game != game:
            raise InvalidFile(str(file), f"line {number}", f"is no puzzle of {game} in format {FORMAT}")
        yield puzzle
