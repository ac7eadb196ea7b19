"""What a person learns from the coach at a table: costly choices, and how often a better one was made instead."""

from quadriga.server.tables.document import Coached
from quadriga.server.tables.table import Advice, LiveTable

MOST_ASKED = 50
"""Choices of one decision of which the coach's answer is kept."""


def note_advice(live: LiveTable, seat: int, seq: int, choice: str, cost: float, is_warning: bool) -> None:
    """Keep what was said of a choice until the seat makes one."""
    known = live.advice.get(seat)
    if known is None or known.seq != seq:
        known = live.advice[seat] = Advice(seq)
    if len(known.costs) < MOST_ASKED:
        known.costs[choice] = cost
        known.warned |= {choice} if is_warning else set()


def count_choice(live: LiveTable, seat: int, seq: int, choice: str) -> None:
    """Count a choice that the coach looked at before it was made."""
    known = live.advice.pop(seat, None)
    if known is None or known.seq != seq:
        return
    counts = live.doc.coached = live.doc.coached or Coached()
    counts.looked += 1
    if not known.warned:
        return
    counts.warned += 1
    if choice not in known.warned:
        first = next(cost for text, cost in known.costs.items() if text in known.warned)
        counts.heeded += 1
        counts.saved = round(counts.saved + max(0.0, first - known.costs.get(choice, 0.0)), 6)
