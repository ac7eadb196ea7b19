"""The colours of the seats: the six factions of the circus, each worn by one seat of a table."""

from collections.abc import Sequence
from typing import Any, get_args

from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.tables import commands as c
from quadriga.server.tables.document import Colour
from quadriga.server.tables.table import LiveTable

COLOURS: tuple[str, ...] = get_args(Colour)


def settle_colours(wanted: Sequence[str | None]) -> list[str]:
    """A colour for each seat: the one wanted, else the first that is free; "" for seats beyond the sixth."""
    chosen = [colour for colour in wanted if colour]
    if len(set(chosen)) < len(chosen):
        raise Refused("invalid_option", cause="two seats want the same colour")
    free = iter([colour for colour in COLOURS if colour not in chosen])
    return [colour or next(free, "") for colour in wanted]


def set_colour(live: LiveTable, guest: Guest | None, command: c.SetColour, now: int) -> dict[str, Any]:
    """Change the colour of one's own seat; the host also those of bots and open seats. A taken colour is swapped."""
    live.require_open()
    seat = live.seat(command.seat)
    if seat.guest is None:
        live.require_host(guest)
    else:
        live.require_mine(guest, command.seat)
    colours = list(live.doc.colours) or settle_colours([None] * len(live.doc.seats))
    if command.colour in colours:
        colours[colours.index(command.colour)] = colours[command.seat]
    colours[command.seat] = command.colour
    live.doc.colours = colours
    return {}
