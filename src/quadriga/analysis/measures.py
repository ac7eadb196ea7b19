"""What playouts look at to give reasons in words, reached by the type of a game's record as the rules are.

A game's `measures.MEASURES` names numbers such as spaces, damage and tokens. `renew` deals anew what nobody knows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from quadriga.core.discovery import plug_in
from quadriga.core.dispatch import Registry
from quadriga.core.fields import Fields
from quadriga.core.game import Game
from quadriga.core.kernel import kernel

SCALE = 100
"""Measures are whole numbers of hundredths."""


@dataclass(frozen=True)
class Measure:
    """A number that a reason can speak of; its words are `reasons.<name>.more` and `.less` of the game's text."""

    name: str
    more_is_better: bool


@kernel
def renew_nothing(race: Any, tables: Any, stream: Any) -> None:
    """For games in whose states nothing lies that nobody knows."""


@kernel
def measure_nothing(race: Any, tables: Any, work: Any, seat: int, out: Any) -> None:
    """For games that measure nothing."""


@kernel
def watch_nothing(race: Any, tables: Any, seat: int, log: Any, out: Any) -> None:
    """For games that need no events to measure."""


@dataclass(frozen=True)
class Measures:
    """The measures of one game."""

    race: type[Fields]
    measures: tuple[Measure, ...] = ()
    measure: Callable[..., Any] = measure_nothing
    """`measure(race, tables, work, seat, out)`: write measures of a position, in hundredths."""
    watch: Callable[..., Any] = watch_nothing
    """`watch(race, tables, seat, log, out)`: add what the events of a step say, in hundredths."""
    renew: Callable[..., Any] = renew_nothing
    """`renew(race, tables, stream)`: deal anew what nobody knows, such as the order of a draw pile."""
    chance_events: tuple[str, ...] = ()
    """Events by which chance is seen."""

    def __post_init__(self) -> None:
        MEASURES.add(self, self.race.dtype)


MEASURES: Registry[Measures] = Registry()


def measures_of(game: Game) -> Measures:
    """What is measured of a game; nothing where it does not say."""
    module = plug_in(game.definition.package, "measures")
    found: Measures = module.MEASURES if module else _no_measures(game)
    return found


@cache
def _no_measures(game: Game) -> Measures:
    return Measures(game.definition.race)


@MEASURES.kernel
def measure(race: Any, tables: Any, work: Any, seat: int, out: Any) -> Any:
    """Write measures of a position for a seat."""


@MEASURES.kernel
def watch(race: Any, tables: Any, seat: int, log: Any, out: Any) -> Any:
    """Add what the events of a step say of a seat."""


@MEASURES.kernel
def renew(race: Any, tables: Any, stream: Any) -> Any:
    """Deal anew what nobody knows."""
