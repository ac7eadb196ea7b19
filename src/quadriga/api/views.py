"""What a seat or a spectator can see of a race."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from quadriga.core import codec
from quadriga.core.game import Game

if TYPE_CHECKING:
    from quadriga.api.race import Race


class View(Mapping[str, Any]):
    """What a seat (None: a spectator) can see: fields by name, as `view["square"]` or `view.square`.

    It is a snapshot: playing on does not change it. `print(view)` shows the board as text.
    """

    def __init__(self, game: Game, record: Any, seat: int | None) -> None:
        self._game, self._record, self._seat = game, record, seat

    @property
    def seat(self) -> int | None:
        """Whose view it is; None for a spectator."""
        return self._seat

    def board(self, language: str = "en") -> str:
        """The board as text, in English (`en`) or Spanish (`es`)."""
        return self._game.draw(self._record, language)

    def to_dict(self) -> dict[str, Any]:
        """All fields as plain values, ready for JSON."""
        return codec.record_to_json(self._record, self._game.names)

    def imagine(self, seed: int = 0) -> "Race":
        """A race that could lie behind this view, to be played on: what the view hides is dealt anew by the seed."""
        from quadriga.api.imagine import imagine_match
        from quadriga.api.race import Race

        return Race._of(imagine_match(self._game, self._record, seed), has_record=False)

    @cached_property
    def _values(self) -> dict[str, Any]:
        return self.to_dict()

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._values:
            raise AttributeError(f"this view has no {name!r}")
        return self._values[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._values]

    def __str__(self) -> str:
        return self.board()

    def __repr__(self) -> str:
        who = "a spectator" if self.seat is None else f"seat {self.seat}"
        return f"<View of {self._game.meta.name} for {who}>"


def record_of_view(view: View) -> Any:
    """The record of `core` behind a view."""
    return view._record


def game_of_view(view: View) -> Game:
    """The game of `core` behind a view."""
    return view._game
