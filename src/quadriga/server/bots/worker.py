"""The work of a process that chooses for bots. It knows no table: it gets a view, a seat and the choices."""

from functools import lru_cache

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


def answer_bytes(question: bytes) -> bytes:
    """The same with msgpack on both sides."""
    return _encode(answer(_question.decode(question)))


def warm_up() -> None:
    """Let every level choose once in every game, so that nothing is compiled while a table waits."""
    for name in games.NAMES:
        for _, choose in bot_steps(_game(name, None)):
            choose()
