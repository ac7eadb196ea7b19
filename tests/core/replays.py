"""Replays recorded games and prints what it has seen; run by tests in processes with other settings of Numba.

With `--no-jit` or `--bounds` it makes sure first that it really runs that way.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

from quadriga import games
from quadriga.core.kernel import JIT, kernel
from quadriga.core.record import read_record, replay


@kernel
def read_at(numbers: Any, place: int) -> int:
    """Reads past the end, if told so."""
    return int(numbers[place])


def bounds_are_checked() -> bool:
    try:
        read_at(np.zeros(1, np.int64), 2)
    except IndexError:
        return True
    return False


def main(arguments: list[str]) -> None:
    assert ("--no-jit" in arguments) != JIT
    assert bounds_are_checked() == ("--bounds" in arguments or "--no-jit" in arguments)
    for path in [Path(name) for name in arguments if not name.startswith("--")]:
        match = replay(read_record(path), games.load)
        print(path.name, match.seq, match.log[-1].hash, match.result(), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
