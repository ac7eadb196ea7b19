"""The set-up: a card for everybody."""

from dash.components import Tables
from dash.events import DREW
from dash.state import RUNNERS, Log, Race
from quadriga.core.kernel import kernel
from quadriga.core.messages import tell
from quadriga.core.streams import Stream, shuffle


@kernel
def setup(race: Race, tables: Tables, stream: Stream, log: Log, scratch: Log) -> None:
    for runner in range(RUNNERS):
        race.hand[runner] = runner % 2
    shuffle(stream, race.hand, RUNNERS)
    race.ahead = -1
    for runner in range(RUNNERS):
        race.trail[runner, 0] = -1
        race.trail[runner, 1] = -1
        if runner < race.seats:
            tell(log, DREW, runner, race.hand[runner])
