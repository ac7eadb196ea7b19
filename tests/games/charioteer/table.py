"""Races for tests: positions written by name, and states met in random play."""

import random
from typing import Any

import numpy as np

from quadriga.core import codec
from quadriga.core.game import Game
from quadriga.core.messages import Action
from quadriga.core.streams import new_stream, stream_key
from quadriga.games import load
from quadriga.games.charioteer.actions import DO_MOVE

KEY = stream_key(bytes(32))
SEATS = (2, 3, 4, 5, 6)


def game() -> Game:
    return load("charioteer")


def tables() -> Any:
    return game().tables


def position(seats: int = 2, options: dict[str, Any] | None = None, **fields: Any) -> Any:
    """A race with nothing but these fields; what they leave open is dealt."""
    charioteer = game()
    race: Any = charioteer.definition.race.blank()
    settle = charioteer.kernels.settle
    assert settle is not None
    for field in charioteer.definition.race.fields:
        if field.domain:
            race[field.name] = -1
    race.seats = seats
    for name, number in charioteer.meta.numbers(charioteer.meta.settle(seats, options or {})).items():
        setattr(race, name, number)
    codec.fill_record(race, fields, charioteer.names)
    settle(race, charioteer.tables, new_stream(KEY, 0), np.empty(charioteer.definition.scratch, np.int64))
    assert charioteer.check(race) is None
    return race


def random_choice(race: Any, seat: int, rng: random.Random) -> Action:
    """Any move (or, seldom, a reset), half the time with a discard token if there is one."""
    charioteer = game()
    codes = [int(code) for code in charioteer.legal_codes(race, seat)]
    moves = [code for code in codes if code & 15 == DO_MOVE]
    action = charioteer.unpack(rng.choice(moves if moves and rng.random() < 0.95 else codes))
    return with_discards(race, seat, action, rng) if rng.random() < 0.5 else action


def with_discards(race: Any, seat: int, action: Action, rng: random.Random) -> Action:
    """The same choice with a discard token on some cards that are not in use, if the seat has one."""
    charioteer = game()
    most = tables().token_discard
    held = [token for token in range(len(most)) if most[token] and race.tokens[seat, token]]
    if not held:
        return action
    data = codec.message_to_json(action, charioteer.names)
    left = [charioteer.names.name("card", int(card)) for card in race.hand[seat]]
    for card in data["cards"]:
        left[left.index(card)] = None
    token = rng.choice(held)
    places = rng.sample([i for i, card in enumerate(left) if card], rng.randint(1, int(most[token])))
    data |= {"discard_token": charioteer.names.name("token", token), "discards": [str(i + 1) for i in sorted(places)]}
    return codec.action_from_json(data, charioteer.kinds, charioteer.names)


def random_races(seats: int, races: int, seed: int = 0, **options: Any) -> list[list[Any]]:
    """The states of random races, from set-up to the end."""
    return [states_of(seats, seed + number, options) for number in range(races)]


def states_of(seats: int, seed: int, options: dict[str, Any]) -> list[Any]:
    charioteer, rng = game(), random.Random(seed)
    key = stream_key(seed.to_bytes(32, "big"))
    states = [charioteer.setup(seats, options, new_stream(key, 0)).state]
    while owing := charioteer.to_act(states[-1]):
        choices = {seat: random_choice(states[-1], seat, rng) for seat in owing}
        states.append(charioteer.apply(states[-1], choices, new_stream(key, len(states))).state)
    return states
