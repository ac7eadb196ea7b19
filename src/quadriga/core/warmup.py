"""Compile all kernels of a game by using each of them once, so that no player waits for it."""

from collections.abc import Callable, Iterator
from typing import Any

from quadriga.core.game import Game
from quadriga.core.play import Player
from quadriga.core.streams import new_stream, stream_key

KEY = stream_key(bytes(32))


def warmup_steps(game: Game) -> Iterator[tuple[str, Callable[[], object]]]:
    """What is to be compiled, by name, in the order in which it must be called."""
    seats = game.meta.seats[0]
    race: Any = None

    def begin() -> None:
        nonlocal race
        race = game.setup(seats, {}, new_stream(KEY, 0)).state

    def choices() -> dict[int, Any]:
        return {seat: game.legal_actions(race, seat)[0] for seat in game.to_act(race)}

    yield "setup", begin
    yield "legal", choices
    yield "apply", lambda: game.apply(race, choices(), new_stream(KEY, 1))
    yield "observe", lambda: game.view(race, 0)
    yield "imagine", lambda: game.imagine(game.view(race, 0), new_stream(KEY, 2))
    yield "standings", lambda: game.places(race)
    yield "check", lambda: game.check(race)
    yield "play", lambda: Player(game, seats, {}).play(1, KEY, checking=True)


def warm_up(game: Game, progress: Callable[[str], object] = lambda name: None) -> None:
    """Compile everything; `progress` is told each name before its turn."""
    for name, compile_ in warmup_steps(game):
        progress(name)
        compile_()
