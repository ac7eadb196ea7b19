"""Places as the race stands, and its end."""

from dash.components import Tables
from dash.state import LIMIT, LIMIT_ROUNDS, SQUARES, WON, Log, Race
from quadriga.core.kernel import kernel


@kernel
def over(race: Race) -> int:
    for runner in range(race.seats):
        if race.lap[runner] >= race.laps:
            return WON
    return LIMIT if race.rounds >= LIMIT_ROUNDS else 0


@kernel
def standings(race: Race, tables: Tables, places: Log) -> int:
    reason = over(race)
    for seat in range(race.seats):
        places[seat] = 2 if reason == LIMIT else 1
        here = race.lap[seat] * SQUARES + race.square[seat]
        for other in range(race.seats):
            if race.lap[other] * SQUARES + race.square[other] > here:
                places[seat] += 1
    return reason
