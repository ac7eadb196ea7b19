"""A bounded pool of worker processes for bots. One that stalls or dies is killed and replaced.

When more bots wait than there are workers, each gets less time to think, so that nobody waits long.
"""

import asyncio
import contextlib
import logging
import sys

import msgspec

from quadriga.server.bot_worker import Choice, Question

log = logging.getLogger("quadriga.bots")
WARM_SECONDS = 600.0
"""The first start on a machine compiles every rule."""
LEAST_SECONDS = 0.02

_choice = msgspec.msgpack.Decoder(Choice)
_encode = msgspec.msgpack.Encoder().encode


class BotFailed(Exception):
    """A bot that died, stalled or broke."""


class Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls) -> "Worker":
        """A process that is warm."""
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-m", "quadriga.server.bot_process")
        worker = cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))
        try:
            await asyncio.wait_for(worker._read(), WARM_SECONDS)
        except BaseException:
            await worker.kill()
            raise
        return worker

    async def ask(self, question: Question, limit: float) -> int:
        """The code a bot chose, or BotFailed after so many seconds."""
        assert self.process.stdin is not None
        body = _encode(question)
        try:
            self.process.stdin.write(len(body).to_bytes(4, "little") + body)
            return (await asyncio.wait_for(self._read(), limit)).code
        except (TimeoutError, OSError, EOFError, msgspec.DecodeError) as error:
            raise BotFailed(type(error).__name__) from None

    async def kill(self) -> None:
        """End the process, whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()

    async def _read(self) -> Choice:
        assert self.process.stdout is not None
        head = await self.process.stdout.readexactly(4)
        return _choice.decode(await self.process.stdout.readexactly(int.from_bytes(head, "little")))


class BotPool:
    """So many workers and no more."""

    def __init__(self, size: int, seconds: float, limit: float) -> None:
        self.size, self.seconds, self.limit = size, seconds, limit
        self.waiting = self.failures = self.asked = 0
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self._workers: set[Worker] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self.warm = asyncio.Event()

    def start(self) -> None:
        """Start all workers, in the background."""
        for _ in range(self.size):
            self._begin()

    async def choose(self, question: Question) -> int:
        """A bot's choice; BotFailed if it did not come in time."""
        self.waiting += 1
        self.asked += 1
        try:
            worker = await self._free.get()
            question.seconds = self.budget(question.seconds)
            code = await self._ask(worker, question)
        finally:
            self.waiting -= 1
        self._free.put_nowait(worker)
        return code

    def budget(self, seconds: float) -> float:
        """Seconds to think: what was wanted, shared among those who wait."""
        return max(LEAST_SECONDS, seconds / max(1.0, self.waiting / self.size))

    async def close(self) -> None:
        """End every worker."""
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        await asyncio.gather(*(worker.kill() for worker in self._workers))

    async def _ask(self, worker: Worker, question: Question) -> int:
        try:
            return await worker.ask(question, question.seconds + self.limit)
        except BaseException as error:
            if isinstance(error, BotFailed):
                self.failures += 1
                log.warning("a bot failed", extra={"level": question.level, "cause": str(error)})
            self._workers.discard(worker)
            await worker.kill()
            self._begin()
            raise

    def _begin(self) -> None:
        task = asyncio.create_task(self._add())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _add(self) -> None:
        try:
            worker = await Worker.start()
        except (OSError, EOFError, TimeoutError):
            log.exception("a bot worker did not start")
            await asyncio.sleep(1.0)
            self._begin()
            return
        self._workers.add(worker)
        self._free.put_nowait(worker)
        self.warm.set()
