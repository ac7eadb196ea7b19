"""What bots choose at the first steps of a race, printed: `python -m tests.bots.choosing GAME`."""

import sys
from dataclasses import replace

from quadriga import games
from quadriga.bots import make_bot
from quadriga.bots.search import Champion
from quadriga.core.game import Game
from quadriga.core.streams import new_stream, stream_key

STEPS = 3


def champion(game: Game) -> Champion:
    """A champion that looks into two choices, once each and not far: interpreted rules are slow."""
    bot = Champion(game, 3, iterations=1)
    bot.evaluator.evaluation = replace(bot.evaluator.evaluation, search_width=2, horizon=1)
    return bot


def chosen(name: str) -> list[str]:
    """Every level's choice at the first steps of a race, which goes on as champion chooses."""
    game, key = games.load(name), stream_key(bytes(32))
    state = game.setup(2, {}, new_stream(key, 0)).state
    lines = []
    for step in range(1, STEPS + 1):
        actions = {}
        for seat in game.to_act(state):
            view, choices = game.view(state, seat), game.legal_actions(state, seat)
            actions[seat] = champion(game).choose(view, seat, choices)
            levels = {level: make_bot(level, game, 3) for level in ("novice", "greedy", "veteran")}
            told = {level: game.describe(bot.choose(view, seat, choices)) for level, bot in levels.items()}
            lines.append(f"{step} {seat} {told} {game.describe(actions[seat])}")
        state = game.apply(state, actions, new_stream(key, step)).state
    return lines


if __name__ == "__main__":
    print("\n".join(chosen(sys.argv[1])))
