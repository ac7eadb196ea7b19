"""What environments need beside Quadriga itself."""

from importlib import import_module
from typing import Any

from quadriga.core.errors import QuadrigaError


class MissingExtra(QuadrigaError, ImportError):
    """A library that is not installed: says how to get it."""


def require(module: str, extra: str) -> Any:
    """A module of another library, or one sentence on how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(f"{error.name or module} is not installed: install quadriga[{extra}]") from None
