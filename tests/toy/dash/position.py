"""How a position that a scenario wrote in part becomes a whole one."""

from dash.components import Tables
from dash.state import Log, Race
from dash.turn import find_ahead
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream


@kernel
def settle(race: Race, tables: Tables, stream: Stream, scratch: Log) -> None:
    find_ahead(race)
