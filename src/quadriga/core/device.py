"""Where many races are run: on the CPU, or on a GPU."""

import os

from quadriga.core.errors import InvalidOption

DEVICES = ("cpu", "cuda")


def device_named(device: str | None) -> str:
    """The device asked for, else the one that QUADRIGA_TARGET names, else the CPU."""
    chosen = device or os.environ.get("QUADRIGA_TARGET") or DEVICES[0]
    if chosen not in DEVICES:
        raise InvalidOption(f"there is no device {chosen!r}; there are {' and '.join(DEVICES)}")
    return chosen
