"""Positions for tests: a race set up, then changed by names."""

from typing import Any

import numpy as np

from quadriga.core import codec
from quadriga.core.game import Game
from quadriga.core.play import Player
from quadriga.core.streams import new_stream, stream_key
from quadriga.games import load

KEY = stream_key(bytes(32))
OPTIONS: list[dict[str, Any]] = [
    {},
    {"track": "A-B"},
    {"track": "B-A", "sheltered": True},
    {"track": "B-B"},
    {"alternate": True},
    {"alternate": True, "track": "B-B", "sheltered": True},
    {"pairs": False},
    {"pairs": False, "alternate": True, "limit": 2},
]
"""Every option, alone or with others."""


def options_for(seats: int) -> list[dict[str, Any]]:
    """The options that exist at a number of seats."""
    return [options for options in OPTIONS if seats <= 3 or "pairs" not in options]


def game() -> Game:
    return load("chariot_race")


def position(seats: int = 4, options: dict[str, Any] | None = None, **fields: Any) -> Any:
    """A race with some of its fields changed, as a scenario would write them."""
    chariot_race = game()
    race = chariot_race.setup(seats, options or {}, new_stream(KEY, 0)).state
    codec.fill_record(race, fields, chariot_race.names)
    settle: Any = chariot_race.kernels.settle
    settle(race, chariot_race.tables, new_stream(KEY, 0), np.empty(1, np.int64))
    return race


def random_states(seats: int, options: dict[str, Any], races: int, every: int = 7) -> list[Any]:
    """States met in random races, one in `every`."""
    player = Player(game(), seats, options)
    found = []
    for number in range(races):
        race, _ = _begin(player, number)
        for step in range(1, 2000):
            seats_to_act = game().to_act(race)
            if not seats_to_act:
                break
            if step % every == 0:
                found.append(race.copy())
            _step(player, race, number, step)
    return found


def _begin(player: Player, number: int) -> tuple[Any, Any]:
    race = player.start[0].copy()
    stream = new_stream(KEY, 1000 * number)
    game().kernels.setup(race, game().tables, stream, player.log, player.scratch)
    return race, stream


def _step(player: Player, race: Any, number: int, step: int) -> None:
    kernels, tables = game().kernels, game().tables
    stream = new_stream(KEY, 100_000 * (number + 1) + step)
    seat = game().to_act(race)[0]
    count = kernels.legal(race, tables, seat, player.out, player.scratch)
    player.codes[seat] = player.out[kernels.pick_random(race, tables, seat, player.out, count, stream)]
    kernels.apply(race, tables, player.codes, stream, player.log, player.scratch)
