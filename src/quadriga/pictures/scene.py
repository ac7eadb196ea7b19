"""What a picture is drawn from: a view, what happened last, and the names of the players."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quadriga.core.game import Game
from quadriga.core.text import Catalogue, catalogue
from quadriga.pictures.art import Point

Json = dict[str, Any]


@dataclass(frozen=True)
class Moved:
    """What moved: the faction of a chariot, and its way."""

    faction: str
    points: list[Point]


@dataclass(frozen=True)
class Scene:
    """A moment of a race as a seat (None: a spectator) sees it."""

    game: Game
    geometry: Json
    view: Json
    """The view with names in place of numbers."""
    before: Json | None
    """The view before what happened last; None at the set-up."""
    text: str
    """The board as text."""
    seat: int | None
    events: Sequence[Json]
    """What happened last, each with its `kind`."""
    story: Sequence[str]
    """The same in sentences."""
    players: Sequence[str]
    places: Sequence[int]
    """The place of each seat as the race stands."""
    to_act: Sequence[int]
    step: int
    is_over: bool
    language: str

    @property
    def words(self) -> Catalogue:
        """The words of the game."""
        return self.game.words(self.language)

    def say(self, code: str, **parameters: object) -> str:
        """A sentence of pictures themselves."""
        return catalogue(self.language, "quadriga.pictures").say(code, **parameters)

    def spot(self, space: str | None) -> Json | None:
        """Where a space lies; None for none."""
        return self.geometry["spaces"].get(space)
