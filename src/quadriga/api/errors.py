"""The errors that a program may want to catch."""

from quadriga.core.errors import (
    IllegalAction,
    InvalidAction,
    InvalidFile,
    InvalidOption,
    NotYourTurn,
    QuadrigaError,
    ReplayFailed,
)
from quadriga.core.extras import MissingExtra

__all__ = [
    "IllegalAction",
    "InvalidAction",
    "InvalidFile",
    "InvalidOption",
    "MissingExtra",
    "NotYourTurn",
    "QuadrigaError",
    "ReplayFailed",
]
