"""A quick start: nothing is loaded that nothing here uses, and nothing is looked through for garbage meanwhile."""

import gc
import sys

UNUSED = ("cffi", "pydantic", "scipy.linalg")
"""Numba looks for foreign functions and SciPy's linear algebra, Litestar for Pydantic's models: half a second."""


def leave_out_unused() -> None:
    """Let later imports of them fail in this process, as where they are not installed.

    Who has one of them already keeps it: Typer reads the command line with Pydantic.
    """
    for name in UNUSED:
        sys.modules[name] = None  # type: ignore[assignment]


def start_lean() -> None:
    """To be called before a server is imported; garbage is collected from `Garbage.begin` on."""
    leave_out_unused()
    gc.disable()
