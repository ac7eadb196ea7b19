"""An executor on a Ray cluster: the same races, on as many machines as there are."""

import logging
import os
import socket
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from types import TracebackType
from typing import Any, Self

from quadriga.arena.executors import AHEAD, NOBODY, Found, Item, ProcessExecutor, Task
from quadriga.core.bounds import whole_number
from quadriga.core.errors import InvalidOption

EACH = 2
"""Tasks under way for each core: one that runs and one that waits, so that no core does."""


KNOCK_S = 5.0


class Risked:
    """The mark of a task whose process may end with it; nobody reads it on a cluster."""

    value = NOBODY


def do(task: Any, item: Any) -> Any:
    """What a worker of the cluster is asked to do."""
    return task(item, Risked())


def _knock(address: str) -> None:
    """Try the address first: Ray itself would wait for minutes where nobody answers."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    number = whole_number(port)
    if not colon or number is None:
        return
    try:
        socket.create_connection((host, number), KNOCK_S).close()
    except (OSError, OverflowError) as error:
        raise InvalidOption(f"no Ray cluster answers at {address}: {error}") from None


class Cluster:
    """The Ray cluster at an address, or the one that Ray finds, or else one that is started on this machine."""

    def __init__(self, address: str | None = None) -> None:
        self.address = address
        if not find_spec("ray"):
            raise InvalidOption('a cluster needs Ray: pip install "quadriga[cluster]"')
        if address:
            _knock(address)

    def __enter__(self) -> Self:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics
        os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        import ray

        self.began = not ray.is_initialized()
        if self.began:
            self._connect(ray)
        self.cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        return self

    def _connect(self, ray: Any) -> None:
        paths = os.pathsep.join(path for path in sys.path if path)
        try:
            ray.init(
                self.address, log_to_driver=False, logging_level=logging.ERROR,
                runtime_env={"env_vars": {"PYTHONPATH": paths}},
            )  # fmt: skip
        except (ConnectionError, ValueError, RuntimeError) as error:
            cause = str(error).partition("\n")[0]
            raise InvalidOption(f"no Ray cluster can be reached at {self.address or 'any address'}: {cause}") from None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.began:
            import ray

            ray.shutdown()

    def run(self, task: Task[Item, Found], items: Iterable[Item]) -> Iterator[Found]:
        """As they come in; only so many are under way."""
        import ray

        worker, shared = ray.remote(max_retries=0)(do), ray.put(task)
        under_way: dict[Any, tuple[int, Item]] = {}
        numbered = enumerate(items)
        while True:
            for number, item in self._following(numbered, under_way):
                under_way[worker.remote(shared, item)] = number, item
            if not under_way:
                return
            (done,), _ = ray.wait(list(under_way), num_returns=1)
            number, item = under_way.pop(done)
            yield self._found(task, done, item)

    def _following(
        self, numbered: Iterator[tuple[int, Item]], under_way: dict[Any, tuple[int, Item]]
    ) -> Iterator[tuple[int, Item]]:
        """Items to begin now: as many as have room, but not too far ahead of the slowest."""
        while len(under_way) < EACH * self.cores:
            numbers = [number for number, _ in under_way.values()]
            if numbers and max(numbers) - min(numbers) >= AHEAD * self.cores:
                return
            following = next(numbered, None)
            if following is None:
                return
            yield following

    def _found(self, task: Task[Item, Found], done: Any, item: Item) -> Found:
        """A result; an item that took a worker down is done again on this machine, where it is seen who did it."""
        import ray

        try:
            found: Found = ray.get(done)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except ray.exceptions.WorkerCrashedError:
            with ProcessExecutor(1) as executor:
                (found,) = executor.run(task, [item])
        return found
