"""How far a long command has come, and on how many cores."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from quadriga.cli.console import open_console

if TYPE_CHECKING:
    from quadriga.arena.executors import Executor

Jobs = Annotated[int | None, typer.Option(min=1, help="Processes; one for each core if left out.")]
OnCluster = Annotated[bool, typer.Option("--cluster", help="Play on a Ray cluster, or on one started here.")]
Address = Annotated[str | None, typer.Option("--address", help="The cluster's address, if Ray does not find it.")]


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def progress_bar() -> Progress:
    """A bar on standard error, so that results can be piped away; none where nobody watches."""
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    console = open_console(stderr=True)
    return Progress(
        *columns, TimeElapsedColumn(), TimeRemainingColumn(), console=console, disable=not console.is_terminal
    )


def percent(share: float) -> str:
    """A share as people read it."""
    return f"{100 * share:.1f} %"


def executor_of(bots: Sequence[str], jobs: int | None, cluster: bool, address: str | None) -> "Executor":
    """Who plays: a cluster if asked for, else as many processes as asked for."""
    from quadriga.arena.tournament import executor_for

    if not cluster and address is None:
        return executor_for(bots, jobs or cores())
    from quadriga.arena.cluster import Cluster

    return Cluster(address)
