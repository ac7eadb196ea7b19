"""Races that could lie behind a view: whatever it hides is dealt anew."""

from typing import Any

from quadriga.core.game import Game
from quadriga.core.match import Match, Moment, Setup, Sitter
from quadriga.core.meta import Option, OptionValue
from quadriga.core.streams import SEED_BYTES, new_stream, stream_key


def imagine_match(game: Game, record: Any, seed: int) -> Match:
    """A match that goes on from a state which could lie behind a view; the seed decides which, and its dice."""
    secret = seed.to_bytes(SEED_BYTES, "big")
    state = game.imagine(record, new_stream(stream_key(b"imagined " + secret), 0))
    seats = int(state.seats)
    options = {o.name: _value(o, int(state[o.name])) for o in game.meta.options if o.applies(seats)}
    sitters = [Sitter(f"Player {seat + 1}") for seat in range(seats)]
    return Match(game, sitters, options, secret, (), [Setup()], {0: Moment(state, ())})


def _value(option: Option, number: int) -> OptionValue:
    if option.words:
        return option.words[number]
    return bool(number) if isinstance(option.default, bool) else number
