"""The loop of a worker process: it reads questions and writes answers, each as a length of four bytes and a body."""

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import BinaryIO

LESS_URGENT = 10
"""The nice value of workers: serving players comes first."""


def yield_to_servers() -> None:
    """Lower the priority of this process."""
    if hasattr(os, "nice"):
        os.nice(LESS_URGENT)


def answer_all(answer: Callable[[bytes], bytes], warm_up: Callable[[], None]) -> None:
    """Answer until the questions end. The first answer is sent unasked, when everything is warm."""
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    end_with_parent()
    sys.stdout = sys.stderr  # whatever is printed must not get between the answers
    warm_up()
    with contextlib.suppress(BrokenPipeError):  # the server has ended
        _write(answers, b"")
        while (body := _read(questions)) is not None:
            _write(answers, answer(body))


def _read(stream: BinaryIO) -> bytes | None:
    head = stream.read(4)
    return stream.read(int.from_bytes(head, "little")) if len(head) == 4 else None


def _write(stream: BinaryIO, body: bytes) -> None:
    stream.write(len(body).to_bytes(4, "little") + body)
    stream.flush()


def end_with_parent() -> None:
    """End when the server is gone, however it went: a worker may be busy or compiling then."""
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)
