"""Advice while a race runs: a seat's view goes to a process of its own, and nothing else does."""

import asyncio
import logging
from collections import OrderedDict
from functools import partial
from typing import Any

import msgspec

from quadriga.server.analysis.worker import AdviseSeat, Answer, EvaluateView
from quadriga.server.errors import Refused
from quadriga.server.workers.pool import WorkerFailed, WorkerPool

log = logging.getLogger("quadriga.analysis")
MODULE = "quadriga.server.analysis.process"
NICENESS = 10
SECONDS = 20.0
"""That advice may take."""

_answer = msgspec.msgpack.Decoder(Answer)
_encode = msgspec.msgpack.Encoder().encode


MOST_KEPT = 500
"""Evaluations that are kept for others who ask the same."""


class Advisers:
    """Processes that advise; they are started when somebody first asks."""

    def __init__(self, size: int) -> None:
        self._pool = WorkerPool(size, MODULE, str(NICENESS))
        self._evaluations: OrderedDict[bytes, asyncio.Task[dict[str, Any]]] = OrderedDict()

    def start(self) -> bool:
        """Start the processes in the background, unless they run; whether one is warm."""
        self._pool.start()
        return self._pool.warm.is_set()

    async def ask(self, question: AdviseSeat | EvaluateView) -> dict[str, Any]:
        """The answer, or a refusal, also while no process is warm yet."""
        if not self.start():
            raise Refused("no_hint")
        worker = await self._pool.take()
        try:
            answer = _answer.decode(await worker.ask(_encode(question), SECONDS))
        except BaseException as error:
            await self._pool.replace(worker)
            if not isinstance(error, WorkerFailed | msgspec.DecodeError):
                raise
            log.warning("no advice", extra={"cause": str(error)})
            raise Refused("no_hint") from None
        self._pool.give_back(worker)
        if answer.code:
            raise Refused(answer.code, **answer.params)
        found: dict[str, Any] = msgspec.json.decode(answer.body)
        return found

    async def evaluate(self, question: EvaluateView) -> dict[str, Any]:
        """The answer to a question that many watchers ask; it is computed once."""
        key = _encode(question)
        known = self._evaluations.get(key)
        if known is None:
            known = self._evaluations[key] = asyncio.create_task(self.ask(question))
            known.add_done_callback(partial(self._keep, key))
            if len(self._evaluations) > MOST_KEPT:
                self._evaluations.popitem(last=False)
        return await asyncio.shield(known)

    def _keep(self, key: bytes, asked: "asyncio.Task[dict[str, Any]]") -> None:
        """A question that was refused may be asked again."""
        if asked.cancelled() or asked.exception() is not None:
            self._evaluations.pop(key, None)

    async def close(self) -> None:
        """End every process."""
        await self._pool.close()
