"""Compile the kernels of a game by using each of them once, so that no player waits for it.

What a table needs comes first, in the order of need. A note beside the compiled code says what has been compiled on
this machine, so that a server knows what it can load and what it must have compiled.
"""

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from llvmlite import binding

from quadriga.core.game import Game
from quadriga.core.kernel import JIT, cache_folder
from quadriga.core.play import Player
from quadriga.core.streams import new_stream, stream_key

KEY = stream_key(bytes(32))
Steps = Iterator[tuple[str, Callable[[], object]]]
"""What is to be compiled, by name, in the order in which it must be called."""


def table_steps(game: Game) -> Steps:
    """What a race at a table needs: its first choice, the step after it, and what a person is shown of both."""
    race: Any = None

    def begin() -> None:
        nonlocal race
        race = game.setup(game.meta.seats[0], {}, new_stream(KEY, 0)).state

    def choices() -> dict[int, Any]:
        return {seat: game.legal_actions(race, seat)[0] for seat in game.to_act(race)}

    def preview() -> object:
        seat = game.to_act(race)[0]
        return game.preview(game.view(race, seat), seat)

    yield "setup", begin
    yield "legal", choices
    yield "observe", lambda: game.view(race, 0)
    yield "standings", lambda: game.places(race)
    yield "apply", lambda: game.apply(race, choices(), new_stream(KEY, 1))
    yield "imagine", lambda: game.imagine(game.view(race, 0), new_stream(KEY, 2))
    yield "preview", preview


def simulation_steps(game: Game) -> Steps:
    """What random races in kernels need besides; no table does."""
    race = game.setup(game.meta.seats[0], {}, new_stream(KEY, 0)).state
    yield "check", lambda: game.check(race)
    yield "play", lambda: Player(game, game.meta.seats[0], {}).play(1, KEY, checking=True)


def load_rules(game: Game) -> None:
    """Compile what a table needs, or load it if it has been compiled before."""
    for _, compile_ in table_steps(game):
        compile_()


def is_compiled(layer: str, what: str) -> bool:
    """Whether something of a layer has been compiled on this machine, from the sources as they are."""
    return not JIT or _note(layer, what).is_file()


def note_compiled(layer: str, what: str) -> None:
    """Note that something of a layer has been compiled."""
    if JIT:
        _note(layer, what).touch()


def _note(layer: str, what: str) -> Path:
    return cache_folder(layer) / f"{what}.{_processor()}.compiled"


@cache
def _processor() -> str:
    """Compiled code is of use on the same kind of processor alone."""
    kind = f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
    return hashlib.sha256(kind.encode()).hexdigest()[:8]
