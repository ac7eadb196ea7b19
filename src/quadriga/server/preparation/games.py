"""Sees to it that games are compiled before a table needs them: those that are wanted first, then all others.

A game is compiled in a process of its own (`process`), which leaves the server and the bots undisturbed; what it has
compiled is then loaded here from the cache, in a thread. While a wanted game is compiled, no other one is, unless
somebody wants that one, too.
"""

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from quadriga import games
from quadriga.core.warmup import load_rules
from quadriga.server.errors import Refused
from quadriga.server.preparation.parts import PARTS, RULES, is_part_compiled

log = logging.getLogger("quadriga.preparation")
MODULE = "quadriga.server.preparation.process"
ATTEMPTS = 3
AGAIN_SECONDS = 1.0
PATIENCE_SECONDS = 10.0
"""Before games are compiled that nobody wants: whoever opens the page is about to want one."""
COMPILING, READY, FAILED = "compiling", "ready", "failed"


class GamePreparation:
    """How far one game is."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.parts = {part: asyncio.Event() for part in PARTS}
        self.kind, self.percent = RULES, 0
        """What is being compiled, rules or bots, and how much of it is done."""
        self.is_failed = False
        self.wanted = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self.process: asyncio.subprocess.Process | None = None

    @property
    def is_ready(self) -> bool:
        """Whether all parts can be used."""
        return all(part.is_set() for part in self.parts.values())

    @property
    def is_under_way(self) -> bool:
        """Whether somebody sees to it."""
        return self.task is not None and not self.task.done()

    def describe(self) -> dict[str, Any]:
        """How far the game is, as clients are told."""
        state = READY if self.is_ready else FAILED if self.is_failed else COMPILING
        ready = [part for part, is_there in self.parts.items() if is_there.is_set()]
        return {"game": self.game, "state": state, "kind": self.kind, "percent": self.percent, "ready": ready}


class Preparation:
    """The games of a server, each prepared once."""

    def __init__(self, names: Iterable[str] = games.NAMES) -> None:
        self._games = {name: GamePreparation(name) for name in names}
        self._none_wanted = asyncio.Event()
        self._none_wanted.set()
        self.listeners: list[Callable[[GamePreparation], None]] = []
        """Told of every change."""

    def describe(self) -> list[dict[str, Any]]:
        """How far each game is."""
        return [one.describe() for one in self._games.values()]

    def unready(self) -> list[GamePreparation]:
        """The games that are not prepared yet."""
        return [one for one in self._games.values() if not one.is_ready]

    def has(self, game: str, part: str = RULES) -> bool:
        """Whether a part of a game can be used now."""
        return game not in self._games or self._games[game].parts[part].is_set()

    def want(self, game: str) -> None:
        """Prepare a game before those that nobody wants yet."""
        one = self._games.get(game)
        if one is None or one.is_ready:
            return
        one.wanted.set()
        self._none_wanted.clear()
        for other in self._games.values():
            if other.process is not None and not other.wanted.is_set():
                _kill(other.process)
        self._begin(one)

    async def require(self, game: str, part: str = RULES) -> None:
        """Wait until a part of a game can be used; refused if it cannot be compiled."""
        if self.has(game, part):
            return
        self.want(game)
        one = self._games[game]
        assert one.task is not None
        arrival = asyncio.create_task(one.parts[part].wait())
        try:
            await asyncio.wait((arrival, one.task), return_when=asyncio.FIRST_COMPLETED)
        finally:
            arrival.cancel()
        if not one.parts[part].is_set():
            raise Refused("not_ready")

    async def load_compiled(self, names: Iterable[str]) -> None:
        """Load the rules of these games as far as they have been compiled before."""
        for name in names:
            if name in self._games:
                await self._take_compiled(self._games[name])

    async def prepare_all(self) -> None:
        """Prepare every game, one after another; those that are wanted meanwhile come before the rest."""
        await self.load_compiled(self._games)
        if self.unready():
            await asyncio.sleep(PATIENCE_SECONDS)
        for one in self.unready():
            self._begin(one)
            assert one.task is not None
            await asyncio.wait((one.task,))

    async def close(self) -> None:
        """Stop, and end the processes."""
        tasks = [one.task for one in self._games.values() if one.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # ------------------------------------------------------------ one game

    def _begin(self, one: GamePreparation) -> None:
        if not one.is_under_way:
            one.is_failed = False
            one.task = asyncio.create_task(self._prepare(one))

    async def _prepare(self, one: GamePreparation) -> None:
        attempts = 0
        try:
            await self._take_compiled(one)
            while not one.is_ready and attempts < ATTEMPTS:
                await _first(one.wanted, self._none_wanted)
                attempts += await self._compile(one)
            one.is_failed = not one.is_ready
        finally:
            one.wanted.clear()
            if not any(other.wanted.is_set() for other in self._games.values()):
                self._none_wanted.set()
            self._tell(one)

    async def _take_compiled(self, one: GamePreparation) -> None:
        for part in PARTS:
            if is_part_compiled(one.game, part):
                await self._finish(one, part)

    async def _finish(self, one: GamePreparation, part: str) -> None:
        """A part is compiled: load the rules here; bots load what is theirs when they are first asked."""
        if part == RULES and not one.parts[RULES].is_set():
            await asyncio.to_thread(load_rules, games.load(one.game))
        one.parts[part].set()
        self._tell(one)

    async def _compile(self, one: GamePreparation) -> bool:
        """Compile what is missing; whether that failed."""
        began = time.monotonic()
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-m", MODULE, one.game)
        process = await asyncio.create_subprocess_exec(*command, stdout=pipe, start_new_session=True)
        one.process = process
        try:
            assert process.stdout is not None
            async for line in process.stdout:
                await self._hear(one, line.decode().split())
            code = await process.wait()
        finally:
            one.process = None
            _kill(process)
            await process.wait()
        if code == 0:
            log.info("a game was compiled", extra={"game": one.game, "seconds": round(time.monotonic() - began, 1)})
            return not one.is_ready
        if code < 0 and not one.wanted.is_set() and not self._none_wanted.is_set():  # it made room for a wanted one
            return False
        log.error("a game was not compiled", extra={"game": one.game, "code": code})
        await asyncio.sleep(AGAIN_SECONDS)
        return True

    async def _hear(self, one: GamePreparation, words: list[str]) -> None:
        match words:
            case ["ready", part] if part in one.parts:
                await self._finish(one, part)
            case ["rules" | "bots" as kind, percent] if (kind, int(percent)) != (one.kind, one.percent):
                one.kind, one.percent = kind, int(percent)
                self._tell(one)

    def _tell(self, one: GamePreparation) -> None:
        for listener in self.listeners:
            listener(one)


async def _first(*events: asyncio.Event) -> None:
    """Wait until one of these is set."""
    tasks = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


def _kill(process: asyncio.subprocess.Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
