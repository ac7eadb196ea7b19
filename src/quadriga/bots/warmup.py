"""Compile what bots think with, by letting each choose once."""

from collections.abc import Callable, Iterator
from functools import partial

from quadriga.bots import LEVELS, make_bot, set_budget
from quadriga.core.game import Game
from quadriga.core.streams import new_stream, stream_key


def bot_steps(game: Game) -> Iterator[tuple[str, Callable[[], object]]]:
    """What is to be compiled, by the name of the bot that needs it."""
    for level in LEVELS:
        yield level, partial(let_choose, game, level)


def let_choose(game: Game, level: str) -> None:
    """A bot's first choice of a race, thought over as little as it can."""
    state = game.setup(game.meta.seats[0], {}, new_stream(stream_key(bytes(32)), 0)).state
    seat = game.to_act(state)[0]
    bot = make_bot(level, game, 0)
    set_budget(bot, iterations=1)
    bot.choose(game.view(state, seat), seat, game.legal_actions(state, seat))
