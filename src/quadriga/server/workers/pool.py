"""A process that answers questions one at a time, and a pool of them. One that stalls or dies is killed and replaced.

Questions and answers are bytes; `worker_loop` is what runs in the process.
"""

import asyncio
import contextlib
import logging
import sys

log = logging.getLogger("quadriga.workers")
WARM_SECONDS = 120.0
"""How long a process may take to start and to load what is compiled."""


class WorkerFailed(Exception):
    """A process that died or did not answer in time."""


class Worker:
    """One process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls, module: str, *arguments: str) -> "Worker":
        """A process that is warm: the first answer comes unasked."""
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-m", module, *arguments)
        # In a session of its own: Ctrl-C in a terminal is for the server, which ends its workers itself.
        process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, start_new_session=True)
        worker = cls(process)
        try:
            await asyncio.wait_for(worker._read(), WARM_SECONDS)
        except BaseException:
            await worker.kill()
            raise
        return worker

    async def ask(self, body: bytes, seconds: float) -> bytes:
        """The answer, or WorkerFailed after so many seconds."""
        try:
            return await asyncio.wait_for(self._exchange(body), seconds)
        except (TimeoutError, OSError, EOFError) as error:
            raise WorkerFailed(type(error).__name__) from None

    async def kill(self) -> None:
        """End the process, whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()

    async def _exchange(self, body: bytes) -> bytes:
        assert self.process.stdin is not None
        self.process.stdin.write(len(body).to_bytes(4, "little") + body)
        await self.process.stdin.drain()
        return await self._read()

    async def _read(self) -> bytes:
        assert self.process.stdout is not None
        head = await self.process.stdout.readexactly(4)
        return await self.process.stdout.readexactly(int.from_bytes(head, "little"))


class WorkerPool:
    """A fixed number of workers of one kind."""

    def __init__(self, size: int, module: str, *arguments: str) -> None:
        self.size, self.command = size, (module, *arguments)
        self.warm = asyncio.Event()
        self._free: asyncio.Queue[Worker] = asyncio.Queue()
        self.workers: set[Worker] = set()
        self._starting: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Start workers in the background until there are as many as there may be."""
        for _ in range(self.size - len(self.workers) - len(self._starting)):
            self._begin()

    async def take(self) -> Worker:
        """A free worker, to be given back or replaced."""
        return await self._free.get()

    def give_back(self, worker: Worker) -> None:
        """A worker that has answered is free again."""
        self._free.put_nowait(worker)

    async def replace(self, worker: Worker) -> None:
        """End a worker and start another."""
        self.workers.discard(worker)
        await worker.kill()
        self._begin()

    async def close(self) -> None:
        """End every worker."""
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        await asyncio.gather(*(worker.kill() for worker in self.workers))

    def _begin(self) -> None:
        task = asyncio.create_task(self._add())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _add(self) -> None:
        try:
            worker = await Worker.start(*self.command)
        except (OSError, EOFError, TimeoutError):
            log.exception("a worker did not start", extra={"kind": self.command[0]})
            await asyncio.sleep(1.0)
            self._begin()
            return
        self.workers.add(worker)
        self._free.put_nowait(worker)
        self.warm.set()
