"""What the terminal says while games are compiled."""

import sys
import time
from typing import TextIO

from quadriga.server.preparation.games import GamePreparation


class PreparationLines:
    """One line that changes on a terminal; elsewhere a line for each game that is ready."""

    def __init__(self, stream: TextIO = sys.stderr) -> None:
        self._stream = stream
        self._began: dict[str, float] = {}
        self._width = 0

    def show(self, one: GamePreparation) -> None:
        """Say how far a game is, if it must be compiled."""
        if one.process is None:
            return
        if not one.is_ready:
            self._began.setdefault(one.game, time.monotonic())
            if self._stream.isatty():
                self._write(f"Compiling {one.game}, once on this machine: {one.kind} {one.percent} %", "\r")
        elif began := self._began.pop(one.game, None):
            self._write(f"{one.game} is compiled ({time.monotonic() - began:.0f} s)", "\n")

    def _write(self, line: str, end: str) -> None:
        print(line.ljust(self._width), end=end, file=self._stream, flush=True)
        self._width = len(line) if end == "\r" else 0
