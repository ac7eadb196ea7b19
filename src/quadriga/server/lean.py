"""A quick start: nothing is loaded that nothing here uses, and nothing is looked through for garbage meanwhile."""

import gc
import sys

UNUSED = ("cffi", "pydantic", "scipy.linalg")
"""Numba looks for foreign functions and SciPy's linear algebra, Litestar for Pydantic's models: half a second."""


def leave_out_unused() -> None:
    """Let later imports of them fail in this process, as where they are not installed."""
    for name in UNUSED:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]


def start_lean() -> None:
    """To be called before a server is imported; garbage is collected from `Garbage.begin` on."""
    leave_out_unused()
    gc.disable()
