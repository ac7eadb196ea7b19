"""A server that dies is there again at once.

A keeper holds the door, that is the socket people knock at, and everything that takes long to load; a child that is
forked from it serves. When a child dies, however it does, the next one takes its place: who knocked meanwhile has been
waiting at the door. Child and keeper are joined by a line, so that each notices when the other is gone.
"""

import contextlib
import gc
import logging
import os
import signal
import socket as sockets
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

log = logging.getLogger("quadriga.keeper")
CAN_KEEP = sys.platform == "linux"
"""Elsewhere a process cannot be forked, or not safely."""
SERVES, READY = b"s", b"r"
"""What a child reports: people are let in; everything is loaded, and compiled if it was not before."""
SIGNALS = (signal.SIGTERM, signal.SIGINT)
KILLED = 128
"""To this a shell adds the number of the signal that ended a process."""
SHORT_SECONDS = 1.0
"""Who dies sooner than this is replaced after as long, lest the machine does nothing else."""

Report = Callable[[bytes], None]
Serve = Callable[[Report, bool], None]
"""Serves until told to stop, reports how far it is, and knows whether it is the first to serve."""


class Keeper:
    """The process that stays."""

    def __init__(self, serve: Serve, load: Callable[[], None]) -> None:
        self._serve, self._load = serve, load
        self._child = 0
        """The process that serves, if there is one now."""
        self._told_to_stop = 0
        """By which signal."""
        self._has_served = self._has_loaded = False

    def keep(self) -> None:
        """Let child after child serve, until one ends well or we are told to stop. Children return from here, too."""
        while self._child_serves():
            began = time.monotonic()
            code = self._watch()
            if code == 0 or self._told_to_stop or not self._has_served:
                _end_like(code)
            log.warning("the server died and is started again", extra={"code": code})
            time.sleep(max(0.0, SHORT_SECONDS - (time.monotonic() - began)))
            if self._told_to_stop:
                _end_like(-self._told_to_stop)

    def _child_serves(self) -> bool:
        """Fork: False in a child, after it has served."""
        ours, theirs = sockets.socketpair()
        for number in SIGNALS:
            signal.signal(number, self._stop)
        self._child = os.fork()
        if self._child:
            theirs.close()
            self._line = ours
            self._pass_on()
            return True
        ours.close()
        for number in SIGNALS:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        os.setpgid(0, 0)  # what is typed at the terminal goes to the keeper, which passes it on
        threading.Thread(target=_die_with_keeper, args=(theirs,), daemon=True).start()
        self._serve(theirs.sendall, not self._has_served)
        return False

    def _watch(self) -> int:
        """Follow what a child reports until it is gone: its exit code, or the signal that ended it, below zero."""
        with self._line:
            while word := self._line.recv(1):
                self._has_served |= word == SERVES
                if word == READY and not self._has_loaded:
                    self._load_all()
        child, self._child = self._child, 0
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    def _load_all(self) -> None:
        """What the next children will need; without it they would only be slower."""
        self._has_loaded = True
        try:
            self._load()
        except Exception:
            log.exception("the keeper could not load the rules")
        gc.collect()
        gc.freeze()

    def _stop(self, number: int, frame: Any) -> None:
        self._told_to_stop = number
        self._pass_on()

    def _pass_on(self) -> None:
        if self._child and self._told_to_stop:
            os.kill(self._child, self._told_to_stop)


def _die_with_keeper(line: sockets.socket) -> None:
    """Nothing that a child has acknowledged is lost by it; a new program must find the door free."""
    with contextlib.suppress(OSError):  # raised if the keeper died before it read a report
        line.recv(1)
    os._exit(1)


def _end_like(code: int) -> None:
    """End as the child did: with its code, or by its signal if that was one to stop."""
    if -code in SIGNALS:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    sys.exit(code if code >= 0 else KILLED - code)
