"""Whether a race has shown something since an entry: a die, a card, a secret choice.

A step revealed nothing if it drew no random number, was one seat's choice, and every onlooker could have foreseen
it: from any state that could lie behind their view, the same choice leads to the same view and the same events.
"""

import numpy as np

from quadriga.core.errors import QuadrigaError
from quadriga.core.game import Game
from quadriga.core.match import Choices, Match
from quadriga.core.messages import Action
from quadriga.core.streams import new_stream, stream_key

GUESSES = 12
GUESS_KEY = stream_key(b"quadriga guess".ljust(32))


def reveals(match: Match, since: int) -> bool:
    """Whether something hidden or random was revealed after entry `since`, on the line that counts."""
    line = [seq for seq in match.line if seq > since]
    return any(isinstance(match.log[seq], Choices) and _step_reveals(match, seq) for seq in line)


def _step_reveals(match: Match, seq: int) -> bool:
    entry = match.log[seq]
    assert isinstance(entry, Choices)
    if len(entry.choices) > 1:
        return True
    before, game = match.state_after(seq - 1), match.game
    actions = {seat: game.parse(text) for seat, text in entry.choices.items()}
    stream = new_stream(GUESS_KEY, seq)
    game.apply(before, actions, stream)
    if stream.counter:
        return True
    seats = [None, *range(len(match.sitters))]
    return any(not _foreseen(game, before, actions, seat, seq) for seat in seats)


def _foreseen(game: Game, before: object, actions: dict[int, Action], seat: int | None, seq: int) -> bool:
    shown = _shown(game, before, actions, seat, seq)
    view = game.view(before, seat)
    for guess in range(GUESSES):
        imagined = game.imagine(view, new_stream(GUESS_KEY, guess + 1))
        try:
            if _shown(game, imagined, actions, seat, guess + 1) != shown:
                return False
        except QuadrigaError:  # a choice only the true state allows tells something of it
            return False
    return True


def _shown(game: Game, state: object, actions: dict[int, Action], seat: int | None, seq: int) -> tuple[object, ...]:
    step = game.apply(state, actions, new_stream(GUESS_KEY, seq))
    return np.asarray(game.view(step.state, seat)).tobytes(), step.seen_by(seat)
