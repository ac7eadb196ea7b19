"""Chariots on a text board: one sign a chariot, which plain text shows as a letter and a terminal in colour."""

from collections.abc import Iterator, Sequence

FIRST_SIGN = 0xE000
"""The first of Unicode's private characters: no other text has them."""
MOST_SIGNS = 16


def sign(chariot: int) -> str:
    """The sign of a chariot, one character wide."""
    return chr(FIRST_SIGN + int(chariot))


def plain(text: str, letters: Sequence[str]) -> str:
    """A board with a letter for each sign."""
    return text.translate({FIRST_SIGN + chariot: letter for chariot, letter in enumerate(letters)})


def pieces(text: str) -> Iterator[tuple[str, int | None]]:
    """The parts of a board: text without a chariot, or one sign with the number of its chariot."""
    start = 0
    for place, letter in enumerate(text):
        chariot = ord(letter) - FIRST_SIGN
        if 0 <= chariot < MOST_SIGNS:
            if start < place:
                yield text[start:place], None
            yield letter, chariot
            start = place + 1
    if start < len(text):
        yield text[start:], None
