"""What choices lead to."""

from dash.actions import DO_RISE, GO_PACE
from dash.choices import owing
from dash.components import FACES, SLIP, Tables
from dash.events import DREW, FINISHED, MOVED, ROSE, SLIPPED
from dash.state import SQUARES, Log, Race
from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, kind_of, part, tell
from quadriga.core.streams import Stream, draw, roll


@kernel
def apply(race: Race, tables: Tables, codes: Log, stream: Stream, log: Log, scratch: Log) -> None:
    mask = owing(race)
    for runner in range(race.seats):
        if mask >> runner & 1 and kind_of(codes[runner]) == DO_RISE:
            race.down[runner] = 0
            tell(log, ROSE, EVERYONE, runner)
        elif mask >> runner & 1:
            run(race, tables, runner, part(codes[runner], GO_PACE), stream, log)
            race.hand[runner] = draw(stream, 2)
            tell(log, DREW, runner, race.hand[runner])
    race.rounds += 1
    find_ahead(race)


@kernel
def run(race: Race, tables: Tables, runner: int, pace: int, stream: Stream, log: Log) -> None:
    face = roll(stream, FACES)
    steps = max(pace + int(tables.steps[face]) - int(race.muddy), 0)
    start = int(race.square[runner])
    race.trail[runner, 1] = race.trail[runner, 0]
    race.trail[runner, 0] = start
    race.square[runner] = (start + steps) % SQUARES
    race.lap[runner] += (start + steps) // SQUARES
    tell(log, MOVED, EVERYONE, runner, start, race.square[runner], face, steps)
    if face == SLIP:
        race.down[runner] = 1
        tell(log, SLIPPED, EVERYONE, runner, int(race.wind) == 1)
    if race.lap[runner] >= race.laps:
        tell(log, FINISHED, EVERYONE, runner, runner)


@kernel
def find_ahead(race: Race) -> None:
    race.ahead = 0
    for runner in range(1, race.seats):
        best = int(race.ahead)
        if race.lap[runner] * SQUARES + race.square[runner] > race.lap[best] * SQUARES + race.square[best]:
            race.ahead = runner
