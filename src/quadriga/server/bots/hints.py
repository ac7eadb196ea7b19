"""Hints: what the best bot would choose in a person's place, judged by nothing but that person's view."""

from typing import Any

from quadriga.bots import LEVELS
from quadriga.core import codec
from quadriga.server.bots.pool import BotFailed, BotPool
from quadriga.server.bots.requests import question_of
from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused
from quadriga.server.tables import commands as c
from quadriga.server.tables.agreement import is_alone
from quadriga.server.tables.table import LiveTable

BEST = list(LEVELS)[-1]


async def hint(live: LiveTable, pool: BotPool, guest: Guest | None, command: c.Hint) -> dict[str, Any]:
    """What the best bot would choose for a seat, a whole drive at once; refused where hints are not given."""
    async with live.lock:
        _require_hints(live, guest, command)
        question = question_of(live, command.seat, BEST, command.seq, pool.seconds)
        question.is_hint = True
    try:
        choice = await pool.ask(question)
    except BotFailed:
        raise Refused("no_hint") from None
    action, *then = (
        codec.message_to_json(live.game.unpack(code), live.game.names) for code in (choice.code, *choice.then)
    )
    return {"seq": command.seq, "action": action, "then": then, "level": BEST}


def _require_hints(live: LiveTable, guest: Guest | None, command: c.Hint) -> None:
    live.require_mine(guest, command.seat)
    match = live.require_running()
    allowed = {"alone": guest is not None and is_alone(live.doc, guest.id), "all": True, "none": False}
    if not allowed[live.doc.settings.hints]:
        raise Refused("no_hints")
    if command.seq != match.seq:
        raise Refused("late", seq=match.seq)
    if command.seat not in match.to_act():
        raise Refused("not_your_turn")
