"""Chooses puzzles to keep: spread over kinds of choice, numbers of players, parts of the race and difficulties."""

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest

from quadriga.puzzles.puzzle import Puzzle


def select(puzzles: Iterable[Puzzle], count: int) -> list[Puzzle]:
    """At most `count` puzzles without near-duplicates, in order of difficulty, the easiest first.

    Kinds of choice take turns, within a kind the other properties do, and of those alike the clearest come first.
    """
    found = _without_duplicates(puzzles)
    kinds = [_in_turns(row, lambda puzzle: (puzzle.seats, puzzle.stage, puzzle.stars)) for row in _rows(found, _kind)]
    chosen = _in_turns([puzzle for row in kinds for puzzle in row], _kind)[:count]
    return sorted(chosen, key=lambda puzzle: (puzzle.difficulty, puzzle.answers, puzzle.seed))


def _kind(puzzle: Puzzle) -> str:
    return puzzle.kind


def _rows(puzzles: Sequence[Puzzle], key: Callable[[Puzzle], object]) -> list[list[Puzzle]]:
    """Puzzles with the same key together, in order of the keys."""
    rows: dict[object, list[Puzzle]] = {}
    for puzzle in puzzles:
        rows.setdefault(key(puzzle), []).append(puzzle)
    return [rows[name] for name in sorted(rows, key=str)]


def _in_turns(puzzles: Sequence[Puzzle], key: Callable[[Puzzle], object]) -> list[Puzzle]:
    """One of each key, then the next of each, and so on."""
    return [puzzle for turn in zip_longest(*_rows(puzzles, key)) for puzzle in turn if puzzle is not None]


def _without_duplicates(puzzles: Iterable[Puzzle]) -> Sequence[Puzzle]:
    """The clearest of those that are alike; the clearest first."""
    kept: dict[tuple[object, ...], Puzzle] = {}
    for puzzle in sorted(puzzles, key=_clearness):
        kept.setdefault(puzzle.signature, puzzle)
    return list(kept.values())


def _clearness(puzzle: Puzzle) -> tuple[float, str, int]:
    return -(puzzle.margin - 2 * puzzle.error), puzzle.seed, len(puzzle.steps)
