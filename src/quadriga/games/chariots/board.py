"""The board of Chariots as text: two lines and four columns to a square, so that the turns' half squares fit."""

from typing import Any

from quadriga.core.edition import Edition
from quadriga.core.text import Catalogue
from quadriga.core.text_board import sign


def letters(edition: Edition) -> str:
    """The initials of the four suits."""
    return "SMCA"


def draw(view: Any, edition: Edition, words: Catalogue) -> str:
    """The track with the chariots' letters, then a line for each chariot."""
    return "\n".join((*_track(view, edition), "", *_chariots(view, edition, words)))


def _track(view: Any, edition: Edition) -> list[str]:
    tables: Any = edition.tables
    standing = {int(view.square[c]): sign(c) for c in range(view.chariots) if view.square[c] >= 0}
    centres = [tuple(map(float, name.split(","))) for name in edition.names.domains["square"]]
    ys, width = [y for _, y in centres], int(max(x for x, _ in centres))
    top = max(ys)
    rows = [[" "] * (4 * width + 2) for _ in range(int(2 * (top - min(ys))) + 1)]
    for number, (x, y) in enumerate(centres):
        row, column = rows[int(2 * (top - y))], int(4 * (x - 1)) + 1
        row[column + 1] = standing.get(number) or ("o" if tables.inside[number] else "·")
        if tables.gate[number] == 1:
            row[column + 3] = "|"
    return ["".join(row).rstrip() for row in rows]


def _chariots(view: Any, edition: Edition, words: Catalogue) -> list[str]:
    lines = []
    for c in range(view.chariots):
        square = edition.names.name("square", int(view.square[c]))
        coins = [words.name("coin", coin) for coin in ("null", "ace") if getattr(view, f"{coin}_coin")[c]]
        lines.append(
            words.say(
                "board.chariot",
                letter=sign(c),
                chariot=words.name("chariot", edition.names.name("chariot", c)),
                player=words.say("player", number=c % int(view.seats) + 1),
                square=square or words.say("board.finished"),
                lap=min(max(0, int(view.lines[c])) + 1, int(view.laps)),
                laps=int(view.laps),
                speed=int(view.speed[c]) or "–",
                coins=" ".join(coins) or "–",
                state=words.say("board.crashed") if view.crashed[c] or view.stunned[c] else "",
            ).rstrip()
        )
    return lines
