"""The work of a process that chooses for bots. It knows no table: it gets a view, a seat and the choices."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from quadriga import games
from quadriga.bots import Bot, make_bot, set_budget
from quadriga.bots.evaluator import evaluation_of
from quadriga.bots.warmup import bot_steps, is_bot_compiled
from quadriga.core.edition import TomlFile
from quadriga.core.game import Game
from quadriga.core.messages import Action
from quadriga.core.streams import new_stream

MOST_CHAINED = 12
"""Choices of a drive that a hint tells after the first."""


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
    is_hint: bool = False
    """Whether the rest of a drive is wanted, too."""


class Choice(Struct, array_like=True):
    """The code of what it chose, and for a hint those of all that completes the drive, chosen or not."""

    code: int
    then: list[int] = []


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
    action = bot.choose(view, question.seat, choices)
    if not question.is_hint:
        return Choice(action.pack())
    set_budget(bot, seconds=question.seconds / MOST_CHAINED)
    return Choice(action.pack(), [later.pack() for later in _rest_of_drive(game, bot, view, question.seat, action)])


def _rest_of_drive(game: Game, bot: Bot, view: Any, seat: int, action: Action) -> Iterator[Action]:
    """What the bot would choose after `action`, for as long as the same drive goes on, and what is not chosen in it."""
    evaluation = evaluation_of(game)
    chained = evaluation.chained
    stream = new_stream(np.zeros(8, np.uint32), 0)
    race = game.imagine(view, stream)
    for _ in range(MOST_CHAINED if action.name in chained else 0):
        step = game.apply(race, {seat: action}, stream)
        race = step.state
        yield from evaluation.unchosen([told.event for told in step.events])
        choices = game.legal_actions(race, seat) if seat in game.to_act(race) else ()
        if not choices or any(choice.name not in chained for choice in choices):
            return
        action = bot.choose(game.view(race, seat), seat, choices) if len(choices) > 1 else choices[0]
        yield action


def answer_bytes(question: bytes) -> bytes:
    """The same with msgpack on both sides."""
    return _encode(answer(_question.decode(question)))


def warm_up() -> None:
    """Let every level that is compiled choose once, so that nothing is loaded while a table waits."""
    for name in games.NAMES:
        for level, choose in bot_steps(_game(name, None)):
            if is_bot_compiled(name, level):
                choose()
