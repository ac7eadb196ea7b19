"""Moments that decided a race: the choices and random events that moved somebody's chance most."""

from collections.abc import Iterator
from dataclasses import dataclass

from quadriga.analysis.results import Analysis

MOST = 6


@dataclass(frozen=True)
class Moment:
    """A choice or a random event, and the seat whose chance it moved most."""

    step: int
    seat: int
    choice: str | None
    """The choice that did it; None: chance."""
    change: float


def decisive_moments(analysis: Analysis, most: int = MOST) -> list[Moment]:
    """The largest changes of a chance to win, in the order of the race."""
    found = sorted(_moments(analysis), key=lambda moment: (-abs(moment.change), moment.step, moment.seat))[:most]
    return sorted(found, key=lambda moment: (moment.step, moment.choice is None))


def _moments(analysis: Analysis) -> Iterator[Moment]:
    for decision in analysis.decisions:
        yield Moment(decision.step, decision.seat, decision.choice, decision.skill)
    for event in analysis.chance_events:
        seat = max(range(len(event.luck)), key=lambda seat: abs(event.luck[seat]))
        yield Moment(event.step, seat, None, event.luck[seat])
