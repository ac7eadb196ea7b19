"""What is noted of a race of Dash: squares run, and slips."""

from typing import Any

from dash.events import MOVED, SLIPPED
from dash.state import Log, Race
from quadriga.arena.notes import Column, Notes
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream

RUN, SLIPS = range(2)


@kernel
def note(
    races: Any, tables: Any, work: Any, codes: Log, key: Any, step: int, stream: Stream, log: Any, silence: Any,
    notes: Log, out: Log, scores: Log, scratch: Log,
) -> None:  # fmt: skip
    """One step: what its events say of each runner, who is the seat of that number."""
    for i in range(1, log[0, 0] + 1):
        if log[i, 0] == MOVED:
            notes[log[i, 2], RUN] += log[i, 6]
        elif log[i, 0] == SLIPPED:
            notes[log[i, 2], SLIPS] += 1


NOTES = Notes(
    race=Race,
    width=2,
    note=note,
    columns=(
        Column("spaces", int, lambda game, race, noted, seat: int(noted[RUN])),
        Column("damage", int, lambda game, race, noted, seat: int(noted[SLIPS])),
    ),
    stretch="rounds",
    words={"damage": ("slips", "How often a runner slipped.")},
)
