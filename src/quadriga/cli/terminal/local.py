"""A race in this process: people at the keyboard, bots at the other seats."""

import asyncio
from collections.abc import AsyncIterator

from quadriga.api.boards import with_names
from quadriga.bots import Bot, make_bot
from quadriga.cli.levels import introductions
from quadriga.cli.terminal.scene import Scene, Turn, placed
from quadriga.core.match import Match

PERSON = "person"


class LocalTable:
    """A match with the bots that play in it."""

    def __init__(self, match: Match, language: str, pace: float = 0.0) -> None:
        self.match, self.game, self.language, self.pace = match, match.game, language, pace
        self.words = match.game.words(language)
        self.names = [sitter.name for sitter in match.sitters]
        self.people = [seat for seat, sitter in enumerate(match.sitters) if sitter.kind == PERSON]
        self.bots: dict[int, Bot] = {
            seat: make_bot(sitter.kind, match.game, int(match.commitment[:12], 16) + seat)
            for seat, sitter in enumerate(match.sitters)
            if sitter.kind != PERSON
        }
        kinds = [match.sitters[seat].kind for seat in self.bots]
        self._introductions = tuple(introductions(match.game, kinds, self.words))
        self._told = -1
        self._chosen = asyncio.Event()
        self._viewer: int | None = self.people[0] if len(self.people) == 1 else None

    async def scenes(self) -> AsyncIterator[Scene]:
        """Every change, until the race is over."""
        while not self.match.over:
            waiting = self.match.waiting_for()
            person = next((seat for seat in waiting if seat in self.people), None)
            if person is not None:
                self._chosen.clear()
                yield self._scene(person)
                await self._chosen.wait()
            else:
                yield self._scene(None)
                await asyncio.gather(asyncio.sleep(self.pace), asyncio.to_thread(self._move_bots, waiting))
        yield self._scene(None)

    async def choose(self, seat: int, choice: str) -> None:
        """Make a choice in notation."""
        self.match.choose(seat, choice)
        self._chosen.set()

    def _move_bots(self, seats: tuple[int, ...]) -> None:
        for seat in seats:
            choices = self.match.legal_actions(seat)
            chosen = choices[0] if len(choices) == 1 else self.bots[seat].choose(self.match.view(seat), seat, choices)
            self.match.choose(seat, chosen)

    def _scene(self, person: int | None) -> Scene:
        viewer = person if person is not None else self._viewer
        board = self.game.draw_signs(self.match.view(viewer), self.language)
        return Scene(
            board=with_names(board, self.words, self.names),
            news=self._news(),
            standings=placed(self.game.places(self.match.state), self.names),
            turn=None if person is None else self._turn(person),
            waiting_for=tuple(self.names[seat] for seat in self.match.waiting_for()),
            over=self.match.over,
        )

    def _turn(self, seat: int) -> Turn:
        choices = tuple(self.game.describe(action) for action in self.match.legal_actions(seat))
        return Turn(seat, self.names[seat], choices, hand_over=len(self.people) > 1)

    def _news(self) -> tuple[str, ...]:
        """What everybody at this keyboard may know; one person alone is told the secrets of that seat, too."""
        found = self.match.events(self._viewer, self._told)
        self._told = self.match.seq
        before, self._introductions = self._introductions, ()
        return before + tuple(
            self.words.message("events", event, self.game.names, self.names) for one in found for event in one.events
        )
