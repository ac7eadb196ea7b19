"""Previews: what a seat's listed choices would bring, worked out by the rules from nothing but that seat's view."""

import asyncio
from typing import Any

from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.tables import commands as c
from quadriga.server.tables.table import LiveTable


async def preview(live: LiveTable, guest: Guest | None, command: c.Preview) -> dict[str, Any]:
    """What the listed choices of a seat would bring; computed in a thread, so that nobody else waits for it."""
    async with live.lock:
        live.require_mine(guest, command.seat)
        match = live.require_running()
        if command.seq != match.seq:
            raise Refused("late", seq=match.seq)
        if command.seat not in match.to_act():
            raise Refused("not_your_turn")
        view = match.view(command.seat)
    return {"seq": command.seq, "preview": await asyncio.to_thread(live.game.preview, view, command.seat)}
