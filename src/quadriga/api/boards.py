"""Boards as text, with the names of the players."""

from collections.abc import Sequence

from quadriga.core.text import Catalogue


def with_names(board: str, words: Catalogue, names: Sequence[str]) -> str:
    """A board with the players' names in place of their numbers."""
    for seat, name in reversed(list(enumerate(names))):
        board = board.replace(words.say("player", number=seat + 1), name)
    return board
