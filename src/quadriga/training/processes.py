"""Work of training in processes of its own."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any


def in_processes(work: Callable[[Any], Any], tasks: Sequence[Any], jobs: int) -> Iterator[Any]:
    """What tasks bring, in their order; in so many processes (0: one for each core)."""
    jobs = min(jobs or os.cpu_count() or 1, len(tasks))
    if jobs == 1:
        yield from map(work, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(work, tasks)
