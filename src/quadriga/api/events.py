"""What happened in a race."""

from dataclasses import dataclass, field
from typing import Any

from quadriga.core import codec
from quadriga.core.game import Game
from quadriga.core.messages import Event as CoreEvent


@dataclass(frozen=True)
class Event:
    """Something that happened: at which step, of what kind, with which values; `str(event)` is a sentence."""

    step: int
    """The step it belongs to; 0 is the set-up."""
    kind: str
    """What happened: a name of the page of names, for example `stepped`."""
    fields: dict[str, Any]
    """The values by name, with names in place of numbers."""
    _message: CoreEvent = field(repr=False)
    _game: Game = field(repr=False)
    _players: tuple[str, ...] = field(repr=False)

    def text(self, language: str = "en") -> str:
        """The event as a sentence, in English (`en`) or Spanish (`es`)."""
        return self._game.words(language).message("events", self._message, self._game.names, self._players)

    def __str__(self) -> str:
        return self.text()


def event_of(step: int, message: CoreEvent, game: Game, players: tuple[str, ...]) -> Event:
    """An event of `core` as a public one."""
    fields = codec.message_to_json(message, game.names)
    kind = fields.pop("kind")
    return Event(step, kind, fields, message, game, players)
