"""Why a choice is not allowed."""

from dash.actions import DO_RISE, GO_PACE
from dash.components import Tables
from dash.events import LYING, NOT_DOWN, TOO_FAST
from dash.state import OATS, Log, Race
from quadriga.core.kernel import kernel
from quadriga.core.messages import kind_of, part


@kernel
def refusal(race: Race, tables: Tables, seat: int, code: int, why: Log, scratch: Log) -> int:
    if kind_of(code) == DO_RISE:
        return 0 if race.down[seat] else NOT_DOWN
    why[0] = seat
    if race.down[seat]:
        return LYING
    why[0] = part(code, GO_PACE)
    why[1] = 3 if race.hand[seat] == OATS else 2
    return TOO_FAST if why[0] > why[1] or why[0] == 0 else 0
