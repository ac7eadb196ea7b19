"""What a seat sees, and a race that could lie behind it."""

from typing import Annotated

from dash.components import Tables
from dash.state import RUNNERS, Log, Public, Race
from quadriga.core.fields import I8, In
from quadriga.core.kernel import kernel
from quadriga.core.streams import Stream, draw


class View(Public):
    """What one seat sees."""

    me: Annotated[I8, In("seat"), "who looks, none for a spectator"]
    card: Annotated[I8, In("card"), "one's own card"]


@kernel
def observe(race: Race, tables: Tables, seat: int, view: View) -> None:
    view.seats = race.seats
    view.laps = race.laps
    view.muddy = race.muddy
    view.wind = race.wind
    view.rounds = race.rounds
    view.ahead = race.ahead
    for runner in range(RUNNERS):
        view.square[runner] = race.square[runner]
        view.lap[runner] = race.lap[runner]
        view.down[runner] = race.down[runner]
        for k in range(2):
            view.trail[runner, k] = race.trail[runner, k]
    view.me = seat
    view.card = race.hand[seat] if seat >= 0 else -1


@kernel
def imagine(view: View, tables: Tables, stream: Stream, race: Race, scratch: Log) -> None:
    race.seats = view.seats
    race.laps = view.laps
    race.muddy = view.muddy
    race.wind = view.wind
    race.rounds = view.rounds
    race.ahead = view.ahead
    for runner in range(RUNNERS):
        race.square[runner] = view.square[runner]
        race.lap[runner] = view.lap[runner]
        race.down[runner] = view.down[runner]
        for k in range(2):
            race.trail[runner, k] = view.trail[runner, k]
        race.hand[runner] = view.card if runner == view.me else draw(stream, 2)
