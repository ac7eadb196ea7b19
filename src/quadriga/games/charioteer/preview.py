"""What each listed move would bring, for pages that know no rules.

The rules themselves carry the move out, in a race that could lie behind the seat's view, with the rivals where they are
now. So a preview knows nothing that the seat does not.
"""

from typing import Any

import numpy as np

from quadriga.core.game import Game
from quadriga.core.messages import Event, kind_of, new_log
from quadriga.core.streams import Stream, new_stream
from quadriga.games.charioteer.actions import DO_MOVE
from quadriga.games.charioteer.events import Advanced, Attacked, Entered, FanEarned, Measured, Passed, Recovered
from quadriga.games.charioteer.turn import SHIELDS, WHIPS, carry_out

NOBODY_SHIELDED = 0
MOST_EVENTS = 256
"""More than one move can tell."""


def preview(game: Game, view: Any, seat: int) -> dict[str, Any]:
    """One entry for each listed choice, in the order of the list; None for a reset."""
    stream = new_stream(np.zeros(8, np.uint32), 0)
    race = game.imagine(view, stream)
    codes = game.legal_codes(race, seat).tolist()
    return {"moves": [_move(game, race, seat, code, stream) if kind_of(code) == DO_MOVE else None for code in codes]}


def _move(game: Game, race: Any, seat: int, code: int, stream: Stream) -> dict[str, Any]:
    """What one move comes to."""
    tables: Any = game.tables
    after, log, scratch = race.copy(), new_log(MOST_EVENTS), np.empty(game.definition.scratch, np.int64)
    carry_out(after, tables, seat, code, NOBODY_SHIELDED, stream, log, scratch)
    events = [told.event for told in game.events_of(log)]
    (sum_of,) = (event for event in events if isinstance(event, Measured))
    return {
        "symbols": sum_of.symbols,
        "number": sum_of.number,
        "token": sum_of.token,
        "skill": sum_of.skill,
        "damage": sum_of.damage,
        "distance": sum_of.distance,
        "progress": _driven(events, int(race.progress[seat])),
        "whipped": int(after.progress[seat]),
        "passes": sum(isinstance(event, Passed) for event in events),
        "recovered": sum(event.cubes for event in events if isinstance(event, Recovered)),
        "cubes": max((event.cubes for event in events if isinstance(event, Attacked)), default=0),
        "steps": sum(event.steps for event in events if isinstance(event, Advanced)),
        "fan": any(isinstance(event, FanEarned) for event in events),
        "shield": bool(scratch[SHIELDS]),
        "whips": int(scratch[WHIPS]),
    }


def _driven(events: list[Event], start: int) -> int:
    """The progress after the regular move, before the whip."""
    return next((e.progress for e in reversed(events) if isinstance(e, Entered) and not e.whip), start)
