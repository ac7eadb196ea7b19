"""What the screen shows, and what it needs of a table to show it."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Protocol

from quadriga.core.game import Game
from quadriga.core.text import Catalogue


@dataclass(frozen=True)
class Turn:
    """A choice that is asked of somebody at this keyboard."""

    seat: int
    player: str
    choices: tuple[str, ...]
    """In notation, as `choose` takes them."""
    hand_over: bool = False
    """Whether somebody else looked at the screen before: the view is shown when the player says so."""


@dataclass(frozen=True)
class Scene:
    """A race as one player, or a watcher, sees it."""

    board: str
    """With the signs of `core/text_board`."""
    news: tuple[str, ...]
    """Sentences since the scene before."""
    standings: tuple[str, ...]
    turn: Turn | None = None
    waiting_for: tuple[str, ...] = ()
    over: bool = False


class Table(Protocol):
    """A race that goes on, here or on a server."""

    game: Game
    words: Catalogue

    def scenes(self) -> AsyncIterator[Scene]:
        """Every change, until the race is over."""

    async def choose(self, seat: int, choice: str) -> None:
        """Make a choice in notation; raises QuadrigaError with a sentence if it is refused."""


def placed(places: Any, names: list[str]) -> tuple[str, ...]:
    """A line for each seat, the first place first."""
    return tuple(f"{place}. {names[seat]}" for place, seat in sorted((place, i) for i, place in enumerate(places)))
