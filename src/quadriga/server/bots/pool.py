"""Bots think in a bounded pool of worker processes.

When more bots wait than there are workers, each gets less time to think, so that nobody waits long.
"""

import logging
from collections.abc import Awaitable, Callable

import msgspec

from quadriga.server.bots.worker import Choice, Question
from quadriga.server.workers.pool import Worker, WorkerFailed, WorkerPool

log = logging.getLogger("quadriga.bots")
MODULE = "quadriga.server.bots.process"
LEAST_SECONDS = 0.02

_choice = msgspec.msgpack.Decoder(Choice)
_encode = msgspec.msgpack.Encoder().encode


class BotFailed(Exception):
    """A bot that died, stalled or broke."""


class BotPool:
    """So many workers and no more."""

    def __init__(
        self, size: int, seconds: float, limit: float, prepare: Callable[[str, str], Awaitable[None]] | None = None
    ) -> None:
        self._prepare = prepare
        self.size, self.seconds, self.limit = size, seconds, limit
        self.waiting = self.failures = self.asked = 0
        self._pool = WorkerPool(size, MODULE)
        self.warm, self.workers = self._pool.warm, self._pool.workers

    def start(self) -> None:
        """Start all workers, in the background."""
        self._pool.start()

    async def choose(self, question: Question) -> int:
        """The code of a bot's choice; BotFailed if it did not come in time."""
        return (await self.ask(question)).code

    async def ask(self, question: Question) -> Choice:
        """A bot's choice, for a hint with the rest of the drive; BotFailed if it did not come in time.

        The time begins when the bot's level has been compiled.
        """
        if self._prepare is not None:
            await self._prepare(question.game, question.level)
        self.waiting += 1
        self.asked += 1
        try:
            worker = await self._pool.take()
            question.seconds = self.budget(question.seconds)
            choice = await self._ask(worker, question)
        finally:
            self.waiting -= 1
        self._pool.give_back(worker)
        return choice

    def budget(self, seconds: float) -> float:
        """Seconds to think: what was wanted, shared among those who wait."""
        return max(LEAST_SECONDS, seconds / max(1.0, self.waiting / self.size))

    async def close(self) -> None:
        """End every worker."""
        await self._pool.close()

    async def _ask(self, worker: Worker, question: Question) -> Choice:
        try:
            return _choice.decode(await worker.ask(_encode(question), question.seconds + self.limit))
        except BaseException as error:
            await self._pool.replace(worker)
            if not isinstance(error, WorkerFailed | msgspec.DecodeError):
                raise
            self.failures += 1
            log.warning("a bot failed", extra={"level": question.level, "cause": str(error)})
            raise BotFailed(str(error)) from None
