"""Twins: a state and another one that differs from it only in what a seat cannot see.

Each game has its own in tests/games/<game>/twins.py, written from the rules' list of what is hidden and not
from the code of views, so that what slips through a view is not slipped through here too.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from random import Random
from typing import Any, Protocol, cast

from quadriga.core.errors import IllegalAction
from quadriga.core.game import Game, Step
from quadriga.core.messages import Action
from quadriga.core.streams import new_stream
from quadriga.games import load
from tests.contract.cases import Moment, Walk


class Twins(Protocol):
    """What tests/games/<game>/twins.py holds."""

    HIDES: bool
    """Whether the game hides anything from anybody."""

    def deal_anew(self, game: Game, state: Any, seat: int | None, random: Random) -> Any:
        """A copy of the state with everything dealt anew that the seat (None: a spectator) cannot see."""

    def deal_later(
        self, game: Game, state: Any, seat: int | None, random: Random, choices: Mapping[int, Action]
    ) -> Any:
        """The same but for what these choices are about to bring to light."""


def twins_of(name: str) -> Twins:
    """The twins of a game; fails for one that has none."""
    return cast(Twins, import_module(f"tests.games.{name}.twins"))


def betrayed(game: Game, race: Walk, moment: Moment, seat: int | None, random: Random) -> list[str]:
    """Everything by which a seat of a game could tell a state from its twins."""
    twins, dealer = twins_of(game.meta.name), load(game.meta.name)
    twin = twins.deal_anew(dealer, moment.state, seat, random)
    later = twins.deal_later(dealer, moment.state, seat, random, moment.choices)
    assert dealer.check(twin) is None
    assert dealer.check(later) is None
    found = [*_seen(game, moment.state, twin, seat), *_seen(game, moment.state, later, seat)]
    if any(_told(game, race, moment, each, seat) for each in (twin, later)):
        found.append("events")
    return [f"{what} for {seat} at step {moment.seq}" for what in found]


def _seen(game: Game, state: Any, twin: Any, seat: int | None) -> Iterator[str]:
    if game.view(state, seat).tobytes() != game.view(twin, seat).tobytes():
        yield "view"
    if seat is not None and list(game.legal_codes(state, seat)) != list(game.legal_codes(twin, seat)):
        yield "list"
    if game.to_act(state) != game.to_act(twin) or game.places(state) != game.places(twin):
        yield "who acts or leads"


def _told(game: Game, race: Walk, moment: Moment, twin: Any, seat: int | None) -> bool:
    """Whether the next step tells a seat more than what it sees on the table afterwards."""
    here, there = _next(game, race, moment, moment.state), _next(game, race, moment, twin)
    if here is None or there is None:
        return False
    same = game.view(here.state, seat).tobytes() == game.view(there.state, seat).tobytes()
    return bool(same) and here.seen_by(seat) != there.seen_by(seat)


def _next(game: Game, race: Walk, moment: Moment, state: Any) -> Step | None:
    """Where the same choices and dice lead; None if a rival could not have made his choice there."""
    try:
        return game.apply(state, moment.choices, new_stream(race.key, moment.seq))
    except IllegalAction:
        return None
