"""Makes the bots of a table choose at the table's pace, and replaces a bot that fails."""

import asyncio
import logging
from typing import Any

from quadriga.core.errors import QuadrigaError
from quadriga.core.messages import Action
from quadriga.server.bots.pool import BotFailed, BotPool
from quadriga.server.bots.requests import question_of
from quadriga.server.bots.worker import Question
from quadriga.server.errors import Refused
from quadriga.server.logs import mark
from quadriga.server.tables import race
from quadriga.server.tables.document import PERSON
from quadriga.server.tables.execution import CommandExecutor
from quadriga.server.tables.table import SIMPLEST, LiveTable

log = logging.getLogger("quadriga.bots")


class Turns:
    """What each bot of a table has thought in the turn it is in: choices in a row, with nothing between them."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._spent: dict[int, tuple[int, float]] = {}

    def share(self, seat: int, seq: int, alone: bool) -> float:
        """Seconds for the choice that answers entry `seq`: half of what the turn has left, for more may follow;
        all of it where several choose at once."""
        last, spent = self._spent.get(seat, (seq, 0.0))
        left = self.seconds - spent if last == seq else self.seconds
        return left / 2 if alone else left

    def note(self, seat: int, seq: int, seconds: float) -> None:
        """The choice that answers entry `seq` took so long."""
        last, spent = self._spent.get(seat, (seq, 0.0))
        self._spent[seat] = (seq + 1, seconds + (spent if last == seq else 0.0))


class BotDriver:
    """One task for each table whose bots are to move."""

    def __init__(self, executor: CommandExecutor, pool: BotPool) -> None:
        self.executor, self.pool = executor, pool
        self._tasks: dict[str, asyncio.Task[None]] = {}
        executor.on_bots = self.wake
        executor.registry.busy_checks.append(lambda live: self.is_at_work(live.doc.id))

    def wake(self, live: LiveTable) -> None:
        """Start the task of a table's bots, unless it runs already."""
        table = live.doc.id
        if not self.is_at_work(table):
            task = self._tasks[table] = asyncio.create_task(self._drive(live))
            task.add_done_callback(lambda done: self._finished(table, done))

    def is_at_work(self, table: str) -> bool:
        """Whether the task of a table's bots is running."""
        task = self._tasks.get(table)
        return task is not None and not task.done()

    def _finished(self, table: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(table) is task:
            del self._tasks[table]

    async def close(self) -> None:
        """Stop all tasks. A choice that was not committed is made again after the next start."""
        for task in list(self._tasks.values()):
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _drive(self, live: LiveTable) -> None:
        turns = Turns(self.pool.seconds)
        try:
            while seats := live.bots_waiting():
                await self._wait_for_pace(live)
                await self._move(live, seats, turns)
        except Refused as error:
            log.warning("bots did not move", extra={"table": mark(live.doc.id), "cause": error.code})
        except Exception:
            log.exception("bots did not move", extra={"table": mark(live.doc.id)})

    async def _wait_for_pace(self, live: LiveTable) -> None:
        pause = live.doc.last_at + live.doc.settings.pace_ms - self.executor.registry.now()
        if pause > 0:
            await asyncio.sleep(pause / 1000)

    async def _move(self, live: LiveTable, seats: list[int], turns: Turns) -> None:
        async with live.lock:
            if live.match is None or seats != live.bots_waiting():
                return
            seq, alone = live.match.seq, len(live.match.to_act()) == 1
            questions = {seat: self._question(live, seat, turns.share(seat, seq, alone)) for seat in seats}
        answers = await asyncio.gather(*(self._ask(question) for question in questions.values()))
        for seat, question in questions.items():
            turns.note(seat, seq, question.seconds if len(question.choices) > 1 else 0.0)
        choices = dict(zip(questions, answers, strict=True))
        await self.executor.change(live, lambda now: self._choose(live, seq, choices, now))

    def _question(self, live: LiveTable, seat: int, seconds: float) -> Question:
        return question_of(live, seat, live.doc.seats[seat].kind, live.bot_seed(seat), seconds)

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
                race.make_choice(live, seat, action, now)
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
        """Replace a bot by a simpler one and log it; the simplest takes the first choice."""
        assert live.match is not None
        if live.doc.seats[seat].kind == SIMPLEST:
            race.make_choice(live, seat, live.match.legal_actions(seat)[0], now)
        else:
            live.let_bot_sit(seat, SIMPLEST)
