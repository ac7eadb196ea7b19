"""Games with components of their own, loaded beside the event loop and kept for those who play them.

Only editions that a process for uploads has loaded before, in a bounded time, ever come here.
"""

import asyncio
import hashlib
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

from quadriga import games
from quadriga.core.edition import TomlFile
from quadriga.core.game import Game
from quadriga.server.errors import Refused

KEPT = 32
"""Games that are kept, the latest used."""


class Editions:
    """Loads one game at a time."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "quadriga-editions")
        self._kept: OrderedDict[str, Game] = OrderedDict()

    async def load(self, name: str, edition: str | None) -> Game:
        """A game by name, with an edition of its own if there is one."""
        if name not in games.NAMES:
            raise Refused("no_game", game=name[:40])
        if edition is None:
            return games.load(name)
        key = f"{name} {hashlib.sha256(edition.encode()).hexdigest()}"
        game = self._kept.pop(key, None)
        if game is None:
            load = asyncio.get_running_loop().run_in_executor
            game = await load(self._thread, _load, name, edition)
        self._kept[key] = game
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return game

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _load(name: str, edition: str) -> Game:
    game = games.load(name, TomlFile("edition", edition))
    assert game.edition.fingerprint  # worked out here, not when the event loop asks for it
    return game
