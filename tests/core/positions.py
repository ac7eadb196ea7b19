"""Hostile positions for scenarios, in a process of its own: `python -m tests.core.positions GAME COUNT SEED`.

Each is written as a scenario file: fields at random, in range and out of it, over a blank race, a set-up or a race that
was played for a while. It must be refused in words or else be safe to play on with. Run with NUMBA_BOUNDSCHECK=1, an
index out of range raises.
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any

from quadriga import games
from quadriga.core import codec
from quadriga.core.edition import TomlFile
from quadriga.core.errors import InvalidFile
from quadriga.core.fields import Field
from quadriga.core.game import Game
from quadriga.core.meta import Option, OptionValue
from quadriga.core.scenario import Trial, parse_scenario
from quadriga.core.streams import new_stream, stream_key

ODD = [
    -129,
    -128,
    -2,
    -1,
    0,
    1,
    2,
    5,
    6,
    7,
    16,
    31,
    127,
    128,
    255,
    32767,
    32768,
    2**31,
    2**63 - 1,
    "none",
    "²",
    "x",
    True,
]
STEPS = 12


def option_value(option: Option, dice: random.Random) -> OptionValue:
    if option.words:
        return dice.choice(option.words)
    if isinstance(option.default, bool):
        return dice.random() < 0.5
    return dice.choice([option.low, option.high, dice.randint(option.low, option.high)])


def number(field: Field, game: Game, dice: random.Random) -> Any:
    if dice.random() < 0.03:
        return dice.choice(ODD)
    if field.domain == codec.SEAT:
        return dice.choice(["none", *range(6)])
    if field.domain:
        return dice.choice(["none", *game.names.domains[field.domain]])
    low, high = max(field.between.low, -130), min(field.between.high, 200)
    return dice.choice([field.between.low, field.between.high, 0, 1, dice.randint(low, high)])


def value(field: Field, game: Game, dice: random.Random, shape: tuple[int, ...]) -> Any:
    """A value, or for an array a list from the front or some indexes."""
    if not shape:
        return number(field, game, dice)
    if dice.random() < 0.5:
        few = dice.sample(range(shape[0]), min(shape[0], dice.randint(1, 3)))
        return {str(i): value(field, game, dice, shape[1:]) for i in few}
    count = dice.choice([shape[0], dice.randint(0, shape[0]), shape[0] + (dice.random() < 0.05)])
    if dice.random() < 0.3:
        return [value(field, game, dice, shape[1:])] * count
    return [value(field, game, dice, shape[1:]) for _ in range(count)]


def played(game: Game, seats: int, options: Mapping[str, OptionValue], dice: random.Random) -> dict[str, Any]:
    """All fields of a race that was played for a while."""
    key = stream_key(dice.randbytes(32))
    state = game.setup(seats, options, new_stream(key, 0)).state
    for seq in range(1, dice.randint(1, 60)):
        if not game.to_act(state):
            break
        state = step(game, state, key, seq, dice)
    fixed = {"seats", *(option.name for option in game.meta.options)}
    return {name: item for name, item in codec.record_to_json(state, game.names).items() if name not in fixed}


def step(game: Game, state: Any, key: Any, seq: int, dice: random.Random) -> Any:
    choices = {seat: dice.choice(game.legal_actions(state, seat)) for seat in game.to_act(state)}
    return game.apply(state, choices, new_stream(key, seq)).state


def written(item: Any) -> str:
    """A value as TOML, an item of a list to a line."""
    if item is None:
        return '"none"'
    if isinstance(item, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {written(one)}" for key, one in item.items()) + "}"
    if isinstance(item, list):
        return "[\n" + "".join(f"{written(one)},\n" for one in item) + "]"
    return json.dumps(item)


def scenario(game: Game, dice: random.Random) -> str:
    seats = dice.choice(game.meta.seats)
    chosen = [o for o in game.meta.options if o.applies(seats)]
    options = {option.name: option_value(option, dice) for option in chosen}
    kind = dice.random()
    position = played(game, seats, options, dice) if kind > 0.5 else {}
    fields = [f for f in game.definition.race.fields if f.name != "seats" and f.name not in options]
    for field in dice.sample(fields, dice.choice([0, 1, 1, 2, 3, len(fields) // 2, len(fields)])):
        position[field.name] = value(field, game, dice, field.shape)
    head = f'game = "{game.meta.name}"\nabout = "x"\nseats = {seats}\nblank = {str(kind < 0.2).lower()}\n'
    lines = [f"{name} = {written(item)}\n" for name, item in options.items()]
    return head + "[options]\n" + "".join(lines) + "[position]\n" + "".join(
        f"{name} = {written(item)}\n" for name, item in position.items()
    ) + "[[then]]\n"  # fmt: skip


def play_on(game: Game, state: Any, dice: random.Random) -> str | None:
    """Ask everything of a position that was accepted, and play on; the invariant that is broken then."""
    key = stream_key(dice.randbytes(32))
    for seq in range(1, STEPS):
        if broken := game.check(state):
            return f"step {seq}: {broken}"
        game.result(state)
        game.places(state)
        for seat in (None, *range(int(state.seats))):
            view = game.view(state, seat)
            codec.record_to_json(view, game.names)
            game.view(game.imagine(view, new_stream(key, 1000 + seq)), seat)
        if not game.to_act(state):
            break
        state = step(game, state, key, seq, dice)
    return None


def main(name: str, count: int, seed: int) -> None:
    game, dice, found = games.load(name), random.Random(seed), Counter[str]()
    for i in range(count):
        text = scenario(game, dice)
        try:
            state = Trial(parse_scenario(TomlFile("position", text), games.load)).state
        except InvalidFile:
            found["refused"] += 1
            continue
        except BaseException:
            print(f"number {i}:\n{text}")
            raise
        found["accepted"] += 1
        try:
            broken = play_on(game, state, dice)
        except BaseException:
            print(f"number {i}:\n{text}")
            raise
        if broken:
            found["broken later"] += 1
            print(f"number {i}: {broken}:\n{text}" if "-v" in sys.argv else f"number {i}: {broken}")
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
