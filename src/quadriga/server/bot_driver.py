"""Lets the bots of a table choose: asks the pool, at the table's pace, and replaces a bot that fails."""

import asyncio
import logging
from typing import Any

from quadriga.core.errors import QuadrigaError
from quadriga.core.messages import Action
from quadriga.server import racing
from quadriga.server.bot_pool import BotFailed, BotPool
from quadriga.server.bot_worker import Question
from quadriga.server.clocks import now_ms
from quadriga.server.documents import PERSON
from quadriga.server.hippodrome import Hippodrome
from quadriga.server.live import SIMPLEST, LiveTable
from quadriga.server.refused import Refused

log = logging.getLogger("quadriga.bots")


class BotDriver:
    """One task for each table whose bots are to move."""

    def __init__(self, hippodrome: Hippodrome, pool: BotPool) -> None:
        self.hippodrome, self.pool = hippodrome, pool
        self._tasks: dict[str, asyncio.Task[None]] = {}
        hippodrome.on_bots = self.wake

    def wake(self, live: LiveTable) -> None:
        """See to the bots of a table, unless somebody does already."""
        table = live.doc.id
        if table not in self._tasks:
            task = self._tasks[table] = asyncio.create_task(self._drive(live))
            task.add_done_callback(lambda _: self._tasks.pop(table, None))

    async def close(self) -> None:
        """Stop; what was not committed will be chosen again."""
        for task in list(self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _drive(self, live: LiveTable) -> None:
        try:
            while seats := live.bots_waiting():
                await self._wait_for_pace(live)
                await self._move(live, seats)
        except Refused as error:
            log.warning("bots did not move", extra={"table": live.doc.id, "cause": error.code})
        except Exception:
            log.exception("bots did not move", extra={"table": live.doc.id})

    async def _wait_for_pace(self, live: LiveTable) -> None:
        pause = live.doc.last_at + live.doc.settings.pace_ms - now_ms()
        if pause > 0:
            await asyncio.sleep(pause / 1000)

    async def _move(self, live: LiveTable, seats: list[int]) -> None:
        async with live.lock:
            if live.match is None or seats != live.bots_waiting():
                return
            seq = live.match.seq
            questions = {seat: self._question(live, seat) for seat in seats}
        answers = await asyncio.gather(*(self._ask(question) for question in questions.values()))
        choices = dict(zip(questions, answers, strict=True))
        await self.hippodrome.change(live, lambda now: self._choose(live, seq, choices, now))

    def _question(self, live: LiveTable, seat: int) -> Question:
        match = live.match
        assert match is not None
        codes = [int(code) for code in live.game.legal_codes(match.state, seat)]
        level, view = live.doc.seats[seat].kind, match.view(seat).tobytes()
        return Question(live.doc.game, live.edition, level, live.bot_seed(seat), seat, 0.0, view, codes)

    async def _ask(self, question: Question) -> int | None:
        """The code chosen; None if the bot failed."""
        if len(question.choices) == 1:
            return question.choices[0]
        try:
            return await self.pool.choose(question)
        except BotFailed:
            return None

    def _choose(self, live: LiveTable, seq: int, choices: dict[int, int | None], now: int) -> dict[str, Any]:
        """Make the choices, if the race still stands where the bots were asked."""
        match = live.require_running()
        for seat, code in choices.items():
            if match.seq != seq or seat not in match.waiting_for() or live.doc.seats[seat].kind == PERSON:
                continue
            action = self._legal(live, seat, code)
            if action is not None:
                racing.make_choice(live, seat, action, now)
            else:
                self._replace(live, seat, now)
                seq = match.seq
        return {}

    def _legal(self, live: LiveTable, seat: int, code: int | None) -> Action | None:
        assert live.match is not None
        if code is None:
            return None
        try:
            action = live.game.unpack(code)
            return None if live.game.refusal(live.match.state, seat, action) else action
        except QuadrigaError:
            return None

    def _replace(self, live: LiveTable, seat: int, now: int) -> None:
        """The log says that somebody simpler goes on; one that is the simplest takes the first choice."""
        assert live.match is not None
        if live.doc.seats[seat].kind == SIMPLEST:
            racing.make_choice(live, seat, live.match.legal_actions(seat)[0], now)
        else:
            live.let_bot_sit(seat, SIMPLEST)
