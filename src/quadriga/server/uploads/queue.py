"""A queue for uploads, which are checked in a few processes with limits of time and memory.

Each address has one place, and the number of places is limited. An upload without a place is refused at once.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

import msgspec

from quadriga.server.errors import Refused
from quadriga.server.settings import Settings
from quadriga.server.uploads.worker import Answer, Job, ReplayRecord, VerifyRecord, game_of
from quadriga.server.workers.pool import Worker, WorkerFailed, WorkerPool

log = logging.getLogger("quadriga.uploads")
MODULE = "quadriga.server.uploads.process"
WAIT_SECONDS = 30.0
"""How long somebody waits for a process before being told to come back later."""

_answer = msgspec.msgpack.Decoder(Answer)
_encode = msgspec.msgpack.Encoder().encode


class Uploads:
    """The queue and its workers, who are started when there is something to do."""

    def __init__(self, settings: Settings, prepare: Callable[[str], Awaitable[None]] | None = None) -> None:
        self.settings, self._prepare = settings, prepare
        self._pool = WorkerPool(settings.upload_workers, MODULE, str(settings.upload_megabytes))
        self._addresses: set[str] = set()
        """From where something waits or is being checked."""

    async def do(self, address: str, job: Job) -> bytes:
        """What a job gives, or a refusal: its own, or one of the queue."""
        if address in self._addresses:
            raise Refused("one_upload")
        if len(self._addresses) >= self.settings.uploads_waiting + self.settings.upload_workers:
            raise Refused("busy")
        self._addresses.add(address)
        try:
            await self._require_rules(job)
            answer = await self._ask(await self._take(), job)
        finally:
            self._addresses.discard(address)
        if answer.code:
            raise Refused(answer.code, **answer.params)
        return answer.body

    async def close(self) -> None:
        """End every worker."""
        await self._pool.close()

    async def _require_rules(self, job: Job) -> None:
        """Wait until the rules of a record's game are compiled: no process for uploads has the time to."""
        if self._prepare is not None and isinstance(job, VerifyRecord | ReplayRecord):
            if game := await asyncio.to_thread(game_of, job.record):
                await self._prepare(game)

    async def _take(self) -> Worker:
        self._pool.start()
        try:
            return await asyncio.wait_for(self._pool.take(), WAIT_SECONDS)
        except TimeoutError:
            raise Refused("busy") from None

    async def _ask(self, worker: Worker, job: Job) -> Answer:
        try:
            answer = _answer.decode(await worker.ask(_encode(job), self.settings.upload_seconds))
        except BaseException as error:
            await self._pool.replace(worker)
            if not isinstance(error, WorkerFailed):
                raise
            log.warning("an upload was given up", extra={"kind": type(job).__name__, "cause": str(error)})
            raise Refused("too_costly") from None
        self._pool.give_back(worker)
        return answer
