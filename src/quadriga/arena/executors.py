"""Executors of many races: this process, several processes of this machine, or a cluster (`arena/cluster.py`).

A task is called with one item after another and gives a result for each. If a process dies, only its
item is lost: the task says what is to be played in its place.
"""

import faulthandler
import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

Item = TypeVar("Item")
Found = TypeVar("Found")
Found_co = TypeVar("Found_co", covariant=True)

AHEAD = 32
"""Items that may be begun beyond the oldest that is not finished, for each process: bounds what waits in memory."""
NOBODY = -1


class Mark(Protocol):
    """Where a task writes what it is about, so that it is known if its process dies."""

    value: int


class Task(Protocol[Item, Found_co]):
    """What is done with each item."""

    def __call__(self, item: Item, mark: Mark | None, /) -> Found_co:
        """The result of an item; without a mark the process is not to be risked."""

    def after_loss(self, item: Item, mark: int, /) -> Item:
        """What is to be done in place of an item whose process died; the mark is as the task left it."""


class Executor(Protocol):
    """Calls a task with many items."""

    def run(self, task: Task[Item, Found], items: Iterable[Item]) -> Iterator[Found]:
        """The results, as they come in."""

    def __enter__(self) -> Self: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """End all processes."""


class SerialExecutor:
    """Calls the task in this process."""

    def run(self, task: Task[Item, Found], items: Iterable[Item]) -> Iterator[Found]:
        """One after the other."""
        return (task(item, None) for item in items)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass


class WorkerProcess:
    """A process that does one item at a time."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.mark = context.RawValue("i", NOBODY)
        self.pipe, far = context.Pipe()
        self.process = context.Process(target=_serve, args=(far, self.mark), daemon=True)
        self.process.start()
        far.close()

    def give(self, task: Any, item: Any) -> None:
        """Begin an item."""
        self.mark.value = NOBODY
        self.pipe.send((task, item))

    def take(self) -> Any:
        """The result; EOFError if the process died of it."""
        found, error = self.pipe.recv()
        if error is not None:
            raise error
        return found

    def stop(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _serve(pipe: Connection, mark: Any) -> None:
    """The loop of a worker process; it ends when the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            task, item = pipe.recv()
        except EOFError:
            return
        try:
            told: tuple[Any, Exception | None] = (task(item, mark), None)
        except Exception as error:  # raised again by `take`
            told = (None, error)
        try:
            pipe.send(told)
        except BrokenPipeError:
            return


class ProcessExecutor:
    """Several processes of this machine; each is started when it is first needed."""

    def __init__(self, jobs: int) -> None:
        self.jobs, self.begun = jobs, 0
        self.idle: list[WorkerProcess] = []
        self.busy: dict[Connection, tuple[WorkerProcess, int, Any]] = {}

    def run(self, task: Task[Item, Found], items: Iterable[Item]) -> Iterator[Found]:
        """As they come in."""
        numbered = enumerate(items)
        self.begun = 0
        self._begin(task, numbered)
        while self.busy:
            for pipe in wait(list(self.busy)):
                worker, number, item = self.busy.pop(pipe)  # type: ignore[call-overload]
                try:
                    found = worker.take()
                except (EOFError, ConnectionResetError):
                    mark = worker.mark.value
                    worker.stop()
                    self._give(self._idle_worker(), task, number, task.after_loss(item, mark))
                    continue
                self.idle.append(worker)
                self._begin(task, numbered)
                yield found

    def _begin(self, task: Task[Item, Found], numbered: Iterator[tuple[int, Item]]) -> None:
        """Give items to idle workers, but not too far ahead of the slowest."""
        while len(self.busy) < self.jobs:
            oldest = min((number for _, number, _ in self.busy.values()), default=self.begun)
            following = next(numbered, None) if self.begun - oldest < AHEAD * self.jobs else None
            if following is None:
                return
            self.begun += 1
            self._give(self._idle_worker(), task, *following)

    def _idle_worker(self) -> WorkerProcess:
        return self.idle.pop() if self.idle else WorkerProcess()

    def _give(self, worker: WorkerProcess, task: Any, number: int, item: Any) -> None:
        worker.give(task, item)
        self.busy[worker.pipe] = worker, number, item

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for worker in [*self.idle, *(worker for worker, _, _ in self.busy.values())]:
            worker.stop()


@contextmanager
def hard_time_limit(seconds: float) -> Iterator[None]:
    """End this process if what runs takes longer, even where Python itself cannot interrupt it."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


class Numbered:
    """A task whose results bear the numbers of their items."""

    def __init__(self, task: Any) -> None:
        self.task = task

    def __call__(self, item: tuple[int, Any], mark: Mark | None) -> tuple[int, Any]:
        """The result of an item."""
        return item[0], self.task(item[1], mark)

    def after_loss(self, item: tuple[int, Any], mark: int) -> tuple[int, Any]:
        """What is to be done in place of an item."""
        return item[0], self.task.after_loss(item[1], mark)


def in_order(executor: Executor, task: Task[Item, Found], items: Iterable[Item]) -> Iterator[Found]:
    """The results in the order of the items; no more wait for their turn than may be begun ahead."""
    early: dict[int, Found] = {}
    following = 0
    for number, result in executor.run(Numbered(task), enumerate(items)):
        early[number] = result
        while following in early:
            yield early.pop(following)
            following += 1
