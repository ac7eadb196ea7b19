"""Libraries that only some features need: imported on use, with one sentence if they are missing."""

from importlib import import_module
from typing import Any

from quadriga.core.errors import QuadrigaError


class MissingExtra(QuadrigaError, ImportError):
    """A library that is not installed; the message has the command that installs it."""


def require(module: str, extra: str) -> Any:
    """A module of another library, or one sentence on how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        missing = error.name or module
        raise MissingExtra(f'{missing} is not installed: pip install "quadriga[{extra}]"') from None
