"""What is done in a process that chooses for bots: questions come in, choices go out.

Each is a length in four bytes and a msgpack body. A worker knows no table: it gets a view, a seat and the choices.
"""

import contextlib
import os
import sys
import threading
import time
from functools import lru_cache
from typing import BinaryIO

import msgspec
import numpy as np
from msgspec import Struct

from quadriga import games
from quadriga.bots import make_bot, set_budget
from quadriga.bots.warmup import bot_steps
from quadriga.core.edition import TomlFile
from quadriga.core.game import Game


class Question(Struct, array_like=True):
    """What a bot is asked."""

    game: str
    edition: str | None
    level: str
    seed: int
    seat: int
    seconds: float
    view: bytes
    choices: list[int]


class Choice(Struct, array_like=True):
    """The code of what it chose."""

    code: int


_question = msgspec.msgpack.Decoder(Question)
_encode = msgspec.msgpack.Encoder().encode


@lru_cache(maxsize=16)
def _game(name: str, edition: str | None) -> Game:
    return games.load(name, None if edition is None else TomlFile("edition", edition))


def answer(question: Question) -> Choice:
    """The bot's choice."""
    game = _game(question.game, question.edition)
    view = np.frombuffer(question.view, game.definition.view.dtype)[0].copy()
    choices = [game.unpack(code) for code in question.choices]
    bot = make_bot(question.level, game, question.seed)
    set_budget(bot, seconds=question.seconds)
    return Choice(bot.choose(view, question.seat, choices).pack())


def warm_up() -> None:
    """Let every level choose once in every game, so that nothing is compiled while a table waits."""
    for name in games.NAMES:
        for _, choose in bot_steps(_game(name, None)):
            choose()


def _read(stream: BinaryIO) -> bytes | None:
    head = stream.read(4)
    return stream.read(int.from_bytes(head, "little")) if len(head) == 4 else None


def _write(stream: BinaryIO, body: bytes) -> None:
    stream.write(len(body).to_bytes(4, "little") + body)
    stream.flush()


def _end_with(parent: int) -> None:
    """End when the server is gone, however it went: a worker may be thinking or compiling then."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


def work() -> None:
    """Answer until the questions end. The first answer is sent unasked, when everything is warm."""
    questions, answers = sys.stdin.buffer, sys.stdout.buffer
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    sys.stdout = sys.stderr  # whatever a bot prints must not get between the answers
    warm_up()
    with contextlib.suppress(BrokenPipeError):  # the server went first
        _write(answers, _encode(Choice(0)))
        while (body := _read(questions)) is not None:
            _write(answers, _encode(answer(_question.decode(body))))
