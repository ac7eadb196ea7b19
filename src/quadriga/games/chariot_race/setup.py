"""The set-up: the random grid, or the draft of alternate chariots and the choice of grid places (CR-1)."""

import numpy as np
from numpy.typing import NDArray

from quadriga.core.fields import NONE
from quadriga.core.kernel import kernel
from quadriga.core.messages import EVERYONE, tell
from quadriga.core.streams import Stream, draw
from quadriga.games.chariot_race.components import Tables
from quadriga.games.chariot_race.damage import Log
from quadriga.games.chariot_race.events import DRAFTED, GRIDDED, OPENED
from quadriga.games.chariot_race.rounds import begin_round, clear_turn, roll_dice
from quadriga.games.chariot_race.state import CHARIOTS, DRAFT, GRID, ROLL_DUE, SPACES, Race


@kernel
def setup(race: Race, tables: Tables, stream: Stream, log: Log, scratch: NDArray[np.int64]) -> None:
    """CR-1: from seats and options to the first choice."""
    clear_board(race, tables)
    if race.alternate == 1:
        race.opener = draw(stream, int(race.seats))
        race.phase = DRAFT
        tell(log, OPENED, EVERYONE, race.opener)
        return
    for chariot in range(chariots_in_race(race)):
        give_chariot(race, tables, chariot, chariot % int(race.seats), 0)
    fill_grid(race, tables, stream, log)
    begin_round(race, tables, log)
    if race.phase == ROLL_DUE:
        roll_dice(race, tables, stream, log)


@kernel
def clear_board(race: Race, tables: Tables) -> None:
    """Nobody on the track, all caltrops aside."""
    race.supply = tables.caltrops
    for space in range(SPACES):
        race.caltrop[space] = 0
    race.opener = NONE
    race.mover = NONE
    clear_turn(race)
    for chariot in range(CHARIOTS):
        race.drafted[chariot] = NONE
        race.owner[chariot] = NONE
        race.board[chariot] = NONE
        race.place[chariot] = NONE
        race.space[chariot] = NONE
        race.order[chariot] = NONE


@kernel
def chariots_in_race(race: Race) -> int:
    """CR-1: two for each player where pairs are driven."""
    return int(race.seats) * (2 if race.pairs == 1 else 1)


@kernel
def give_chariot(race: Race, tables: Tables, chariot: int, seat: int, board: int) -> None:
    """A chariot with its board, all clips at their start."""
    race.owner[chariot] = seat
    race.board[chariot] = board
    race.damage[chariot] = tables.start_damage[board]
    race.speed[chariot] = tables.start_speed[board]
    race.fate[chariot] = tables.start_fate[board]


@kernel
def fill_grid(race: Race, tables: Tables, stream: Stream, log: Log) -> None:
    """CR-1: place after place, a chariot drawn from those left."""
    count = chariots_in_race(race)
    for place in range(count):
        skip = draw(stream, count - place)
        for chariot in range(count):
            if race.place[chariot] == NONE:
                if skip == 0:
                    put_on_grid(race, tables, chariot, place, log)
                    break
                skip -= 1


@kernel
def put_on_grid(race: Race, tables: Tables, chariot: int, place: int, log: Log) -> None:
    race.place[chariot] = place
    race.space[chariot] = tables.grid[place]
    tell(log, GRIDDED, EVERYONE, chariot, race.owner[chariot], place, tables.grid[place])


@kernel
def drafting_seat(race: Race) -> int:
    """CR-1: clockwise for first chariots, back again for second ones."""
    seats, picks = int(race.seats), int(race.picks)
    turn = picks if picks < seats else 2 * seats - 1 - picks
    return (int(race.opener) + turn) % seats


@kernel
def gridding_chariot(race: Race) -> int:
    """CR-1: first chariots from the last drafted back, then second ones in the same way."""
    seats, picks = int(race.seats), int(race.picks)
    return int(race.drafted[seats - 1 - picks if picks < seats else 3 * seats - 1 - picks])


@kernel
def draft(race: Race, tables: Tables, chariot: int, log: Log) -> None:
    """CR-1: take an alternate chariot; its board is the one after the front side."""
    seat = drafting_seat(race)
    give_chariot(race, tables, chariot, seat, chariot + 1)
    race.drafted[race.picks] = chariot
    race.picks += 1
    tell(log, DRAFTED, EVERYONE, seat, chariot)
    if race.picks == chariots_in_race(race):
        race.picks = 0
        race.phase = GRID


@kernel
def choose_place(race: Race, tables: Tables, place: int, log: Log) -> None:
    """CR-1: any free place; when all stand the race begins."""
    put_on_grid(race, tables, gridding_chariot(race), place, log)
    race.picks += 1
    if race.picks == chariots_in_race(race):
        begin_round(race, tables, log)
