"""Previews: which way each listed step leads."""

from typing import Any

import numpy as np
import pytest

from quadriga.core.streams import new_stream, stream_key
from quadriga.games import load
from quadriga.games.chariots.geometry import geometry
from quadriga.games.chariots.preview import LEAST, _way
from quadriga.games.chariots.state import MOVE

GAME = load("chariots")
SPACES = geometry(GAME.edition)["spaces"]


@pytest.mark.parametrize(
    ("start", "to", "along", "across"),
    [
        ("7,2", "8,2", "ahead", None),
        ("7,2", "6,2", "back", None),
        ("7,2", "7,3", None, "in"),
        ("7,2", "7,1", None, "out"),
        ("7,2", "8,3", "ahead", "in"),
        ("10,2", "11,1.5", "ahead", "out"),
        ("7,9", "6,9", "ahead", None),
        ("7,9", "8,9", "back", None),
        ("7,9", "7,8", None, "in"),
        ("7,9", "7,10", None, "out"),
        ("14,5", "14,6", "ahead", None),
        ("1,6", "1,5", "ahead", None),
        ("1,5", "1,6", "back", None),
        ("1,5", "2,5", None, "in"),
    ],
)
def test_the_way_of_a_step_is_told_as_the_charioteer_sees_it(
    start: str, to: str, along: str | None, across: str | None
) -> None:
    assert _way(SPACES[start], SPACES[to]) == {"along": along, "across": across}


def states() -> list[Any]:
    """Races in which somebody moves, one of them after each step of a random race."""
    stream = new_stream(stream_key(b"ways"), 0)
    race, found, rng = GAME.setup(2, GAME.meta.settle(2, {"laps": 1}), stream).state, [], np.random.default_rng(1)
    while seats := GAME.to_act(race):
        choices = {seat: GAME.legal_actions(race, seat) for seat in seats}
        race = GAME.apply(race, {s: c[rng.integers(len(c))] for s, c in choices.items()}, stream).state
        found += [race.copy()] * int(race.stage == MOVE)
    return found[:200]


def test_every_listed_step_has_a_way_and_no_other_choice() -> None:
    seen: set[tuple[str | None, str | None]] = set()
    for race in states():
        (seat,) = GAME.to_act(race)
        steps = GAME.preview(GAME.view(race, seat), seat)["steps"]
        for action, way in zip(GAME.legal_actions(race, seat), steps, strict=True):
            assert (way is None) == (action.name != "step")
            if way:
                assert way["along"] or way["across"], f"a step leads further than {LEAST}"
                seen.add((way["along"], way["across"]))
    assert {("ahead", None), ("back", None), (None, "in"), (None, "out")} <= seen


def test_nothing_is_told_while_coins_are_laid() -> None:
    race = GAME.setup(2, GAME.meta.settle(2, {}), new_stream(stream_key(b"ways"), 0)).state
    assert GAME.preview(GAME.view(race, 0), 0) == {}
