"""Hints and the coach: what playouts from a person's own view say of the choices, in races against bots."""

from typing import Any

from quadriga.analysis.results import Grade
from quadriga.bots import LEVELS
from quadriga.core import codec
from quadriga.core.errors import QuadrigaError
from quadriga.core.match import Moment
from quadriga.server.analysis.advisers import Advisers
from quadriga.server.analysis.worker import AdviseSeat, EvaluateView
from quadriga.server.bots.pool import BotFailed, BotPool
from quadriga.server.bots.requests import question_of
from quadriga.server.bots.worker import Question
from quadriga.server.database.guests import Guest
from quadriga.server.errors import Refused, refused
from quadriga.server.tables import commands as c
from quadriga.server.tables.agreement import is_alone
from quadriga.server.tables.coaching import note_advice
from quadriga.server.tables.table import LiveTable

COSTLY = (Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)
"""Grades of choices whose cost counts."""
BEST = list(LEVELS)[-1]
"""The level whose network and playouts give the advice."""


def require_helpable(live: LiveTable, guest: str | None) -> None:
    """Refuse help in a race in which another person takes part, and at tables without hints."""
    if live.doc.settings.hints == "none":
        raise Refused("no_hints")
    if not (is_alone(live.doc, guest) if guest is not None else not live.doc.took_part()):
        raise Refused("no_hints")


async def hint(
    live: LiveTable, advisers: Advisers, pool: BotPool, guest: Guest | None, command: c.Hint
) -> dict[str, Any]:
    """The best choice for a seat, a whole drive at once, with the chances and the reasons.

    While no adviser is warm, it is the best bot's choice, without reasons.
    """
    async with live.lock:
        _require_turn(live, guest, command.seat, command.seq)
        _require_hints(live, guest)
        question = advice_question(live, command.seat, None)
        for_bot = question_of(live, command.seat, BEST, command.seq, pool.seconds)
        for_bot.is_hint = True
    told: dict[str, Any] = {"candidates": [], "reasons": [], "why": {}}
    if advisers.start():
        found = await advisers.ask(question)
        told = {name: found[name] for name in told}
        for_bot.choices = [live.game.parse(found["candidates"][0]["choice"]).pack()]
    action, *then = await _drive(live, pool, for_bot)
    return {"seq": command.seq, "action": action, "then": then, "level": BEST} | told


async def _drive(live: LiveTable, pool: BotPool, question: Question) -> list[dict[str, Any]]:
    """What a bot chooses, and what completes the drive that it begins."""
    try:
        choice = await pool.ask(question)
    except BotFailed:
        raise Refused("no_hint") from None
    return [codec.message_to_json(live.game.unpack(code), live.game.names) for code in (choice.code, *choice.then)]


async def coach(
    live: LiveTable, advisers: Advisers, pool: BotPool, guest: Guest | None, command: c.Coach
) -> dict[str, Any]:
    """What a choice costs that is not made yet, and what would be better; whether that is worth a warning."""
    async with live.lock:
        _require_turn(live, guest, command.seat, command.seq)
        require_helpable(live, guest.id if guest else None)
        assert live.match is not None
        action = live.action(command.action)
        try:
            live.game.require_one(live.match.state, command.seat, action)
        except QuadrigaError as error:
            raise refused(error) from None
        choice = live.game.describe(action)
        question = advice_question(live, command.seat, choice)
        for_bot = question_of(live, command.seat, BEST, command.seq, pool.seconds)
    found = await advisers.ask(question)
    warns = found["grade"] in COSTLY and found["cost"] >= command.share
    note_advice(live, command.seat, command.seq, choice, found["cost"], warns)
    then: list[dict[str, Any]] = []
    if warns:
        for_bot.is_hint, for_bot.choices = True, [live.game.parse(found["candidates"][0]["choice"]).pack()]
        _, *then = await _drive(live, pool, for_bot)
    return {"seq": command.seq, "warns": warns, "then": then} | found


def _require_turn(live: LiveTable, guest: Guest | None, seat: int, seq: int) -> None:
    live.require_mine(guest, seat)
    match = live.require_running()
    if seq != match.seq:
        raise Refused("late", seq=match.seq)
    if seat not in match.to_act():
        raise Refused("not_your_turn")


def _require_hints(live: LiveTable, guest: Guest | None) -> None:
    allowed = {"alone": guest is not None and is_alone(live.doc, guest.id), "all": True, "none": False}
    if not allowed[live.doc.settings.hints]:
        raise Refused("no_hints")


def advice_question(live: LiveTable, seat: int, choice: str | None) -> AdviseSeat:
    """A seat's view, and who left the race, which all know. The seed is no secret of the race."""
    match = live.match
    assert match is not None
    left = [(gone.seat, gone.reason) for gone in match.left]
    view = match.view(seat).tobytes()
    return AdviseSeat(live.doc.game, live.edition, seat, view, left, choice, match.seq)


def evaluation_question(live: LiveTable, moment: Moment, seat: int | None) -> EvaluateView:
    """The view of a seat (None: a spectator), and who left the race."""
    left = [(gone.seat, gone.reason) for gone in moment.left]
    return EvaluateView(live.doc.game, live.edition, live.game.view(moment.state, seat).tobytes(), left, 0)
