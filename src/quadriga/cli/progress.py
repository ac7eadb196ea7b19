"""How far a long command has come, and on how many cores."""

import os
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

Jobs = Annotated[int | None, typer.Option(min=1, help="Processes; one for each core if left out.")]


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def progress_bar() -> Progress:
    """A bar on standard error, so that results can be piped away."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True))


def percent(share: float) -> str:
    """A share as people read it."""
    return f"{100 * share:.1f} %"
