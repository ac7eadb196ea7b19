"""Who owes a choice, the list of choices, and random play."""

from dash.actions import DO_GO, DO_RISE, GO_PACE
from dash.components import Tables
from dash.standings import over
from dash.state import OATS, Log, Race
from quadriga.core.kernel import kernel
from quadriga.core.messages import put
from quadriga.core.streams import Stream, draw


@kernel
def owing(race: Race) -> int:
    if over(race):
        return 0
    fallen = 0
    for runner in range(race.seats):
        fallen |= int(race.down[runner]) << runner
    return fallen if fallen else (1 << race.seats) - 1


@kernel
def legal(race: Race, tables: Tables, seat: int, out: Log, scratch: Log) -> int:
    if owing(race) >> seat & 1 == 0:
        return 0
    if race.down[seat]:
        out[0] = DO_RISE
        return 1
    paces = 3 if race.hand[seat] == OATS else 2
    for pace in range(1, paces + 1):
        out[pace - 1] = DO_GO | put(GO_PACE, pace)
    return paces


@kernel
def pick_random(race: Race, tables: Tables, seat: int, codes: Log, n: int, stream: Stream) -> int:
    return draw(stream, n)
