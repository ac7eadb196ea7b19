"""The stops of a race: positions with a real choice, those at which somebody leaves, and the end."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from quadriga.analysis.chances import Codes
from quadriga.core.game import Game, Told
from quadriga.core.match import Choices, Forfeit, Left, Match, Redeal, Resign, Setup

KINDS = (Setup, Choices, Redeal, Resign, Forfeit)
"""Entries that change a state, or who is in the race."""


@dataclass(frozen=True)
class Stop:
    """A position of a race."""

    step: int
    """The number of the entry after which it stood."""
    state: Any
    left: tuple[Left, ...]


@dataclass
class Passage:
    """How the race went from one stop to the next."""

    start: Stop | None
    """None: the set-up led to the first stop."""
    end: Stop
    choices: dict[int, int] = field(default_factory=dict)
    """What the seats chose at the start, as codes."""
    step: int = 0
    """The number of the entry with these choices, or with which a seat left."""
    leaver: int | None = None
    is_redeal: bool = False
    """Whether hidden things were dealt anew, and nothing else happened."""
    told: tuple[Told, ...] = ()
    """What happened, whoever may know of it."""
    listed: Mapping[int, Codes] = field(default_factory=dict)
    """The choices of the seats that had more than one."""

    @property
    def deciders(self) -> tuple[int, ...]:
        """The seats that had a choice between two things."""
        return tuple(self.listed)


def real_choices(game: Game, state: Any) -> dict[int, Codes]:
    """The choices of the seats that have more than one."""
    listed = {seat: game.legal_codes(state, seat) for seat in game.to_act(state)}
    return {seat: codes for seat, codes in listed.items() if len(codes) > 1}


def passages(match: Match) -> list[Passage]:
    """The whole race as passages, those of the line that led to its end; what was taken back is left out."""
    found = list(_walk(match))
    for passage in found:
        if passage.start is not None and passage.leaver is None and not passage.is_redeal:
            passage.listed = real_choices(match.game, passage.start.state)
    return found


def _walk(match: Match) -> Iterator[Passage]:
    entries = [seq for seq in match.line if isinstance(match.log[seq], KINDS)]
    last: Stop | None = None
    open_: Passage | None = None
    for at, seq in enumerate(entries):
        entry, moment = match.log[seq], match.moment(seq)
        stop = Stop(seq, moment.state, moment.left)
        if isinstance(entry, Resign | Forfeit):
            yield Passage(last, stop, step=seq, leaver=entry.seat)
            last = stop
            continue
        if isinstance(entry, Redeal):
            yield Passage(last, stop, step=seq, is_redeal=True)
            last = stop
            continue
        if open_ is None:
            chosen = entry.choices if isinstance(entry, Choices) else {}
            codes = {seat: match.game.parse(text).pack() for seat, text in chosen.items()}
            open_ = Passage(last, stop, codes, seq)
        open_.told += moment.events
        following = match.log[entries[at + 1]] if at + 1 < len(entries) else None
        if not isinstance(following, Choices) or real_choices(match.game, moment.state):
            open_.end = last = stop
            yield open_
            open_ = None
