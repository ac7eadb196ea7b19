"""The race of Charioteer as text: a line for each section of the track and each chariot, then what lies open."""

from typing import Any

from quadriga.core.edition import Edition
from quadriga.core.text import Catalogue
from quadriga.core.text_board import sign
from quadriga.games.charioteer.state import COLOURS, HAND


def draw(view: Any, edition: Edition, words: Catalogue) -> str:
    """The track, the chariots from first to last, the crowd row and die, and one's own hand."""
    parts = [_track(view, edition), _chariots(view, edition, words), [_middle(view, edition, words)]]
    if view.seat >= 0:
        parts.append(_own(view, edition, words))
    return "\n".join("\n".join(part) for part in parts)


def _track(view: Any, edition: Edition) -> list[str]:
    """Outer spaces are `o`, regular ones `·`; chariots in one space stand inside first; the line is `|`."""
    tables: Any = edition.tables
    lap = int(tables.lap)
    spaces = ["o" if tables.stride[(space - 1) % lap] == 2 else "·" for space in range(lap)]
    for seat in view.order[: view.seats]:
        space = int(view.progress[seat]) % lap
        spaces[space] = spaces[space].strip("·o") + sign(seat)
    lines, start = [], 0
    for section in edition.source.data["track"]["section"]:
        end = section["last"] + 1
        lines.append(f"{start:>4} {'|' if start == 0 else ' '}{' '.join(spaces[start:end])}")
        start = end
    return [*lines[:-1], lines[-1] + "|"]


def _chariots(view: Any, edition: Edition, words: Catalogue) -> list[str]:
    tables: Any = edition.tables
    lines = []
    for place, seat in enumerate(view.order[: view.seats], 1):
        progress, lap = int(view.progress[seat]), int(tables.lap)
        bonus = [int(tables.marker_bonus[marker]) for marker in view.marker[seat]]
        lines.append(
            words.say(
                "board.chariot",
                place=place,
                letter=sign(seat),
                space=progress % lap,
                lap=min(max(progress, 0) // lap + 1, int(view.laps)),
                laps=int(view.laps),
                damage=int(view.damage[seat]),
                attack=int(view.attack[seat]),
                skills=" ".join(f"{name[0].upper()}+{bonus[i]}" for i, name in enumerate(COLOURS)),
                tokens=int(view.player_tokens[seat].sum()),
                fans=int(view.fan_count[seat]),
            )
        )
    return lines


def _middle(view: Any, edition: Edition, words: Catalogue) -> str:
    crowd = [words.name("card", edition.names.name("card", int(card))) for card in view.crowd]
    face = words.name("face", edition.names.name("face", int(view.die)))
    return words.say("board.middle", turn=int(view.turn), crowd=crowd[0], coming=", ".join(crowd[1:]), face=face)


def _own(view: Any, edition: Edition, words: Catalogue) -> list[str]:
    cards = (edition.names.name("card", int(card)) for card in view.hand)
    hand = (f"{i}:{words.name('card', card)}" for i, card in zip(range(1, HAND + 1), cards, strict=True) if card)
    tokens = [
        f"{words.name('token', name)}{f' x{count}' if count > 1 else ''}"
        for name, count in zip(edition.names.domains["token"], view.tokens, strict=False)
        if count
    ]
    return [
        words.say("board.hand", cards="  ".join(hand)),
        words.say("board.tokens", tokens=", ".join(tokens) or words.say("none")),
    ]
