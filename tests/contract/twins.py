"""Twins: a state and another one that differs from it only in what a seat cannot see.

Each game has its own `deal_anew` in tests/games/<game>/twins.py, written from the rules' list of what is hidden and not
from the code of views, so that what slips through a view is not slipped through here too.
"""

from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any, Protocol, cast

from quadriga.core.errors import IllegalAction
from quadriga.core.game import Game, Step
from quadriga.core.streams import new_stream
from tests.contract.cases import Moment, Walk


class Twins(Protocol):
    """What tests/games/<game>/twins.py holds."""

    HIDES: bool
    """Whether the game hides anything from anybody."""

    def deal_anew(self, game: Game, state: Any, seat: int | None, random: Random) -> Any:
        """A copy of the state with everything dealt anew that the seat (None: a spectator) cannot see."""


def twins_of(name: str) -> Twins:
    """The twins of a game; fails for one that has none."""
    return cast(Twins, import_module(f"tests.games.{name}.twins"))


def betrayed(game: Game, race: Walk, moment: Moment, twin: Any, seat: int | None) -> list[str]:
    """Everything by which a seat could tell a state from its twin."""
    return list(_differences(game, race, moment, twin, seat))


def _differences(game: Game, race: Walk, moment: Moment, twin: Any, seat: int | None) -> Iterator[str]:
    state = moment.state
    if game.view(state, seat).tobytes() != game.view(twin, seat).tobytes():
        yield f"the view of {seat} at step {moment.seq}"
    if seat is not None and list(game.legal_codes(state, seat)) != list(game.legal_codes(twin, seat)):
        yield f"the list of {seat} at step {moment.seq}"
    if game.to_act(state) != game.to_act(twin) or game.places(state) != game.places(twin):
        yield f"who acts or leads, for {seat} at step {moment.seq}"
    here, there = _next(game, race, moment, state), _next(game, race, moment, twin)
    if here and there and _same_outcome(game, here, there, seat) and here.seen_by(seat) != there.seen_by(seat):
        yield f"the events for {seat} at step {moment.seq}"


def _next(game: Game, race: Walk, moment: Moment, state: Any) -> Step | None:
    """Where the same choices and dice lead; None if a rival could not have made his choice there."""
    try:
        return game.apply(state, moment.choices, new_stream(race.key, moment.seq))
    except IllegalAction:
        return None


def _same_outcome(game: Game, here: Step, there: Step, seat: int | None) -> bool:
    """What is seen on the table afterwards is the same: nothing hidden has come to light."""
    return bool(game.view(here.state, seat).tobytes() == game.view(there.state, seat).tobytes())
