"""Analyses of finished races: a bounded queue, one process at the lowest priority, results in the database."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from quadriga.server.analysis.worker import AnalyseRecord, Answer, Progress
from quadriga.server.database import analysis_rows
from quadriga.server.database.store import Store
from quadriga.server.errors import Refused
from quadriga.server.logs import mark
from quadriga.server.settings import Settings
from quadriga.server.workers.pool import Worker, WorkerFailed, WorkerPool

log = logging.getLogger("quadriga.analysis")
MODULE = "quadriga.server.analysis.process"
NICENESS = 19
QUEUED, RUNNING, DONE, FAILED, NONE = "queued", "running", "done", "failed", "none"
MOST_FAILED = 1000
"""Failed analyses that are remembered."""

_part = msgspec.msgpack.Decoder(Progress | Answer)
_encode = msgspec.msgpack.Encoder().encode


@dataclass
class Job:
    """An analysis that waits or is made."""

    question: AnalyseRecord
    state: str = QUEUED
    progress: float = 0.0


class Analyses:
    """The queue, and the process that works it off, which is started when there is something to do."""

    def __init__(self, settings: Settings, store: Store, now: Callable[[], int]) -> None:
        self.settings, self.store, self._now = settings, store, now
        self._pool = WorkerPool(1, MODULE, str(NICENESS))
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._failed: OrderedDict[str, None] = OrderedDict()
        self._task: asyncio.Task[None] | None = None

    async def find(self, table: str) -> bytes | None:
        """The analysis of a table as JSON, if there is one."""
        return await self.store.read(partial(analysis_rows.read, table=table))

    def add(self, table: str, record: str) -> None:
        """Queue the analysis of a finished race, unless it is there; refused if too many wait."""
        if table in self._jobs:
            return
        if len(self._jobs) > self.settings.analyses_waiting:
            raise Refused("many_analyses")
        self._failed.pop(table, None)
        self._jobs[table] = Job(AnalyseRecord(record, self.settings.analysis_depth, self.settings.analysis_threads))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work())

    def status(self, table: str) -> dict[str, Any]:
        """How far an analysis is that is not there yet."""
        job = self._jobs.get(table)
        if job is None:
            return {"state": FAILED if table in self._failed else NONE}
        ahead = list(self._jobs).index(table)
        return {"state": job.state, "progress": job.progress, "ahead": ahead}

    async def close(self) -> None:
        """Stop; what was not finished can be asked for again."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._pool.close()

    async def _work(self) -> None:
        self._pool.start()
        while self._jobs:
            table, job = next(iter(self._jobs.items()))
            try:
                await self._analyse(table, job)
            except asyncio.CancelledError:
                raise
            except Exception as error:
                log.warning("no analysis", extra={"table": mark(table), "cause": str(error) or type(error).__name__})
                self._failed[table] = None
                if len(self._failed) > MOST_FAILED:
                    self._failed.popitem(last=False)
            finally:
                self._jobs.pop(table, None)

    async def _analyse(self, table: str, job: Job) -> None:
        worker = await self._pool.take()
        job.state = RUNNING
        try:
            answer = await self._ask(worker, job)
        except BaseException:
            await self._pool.replace(worker)
            raise
        self._pool.give_back(worker)
        if answer.code:
            raise WorkerFailed(answer.code)
        await self.store.write(partial(analysis_rows.write, table=table, made=self._now(), body=answer.body))

    async def _ask(self, worker: Worker, job: Job) -> Answer:
        def is_progress(body: bytes) -> bool:
            part = _part.decode(body)
            if isinstance(part, Progress):
                job.progress = round(part.done / max(1, part.total), 3)
            return isinstance(part, Progress)

        answer = _part.decode(await worker.ask(_encode(job.question), self.settings.analysis_seconds, is_progress))
        assert isinstance(answer, Answer)
        return answer
