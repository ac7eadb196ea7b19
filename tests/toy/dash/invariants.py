"""What must always hold."""

from dash.components import Tables
from dash.state import NET, OATS, SQUARES, Log, Race
from quadriga.core.kernel import kernel

INVARIANTS = ("", "on_the_track", "a_card_each")


@kernel
def check(race: Race, tables: Tables, scratch: Log) -> int:
    for runner in range(race.seats):
        if race.square[runner] < 0 or race.square[runner] >= SQUARES:
            return 1
        if race.hand[runner] != OATS and race.hand[runner] != NET:
            return 2
    return 0
