"""Compile what bots think with, by letting each choose once."""

from functools import partial

from quadriga.bots import LEVELS, make_bot, set_budget
from quadriga.core.game import Game
from quadriga.core.streams import new_stream, stream_key
from quadriga.core.warmup import Steps, is_compiled, note_compiled


def bot_steps(game: Game) -> Steps:
    """What is to be compiled, by the name of the bot that needs it."""
    for level in LEVELS:
        yield level, partial(compile_bot, game, level)


def compile_bot(game: Game, level: str) -> None:
    """Compile what a level thinks with, or load it, and note that it is there."""
    let_choose(game, level)
    note_compiled("bots", f"{game.meta.name}-{level}")


def is_bot_compiled(game: str, level: str) -> bool:
    """Whether what a level thinks with has been compiled on this machine."""
    return is_compiled("bots", f"{game}-{level}")


def let_choose(game: Game, level: str) -> None:
    """A bot's first choice of a race, thought over as little as it can."""
    state = game.setup(game.meta.seats[0], {}, new_stream(stream_key(bytes(32)), 0)).state
    seat = game.to_act(state)[0]
    bot = make_bot(level, game, 0)
    set_budget(bot, iterations=1)
    bot.choose(game.view(state, seat), seat, game.legal_actions(state, seat))
