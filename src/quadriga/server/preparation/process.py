"""The process that compiles one game, `python -m quadriga.server.preparation.process GAME`.

It compiles what a table needs in the order of need, less urgently than a server works, and writes a line for each
change: the part at work and how much of it is done, or a part that is ready. What it compiles lies in the cache, so
that a process that is ended loses the kernel it was at and no more.
"""

import contextlib
import sys
import threading
from typing import Any

from quadriga.server.workers.loop import end_with_parent, yield_to_servers

TELL_SECONDS = 0.5


def main() -> None:
    """Compile the game that the command line names."""
    yield_to_servers()
    end_with_parent()
    from quadriga.bots.warmup import bot_steps
    from quadriga.core.errors import InvalidOption
    from quadriga.core.warmup import table_steps
    from quadriga.games import load
    from quadriga.server.preparation.parts import RULES, note_rules

    game = load(sys.argv[1])
    teller = Teller(game.meta.name)
    for _, compile_ in table_steps(game):
        compile_()
    note_rules(game.meta.name)
    teller.end_part(RULES)
    for level, compile_ in bot_steps(game):
        with contextlib.suppress(InvalidOption):  # a game without an evaluation has fewer levels
            compile_()
        teller.end_part(level)


class Teller:
    """Writes what is done, and from time to time how much of it, counted in kernels."""

    def __init__(self, game: str) -> None:
        self._layers = {"rules": f"games/{game}", "bots": "bots"}
        self._kind = "rules"
        threading.Thread(target=self._repeat, daemon=True).start()

    def end_part(self, part: str) -> None:
        """A part is ready; what follows is for bots."""
        self._kind = "bots"
        print("ready", part, flush=True)

    def _repeat(self) -> None:
        never = threading.Event()
        while not never.wait(TELL_SECONDS):
            print(self._kind, self._percent(), flush=True)

    def _percent(self) -> int:
        from quadriga.core.kernel import COMPILED, part_of

        declared: list[Any] = list(COMPILED)
        kernels = [one for one in declared if part_of(one.__module__) == self._layers[self._kind]]
        return 100 * sum(bool(one.overloads) for one in kernels) // max(1, len(kernels))


if __name__ == "__main__":
    main()
