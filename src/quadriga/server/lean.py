"""A quick start: what others load by themselves if they find it, though nothing here uses it."""

import sys

UNUSED = ("scipy.linalg", "pydantic")
"""Numba looks for SciPy's linear algebra, Litestar for Pydantic's models; together half a second."""


def leave_out_unused() -> None:
    """Let imports of them fail in this process, as where they are not installed."""
    for name in UNUSED:
        sys.modules.setdefault(name, None)  # type: ignore[arg-type]
